import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
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
  // Next to the installed packages, so that LMDB, which isn't bundled, is found.
  const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))
  mkdirSync(cache, { recursive: true })
  programs = mkdtempSync(join(cache, 'singletable-storage-'))
  await build({
    entryPoints: ['owner', 'full-disk', 'small-disk'].map((name) =>
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
afterEach(() => {
  for (const mountPoint of mounted.splice(0)) execFileSync('umount', [mountPoint])
  rmSync(parent, { recursive: true, force: true })
})

/** A process that has opened the folder; rejects with its error if it could not. */
async function startOwner(...more: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(programs, 'owner.mjs'), folder, ...more], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr!.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  const opened = await Promise.race([
    once(child.stdout!, 'data').then(() => true),
    once(child, 'close').then(() => false),
  ])
  if (!opened) throw new Error(errors)
  return child
}

test('another process gets an error that names the owner of the folder, and gets the folder when the owner was killed', async () => {
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

test('an owner that copies its own open folder stays the owner, and can still write', async () => {
  const owner = await startOwner(join(parent, 'copy'))
  for (let attempt = 0; attempt < 2; attempt++) {
    expect(() => lmdbStorage(folder)).toThrow(`in use by process ${owner.pid}.`)
  }
  owner.send('write and close')
  const [code] = await once(owner, 'exit')
  expect(code).toBe(0)
  const storage = lmdbStorage(folder)
  expect(storage.get('owner')).toEqual({ pid: -owner.pid! })
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

/** A file system of this many megabytes, or undefined, with a line that says so, where none can be
 * mounted. */
function smallFileSystem(megabytes: number): string | undefined {
  const mountPoint = mkdtempSync(join(parent, 'small-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', mountPoint], {
      stdio: 'pipe',
    })
    mounted.push(mountPoint)
    return mountPoint
  } catch {
    console.warn('skipped: a small file system needs the right to mount one')
    return undefined
  }
}

const mounted: string[] = []

function runOnSmallDisk(where: string): unknown {
  const options = { encoding: 'utf8', timeout: 60_000 } as const
  const { stdout, stderr, status, signal } = spawnSync(
    process.execPath,
    [join(programs, 'small-disk.mjs'), where],
    options,
  )
  if (status !== 0) throw new Error(`ended with ${status ?? signal}: ${stderr}`)
  return JSON.parse(stdout.slice(stdout.lastIndexOf('{"')))
}

test('a server whose disk fills up refuses writes and still answers reads', (context) => {
  const small = smallFileSystem(12)
  if (small === undefined) return context.skip('needs the right to mount')
  const report = runOnSmallDisk(join(small, 'store')) as { written: number }
  expect(report).toEqual({ written: report.written, read: 200, writtenLater: 500 })
  expect(report.written).toBeGreaterThan(50)
})

test('a new folder on a disk without room is refused with a message, however little room there is', (context) => {
  for (const pages of [0, 1, 2, 4, 8, 16, 20, 24, 30]) {
    const small = smallFileSystem(2)
    if (small === undefined) return context.skip('needs the right to mount')
    const filler = join(small, 'filler')
    writeFileSync(filler, Buffer.alloc(pages * 4096))
    fillUp(join(small, 'rest'))
    rmSync(filler)
    expect([pages, runOnSmallDisk(join(small, 'store'))]).toEqual([
      pages,
      expect.objectContaining({ error: 'STORAGE_REFUSED' }),
    ])
  }
})

function fillUp(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (;;) writeSync(file, Buffer.alloc(4096))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}
