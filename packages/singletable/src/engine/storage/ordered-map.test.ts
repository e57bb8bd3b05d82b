import { expect, test } from 'vitest'
import { OrderedMap } from './ordered-map.ts'

const everything = { start: '', end: '\xff' }

function key(n: number): string {
  return `table#user#${String(n).padStart(6, '0')}`
}

test.each([
  ['ascending', (n: number) => n],
  ['descending', (n: number) => 9999 - n],
  ['scattered', (n: number) => (n * 7919) % 10_000],
])('ten thousand keys put in %s order are found, visited in order and removed', (_name, order) => {
  const map = new OrderedMap<number>()
  for (let n = 0; n < 10_000; n++) expect(map.put(key(order(n)), order(n))).toBe(undefined)
  expect(map.size).toBe(10_000)
  const seen: number[] = []
  map.visit(everything, (_key, value) => seen.push(value) > 0)
  expect(seen).toEqual(Array.from({ length: 10_000 }, (_, n) => n))
  for (let n = 0; n < 10_000; n++) expect(map.get(key(n))).toBe(n)
  for (let n = 0; n < 10_000; n++) expect(map.remove(key(order(n)))).toBe(order(n))
  expect(map.size).toBe(0)
  map.visit(everything, () => expect.unreachable())
})

test('a node has room for 2 to 63 keys', () => {
  expect(() => new OrderedMap({ nodeKeysMax: 1 })).toThrow(/2 to 63/)
  expect(() => new OrderedMap({ nodeKeysMax: 64 })).toThrow(/2 to 63/)
  expect(new OrderedMap({ nodeKeysMax: 2 }).size).toBe(0)
  expect(new OrderedMap({ nodeKeysMax: 63 }).size).toBe(0)
})
