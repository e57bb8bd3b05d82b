import { expect, test } from 'vitest'
import { HashIndex, hashOf } from './hash-index.ts'
import { StoredItem } from './stored-item.ts'

function keyOf(n: number): string {
  return `table#user#${String(n).padStart(6, '0')}`
}

const add = (index: HashIndex, key: string, n: number): void => index.add(key, hashOf(key), { n })
const get = (index: HashIndex, key: string): number | undefined =>
  (index.get(key, hashOf(key)) as { readonly n: number } | undefined)?.n
const remove = (index: HashIndex, key: string): object | undefined => index.remove(key, hashOf(key))

test('three hundred thousand keys are found while segments split, and gone when removed', () => {
  const index = new HashIndex()
  for (let n = 0; n < 300_000; n++) {
    add(index, keyOf(n), n)
    if (get(index, keyOf(n >> 1)) !== n >> 1) expect.unreachable(`${n >> 1} is lost at ${n}`)
  }
  expect(index.size).toBe(300_000)
  for (let n = 0; n < 300_000; n += 2) remove(index, keyOf(n))
  for (let n = 0; n < 300_000; n++) {
    const expected = n % 2 === 0 ? undefined : n
    if (get(index, keyOf(n)) !== expected) expect.unreachable(`${n} is not ${expected}`)
  }
  expect(index.size).toBe(150_000)
})

test('an entry that is removed is given back, once', () => {
  const index = new HashIndex()
  add(index, 'a', 1)
  expect(index.size).toBe(1)
  expect(remove(index, 'a')).toEqual({ n: 1 })
  expect(remove(index, 'a')).toBe(undefined)
  expect(get(index, 'a')).toBe(undefined)
  expect(index.size).toBe(0)
})

test('another value is given only to a key that has one', () => {
  const index = new HashIndex()
  add(index, 'a', 1)
  expect(index.replace('a', hashOf('a'), { n: 2 })).toEqual({ n: 1 })
  expect(index.replace('b', hashOf('b'), { n: 3 })).toBe(undefined)
  expect(get(index, 'a')).toBe(2)
  expect(get(index, 'b')).toBe(undefined)
})

test('a stored item comes back as one, with its item, also after segments split', () => {
  const index = new HashIndex()
  const item = { pk: { S: 'a' } }
  index.add('a', hashOf('a'), new StoredItem(item, 5))
  for (let n = 0; n < 1000; n++) add(index, keyOf(n), n)
  const found = index.get('a', hashOf('a'))
  expect(found).toBeInstanceOf(StoredItem)
  expect(found).toEqual(new StoredItem(item, 5))
  expect((found as StoredItem).item).toBe(item)
  // A value of another kind in its place is not taken for an item.
  index.replace('a', hashOf('a'), { n: 1 })
  expect(index.get('a', hashOf('a'))).toEqual({ n: 1 })
})

test('the hashes of neighbouring keys spread evenly over first and last bits', () => {
  const first = new Array<number>(256).fill(0)
  const last = new Array<number>(256).fill(0)
  for (let n = 0; n < 25_600; n++) {
    const hash = hashOf(keyOf(n))
    first[hash >>> 24]!++
    last[hash & 255]!++
  }
  // 100 each would be even; the standard deviation of chance is 10.
  for (const count of [...first, ...last]) expect(Math.abs(count - 100)).toBeLessThan(60)
})

test('keys with equal hashes do not hide each other', () => {
  const [one, other] = keysWithEqualHashes()
  const index = new HashIndex()
  add(index, one, 1)
  expect(get(index, other)).toBe(undefined)
  add(index, other, 2)
  expect(get(index, one)).toBe(1)
  expect(get(index, other)).toBe(2)
  remove(index, one)
  expect(get(index, one)).toBe(undefined)
  expect(get(index, other)).toBe(2)
})

/** Among some hundred thousand keys two agree in all 32 bits. */
function keysWithEqualHashes(): [string, string] {
  const byHash = new Map<number, string>()
  for (let n = 0; n < 1_000_000; n++) {
    const key = keyOf(n)
    const hash = hashOf(key)
    const found = byHash.get(hash)
    if (found !== undefined) return [found, key]
    byHash.set(hash, key)
  }
  return expect.unreachable('no two keys have equal hashes')
}
