import { describe, expect, test } from 'vitest'
import { evaluateCondition } from '../../expression/evaluate/evaluate-condition.ts'
import { expectedCondition, filterCondition, keyConditionsCondition } from './legacy-conditions.ts'

describe('expectedCondition', () => {
  test('asks for nothing if nothing is expected', () => {
    expect(expectedCondition(undefined, undefined)).toBeUndefined()
    expect(expectedCondition({}, undefined)).toBeUndefined()
  })

  test('makes a Value an equality and Exists false an absence', () => {
    expect(
      expectedCondition({ a: { Value: { N: '1.0' } }, b: { Exists: false } }, undefined),
    ).toEqual({
      kind: 'and',
      left: {
        kind: 'compare',
        operator: '=',
        left: { kind: 'path', path: ['a'] },
        right: { kind: 'value', value: { N: '1' } },
      },
      right: { kind: 'exists', path: ['b'], negated: true },
    })
  })

  test('takes names as they are, even those of the prototype', () => {
    const expected = JSON.parse('{"__proto__": {"Value": {"S": "x"}}, "a.b": {"Exists": false}}')
    const condition = expectedCondition(expected, 'AND')!
    expect(evaluateCondition(condition, JSON.parse('{"__proto__": {"S": "x"}}'))).toBe(true)
    expect(evaluateCondition(condition, {})).toBe(false)
    expect(
      evaluateCondition(condition, JSON.parse('{"__proto__": {"S": "x"}, "a.b": {"S": ""}}')),
    ).toBe(false)
  })

  test('refuses an operator between fewer than two expectations', () => {
    expect(() => expectedCondition(undefined, 'AND')).toThrow(/without Filter or Expected$/)
    expect(() => expectedCondition({ a: { Exists: false } }, 'OR')).toThrow(/two or more elements$/)
  })
})

describe('filterCondition', () => {
  test('joins a thousand conditions into a chain that can be evaluated, and refuses more', () => {
    const filter = Object.fromEntries(
      Array.from({ length: 1000 }, (_, n) => [`a${n}`, { ComparisonOperator: 'NULL' as const }]),
    )
    expect(() =>
      filterCondition({ ...filter, more: { ComparisonOperator: 'NULL' } }, 'AND'),
    ).toThrow(/Too many attributes in one parameter; the limit is 1000$/)
    const condition = filterCondition(filter, 'AND')!
    expect(evaluateCondition(condition, {})).toBe(true)
    expect(evaluateCondition(condition, { a0: { S: 'x' } })).toBe(false)
  })

  test('makes NOT_CONTAINS false for a missing attribute', () => {
    const filter = {
      a: { ComparisonOperator: 'NOT_CONTAINS', AttributeValueList: [{ S: 'x' }] },
    } as const
    const condition = filterCondition(filter, undefined)!
    expect(evaluateCondition(condition, {})).toBe(false)
    expect(evaluateCondition(condition, { a: { S: 'y' } })).toBe(true)
    expect(evaluateCondition(condition, { a: { S: 'xy' } })).toBe(false)
  })
})

describe('keyConditionsCondition', () => {
  test('makes what a key condition expression makes', () => {
    const conditions = {
      pk: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'a' }] },
      sk: { ComparisonOperator: 'BETWEEN', AttributeValueList: [{ N: '1' }, { N: '2' }] },
    } as const
    expect(keyConditionsCondition(conditions)).toEqual({
      kind: 'and',
      left: {
        kind: 'compare',
        operator: '=',
        left: { kind: 'path', path: ['pk'] },
        right: { kind: 'value', value: { S: 'a' } },
      },
      right: {
        kind: 'between',
        operand: { kind: 'path', path: ['sk'] },
        low: { kind: 'value', value: { N: '1' } },
        high: { kind: 'value', value: { N: '2' } },
      },
    })
  })

  test('refuses an empty map', () => {
    expect(() => keyConditionsCondition({})).toThrow('Conditions can be of length 1 or 2 only')
  })
})
