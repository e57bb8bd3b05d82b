import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { memoryStorage } from './memory-storage.ts'

test('a transaction has run, and its writes can be read, before its promise is awaited', async () => {
  const storage = memoryStorage()
  const running = storage.transaction((transaction) => transaction.put('a', { n: 1 }))
  expect(storage.get('a')).toEqual({ n: 1 })
  await running
})

test.each([63, 64, 65, 66, 1000])(
  'removing a range of %i entries is taken back when the transaction throws',
  async (count) => {
    const storage = memoryStorage()
    const keys = Array.from({ length: count }, (_, n) => `k${String(n).padStart(4, '0')}`)
    await storage.transaction((transaction) => {
      for (const key of ['a', ...keys, 'z']) transaction.put(key, { key })
    })
    const broken = storage.transaction((transaction) => {
      transaction.put('k', { key: 'new' })
      transaction.removeRange({ start: 'k', end: 'l' })
      expect(transaction.get('k')).toBe(undefined)
      transaction.put('k0000', { key: 'changed' })
      throw new Error('no')
    })
    await expect(broken).rejects.toThrow('no')
    const found: unknown[] = []
    storage.visit({ start: 'a', end: '\xff' }, (key, value) => found.push([key, value]) > 0)
    expect(found).toEqual(['a', ...keys, 'z'].map((key) => [key, { key }]))
  },
)

test('snapshots keep what they had while large ranges go and come back, in transactions that succeed and fail', async () => {
  const storage = memoryStorage()
  const keys = Array.from({ length: 300 }, (_, n) => `k${String(n).padStart(4, '0')}`)
  const write = (version: number, failing = false): Promise<void> =>
    storage.transaction((transaction) => {
      transaction.removeRange({ start: 'k0100', end: 'k0250' })
      for (const key of keys) transaction.put(key, { key, version })
      if (failing) throw new Error('no')
    })
  const versions = (): Set<unknown> => {
    const found = new Set<unknown>()
    storage.visit({ start: 'a', end: 'z' }, (key, value) => {
      expect(storage.get(key)).toEqual(value)
      found.add((value as { version: number }).version)
      return true
    })
    return found
  }
  await write(1)
  const first = storage.snapshot()
  await write(2)
  await expect(write(3, true)).rejects.toThrow('no')
  const second = storage.snapshot()
  await write(4)
  expect(versions()).toEqual(new Set([4]))
  await storage.restore(second)
  expect(versions()).toEqual(new Set([2]))
  await write(5)
  await storage.restore(first)
  expect(versions()).toEqual(new Set([1]))
  await storage.restore(second)
  expect(versions()).toEqual(new Set([2]))
})

test('a snapshot much smaller than what was written after it comes back whole', async () => {
  const storage = memoryStorage()
  const put = (from: number, to: number, version: number): Promise<void> =>
    storage.transaction((transaction) => {
      for (let n = from; n < to; n++) transaction.put(`k${n}`, { n, version })
    })
  await put(0, 100, 1)
  const small = storage.snapshot()
  await put(50, 30_000, 2)
  const large = storage.snapshot()
  for (let round = 0; round < 2; round++) {
    await storage.restore(small)
    expect(storage.get('k99')).toEqual({ n: 99, version: 1 })
    expect(storage.get('k100')).toBe(undefined)
    await put(0, 10, 3)
    await storage.restore(large)
    expect(storage.get('k0')).toEqual({ n: 0, version: 1 })
    expect(storage.get('k99')).toEqual({ n: 99, version: 2 })
    expect(storage.get('k29999')).toEqual({ n: 29_999, version: 2 })
  }
})

test('what was written after a snapshot is let go when that is restored', async () => {
  const storage = memoryStorage()
  await storage.transaction((transaction) => transaction.put('a', { n: 1 }))
  const snapshot = storage.snapshot()
  const written = await storage.transaction((transaction) => {
    const value = { text: 'nobody will read this' }
    transaction.put('b', value)
    return new WeakRef(value)
  })
  await storage.restore(snapshot)
  await collectGarbage()
  expect(written.deref()).toBe(undefined)
  await storage.restore(snapshot)
  expect(storage.get('a')).toEqual({ n: 1 })
  expect(storage.get('b')).toBe(undefined)
})

test('a value that was replaced or removed is let go', async () => {
  const storage = memoryStorage()
  const put = (key: string, n: number): Promise<WeakRef<object>> =>
    storage.transaction((transaction) => {
      const value = { n }
      transaction.put(key, value)
      return new WeakRef(value)
    })
  const replaced = [await put('a', 1), await put('a', 2)]
  const removed = [await put('b', 1), await put('b', 2)]
  await put('a', 3)
  await storage.transaction((transaction) => transaction.remove('b'))
  // Takes the place where the last transaction kept what it would have had to take back.
  await put('c', 1)
  await collectGarbage()
  expect([...replaced, ...removed].map((value) => value.deref())).toEqual(
    new Array(4).fill(undefined),
  )
  expect(storage.get('a')).toEqual({ n: 3 })
})

/** What a weak reference has given is kept until the present task ends. */
async function collectGarbage(): Promise<void> {
  await setImmediate()
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

test('a snapshot is refused by a storage that did not make it', async () => {
  const snapshot = memoryStorage().snapshot()
  await expect(memoryStorage().restore(snapshot)).rejects.toThrow(
    /only by the storage that made it/,
  )
})

test('closing inside the callback of a transaction is refused, and the storage stays open', async () => {
  const storage = memoryStorage()
  const closing = await storage.transaction(() => ({ promise: storage.close() }))
  await expect(closing.promise).rejects.toThrow(/inside the callback/)
  expect(storage.get('a')).toBe(undefined)
})

test('the error after close names the call and what to do', async () => {
  const storage = memoryStorage()
  await storage.close()
  expect(() => storage.get('a')).toThrow(/^STORAGE_CLOSED: .*\n.*get\(\)\n {2}fix: /)
})
