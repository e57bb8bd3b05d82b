import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine, type SingletableError, StoredItem, seededRandom } from 'singletable/engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lmdbStorage } from './lmdb-storage.ts'
import { PageFile } from './page-file.ts'
import { walkTree } from './page-tree.ts'
import { verifyFolder } from './verify-folder.ts'

const FLIPS = Number(process.env.STORAGE_FLIPS ?? 100)
const SEED = Number(process.env.SEED ?? Date.now() % 1e6)

let parent: string
let folder: string
beforeAll(async () => {
  parent = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'singletable-verify-'))
  folder = join(parent, 'store')
  await makeStore(folder)
})
afterAll(() => rmSync(parent, { recursive: true, force: true }))

/** Items with long keys and large values, an index, a stream, a deleted table and changes, so that
 * pages of every kind are there. */
async function makeStore(path: string, durability: 'flushed' | 'os' = 'os'): Promise<void> {
  const engine = createEngine({ storage: lmdbStorage(path, { durability }) })
  for (const TableName of ['items', 'gone']) {
    await engine.send('CreateTable', {
      TableName,
      AttributeDefinitions: ['pk', 'sk', 'g'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S' as const,
      })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byG',
          KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
      BillingMode: 'PAY_PER_REQUEST',
    })
    for (let n = 0; n < 200; n++) {
      const Item = {
        pk: { S: n % 20 === 0 ? 'p'.repeat(2000) : `p${n % 7}` },
        sk: { S: `${n}`.padEnd(n % 30 === 0 ? 1000 : 5, 'k') },
        ...(n % 3 === 0 ? { g: { S: `g${n % 4}` } } : {}),
        v: { S: 'v'.repeat(n % 25 === 0 ? 20_000 : 50) },
      }
      await engine.send('PutItem', { TableName, Item })
      if (n % 9 === 0) {
        await engine.send('DeleteItem', { TableName, Key: { pk: Item.pk, sk: Item.sk } })
      }
    }
  }
  await engine.send('DeleteTable', { TableName: 'gone' })
  await engine.close()
}

/** All entries of the file, as they can be reached. */
function contentOf(path: string): string {
  const file = new PageFile(join(path, 'data.mdb'))
  const entries: string[] = []
  try {
    walkTree(file, file.meta.main, {
      entry: (key, bytes) => entries.push(`${key}=${bytes.toString('latin1')}`),
      page: () => {},
      damage: () => {},
    })
  } finally {
    file.close()
  }
  return entries.join('\n')
}

describe('a folder that is whole', () => {
  test.each(['flushed', 'os'] as const)('has no problems, written with %s', async (durability) => {
    const path = join(parent, durability)
    await makeStore(path, durability)
    const report = await verifyFolder(path)
    expect(report.problems).toEqual([])
    expect(report.items).toBeGreaterThan(200)
    expect(report.entries).toBeGreaterThan(report.items)
    // It is free again, and nothing was changed.
    await lmdbStorage(path, { durability }).close()
    expect((await verifyFolder(path)).problems).toEqual([])
  })

  test('is refused while it is open, and so is a folder that is not a storage', async () => {
    const storage = lmdbStorage(folder, { durability: 'os' })
    await expect(verifyFolder(folder)).rejects.toThrow('STORAGE_IN_USE')
    await storage.close()
    await expect(verifyFolder(join(parent, 'none'))).rejects.toThrow('STORAGE_REFUSED')
    expect(existsSync(join(parent, 'none'))).toBe(false)
  })
})

/** What a user sees of a folder: how many entries there are, or that something is damaged. */
async function opened(path: string): Promise<number | string> {
  let storage: ReturnType<typeof lmdbStorage> | undefined
  try {
    storage = lmdbStorage(path)
    const keys: string[] = []
    storage.visit({ start: '', end: '\xff' }, (key) => keys.push(key) > 0)
    return keys.filter((key) => storage!.get(key) !== undefined).length
  } catch (error) {
    return (error as SingletableError).code
  } finally {
    await storage?.close()
  }
}

/** Calls back with each of this many damaged files; a third of them in the headers of pages, where
 * the structure is. */
async function damage(path: string, callback: (at: number) => Promise<void>): Promise<void> {
  const random = seededRandom(SEED)
  const data = join(path, 'data.mdb')
  const whole = readFileSync(data)
  for (let flip = 0; flip < FLIPS; flip++) {
    const bytes = Buffer.from(whole)
    const page = Math.floor((random() * whole.length) / 4096)
    const at =
      flip % 3 === 0
        ? page * 4096 + Math.floor(random() * (page < 2 ? 168 : 48))
        : Math.floor(random() * whole.length)
    bytes[at]! ^= 1 << Math.floor(random() * 8)
    writeFileSync(data, bytes)
    await callback(at)
  }
  writeFileSync(data, whole)
}

test('a changed name of an entry of the storage itself is found', async () => {
  const path = join(parent, 'renamed')
  cpSync(folder, path, { recursive: true })
  const data = join(path, 'data.mdb')
  const bytes = readFileSync(data)
  // The page of an older commit may have one too.
  for (let at = bytes.indexOf('last-space'); at >= 0; at = bytes.indexOf('last-space', at)) {
    bytes.write('lasd', at)
  }
  writeFileSync(data, bytes)
  expect((await verifyFolder(path)).problems).toHaveLength(1)
})

test(`of ${FLIPS} bits changed anywhere in the data, none makes an entry vanish or change unnoticed (seed ${SEED})`, {
  timeout: 120_000 + FLIPS * 200,
}, async () => {
  const path = join(parent, 'flipped')
  cpSync(folder, path, { recursive: true })
  const content = contentOf(path)
  let noticed = 0
  await damage(path, async (at) => {
    const problems = await verifyFolder(path).then(
      (report) => report.problems,
      (error: Error) => [error.message],
    )
    if (problems.length > 0) noticed++
    else expect([at, contentOf(path) === content]).toEqual([at, true])
  })
  expect(noticed).toBeGreaterThan(FLIPS / 20)
  expect((await verifyFolder(path)).problems).toEqual([])
})

test(`of ${FLIPS} bits changed anywhere in a small file, none ends the process or makes an entry vanish from reads (seed ${SEED})`, {
  timeout: 120_000 + FLIPS * 400,
}, async () => {
  const path = join(parent, 'opened')
  cpSync(folder, path, { recursive: true })
  const entries = await opened(path)
  expect(entries).toBeGreaterThan(200)
  let noticed = 0
  await damage(path, async (at) => {
    const found = await opened(path)
    if (found !== entries) noticed++
    expect([at, found]).toEqual([at, found === entries ? entries : 'STORAGE_DAMAGED'])
  })
  expect(noticed).toBeGreaterThan(FLIPS / 20)
})

describe('an index that is not what its items say is found', () => {
  const isEntry = (key: string): boolean => key[0] === '\x04' && key.slice(5, 7) !== '\0\0'

  test.each([
    ['an entry is missing', 'missing'],
    ['an entry has other content', 'changed'],
    ['an entry has no item', 'orphan'],
  ])('%s', async (_what, kind) => {
    const path = join(parent, kind)
    cpSync(folder, path, { recursive: true })
    expect((await verifyFolder(path)).problems).toEqual([])
    const storage = lmdbStorage(path)
    await storage.transaction((transaction) => {
      const entries: [string, StoredItem][] = []
      transaction.visit({ start: '\x04', end: '\x05' }, (key, value) => {
        if (isEntry(key)) entries.push([key, value as StoredItem])
        return true
      })
      const [key, stored] = entries.find(([each]) => each.length < 100)!
      // The same size: the numbers of entries and bytes show nothing.
      const other = { ...stored.item, v: { S: 'w'.repeat(stored.item.v?.S?.length ?? 0) } }
      if (kind === 'missing') {
        transaction.remove(key)
        transaction.put(entries.at(-1)![0], stored)
      } else if (kind === 'changed') transaction.put(key, new StoredItem(other, stored.sizeBytes))
      else {
        transaction.remove(key)
        transaction.put(`${key}\0`, new StoredItem(other, stored.sizeBytes))
      }
    })
    await storage.close()
    expect((await verifyFolder(path)).problems).toContainEqual(
      expect.stringMatching(
        /^The entries of index 1 of table \d+ are not those of the table's items\.$/,
      ),
    )
  })
})
