import { expect } from 'vitest'
import { type Conformance, conformance } from './conformance.ts'

const INVALID = 'One or more parameter values were invalid: '
const MIXED =
  'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: '

type Members = Readonly<Record<string, unknown>>

function comparison(ComparisonOperator: string, ...AttributeValueList: unknown[]): Members {
  return { ComparisonOperator, AttributeValueList }
}

async function stocked(t: Conformance): Promise<string> {
  const TableName = await t.table()
  for (const [sk, more] of [
    ['1', { number: { N: '1' }, tags: { SS: ['x', 'y'] } }],
    ['2', { number: { N: '2' }, flag: { BOOL: true } }],
    ['3', { number: { N: '10' }, list: { L: [{ N: '2' }] } }],
    ['4', { number: { S: '2' }, nothing: { NULL: true } }],
  ] as const) {
    await t.send('PutItem', { TableName, Item: { pk: { S: 'a' }, sk: { S: sk }, ...more } })
  }
  return TableName
}

/** The sort keys of the items found. */
async function found(t: Conformance, members: Members): Promise<string> {
  const TableName = await stocked(t)
  const { Items } = await t.send('Scan', { TableName, ...members })
  return Items.map((item: { sk: { S: string } }) => item.sk.S).join(' ')
}

const numbers = (first: number, end: number) =>
  Array.from({ length: end - first }, (_, n) => ({ N: String(first + n) }))

conformance('ScanFilter', (test) => {
  const outcomes: readonly (readonly [string, Members, string])[] = [
    ['an empty one keeps all', {}, '1 2 3 4'],
    ['EQ keeps equal values of the same type', { number: comparison('EQ', { N: '2.0' }) }, '2'],
    [
      'NE keeps other values, other types and missing attributes',
      { flag: comparison('NE', { BOOL: true }) },
      '1 3 4',
    ],
    ['GT orders numbers as numbers', { number: comparison('GT', { N: '2' }) }, '3'],
    ['LE leaves other types out', { number: comparison('LE', { N: '2' }) }, '1 2'],
    ['BETWEEN keeps a range', { number: comparison('BETWEEN', { N: '2' }, { N: '10' }) }, '2 3'],
    ['IN keeps any of its values', { number: comparison('IN', { N: '1' }, { N: '10' }) }, '1 3'],
    [
      'IN takes more values than an expression',
      { number: comparison('IN', { N: '10.0' }, ...numbers(100, 5000)) },
      '3',
    ],
    ['CONTAINS keeps sets with the element', { tags: comparison('CONTAINS', { S: 'y' }) }, '1'],
    ['CONTAINS keeps lists with the element', { list: comparison('CONTAINS', { N: '2' }) }, '3'],
    [
      'NOT_CONTAINS keeps only items that have the attribute',
      { tags: comparison('NOT_CONTAINS', { S: 'z' }) },
      '1',
    ],
    ['BEGINS_WITH leaves other types out', { number: comparison('BEGINS_WITH', { S: '' }) }, '4'],
    ['NULL keeps items without the attribute', { nothing: comparison('NULL') }, '1 2 3'],
    [
      'NOT_NULL keeps items with the attribute, even if it is null',
      { nothing: comparison('NOT_NULL') },
      '4',
    ],
    [
      'it may use the key',
      { sk: comparison('GE', { S: '3' }), pk: comparison('EQ', { S: 'a' }) },
      '3 4',
    ],
    [
      'all of several must hold',
      { number: comparison('GE', { N: '1' }), flag: comparison('NOT_NULL') },
      '2',
    ],
  ]
  for (const [name, ScanFilter, outcome] of outcomes) {
    test(name, async (t) => {
      expect(await found(t, { ScanFilter })).toBe(outcome)
    })
  }

  const two = { number: comparison('EQ', { N: '1' }), flag: comparison('NOT_NULL') }
  test('one of several suffices with OR', async (t) => {
    expect(await found(t, { ScanFilter: two, ConditionalOperator: 'OR' })).toBe('1 2')
  })
  test('all of several must hold with AND', async (t) => {
    expect(await found(t, { ScanFilter: two, ConditionalOperator: 'AND' })).toBe('')
  })
  test('an empty one together with a FilterExpression counts as absent', async (t) => {
    const members = { ScanFilter: {}, FilterExpression: 'attribute_exists(flag)' }
    expect(await found(t, members)).toBe('2')
  })
  test('AttributesToGet returns only what is named, whatever the filter uses', async (t) => {
    const TableName = await stocked(t)
    const ScanFilter = { flag: comparison('EQ', { BOOL: true }) }
    const answer = await t.send('Scan', { TableName, ScanFilter, AttributesToGet: ['number'] })
    expect(answer).toEqual({ Items: [{ number: { N: '2' } }], Count: 1, ScannedCount: 4 })
  })

  const refusals: readonly (readonly [string, Members, string | RegExp])[] = [
    [
      'an operator without values is refused',
      { ScanFilter: { a: { ComparisonOperator: 'EQ' } } },
      `${INVALID}Invalid number of argument(s) for the EQ ComparisonOperator`,
    ],
    [
      'a value without a type is refused',
      { ScanFilter: { a: comparison('EQ', {}) } },
      'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
    ],
    [
      'IN of sets is refused',
      { ScanFilter: { a: comparison('IN', { SS: ['x'] }) } },
      `${INVALID}ComparisonOperator IN is not valid for SS AttributeValue type`,
    ],
    [
      'reversed bounds are refused',
      { ScanFilter: { a: comparison('BETWEEN', { S: 'b' }, { S: 'a' }) } },
      'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound',
    ],
    [
      'an empty attribute name is refused',
      { ScanFilter: { '': comparison('NULL') } },
      /Empty attribute name$/,
    ],
    [
      'a ConditionalOperator without a filter is refused',
      { ConditionalOperator: 'OR' },
      'ConditionalOperator cannot be used without Filter or Expected',
    ],
    [
      'a ConditionalOperator for one condition is refused',
      { ConditionalOperator: 'OR', ScanFilter: { a: comparison('NULL') } },
      'ConditionalOperator can only be used when Filter or Expected has two or more elements',
    ],
    [
      'it is refused together with a ProjectionExpression',
      { ScanFilter: { a: comparison('NULL') }, ProjectionExpression: 'a' },
      `${MIXED}{ScanFilter} Expression parameters: {ProjectionExpression}`,
    ],
    [
      'all parameters of both languages are named',
      {
        ConditionalOperator: 'AND',
        ScanFilter: { a: comparison('EQ') },
        AttributesToGet: ['a'],
        FilterExpression: 'a',
        ProjectionExpression: 'a',
      },
      `${MIXED}{AttributesToGet, ScanFilter, ConditionalOperator} Expression parameters: {ProjectionExpression, FilterExpression}`,
    ],
    [
      'AttributesToGet together with a FilterExpression is refused',
      { AttributesToGet: ['a'], FilterExpression: 'attribute_exists(a)' },
      `${MIXED}{AttributesToGet} Expression parameters: {FilterExpression}`,
    ],
    [
      'AttributesToGet with a name given twice is refused',
      { AttributesToGet: ['a', 'a'] },
      `${INVALID}Duplicate value in attribute name: a`,
    ],
    [
      'AttributesToGet is refused if only the count is wanted',
      { AttributesToGet: ['a'], Select: 'COUNT' },
      'Cannot specify the AttributesToGet when choosing to get only the Count',
    ],
    [
      'a missing operator is refused',
      { ScanFilter: { a: {} } },
      "1 validation error detected: Value null at 'scanFilter.a.member.comparisonOperator' failed to satisfy constraint: Member must not be null",
    ],
    [
      'an operator that does not exist is refused',
      { ScanFilter: { a: comparison('eq', { S: 'x' }) } },
      "1 validation error detected: Value 'eq' at 'scanFilter.a.member.comparisonOperator' failed to satisfy constraint: Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]",
    ],
    [
      'a ConditionalOperator that does not exist is refused',
      { ConditionalOperator: 'XOR', ScanFilter: two },
      "1 validation error detected: Value 'XOR' at 'conditionalOperator' failed to satisfy constraint: Member must satisfy enum value set: [OR, AND]",
    ],
  ]
  for (const [name, members, message] of refusals) {
    test(name, async (t) => {
      const TableName = await t.table()
      await t.fails('Scan', { TableName, ...members }, 'ValidationException', message)
    })
  }
})
