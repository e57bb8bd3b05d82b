import { expect, test } from 'vitest'
import { Rows } from './rows.ts'
import { StoredItem } from './stored-item.ts'

test('a stored item comes back as one, with its item, and other values as they are', () => {
  const rows = new Rows()
  const item = { pk: { S: 'a' } }
  const row = rows.add('a', new StoredItem(item, 5))
  const found = rows.valueAt(row)
  expect(found).toBeInstanceOf(StoredItem)
  expect(found).toMatchObject({ item, sizeBytes: 5 })
  // A value of another kind in its place is not taken for an item, and the other way round.
  rows.replace(row, { n: 1 })
  expect(rows.valueAt(row)).toEqual({ n: 1 })
  rows.replace(row, new StoredItem(item, 6))
  expect(rows.valueAt(row)).toMatchObject({ item, sizeBytes: 6 })
})

test('an item that was asked for as JSON stays the same item, in snapshots too', () => {
  const rows = new Rows()
  const item = { pk: { S: 'a' }, text: { S: 'quote "' } }
  const other = { pk: { S: 'a' }, n: { N: '1' } }
  const row = rows.add('a', new StoredItem(item, 5))
  const snapshot = rows.snapshot()
  const asJson = (): string => (rows.valueAt(row) as StoredItem).json()
  expect(asJson()).toBe(JSON.stringify(item))
  expect(asJson()).toBe(JSON.stringify(item))
  expect(rows.valueAt(row)).toMatchObject({ item, sizeBytes: 5 })
  rows.replace(row, new StoredItem(other, 6))
  expect(asJson()).toBe(JSON.stringify(other))
  expect(rows.valueAt(row)).toMatchObject({ item: other, sizeBytes: 6 })
  rows.restore(snapshot)
  expect(asJson()).toBe(JSON.stringify(item))
})

test('the JSON of an item that was written over, or removed, is not kept', () => {
  const rows = new Rows()
  const stored = (n: number): StoredItem => new StoredItem({ pk: { S: `item ${n}` } }, n)
  const row = rows.add('a', stored(1))
  const read = rows.valueAt(row) as StoredItem
  rows.replace(row, stored(2))
  expect(read.json()).toBe('{"pk":{"S":"item 1"}}')
  expect(rows.valueAt(row)).toMatchObject({ item: { pk: { S: 'item 2' } }, sizeBytes: 2 })
  const recent = rows.valueAt(row) as StoredItem
  rows.remove(row)
  expect(rows.add('b', { n: 3 })).toBe(row)
  expect(recent.json()).toBe('{"pk":{"S":"item 2"}}')
  expect(rows.valueAt(row)).toEqual({ n: 3 })
})

test('a row that became free is taken again, the last one first', () => {
  const rows = new Rows()
  const [a, b, c] = ['a', 'b', 'c'].map((key) => rows.add(key, { key }))
  rows.remove(a!)
  rows.remove(b!)
  expect(['d', 'e', 'f'].map((key) => rows.add(key, { key }))).toEqual([b, a, 3])
  expect([a, b, c, 3].map((row) => rows.keyAt(row!))).toEqual(['e', 'd', 'c', 'f'])
  expect(rows.valueAt(a!)).toEqual({ key: 'e' })
})

test('each of a hundred thousand rows has its last value, while recent values move to their rows several times over', () => {
  const rows = new Rows()
  const count = 100_000
  const values = Array.from({ length: count }, (_, n) => ({ n, round: 0 }))
  for (const [n, value] of values.entries()) rows.add(`k${n}`, value)
  for (let round = 1; round <= 3; round++) {
    // Seven steps at a time, so that neighbours come at different times; some twice in a row, some
    // not at all.
    for (let step = 0; step < count; step++) {
      const n = (step * 7 + round) % count
      if (n % 5 === round) continue
      values[n] = { n, round }
      rows.replace(n, { n, round: -1 })
      rows.replace(n, values[n])
    }
  }
  for (const [n, value] of values.entries()) {
    if (rows.valueAt(n) !== value) expect.unreachable(`row ${n} has another value`)
  }
})
