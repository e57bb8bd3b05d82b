import type { FilterTest } from 'singletable/tools'
import { describe, expect, test } from 'vitest'
import { compareValues } from '../../packages/kit/src/check/exercise/compare-values.ts'
import { holdsFilter } from '../../packages/kit/src/check/exercise/holds-filter.ts'
import { sameValue } from '../../packages/kit/src/check/exercise/same-value.ts'
import { addValues } from './add-values.ts'

test.each<readonly [a: unknown, b: unknown, isDecimal: boolean, order: number | undefined]>([
  ['a', 'b', false, -1],
  // By UTF-16 units it would be the other way round.
  ['\uffee', '\u{10000}', false, -1],
  ['9', '10', false, 1],
  ['9', '10', true, -1],
  ['-1.5', '-1.25', true, -1],
  ['1.50', '1.5', true, 0],
  [2, 10, false, -1],
  [2n, 10n, false, -1],
  [false, true, false, -1],
  [new Date(1), new Date(1), false, 0],
  [Uint8Array.of(1, 2), Uint8Array.of(1), false, 1],
  [1, '1', false, undefined],
  [undefined, 1, false, undefined],
])('the order of %o and %o, as decimals: %s, is %s', (a, b, isDecimal, order) => {
  expect(compareValues(a, b, isDecimal)).toBe(order)
})

test('values are the same by what they hold', () => {
  const one = { at: new Date(5), tags: new Set(['a', 'b']), list: [1, { x: 2n }] }
  const other = { list: [1, { x: 2n }], tags: new Set(['b', 'a']), at: new Date(5) }
  expect(sameValue(one, other)).toBe(true)
  expect(sameValue(one, { ...other, list: [1, { x: 3n }] })).toBe(false)
  expect(sameValue([1], Uint8Array.of(1))).toBe(false)
  expect(sameValue({ a: undefined }, { b: undefined })).toBe(false)
})

describe('a filter', () => {
  const holds = (
    operator: FilterTest['operator'],
    value: unknown,
    ...operands: readonly unknown[]
  ): boolean =>
    holdsFilter({ attribute: 'x', operator, operands: [], whole: false }, value, operands)

  test('compares as DynamoDB does', () => {
    expect([holds('lt', 1, 2), holds('lt', 2, 2), holds('lte', 2, 2)]).toEqual([true, false, true])
    expect([holds('between', 2, 2, 3), holds('between', 4, 2, 3)]).toEqual([true, false])
    expect([holds('in', 'a', 'b', 'a'), holds('in', 'c', 'b', 'a')]).toEqual([true, false])
    expect([holds('contains', 'abc', 'b'), holds('contains', new Set(['abc']), 'b')]).toEqual([
      true,
      false,
    ])
    expect([holds('beginsWith', 'abc', 'ab'), holds('beginsWith', 'abc', 'b')]).toEqual([
      true,
      false,
    ])
  })

  test('takes what is not there for something else than everything', () => {
    expect([holds('eq', undefined, 1), holds('ne', undefined, 1)]).toEqual([false, true])
    expect([holds('exists', undefined, true), holds('exists', undefined, false)]).toEqual([
      false,
      true,
    ])
    expect(holds('lt', undefined, 1)).toBe(false)
  })
})

test('additions add numbers of all kinds, and join sets', () => {
  expect(addValues(2, 3)).toBe(5)
  expect(addValues(undefined, 3)).toBe(3)
  expect(addValues(2n, 3n)).toBe(5n)
  expect(addValues('1.75', '2.5')).toBe('4.25')
  expect(addValues('0.5', '-0.75')).toBe('-0.25')
  expect(addValues(new Set(['a']), new Set(['b', 'a']))).toEqual(new Set(['a', 'b']))
})
