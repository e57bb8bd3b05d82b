import { describe, expect, test } from 'vitest'
import type { AttributeValue } from '../../values/attribute-value.ts'
import { legacyComparison } from './legacy-comparison.ts'

const VALUES: readonly AttributeValue[] = [
  { S: 'a' },
  { N: '1' },
  { B: 'YQ==' },
  { BOOL: true },
  { NULL: true },
  { SS: ['a'] },
  { NS: ['1'] },
  { BS: ['YQ=='] },
  { L: [] },
  { M: {} },
]

describe('legacyComparison', () => {
  const all = 'S N B BOOL NULL SS NS BS L M'
  test.each([
    ['EQ', all],
    ['NE', all],
    ['LE', 'S N B'],
    ['LT', 'S N B'],
    ['GE', 'S N B'],
    ['GT', 'S N B'],
    ['IN', 'S N B'],
    ['BETWEEN', 'S N B'],
    ['CONTAINS', 'S N B BOOL NULL'],
    ['NOT_CONTAINS', 'S N B BOOL NULL'],
    ['BEGINS_WITH', 'S B'],
  ])('%s takes values of the types %s and no others', (operator, types) => {
    const taken = VALUES.filter((value) => {
      const values = operator === 'BETWEEN' ? [value, value] : [value]
      try {
        legacyComparison('a', { operator, values })
        return true
      } catch (error) {
        expect((error as Error).message).toBe(
          `One or more parameter values were invalid: ComparisonOperator ${operator} is not valid for ${Object.keys(value)[0]} AttributeValue type`,
        )
        return false
      }
    })
    expect(taken.map((value) => Object.keys(value)[0]).join(' ')).toBe(types)
  })

  test.each([
    ['EQ', 1, 1],
    ['NE', 1, 1],
    ['LE', 1, 1],
    ['LT', 1, 1],
    ['GE', 1, 1],
    ['GT', 1, 1],
    ['CONTAINS', 1, 1],
    ['NOT_CONTAINS', 1, 1],
    ['BEGINS_WITH', 1, 1],
    ['BETWEEN', 2, 2],
    ['NULL', 0, 0],
    ['NOT_NULL', 0, 0],
    ['IN', 1, 5],
  ])('%s takes from %i values to %i, as far as five', (operator, min, max) => {
    const taken: number[] = []
    for (let count = 0; count <= 5; count++) {
      const values = Array.from({ length: count }, () => ({ S: 'a' }))
      try {
        legacyComparison('a', { operator, values })
        taken.push(count)
      } catch (error) {
        expect((error as Error).message).toBe(
          `One or more parameter values were invalid: Invalid number of argument(s) for the ${operator} ComparisonOperator`,
        )
      }
    }
    expect([taken[0], taken.at(-1), taken.length]).toEqual([min, max, max - min + 1])
  })

  test('an operator that the request shape would have refused is a bug of ours', () => {
    expect(() => legacyComparison('a', { operator: 'FOO', values: [] })).toThrow(
      /bug in singletable/,
    )
  })
})
