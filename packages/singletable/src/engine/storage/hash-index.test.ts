import { expect, test } from 'vitest'
import { HashIndex, hashOf } from './hash-index.ts'
import { Rows } from './rows.ts'

function keyOf(n: number): string {
  return `table#user#${String(n).padStart(6, '0')}`
}

/** An index whose rows are the numbers in which keys were added. */
function createIndex() {
  const rows = new Rows()
  const index = new HashIndex(rows)
  return {
    add: (key: string): void => index.add(hashOf(key), rows.add(key, {})),
    find: (key: string): number | undefined => index.find(key, hashOf(key)),
    remove: (key: string): void => index.remove(hashOf(key), index.find(key, hashOf(key))!),
  }
}

test('three hundred thousand keys are found while segments split, and gone when removed', () => {
  const { add, find, remove } = createIndex()
  for (let n = 0; n < 300_000; n++) {
    add(keyOf(n))
    if (find(keyOf(n >> 1)) !== n >> 1) expect.unreachable(`${n >> 1} is lost at ${n}`)
  }
  for (let n = 0; n < 300_000; n += 2) remove(keyOf(n))
  for (let n = 0; n < 300_000; n++) {
    const expected = n % 2 === 0 ? undefined : n
    if (find(keyOf(n)) !== expected) expect.unreachable(`${n} is not ${expected}`)
  }
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
  const { add, find, remove } = createIndex()
  add(one)
  expect(find(other)).toBe(undefined)
  add(other)
  expect(find(one)).toBe(0)
  expect(find(other)).toBe(1)
  remove(one)
  expect(find(one)).toBe(undefined)
  expect(find(other)).toBe(1)
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
