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
