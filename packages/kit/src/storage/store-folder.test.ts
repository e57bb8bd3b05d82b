import { hash } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lmdbStorage } from './lmdb-storage.ts'
import { type FolderMarker, readMarker, writeMarker } from './marker-file.ts'

let parent: string
let folder: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'singletable-folder-'))
  folder = join(parent, 'store')
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

async function makeStore(path: string = folder): Promise<void> {
  const storage = lmdbStorage(path)
  await storage.transaction((transaction) => transaction.put('a', { n: 1 }))
  await storage.close()
}

/** Opening must fail with this text and change nothing in the folder. */
function refuses(text: string | RegExp): void {
  const before = contents(folder)
  expect(() => lmdbStorage(folder)).toThrow(text)
  expect(contents(folder)).toEqual(before)
}

function contents(path: string): unknown {
  if (!statSync(path).isDirectory()) return readFileSync(path).toString('hex')
  return readdirSync(path)
    .filter((name) => !name.startsWith('owner.'))
    .map((name) => [name, hash('sha256', readFileSync(join(path, name)))])
}

describe('a folder', () => {
  test('is made with all folders above it, for this user alone, and so are its files', async () => {
    folder = join(parent, 'x', 'y')
    await makeStore()
    if (process.platform !== 'win32') {
      expect(statSync(folder).mode & 0o777).toBe(0o700)
      for (const name of readdirSync(folder)) {
        expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600])
      }
    }
  })

  test('that is there and empty becomes a store', async () => {
    mkdirSync(folder)
    await makeStore()
    const storage = lmdbStorage(folder)
    expect(storage.get('a')).toEqual({ n: 1 })
    await storage.close()
  })

  test('in which another process is testing for space, or was killed while it did, becomes a store', async () => {
    mkdirSync(folder)
    const room = join(folder, 'owner.mdb.room')
    writeFileSync(room, Buffer.alloc(10))
    await makeStore()
    expect(existsSync(room)).toBe(false)
  })

  test('may be opened with the other durability, any number of times', async () => {
    await makeStore()
    for (const [n, durability] of (['os', 'flushed', 'os', 'os', 'flushed'] as const).entries()) {
      const storage = lmdbStorage(folder, { durability })
      expect(storage.get('a')).toEqual({ n: n + 1 })
      await storage.transaction((transaction) => transaction.put('a', { n: n + 2 }))
      await storage.close()
      const { durability: noted } = JSON.parse(
        readFileSync(join(folder, 'singletable.json'), 'utf8'),
      )
      expect(noted).toBe(durability)
    }
  })

  test('whose making was cut short, wherever that was, is made to its end', async () => {
    await makeStore()
    const marker = join(folder, 'singletable.json')
    const unready = markerOf({ ready: false })
    // Before the data file was made: with a draft of it, and of the marker.
    writeFileSync(marker, unready)
    renameSync(join(folder, 'data.mdb'), join(parent, 'data.mdb'))
    writeFileSync(join(folder, 'data.mdb.new'), 'half a file')
    writeFileSync(join(folder, 'singletable.json.new'), 'half a mark')
    const made = lmdbStorage(folder)
    expect(made.get('a')).toBeUndefined()
    await made.close()
    expect(readdirSync(folder).filter((name) => name.includes('.new'))).toEqual([])
    // After it: what is in the data file stays.
    writeFileSync(marker, unready)
    renameSync(join(parent, 'data.mdb'), join(folder, 'data.mdb'))
    const kept = lmdbStorage(folder)
    expect(kept.get('a')).toEqual({ n: 1 })
    await kept.close()
    expect(JSON.parse(readFileSync(marker, 'utf8'))).toMatchObject({ ready: true })
  })

  test('of the first format version is opened, and its marker rewritten', async () => {
    await makeStore()
    const marker = join(folder, 'singletable.json')
    const { checksum: _, ...members } = JSON.parse(readFileSync(marker, 'utf8'))
    writeFileSync(marker, `${JSON.stringify({ ...members, version: 1 }, null, 2)}\n`)
    const storage = lmdbStorage(folder)
    expect(storage.get('a')).toEqual({ n: 1 })
    await storage.close()
    expect(JSON.parse(readFileSync(marker, 'utf8'))).toEqual({ ...members, checksum: _ })
  })
})

/** The marker of the folder with other members, as it would be written. */
function markerOf(change: Partial<FolderMarker>): string {
  const marker = readMarker(folder)!
  const elsewhere = join(parent, 'marker')
  mkdirSync(elsewhere)
  writeMarker(elsewhere, { ...marker, ...change })
  return readFileSync(join(elsewhere, 'singletable.json'), 'utf8')
}

test('with any one bit of the marker changed, a folder is refused or opened with everything there', async () => {
  folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : parent, 'singletable-bits-'))
  await makeStore()
  const path = join(folder, 'singletable.json')
  const current = readFileSync(path)
  const { checksum: _, ...members } = JSON.parse(current.toString())
  const first = Buffer.from(`${JSON.stringify({ ...members, version: 1 }, null, 2)}\n`)
  const outcomes = new Map<string, number>()
  for (const marker of [current, first]) {
    for (let bit = 0; bit < marker.length * 8; bit++) {
      const changed = Buffer.from(marker)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      writeFileSync(path, changed)
      let outcome: string
      try {
        const storage = lmdbStorage(folder)
        outcome = JSON.stringify(storage.get('a') ?? 'lost')
        await storage.close()
      } catch (error) {
        outcome = (error as { code: string }).code
      }
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }
  rmSync(folder, { recursive: true })
  const known = ['STORAGE_DAMAGED', 'STORAGE_REFUSED', '{"n":1}']
  expect([...outcomes.keys()].filter((outcome) => !known.includes(outcome))).toEqual([])
  expect([...outcomes.values()].reduce((sum, count) => sum + count)).toBe(
    (current.length + first.length) * 8,
  )
})

describe('refused and left as it was is', () => {
  test('a folder that holds something else', () => {
    mkdirSync(folder)
    writeFileSync(join(folder, 'letter.txt'), 'Dear Sir')
    refuses('STORAGE_REFUSED: The folder is not a storage of singletable: it holds "letter.txt"')
  })

  test("LMDB's own file of another program", () => {
    mkdirSync(folder)
    writeFileSync(join(folder, 'data.mdb'), Buffer.alloc(8192))
    refuses('STORAGE_REFUSED: The folder is not a storage of singletable: it holds "data.mdb"')
  })

  test('a file in the place of the folder, or of one above it', () => {
    writeFileSync(folder, 'a file')
    refuses('STORAGE_REFUSED: The path, or a part of it, is a file')
    expect(() => lmdbStorage(join(folder, 'below'))).toThrow('STORAGE_REFUSED: The path, or a part')
  })

  test('a path where no folder can be made', () => {
    if (process.platform !== 'linux') return
    expect(() => lmdbStorage('/proc/singletable')).toThrow(
      'STORAGE_REFUSED: The folder cannot be created',
    )
  })

  test('a newer format, with its version in the text', async () => {
    await makeStore()
    const marker = join(folder, 'singletable.json')
    writeFileSync(marker, readFileSync(marker, 'utf8').replace('"version": 2', '"version": 7'))
    refuses('STORAGE_REFUSED: The folder has format version 7; this version of singletable knows 2')
  })

  test('a marker that is none', async () => {
    await makeStore()
    for (const text of ['', '{', '[]', 'null', '{"format":"other","version":1}']) {
      writeFileSync(join(folder, 'singletable.json'), text)
      refuses('STORAGE_REFUSED: "singletable.json" in the folder is not that of a storage')
    }
  })

  test('a data file that is missing, empty, cut off or something else', async () => {
    await makeStore()
    const data = join(folder, 'data.mdb')
    const whole = readFileSync(data)
    for (const bytes of [whole.length - 1, Math.floor(whole.length / 2), 4096, 4095]) {
      truncateSync(data, bytes)
      refuses(/STORAGE_DAMAGED: "data.mdb" in the folder (is cut short|ends before|has lost)/)
      writeFileSync(data, whole)
    }
    writeFileSync(data, Buffer.alloc(whole.length))
    refuses('STORAGE_DAMAGED: "data.mdb" in the folder is not a file of LMDB')
    writeFileSync(data, Buffer.concat([whole.subarray(0, 8192), Buffer.alloc(whole.length - 8192)]))
    refuses('STORAGE_DAMAGED: "data.mdb" in the folder has page 0 in the place of page')
    writeFileSync(data, 'This is not a file of LMDB, whatever its name may be.')
    refuses('STORAGE_DAMAGED: "data.mdb" in the folder is not a file of LMDB')
    truncateSync(data, 0)
    refuses('STORAGE_DAMAGED: "data.mdb" in the folder is empty')
    rmSync(data)
    refuses('STORAGE_DAMAGED: "data.mdb" is missing')
  })

  test('the data of another store', async () => {
    const other = join(parent, 'other')
    await makeStore()
    await makeStore(other)
    copyFileSync(join(other, 'data.mdb'), join(folder, 'data.mdb'))
    expect(() => lmdbStorage(folder)).toThrow(
      'STORAGE_DAMAGED: "data.mdb" belongs to another store',
    )
  })

  test('a data file that is a link', async () => {
    await makeStore()
    const data = join(folder, 'data.mdb')
    renameSync(data, join(parent, 'elsewhere.mdb'))
    symlinkSync(join(parent, 'elsewhere.mdb'), data)
    refuses('STORAGE_REFUSED: "data.mdb" in the folder is a symbolic link')
  })

  test('an option that does not exist', () => {
    expect(() => lmdbStorage(folder, { durability: 'none' as never })).toThrow('STORAGE_REFUSED')
    expect(existsSync(folder)).toBe(false)
  })
})

describe('one owner at a time', () => {
  test('the same process cannot open a folder twice, by whatever path; after close it can', async () => {
    const storage = lmdbStorage(folder)
    const link = join(parent, 'link')
    symlinkSync(folder, link)
    for (const path of [folder, link, join(parent, '.', 'store')]) {
      expect(() => lmdbStorage(path)).toThrow(`in use by this process (${process.pid})`)
    }
    await storage.transaction((transaction) => transaction.put('a', { n: 1 }))
    await storage.close()
    const again = lmdbStorage(folder)
    expect(again.get('a')).toEqual({ n: 1 })
    await again.close()
  })

  test('a copy of a folder that is open is another folder', async () => {
    const storage = lmdbStorage(folder)
    await storage.transaction((transaction) => transaction.put('a', { n: 1 }))
    cpSync(folder, join(parent, 'copy'), { recursive: true })
    const copy = lmdbStorage(join(parent, 'copy'))
    expect(copy.get('a')).toEqual({ n: 1 })
    await copy.close()
    expect(() => lmdbStorage(folder)).toThrow(`in use by this process (${process.pid})`)
    await storage.close()
  })

  test('an owner whose number another process has now, or of an earlier start of the machine, is gone', async () => {
    const storage = lmdbStorage(folder)
    const path = join(folder, 'owner.json')
    const owner = JSON.parse(readFileSync(path, 'utf8'))
    await storage.close()
    const earlier = [{ started: '1' }, { boot: '00000000-0000-4000-8000-000000000000' }]
    if (process.platform !== 'linux') earlier.shift()
    for (const change of [...earlier, { pid: 2 ** 22 + 1 }]) {
      writeFileSync(path, '')
      const file = String(statSync(path, { bigint: true }).ino)
      writeFileSync(path, JSON.stringify({ ...owner, ...change, file }))
      await lmdbStorage(folder).close()
    }
    writeFileSync(path, '')
    const file = String(statSync(path, { bigint: true }).ino)
    writeFileSync(path, JSON.stringify({ ...owner, file }))
    expect(() => lmdbStorage(folder)).toThrow('STORAGE_IN_USE')
  })

  test('a thread of the same process is another owner too', async () => {
    const storage = lmdbStorage(folder)
    const worker = new Worker(
      `const { workerData, parentPort } = require('node:worker_threads')
       const { open } = require('lmdb')
       const file = open({ path: workerData, noSubdir: true, overlappingSync: false })
       parentPort.postMessage(file.readerList())
       file.close()`,
      { eval: true, workerData: join(folder, 'owner.mdb') },
    )
    const [list] = await once(worker, 'message')
    expect(list).toContain(String(process.pid))
    await once(worker, 'exit')
    await storage.close()
  })
})
