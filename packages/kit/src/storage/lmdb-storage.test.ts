import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createEngine, type Storage, type StorageSnapshot, StoredItem } from 'singletable/engine'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lmdbStorage } from './lmdb-storage.ts'

let folder: string
beforeEach(() => {
  const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  folder = mkdtempSync(join(base, 'singletable-lmdb-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a damaged value is an error that names its key; it is not deleted, and its neighbours are read', async () => {
  const storage = lmdbStorage(folder)
  await storage.transaction((transaction) => {
    for (const key of ['one', 'two', 'three']) transaction.put(key, { text: `text of ${key}` })
  })
  await storage.close()
  const file = join(folder, 'data.mdb')
  const bytes = readFileSync(file)
  // LMDB may have kept the value at several places of the file; only one of them is in use.
  for (let at = bytes.indexOf('text of two'); at >= 0; at = bytes.indexOf('text of two', at)) {
    bytes[at]! ^= 1
  }
  writeFileSync(file, bytes)

  for (let round = 0; round < 2; round++) {
    const damaged = lmdbStorage(folder)
    const hex = Buffer.from('\x01two', 'latin1').toString('hex')
    expect(() => damaged.get('two')).toThrow(`STORAGE_DAMAGED: The value under the key ${hex} `)
    expect(() => damaged.visit({ start: 'a', end: 'z' }, () => true)).toThrow('STORAGE_DAMAGED')
    expect(damaged.get('one')).toEqual({ text: 'text of one' })
    // It does no harm, and can be overwritten by who knows better.
    await damaged.transaction((transaction) => transaction.put('one', { text: 'text of one' }))
    await expect(damaged.transaction((transaction) => transaction.get('two'))).rejects.toThrow(
      'STORAGE_DAMAGED',
    )
    await damaged.close()
  }
})

test('a large item that somebody holds is read as it is now, however it was changed', async () => {
  const storage = lmdbStorage(folder)
  const large = (text: string) => new StoredItem({ a: { S: text.repeat(70_000) } }, 70_001)
  const held: unknown[] = []
  const read = () => {
    const found = storage.get('k') as StoredItem | undefined
    held.push(found)
    return found?.item.a?.S?.[0]
  }
  await storage.transaction((transaction) => transaction.put('k', large('1')))
  expect([read(), read()]).toEqual(['1', '1'])
  const snapshot = storage.snapshot()
  await storage.transaction((transaction) => transaction.put('k', large('2')))
  expect(read()).toBe('2')
  await storage.restore(snapshot)
  expect(read()).toBe('1')
  await storage.transaction((transaction) => transaction.remove('k'))
  expect(read()).toBeUndefined()
  await storage.transaction((transaction) => transaction.put('k', large('3')))
  expect(read()).toBe('3')
  await storage.transaction((transaction) => transaction.removeRange({ start: 'a', end: 'z' }))
  expect(read()).toBeUndefined()
  await storage.close()
  expect(held).toHaveLength(7)
})

test('more entries than a commit may list are removed at once, together with its writes', async () => {
  const storage = lmdbStorage(folder)
  const COUNT = 120_000
  const key = (n: number) => `k${String(n).padStart(6, '0')}`
  for (let n = 0; n < COUNT; ) {
    await storage.transaction((transaction) => {
      for (const end = n + 20_000; n < end; n++) transaction.put(key(n), { n })
    })
  }
  await storage.transaction((transaction) => {
    transaction.removeRange({ start: key(10), end: key(COUNT - 10) })
    transaction.put(key(50), { again: true })
    transaction.put('x'.repeat(5000), { long: true })
  })
  const keys: string[] = []
  storage.visit({ start: 'k', end: 'l' }, (each) => keys.push(each) > 0)
  expect(keys.length).toBe(21)
  expect(storage.get(key(50))).toEqual({ again: true })
  expect(storage.get('x'.repeat(5000))).toEqual({ long: true })
  await storage.close()
})

test('a large range that is removed by a callback which throws stays whole', async () => {
  const storage = lmdbStorage(folder)
  await storage.transaction((transaction) => {
    for (let n = 0; n < 1000; n++) transaction.put(String(n), { n })
  })
  await expect(
    storage.transaction((transaction) => {
      transaction.put('5', { n: -1 })
      transaction.removeRange({ start: '', end: 'x' })
      throw new Error('changed my mind')
    }),
  ).rejects.toThrow('changed my mind')
  let count = 0
  storage.visit({ start: '', end: 'x' }, () => ++count > 0)
  expect(count).toBe(1000)
  await storage.close()
})

describe('snapshots of a durable storage', () => {
  /** This many snapshots, each of another state. */
  async function fill(storage: Storage, count: number): Promise<StorageSnapshot[]> {
    const snapshots: StorageSnapshot[] = []
    for (let n = 0; n < count; n++) {
      await storage.transaction((transaction) => transaction.put('a', { n }))
      snapshots.push(storage.snapshot())
    }
    return snapshots
  }

  test('a thousand states can be held; the next snapshot is refused, and no write ever', async () => {
    const storage = lmdbStorage(folder, { durability: 'os' })
    const snapshots = await fill(storage, 1000)
    await storage.transaction((transaction) => transaction.put('a', { n: 'last' }))
    expect(() => storage.snapshot()).toThrow('STORAGE_SNAPSHOT_LIMIT')
    await storage.transaction((transaction) => transaction.put('b', { n: 'later' }))
    expect(storage.get('a')).toEqual({ n: 'last' })
    await storage.restore(snapshots[500]!)
    expect(storage.get('a')).toEqual({ n: 500 })
    await storage.close()
  })

  test('snapshots of one state count once', async () => {
    const storage = lmdbStorage(folder, { durability: 'os' })
    await storage.transaction((transaction) => transaction.put('a', { n: 1 }))
    const snapshots = Array.from({ length: 3000 }, () => storage.snapshot())
    await storage.transaction((transaction) => transaction.put('a', { n: 2 }))
    await storage.restore(snapshots[2999]!)
    expect(storage.get('a')).toEqual({ n: 1 })
    await storage.close()
  })

  test('what is forgotten is let go when the garbage is collected', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const storage = lmdbStorage(folder, { durability: 'os' })
    await fill(storage, 1000)
    await storage.transaction((transaction) => transaction.put('a', { n: 'last' }))
    await expect
      .poll(
        () => {
          collect()
          return storage.snapshot()
        },
        { timeout: 30_000 },
      )
      .toBeDefined()
    await storage.close()
  })
})

test('writes of one large item at the same time are all applied', async () => {
  const engine = createEngine({ storage: lmdbStorage(folder, { durability: 'os' }) })
  await engine.send('CreateTable', {
    TableName: 'table',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  const Key = { pk: { S: 'x' } }
  const a = { L: Array.from({ length: 30_000 }, () => ({ N: '1' })) }
  await engine.sendText('PutItem', { TableName: 'table', Item: { ...Key, a } })
  const add = {
    TableName: 'table',
    Key,
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
  }
  await Promise.all(Array.from({ length: 8 }, () => engine.sendText('UpdateItem', add)))
  const { Item } = await engine.send('GetItem', { TableName: 'table', Key })
  expect(Item).toEqual({ ...Key, a, n: { N: '8' } })
  await engine.close()
})
