import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A migration of a durable table: `npm run bench -- migrate --items 1000000`. */
const at = process.argv.indexOf('--items')
const items = at < 0 ? 1_000_000 : Number(process.argv[at + 1])
const folder = mkdtempSync(join(tmpdir(), 'singletable-bench-'))
try {
  const file = fileURLToPath(new URL('./processes/migrate.mjs', import.meta.url))
  // One process for each, so that none has the memory of what came before.
  for (const work of ['fill', 'edit', 'move']) {
    const parameters = ['--expose-gc', file, folder, String(items), work]
    const { status } = spawnSync(process.execPath, parameters, { stdio: 'inherit' })
    if (status !== 0) throw new Error(`${work} failed`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
