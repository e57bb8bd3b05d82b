import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storageContract } from 'singletable/engine'
import { afterAll, describe, test } from 'vitest'
import { lmdbStorage } from './lmdb-storage.ts'

// SEED=… repeats a failed run; the title of the test that failed names its seed.
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const folder = mkdtempSync(join(tmpdir(), 'singletable-contract-'))
let count = 0
afterAll(() => rmSync(folder, { recursive: true, force: true }))

for (const durability of ['flushed', 'os'] as const) {
  storageContract(
    { describe, test },
    () => lmdbStorage(join(folder, String(count++)), { durability }),
    { name: `LMDB, ${durability}`, seed },
  )
}
