import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lmdbStorage } from '@singletable/kit/storage'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

let programs: string
let parent: string
let folder: string

beforeAll(async () => {
  // Beside the installed packages, so that LMDB, which isn't bundled, is found.
  const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))
  mkdirSync(cache, { recursive: true })
  programs = mkdtempSync(join(cache, 'singletable-storage-'))
  await build({
    entryPoints: ['owner', 'full-disk'].map((name) =>
      fileURLToPath(new URL(`./processes/${name}.ts`, import.meta.url)),
    ),
    outdir: programs,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['singletable-source'],
    external: ['lmdb'],
  })
})
afterAll(() => rmSync(programs, { recursive: true, force: true }))
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'singletable-storage-'))
  folder = join(parent, 'store')
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

/** A process that has opened the folder; rejects with its error if it could not. */
async function startOwner(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(programs, 'owner.mjs'), folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  const opened = await Promise.race([
    once(child.stdout, 'data').then(() => true),
    once(child, 'close').then(() => false),
  ])
  if (!opened) throw new Error(errors)
  return child
}

test('another process is told who has the folder, and gets it when that one was killed', async () => {
  const owner = await startOwner()
  expect(() => lmdbStorage(folder)).toThrow(`in use by process ${owner.pid}.`)
  // Being refused doesn't shake the lock.
  expect(() => lmdbStorage(folder)).toThrow(`in use by process ${owner.pid}.`)
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  const storage = lmdbStorage(folder)
  expect(storage.get('owner')).toEqual({ pid: owner.pid })
  await storage.close()
})

test('of several that come at once, one gets the folder, which all of them begin to make', async () => {
  // Deep, so that they meet while they make the folders above.
  folder = join(parent, ...Array.from({ length: 100 }, () => 'f'), 'store')
  const outcomes = await Promise.all(
    Array.from({ length: 4 }, () =>
      startOwner().then(
        (owner) => owner,
        (error: Error) => error.message,
      ),
    ),
  )
  const owners = outcomes.filter((outcome) => typeof outcome !== 'string')
  expect(owners.length).toBe(1)
  for (const outcome of outcomes) {
    if (typeof outcome === 'string') expect(outcome).toContain('STORAGE_IN_USE')
    else outcome.kill('SIGKILL')
  }
})

test('a disk that takes no more is reported, nobody hangs, and what was acknowledged is there afterwards', async () => {
  if (process.platform === 'win32') return
  const program = join(programs, 'full-disk.mjs')
  // No file may grow beyond 2 MB: LMDB gets an error of the system as if the disk were full.
  const script = `ulimit -f 2048; exec "${process.execPath}" "${program}" "${folder}" 2>/dev/null`
  const output = execFileSync('bash', ['-c', script], { encoding: 'utf8' })
  const { acknowledged, code, later, readable } = JSON.parse(output)
  expect([code, later]).toEqual(['STORAGE_FAILED', 'STORAGE_FAILED'])
  expect(acknowledged).toBeGreaterThan(10)
  expect(readable).toBe(acknowledged)
  const storage = lmdbStorage(folder)
  let found = 0
  storage.visit({ start: 'k', end: 'l' }, () => ++found > 0)
  expect(found).toBeGreaterThanOrEqual(acknowledged)
  await storage.close()
})
