import { expect, test } from 'vitest'
import { HashIndex, hashOf } from './hash-index.ts'

function keyOf(n: number): string {
  return `table#user#${String(n).padStart(6, '0')}`
}

test('three hundred thousand keys are found while segments split, and gone when removed', () => {
  const index = new HashIndex<{ readonly key: string; readonly n: number }>()
  for (let n = 0; n < 300_000; n++) {
    index.put({ key: keyOf(n), n })
    if (index.get(keyOf(n >> 1))?.n !== n >> 1) expect.unreachable(`${n >> 1} is lost at ${n}`)
  }
  for (let n = 0; n < 300_000; n += 2) index.remove(keyOf(n))
  for (let n = 0; n < 300_000; n++) {
    const expected = n % 2 === 0 ? undefined : n
    if (index.get(keyOf(n))?.n !== expected) expect.unreachable(`${n} is not ${expected}`)
  }
})

test('a put replaces the entry with the same key', () => {
  const index = new HashIndex<{ readonly key: string; readonly n: number }>()
  index.put({ key: 'a', n: 1 })
  index.put({ key: 'a', n: 2 })
  expect(index.get('a')).toEqual({ key: 'a', n: 2 })
  index.remove('a')
  expect(index.get('a')).toBe(undefined)
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
  const index = new HashIndex<{ readonly key: string }>()
  index.put({ key: one })
  expect(index.get(other)).toBe(undefined)
  index.put({ key: other })
  expect(index.get(one)?.key).toBe(one)
  expect(index.get(other)?.key).toBe(other)
  index.remove(one)
  expect(index.get(one)).toBe(undefined)
  expect(index.get(other)?.key).toBe(other)
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
