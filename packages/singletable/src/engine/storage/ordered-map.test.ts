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

test.each([
  ['below', ['', 'a', 'table#', 'table#user']],
  ['above', ['table#user#1', 'table#v', 'z', '\xff']],
])(
  'keys that come %s many that begin alike, and begin otherwise, are found where they belong',
  (_where, others) => {
    const map = new OrderedMap<number>()
    const alike = Array.from({ length: 1000 }, (_, n) => key(n))
    for (const each of alike) map.put(each, 1)
    for (const each of others) expect(map.get(each)).toBe(undefined)
    for (const each of others) map.put(each, 2)
    const seen: string[] = []
    map.visit({ start: '', end: '\xff\xff' }, (each) => seen.push(each) > 0)
    expect(seen).toEqual([...alike, ...others].sort())
    for (const each of others) expect(map.get(each)).toBe(2)
    for (const each of alike) expect(map.get(each)).toBe(1)
  },
)
