import { SingletableError } from '../../errors/singletable-error.ts'
import { deepEqual, equal, rejects, throws } from './contract-assert.ts'
import {
  BYTES,
  type Entry,
  EVERYTHING,
  letters,
  number,
  put,
  read,
  readKeys,
  sort,
} from './contract-entries.ts'
import { compareWithSortedArray } from './contract-random.ts'
import type { Storage } from './storage.ts'
import { StoredItem } from './stored-item.ts'

/** The two functions of a test runner that the contract needs; those of Vitest, Jest, Mocha and
 * node:test all fit. */
export interface ContractSuite {
  describe(name: string, body: () => void): unknown
  test(name: string, body: () => Promise<void>): unknown
}

/** How the suite of `storageContract` is named and run. */
export interface StorageContractOptions {
  /** Part of the suite's title. */
  readonly name: string
  /** Of the random operations. Each run should choose another and name it on failure, which the
   * suite does. */
  readonly seed: number
  /** How many random operations to run; 10,000 if absent. */
  readonly operations?: number
}

/**
 * Declares the tests that every storage must pass. `open` makes a new, empty storage for each test.
 *
 * @example
 * storageContract({ describe, test }, () => memoryStorage(), { name: 'memory', seed: 1 })
 */
export function storageContract(
  suite: ContractSuite,
  open: () => Promise<Storage> | Storage,
  options: StorageContractOptions,
): void {
  const test = (name: string, body: (storage: Storage) => Promise<void>): unknown =>
    suite.test(name, async () => {
      const storage = await open()
      try {
        await body(storage)
      } finally {
        await storage.close()
      }
    })

  suite.describe(`storage contract: ${options.name}`, () => {
    suite.describe('reading', () => declareReading(test))
    suite.describe('transactions', () => declareTransactions(test))
    suite.describe('snapshots', () => declareSnapshots(test))
    suite.describe('closing', () => declareClosing(test))
    const { seed, operations = 10_000 } = options
    test(`${operations} random operations give what a sorted array gives (seed ${seed})`, (storage) =>
      compareWithSortedArray(storage, { seed, operations }))
  })
}

type Declare = (name: string, body: (storage: Storage) => Promise<void>) => unknown

function declareReading(test: Declare): void {
  test('a key that was never put has no value', async (storage) => {
    equal(storage.get('a'), undefined)
    deepEqual(read(storage, EVERYTHING), [])
  })

  test('a value is read back whole, with all its kinds of content', async (storage) => {
    const value = {
      text: 'é€😀\u0000',
      number: -1.5,
      yes: true,
      list: [1, 'a', [{}]],
      map: { a: {} },
    }
    await put(storage, [['a', value]])
    deepEqual(storage.get('a'), value)
    deepEqual(read(storage, EVERYTHING), [['a', value]])
  })

  test('a later put replaces the value', async (storage) => {
    await put(storage, [['a', { n: 1 }]])
    await put(storage, [['a', { n: 2 }]])
    deepEqual(read(storage, EVERYTHING), [['a', { n: 2 }]])
  })

  test('a value of several hundred kilobytes is read back whole', async (storage) => {
    const value = { text: 'é'.repeat(400_000), list: Array.from({ length: 10_000 }, (_, n) => n) }
    await put(storage, [['a', value]])
    deepEqual(storage.get('a'), value)
  })

  test('a value that was prepared is there when it has been put, as any other', async (storage) => {
    const value = new StoredItem({ pk: { S: 'é漢' }, n: { N: '1' } }, 9)
    storage.prepare?.(value)
    equal(storage.get('a'), undefined)
    await storage.transaction((transaction) => {
      transaction.put('a', value)
      transaction.put('b', value)
    })
    for (const key of ['a', 'b']) {
      const { item, sizeBytes } = storage.get(key) as StoredItem
      deepEqual({ item, sizeBytes }, { item: value.item, sizeBytes: 9 })
    }
  })

  test('a key may hold every byte, and keys are in the order of their bytes', async (storage) => {
    const keys = BYTES.flatMap((one) => [one, `${one}\x00`, `a${one}`, `a${one}\xff`])
    const entries = [...new Set(keys)].map((key, n): Entry => [key, { n }])
    await put(storage, entries)
    for (const [key, value] of entries) deepEqual(storage.get(key), value)
    deepEqual(read(storage, EVERYTHING), sort(entries))
    deepEqual(read(storage, { ...EVERYTHING, reverse: true }), sort(entries).reverse())
  })

  test('a key comes before all keys it is a prefix of, and is not taken for them', async (storage) => {
    const keys = ['', 'a', 'a\x00', 'a\x00\x00', 'aa', 'aaaaaaaaaaaaaaaaaaaaaaaa', 'ab']
    await put(
      storage,
      keys.map((key, n): Entry => [key, { n }]),
    )
    deepEqual(readKeys(storage, EVERYTHING), keys)
    for (const [n, key] of keys.entries()) deepEqual(storage.get(key), { n })
    equal(storage.get('aaa'), undefined)
    equal(storage.get('a\x00\x00\x00'), undefined)
  })

  test('keys of 2,100 bytes that differ only in the last one are distinguished', async (storage) => {
    const keys = BYTES.map((one) => 'k'.repeat(2099) + one)
    await put(
      storage,
      keys.map((key, n): Entry => [key, { n }]),
    )
    for (const [n, key] of keys.entries()) deepEqual(storage.get(key), { n })
    deepEqual(readKeys(storage, EVERYTHING), keys)
  })

  test('a range includes its start and excludes its end, whether they exist or not', async (storage) => {
    await put(storage, letters('bdfh'))
    deepEqual(readKeys(storage, { start: 'b', end: 'h' }), ['b', 'd', 'f'])
    deepEqual(readKeys(storage, { start: 'b', end: 'h', reverse: true }), ['f', 'd', 'b'])
    deepEqual(readKeys(storage, { start: 'c', end: 'g' }), ['d', 'f'])
    deepEqual(readKeys(storage, { start: 'c', end: 'g', reverse: true }), ['f', 'd'])
    deepEqual(readKeys(storage, { start: 'a', end: 'z' }), ['b', 'd', 'f', 'h'])
    deepEqual(readKeys(storage, { start: 'd', end: 'd\x00' }), ['d'])
  })

  test('a range with nothing between its ends, or its end not after its start, is empty', async (storage) => {
    await put(storage, letters('bdfh'))
    for (const [start, end] of ['dd', 'hb', 'bb', 'zz', 'ef', 'iz', 'ab'].map((ends) => [
      ...ends,
    ])) {
      for (const reverse of [false, true]) {
        deepEqual(readKeys(storage, { start: start!, end: end!, reverse }), [], `${start} ${end}`)
      }
    }
  })

  test('a visit ends when the visitor returns false', async (storage) => {
    await put(storage, letters('abcdef'))
    for (const reverse of [false, true]) {
      const seen: string[] = []
      storage.visit({ ...EVERYTHING, reverse }, (key) => seen.push(key) < 2)
      deepEqual(seen, reverse ? ['f', 'e'] : ['a', 'b'])
    }
  })

  test('an error thrown by a visitor reaches the caller, and the storage keeps working', async (storage) => {
    await put(storage, letters('abc'))
    const error = new Error('enough')
    throws(
      () =>
        storage.visit(EVERYTHING, () => {
          throw error
        }),
      error,
    )
    await put(storage, letters('d'))
    deepEqual(readKeys(storage, EVERYTHING), ['a', 'b', 'c', 'd'])
  })

  test('a visitor may read and visit', async (storage) => {
    await put(storage, letters('abc'))
    const seen: string[] = []
    storage.visit(EVERYTHING, (key, value) => {
      deepEqual(storage.get(key), value)
      storage.visit({ start: key, end: 'z' }, (inner) => seen.push(key + inner) > 0)
      return true
    })
    deepEqual(seen, ['aa', 'ab', 'ac', 'bb', 'bc', 'cc'])
  })
}

function declareTransactions(test: Declare): void {
  test('the result of the callback is the result of the transaction', async (storage) => {
    equal(await storage.transaction(() => 7), 7)
  })

  test('a transaction reads what it has written', async (storage) => {
    await put(storage, letters('abc'))
    await storage.transaction((transaction) => {
      transaction.put('d', { n: 'd' })
      transaction.remove('b')
      deepEqual(transaction.get('d'), { n: 'd' })
      equal(transaction.get('b'), undefined)
      deepEqual(readKeys(transaction, EVERYTHING), ['a', 'c', 'd'])
      deepEqual(readKeys(transaction, { ...EVERYTHING, reverse: true }), ['d', 'c', 'a'])
      transaction.removeRange({ start: 'a', end: 'd' })
      deepEqual(readKeys(transaction, EVERYTHING), ['d'])
      transaction.put('b', { n: 'again' })
      deepEqual(transaction.get('b'), { n: 'again' })
    })
    deepEqual(read(storage, EVERYTHING), [
      ['b', { n: 'again' }],
      ['d', { n: 'd' }],
    ])
  })

  test('removing a key that does not exist changes nothing', async (storage) => {
    await put(storage, letters('ac'))
    await storage.transaction((transaction) => transaction.remove('b'))
    deepEqual(readKeys(storage, EVERYTHING), ['a', 'c'])
  })

  test('removing a range removes its start and what follows, but not its end', async (storage) => {
    await put(storage, letters('abcdef'))
    await storage.transaction((transaction) => transaction.removeRange({ start: 'b', end: 'e' }))
    deepEqual(readKeys(storage, EVERYTHING), ['a', 'e', 'f'])
    await storage.transaction((transaction) => transaction.removeRange({ start: 'f', end: 'a' }))
    await storage.transaction((transaction) => transaction.removeRange({ start: 'e', end: 'e' }))
    deepEqual(readKeys(storage, EVERYTHING), ['a', 'e', 'f'])
    await storage.transaction((transaction) => transaction.removeRange(EVERYTHING))
    deepEqual(readKeys(storage, EVERYTHING), [])
  })

  test('a range of thousands of entries is removed whole and nothing else', async (storage) => {
    const entries = Array.from({ length: 5000 }, (_, n): Entry => [number(n), { n }])
    await put(storage, entries)
    await storage.transaction((transaction) => {
      transaction.removeRange({ start: number(123), end: number(4321) })
    })
    deepEqual(read(storage, EVERYTHING), [...entries.slice(0, 123), ...entries.slice(4321)])
  })

  test('a transaction that throws rejects with that error and leaves no write behind', async (storage) => {
    await put(storage, letters('abcdef'))
    const before = read(storage, EVERYTHING)
    const error = new Error('no')
    await rejects(
      storage.transaction((transaction) => {
        transaction.put('a', { n: 'changed' })
        transaction.put('a', { n: 'changed again' })
        transaction.put('x', { n: 'new' })
        transaction.remove('b')
        transaction.put('b', { n: 'back' })
        transaction.removeRange({ start: 'c', end: 'y' })
        transaction.put('d', { n: 'back' })
        transaction.removeRange(EVERYTHING)
        transaction.put('e', { n: 'last' })
        throw error
      }),
      error,
    )
    deepEqual(read(storage, EVERYTHING), before)
    await put(storage, letters('g'))
    deepEqual(read(storage, EVERYTHING), [...before, ['g', { n: 'g' }]])
  })

  test('transactions started together run one after another, in that order', async (storage) => {
    await put(storage, [['count', { n: 0 }]])
    const seen: number[] = []
    const settled: number[] = []
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        storage
          .transaction((transaction) => {
            const { n } = transaction.get('count') as { n: number }
            seen.push(n)
            transaction.put('count', { n: n + 1 })
          })
          .then(() => settled.push(index)),
      ),
    )
    const numbers = Array.from({ length: 100 }, (_, index) => index)
    deepEqual(seen, numbers)
    deepEqual(settled, numbers)
    deepEqual(storage.get('count'), { n: 100 })
  })

  test('a transaction that throws does not touch those started before and after it', async (storage) => {
    const results = await Promise.allSettled([
      storage.transaction((transaction) => transaction.put('a', { n: 1 })),
      storage.transaction((transaction) => {
        deepEqual(transaction.get('a'), { n: 1 })
        transaction.put('a', { n: 2 })
        throw new Error('no')
      }),
      storage.transaction((transaction) => {
        deepEqual(transaction.get('a'), { n: 1 })
        transaction.put('b', { n: 3 })
      }),
    ])
    deepEqual(
      results.map((result) => result.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    deepEqual(read(storage, EVERYTHING), [
      ['a', { n: 1 }],
      ['b', { n: 3 }],
    ])
  })

  test('when the promise of a transaction resolves, its writes can be read', async (storage) => {
    for (let n = 0; n < 20; n++) {
      await storage.transaction((transaction) => transaction.put('a', { n }))
      deepEqual(storage.get('a'), { n })
    }
  })

  test('a transaction started inside the callback of another is refused', async (storage) => {
    let inner: Promise<void> = Promise.resolve()
    await storage.transaction((transaction) => {
      transaction.put('a', { n: 1 })
      inner = storage.transaction((nested) => nested.put('b', { n: 2 }))
      inner.catch(() => {})
    })
    await rejects(inner, { name: 'AssertionError' })
    deepEqual(readKeys(storage, EVERYTHING), ['a'])
  })

  test('a transaction is refused after its callback has returned', async (storage) => {
    const kept = await storage.transaction((transaction) => ({ transaction }))
    throws(() => kept.transaction.put('a', { n: 1 }), { name: 'AssertionError' })
    throws(() => kept.transaction.remove('a'), { name: 'AssertionError' })
    throws(() => kept.transaction.removeRange(EVERYTHING), { name: 'AssertionError' })
    deepEqual(readKeys(storage, EVERYTHING), [])
  })

  test('a visitor that writes is refused; what it collects can be written after the visit', async (storage) => {
    await put(storage, letters('abc'))
    for (const write of ['put', 'remove', 'removeRange'] as const) {
      const broken = storage.transaction((transaction) =>
        transaction.visit(EVERYTHING, (key) => {
          if (write === 'put') transaction.put(`${key}x`, {})
          else if (write === 'remove') transaction.remove(key)
          else transaction.removeRange(EVERYTHING)
          return true
        }),
      )
      await rejects(broken, { name: 'AssertionError' })
    }
    deepEqual(readKeys(storage, EVERYTHING), ['a', 'b', 'c'])
    await storage.transaction((transaction) => {
      for (const key of readKeys(transaction, EVERYTHING)) transaction.put(`${key}x`, {})
    })
    deepEqual(readKeys(storage, EVERYTHING), ['a', 'ax', 'b', 'bx', 'c', 'cx'])
  })
}

function declareSnapshots(test: Declare): void {
  test('restoring puts everything back as it was, as often as wanted', async (storage) => {
    await put(storage, letters('abc'))
    const before = read(storage, EVERYTHING)
    const snapshot = storage.snapshot()
    for (let round = 0; round < 3; round++) {
      await storage.transaction((transaction) => {
        transaction.put('a', { round })
        transaction.remove('b')
        transaction.put('d', { round })
      })
      deepEqual(readKeys(storage, EVERYTHING), ['a', 'c', 'd'])
      await storage.restore(snapshot)
      deepEqual(read(storage, EVERYTHING), before)
      deepEqual(storage.get('b'), { n: 'b' })
      equal(storage.get('d'), undefined)
    }
  })

  test('several snapshots can be restored in any order', async (storage) => {
    const snapshots = [storage.snapshot()]
    for (const letter of 'abc') {
      await put(storage, letters(letter))
      snapshots.push(storage.snapshot())
    }
    for (const length of [1, 3, 0, 2, 3]) {
      await storage.restore(snapshots[length]!)
      deepEqual(readKeys(storage, EVERYTHING), [...'abc'.slice(0, length)])
      await put(storage, letters('z'))
    }
  })

  test('a snapshot of thousands of entries survives changes everywhere', async (storage) => {
    const entries = Array.from({ length: 3000 }, (_, n): Entry => [number(n), { n }])
    await put(storage, entries)
    const snapshot = storage.snapshot()
    await storage.transaction((transaction) => {
      for (let n = 0; n < 3000; n += 7) transaction.put(number(n), { n: -n })
      for (let n = 0; n < 3000; n += 5) transaction.remove(number(n))
      transaction.removeRange({ start: number(1000), end: number(2000) })
    })
    await storage.restore(snapshot)
    deepEqual(read(storage, EVERYTHING), entries)
  })

  test('a snapshot or restoring is refused inside the callback of a transaction', async (storage) => {
    const snapshot = storage.snapshot()
    let restoring: Promise<void> = Promise.resolve()
    await storage.transaction((transaction) => {
      transaction.put('a', { n: 1 })
      throws(() => storage.snapshot(), { name: 'AssertionError' })
      restoring = storage.restore(snapshot)
      restoring.catch(() => {})
    })
    await rejects(restoring, { name: 'AssertionError' })
    deepEqual(readKeys(storage, EVERYTHING), ['a'])
  })
}

function declareClosing(test: Declare): void {
  test('after close every call fails and says so; closing again does nothing', async (storage) => {
    await put(storage, letters('a'))
    const snapshot = storage.snapshot()
    await storage.close()
    await storage.close()
    throws(() => storage.get('a'), isClosed)
    throws(() => storage.visit(EVERYTHING, () => true), isClosed)
    throws(() => storage.snapshot(), isClosed)
    await rejects(storage.restore(snapshot), isClosed)
    let ran = false
    await rejects(
      storage.transaction(() => {
        ran = true
      }),
      isClosed,
    )
    equal(ran, false)
  })
}

function isClosed(error: unknown): boolean {
  return SingletableError.is(error) && error.code === 'STORAGE_CLOSED'
}
