import { expect, test } from 'vitest'
import { HashIndex, hashOf, type Keyed } from './hash-index.ts'

function keyOf(n: number): string {
  return `table#user#${String(n).padStart(6, '0')}`
}

function entryOf(key: string): Keyed {
  return { key, hash: hashOf(key) }
}

test('three hundred thousand keys are found while segments split, and gone when removed', () => {
  const index = new HashIndex<Keyed, number>()
  for (let n = 0; n < 300_000; n++) {
    index.put(entryOf(keyOf(n)), n)
    if (index.get(keyOf(n >> 1)) !== n >> 1) expect.unreachable(`${n >> 1} is lost at ${n}`)
  }
  for (let n = 0; n < 300_000; n += 2) index.remove(keyOf(n))
  for (let n = 0; n < 300_000; n++) {
    const expected = n % 2 === 0 ? undefined : n
    if (index.get(keyOf(n)) !== expected) expect.unreachable(`${n} is not ${expected}`)
  }
})

test('a put replaces the entry with the same key', () => {
  const index = new HashIndex<Keyed, number>()
  const [one, other] = [entryOf('a'), entryOf('a')]
  index.put(one, 1)
  index.put(other, 2)
  expect(index.get('a')).toBe(2)
  expect(index.find('a', hashOf('a'))).toBe(other)
  index.remove('a')
  expect(index.get('a')).toBe(undefined)
  expect(index.find('a', hashOf('a'))).toBe(undefined)
})

test('the value of an entry is that of this very one', () => {
  const index = new HashIndex<Keyed, number>()
  const [one, other] = [entryOf('a'), entryOf('a')]
  index.put(one, 1)
  expect(index.valueOf(one)).toBe(1)
  expect(index.valueOf(other)).toBe(undefined)
  expect(index.replace(one, 2)).toBe(1)
  expect(index.valueOf(one)).toBe(2)
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
  const index = new HashIndex<Keyed, string>()
  index.put(entryOf(one), 'one')
  expect(index.get(other)).toBe(undefined)
  index.put(entryOf(other), 'other')
  expect(index.get(one)).toBe('one')
  expect(index.get(other)).toBe('other')
  index.remove(one)
  expect(index.get(one)).toBe(undefined)
  expect(index.get(other)).toBe('other')
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
