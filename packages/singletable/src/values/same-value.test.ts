import { expect, test } from 'vitest'
import type { AttributeValue } from './attribute-value.ts'
import { equalValues } from './compare.ts'
import { sameValue } from './same-value.ts'

const VALUES: readonly AttributeValue[] = [
  { S: '1' },
  { N: '1' },
  { B: 'AQ==' },
  { BOOL: true },
  { BOOL: false },
  { NULL: true },
  { SS: ['a', 'b'] },
  { SS: ['b', 'a'] },
  { SS: ['a'] },
  { NS: ['1', '2'] },
  { NS: ['2', '1'] },
  { BS: ['AQ=='] },
  { L: [] },
  { L: [{ S: 'a' }, { S: 'b' }] },
  { L: [{ S: 'b' }, { S: 'a' }] },
  { L: [{ L: [{ S: 'S' }] }] },
  { M: {} },
  { M: { a: { S: '1' }, b: { SS: ['x', 'y'] } } },
  { M: { b: { SS: ['y', 'x'] }, a: { S: '1' } } },
  { M: { a: { S: '1' } } },
  { M: { SS: { L: [{ S: 'b' }, { S: 'a' }] } } },
  { M: { SS: { L: [{ S: 'a' }, { S: 'b' }] } } },
  { M: JSON.parse('{"__proto__":{"S":"1"}}') },
]

test('says of every pair of values what the fast comparison says', () => {
  for (const a of VALUES) {
    for (const b of VALUES) {
      expect([a, b, sameValue(a, structuredClone(b))]).toEqual([a, b, equalValues(a, b)])
    }
  }
})

test('compares items, in any order of their attributes, and what is not there', () => {
  expect(sameValue({ a: { S: '1' }, b: { N: '1' } }, { b: { N: '1' }, a: { S: '1' } })).toBe(true)
  expect(sameValue({ a: { S: '1' } }, { a: { S: '1' }, b: { N: '1' } })).toBe(false)
  expect(sameValue(undefined, { S: '1' })).toBe(false)
  expect(sameValue(undefined, undefined)).toBe(true)
})
