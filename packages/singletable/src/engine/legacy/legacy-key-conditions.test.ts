import { describe, expect, test } from 'vitest'
import type { LegacyCondition } from '../../wire/item-operations.ts'
import type { Index, KeyAttribute } from '../catalog/table.ts'
import { validateKeyConditions } from './legacy-key-conditions.ts'

function indexOn(partition: readonly KeyAttribute[], sort: readonly KeyAttribute[]): Index {
  return {
    name: 'byPlace',
    kind: 'global',
    id: 1,
    partition,
    sort,
    keyAttributes: [...partition, ...sort],
    projected: undefined,
    prefix: '',
    record: undefined,
  }
}
const SIMPLE = indexOn([{ name: 'pk', type: 'S' }], [{ name: 'sk', type: 'N' }])
const MULTIPLE = indexOn(
  [
    { name: 'country', type: 'S' },
    { name: 'city', type: 'S' },
  ],
  [
    { name: 'street', type: 'S' },
    { name: 'number', type: 'N' },
  ],
)
const equals = (value: string): LegacyCondition => ({
  ComparisonOperator: 'EQ',
  AttributeValueList: [{ S: value }],
})

describe('validateKeyConditions', () => {
  test('takes more than two conditions on an index whose key has several attributes', () => {
    const conditions = { country: equals('a'), city: equals('b'), street: equals('c') }
    expect(() => validateKeyConditions(MULTIPLE, conditions)).not.toThrow()
  })

  test('refuses operators that no index can answer, on any of its attributes', () => {
    const conditions = {
      country: equals('a'),
      city: equals('b'),
      street: { ...equals('c'), ComparisonOperator: 'NE' },
    } as const
    expect(() => validateKeyConditions(MULTIPLE, conditions)).toThrow(/not an indexable operation$/)
  })

  test('looks at the partition key wholly before the sort key', () => {
    const conditions = {
      sk: { ComparisonOperator: 'NOT_NULL' },
      pk: { ComparisonOperator: 'EQ', AttributeValueList: [{ N: '1' }] },
    } as const
    expect(() => validateKeyConditions(SIMPLE, conditions)).toThrow(/does not match schema type$/)
  })

  test('does not find a key attribute on the prototype', () => {
    const index: Index = { ...SIMPLE, partition: [{ name: 'toString', type: 'S' }] }
    expect(() => validateKeyConditions(index, { pk: equals('a') })).toThrow(
      'Query condition missed key schema element: toString',
    )
  })
})
