import { expect } from 'vitest'
import { conformance } from '../conformance.ts'
import { refuses } from '../item-cases.ts'
import { allPages, MULTI, putAll, sortKeys } from '../read-tables.ts'

const HASHES = { h1: { S: 'h' }, h2: { N: '1' } }
const VALUES = { ':h': { S: 'h' }, ':n': { N: '1' } }
const BOTH = 'h1 = :h AND h2 = :n'
const A = { ':a': { S: 'a' } }
const TYPE =
  'One or more parameter values were invalid: Condition parameter type does not match schema type'

/** In the order that the index must give: by text, then by number, then by bytes. */
const ITEMS = [
  ['a', '2', 'AA=='],
  ['a', '10', 'AA=='],
  ['a', '10', 'fw=='],
  ['a', '10', '/w=='],
  ['aa', '-5', 'AA=='],
  ['b', '1', 'AQ=='],
  ['b', '1.5', 'AQ=='],
].map(([r1, r2, r3], position) => ({
  pk: { S: `p${(position * 5) % 7}` },
  sk: { S: String(position) },
  ...HASHES,
  r1: { S: r1 },
  r2: { N: r2 },
  r3: { B: r3 },
}))
const FIRST = ITEMS[0]
const ELSEWHERE = [
  { ...FIRST, sk: { S: 'other h1' }, h1: { S: 'hh' } },
  { ...FIRST, sk: { S: 'other h2' }, h2: { N: '11' } },
]

function asked(condition: string, values: object = {}) {
  return {
    IndexName: 'multi',
    KeyConditionExpression: condition,
    ExpressionAttributeValues: { ...VALUES, ...values },
  }
}

function without(item: object, name: string): object {
  return Object.fromEntries(Object.entries(item).filter(([key]) => key !== name))
}

conformance('Indexes with several key attributes', (test) => {
  for (const [condition, values, found] of [
    [BOTH, {}, ['0', '1', '2', '3', '4', '5', '6']],
    [`${BOTH} AND r1 = :a`, A, ['0', '1', '2', '3']],
    [`${BOTH} AND begins_with(r1, :a)`, A, ['0', '1', '2', '3', '4']],
    [`${BOTH} AND r1 > :a`, A, ['4', '5', '6']],
    [`${BOTH} AND r1 BETWEEN :a AND :b`, { ...A, ':b': { S: 'aa' } }, ['0', '1', '2', '3', '4']],
    [`${BOTH} AND r1 = :a AND r2 = :b`, { ...A, ':b': { N: '10' } }, ['1', '2', '3']],
    [`${BOTH} AND r1 = :a AND r2 > :b`, { ...A, ':b': { N: '2' } }, ['1', '2', '3']],
    [`${BOTH} AND r1 = :a AND r2 < :b`, { ...A, ':b': { N: '10' } }, ['0']],
    [`r2 <= :b AND h2 = :n AND r1 = :a AND h1 = :h`, { ...A, ':b': { N: '2' } }, ['0']],
    [
      `${BOTH} AND r1 = :a AND r2 BETWEEN :b AND :c`,
      { ...A, ':b': { N: '2' }, ':c': { N: '9' } },
      ['0'],
    ],
    [
      `${BOTH} AND r1 = :a AND r2 = :b AND r3 = :c`,
      { ...A, ':b': { N: '10' }, ':c': { B: 'fw==' } },
      ['2'],
    ],
    [
      `${BOTH} AND r1 = :a AND r2 = :b AND r3 > :c`,
      { ...A, ':b': { N: '10' }, ':c': { B: 'AA==' } },
      ['2', '3'],
    ],
    [
      `${BOTH} AND r1 = :a AND r2 = :b AND begins_with(r3, :c)`,
      { ...A, ':b': { N: '10' }, ':c': { B: '/w==' } },
      ['3'],
    ],
  ] as const) {
    test(`${condition} with ${JSON.stringify(values)} finds ${found.length} items in order`, async (t) => {
      const TableName = await t.table(MULTI)
      await putAll(t, TableName, [...ITEMS.toReversed(), ...ELSEWHERE])
      const { Items } = await t.send('Query', { TableName, ...asked(condition, values) })
      expect(sortKeys(Items)).toEqual(found)
    })
  }

  test('ScanIndexForward false turns the order of all attributes round', async (t) => {
    const TableName = await t.table(MULTI)
    await putAll(t, TableName, [...ITEMS, ...ELSEWHERE])
    const { Items } = await t.send('Query', { TableName, ...asked(BOTH), ScanIndexForward: false })
    expect(sortKeys(Items)).toEqual(['6', '5', '4', '3', '2', '1', '0'])
  })

  test('every size of page gives each item once, in order and in reverse order', async (t) => {
    const TableName = await t.table(MULTI)
    await putAll(t, TableName, [...ITEMS, ...ELSEWHERE])
    for (let Limit = 1; Limit <= 8; Limit++) {
      for (const ScanIndexForward of [true, false]) {
        const { items } = await allPages(t, 'Query', {
          TableName,
          ...asked(BOTH),
          ScanIndexForward,
          Limit,
        })
        expect(items).toEqual(ScanIndexForward ? ITEMS : ITEMS.toReversed())
      }
    }
  })

  test('the key of a page has all key attributes of index and table', async (t) => {
    const TableName = await t.table(MULTI)
    await t.send('PutItem', { TableName, Item: { ...FIRST, x: { S: 'x' } } })
    const page = await t.send('Query', { TableName, ...asked(BOTH), Limit: 1 })
    expect(page.LastEvaluatedKey).toEqual(FIRST)
    const scan = await t.send('Scan', { TableName, IndexName: 'multi', Limit: 1 })
    expect(scan.LastEvaluatedKey).toEqual(FIRST)
  })

  test('a Scan of the index gives each of its entries once', async (t) => {
    const TableName = await t.table(MULTI)
    await putAll(t, TableName, [...ITEMS, ...ELSEWHERE])
    const { items } = await allPages(t, 'Scan', { TableName, IndexName: 'multi', Limit: 2 })
    expect(sortKeys(items).sort()).toEqual(sortKeys([...ITEMS, ...ELSEWHERE]).sort())
  })

  for (const name of ['h1', 'h2', 'r1', 'r2', 'r3']) {
    test(`an item without ${name} is not in the index`, async (t) => {
      const TableName = await t.table(MULTI)
      await t.send('PutItem', { TableName, Item: without(FIRST ?? {}, name) })
      expect((await t.send('Scan', { TableName, IndexName: 'multi' })).Count).toBe(0)
    })

    test(`removing ${name} takes the item out of the index, and setting it puts it back`, async (t) => {
      const TableName = await t.table(MULTI)
      await t.send('PutItem', { TableName, Item: FIRST })
      const Key = { pk: FIRST?.pk, sk: FIRST?.sk }
      await t.send('UpdateItem', { TableName, Key, UpdateExpression: `REMOVE ${name}` })
      expect((await t.send('Scan', { TableName, IndexName: 'multi' })).Count).toBe(0)
      await t.send('UpdateItem', {
        TableName,
        Key,
        UpdateExpression: `SET ${name} = :v`,
        ExpressionAttributeValues: { ':v': FIRST?.[name as 'h1'] },
      })
      expect((await t.send('Scan', { TableName, IndexName: 'multi' })).Items).toEqual([FIRST])
    })
  }

  test('an update of one attribute moves the entry', async (t) => {
    const TableName = await t.table(MULTI)
    await putAll(t, TableName, ITEMS)
    await t.send('UpdateItem', {
      TableName,
      Key: { pk: FIRST?.pk, sk: FIRST?.sk },
      UpdateExpression: 'SET r2 = :v',
      ExpressionAttributeValues: { ':v': { N: '11' } },
    })
    const { Items } = await t.send('Query', { TableName, ...asked(BOTH) })
    expect(sortKeys(Items)).toEqual(['1', '2', '3', '0', '4', '5', '6'])
  })

  test('a filter may speak of the table’s key', async (t) => {
    const TableName = await t.table(MULTI)
    await putAll(t, TableName, ITEMS)
    const answer = await t.send('Query', {
      TableName,
      ...asked(BOTH, { ':s': { S: '5' } }),
      FilterExpression: 'sk >= :s',
    })
    expect(sortKeys(answer.Items)).toEqual(['5', '6'])
    expect(answer.ScannedCount).toBe(7)
  })

  test('KeyConditions are answered too', async (t) => {
    const TableName = await t.table(MULTI)
    await putAll(t, TableName, [...ITEMS, ...ELSEWHERE])
    const equal = (value: object) => ({ ComparisonOperator: 'EQ', AttributeValueList: [value] })
    const { Items } = await t.send('Query', {
      TableName,
      IndexName: 'multi',
      KeyConditions: {
        r2: { ComparisonOperator: 'GT', AttributeValueList: [{ N: '2' }] },
        r1: equal({ S: 'a' }),
        h2: equal({ N: '1' }),
        h1: equal({ S: 'h' }),
      },
    })
    expect(sortKeys(Items)).toEqual(['1', '2', '3'])
  })

  const equality = (names: string, last: string) =>
    `RANGE key attributes ${names} must have equality conditions specified in the query because a condition is present on key attribute ${last}`
  refuses(
    test,
    'Query',
    [
      {
        name: 'a Query without one partition key attribute is refused',
        request: {
          IndexName: 'multi',
          KeyConditionExpression: 'h1 = :h',
          ExpressionAttributeValues: { ':h': { S: 'h' } },
        },
        message: 'HASH key attributes h2 must have equality conditions specified in the query',
      },
      {
        name: 'a Query without any partition key attribute is refused',
        request: {
          IndexName: 'multi',
          KeyConditionExpression: 'r1 = :h',
          ExpressionAttributeValues: { ':h': { S: 'h' } },
        },
        message: 'HASH key attributes h1, h2 must have equality conditions specified in the query',
      },
      {
        name: 'an open partition key attribute is refused',
        request: asked('h1 = :h AND h2 > :n'),
        message: 'HASH key attributes h2 must have equality conditions specified in the query',
      },
      {
        name: 'a gap of one sort key attribute is refused',
        request: asked(`${BOTH} AND r2 = :b`, { ':b': { N: '2' } }),
        message: equality('r1', 'r2'),
      },
      {
        name: 'a gap of two sort key attributes is refused',
        request: asked(`${BOTH} AND r3 = :b`, { ':b': { B: 'AA==' } }),
        message: equality('r1, r2', 'r3'),
      },
      {
        name: 'a gap inside the sort key is refused',
        request: asked(`${BOTH} AND r1 = :a AND r3 = :b`, { ...A, ':b': { B: 'AA==' } }),
        message: equality('r2', 'r3'),
      },
      {
        name: 'an open sort key attribute before the last is refused',
        request: asked(`${BOTH} AND r1 > :a AND r2 = :b`, { ...A, ':b': { N: '2' } }),
        message: equality('r1', 'r2'),
      },
      {
        name: 'begins_with before the last sort key attribute is refused',
        request: asked(`${BOTH} AND begins_with(r1, :a) AND r2 = :b`, { ...A, ':b': { N: '2' } }),
        message: equality('r1', 'r2'),
      },
      {
        name: 'two conditions on one attribute are refused',
        request: asked(`${BOTH} AND h1 = :h`),
        message: 'KeyConditionExpressions must only contain one condition per key',
      },
      {
        name: 'a text for a number is refused',
        request: {
          IndexName: 'multi',
          KeyConditionExpression: 'h1 = :h AND h2 = :h',
          ExpressionAttributeValues: { ':h': { S: 'h' } },
        },
        message: TYPE,
      },
      {
        name: 'a number for a text of the sort key is refused',
        request: asked(`${BOTH} AND r1 = :n`),
        message: TYPE,
      },
      {
        name: 'begins_with a number is refused',
        request: asked(`${BOTH} AND r1 = :a AND begins_with(r2, :n)`, A),
        message:
          'Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N',
      },
      {
        name: 'a condition on another attribute is refused',
        request: asked(`${BOTH} AND x = :a`, A),
        message: 'Query condition missed key schema element: r1',
      },
      {
        name: 'a filter on the last sort key attribute is refused',
        request: { ...asked(BOTH), FilterExpression: 'r3 = :n' },
        message:
          'Filter Expression can only contain non-primary key attributes: Primary key attribute: r3',
      },
      {
        name: 'a filter on a partition key attribute is refused',
        request: { ...asked(BOTH), FilterExpression: 'h2 = :n' },
        message:
          'Filter Expression can only contain non-primary key attributes: Primary key attribute: h2',
      },
      {
        name: 'a start key without one attribute is refused',
        request: { ...asked(BOTH), ExclusiveStartKey: without(FIRST ?? {}, 'r3') },
        message: 'The provided starting key is invalid',
      },
      {
        name: 'a start key with one attribute too many is refused',
        request: { ...asked(BOTH), ExclusiveStartKey: { ...FIRST, x: { S: 'x' } } },
        message: 'The provided starting key is invalid',
      },
      {
        name: 'a start key of the wrong type is refused',
        request: { ...asked(BOTH), ExclusiveStartKey: { ...FIRST, r2: { S: '2' } } },
        message: 'The provided starting key is invalid',
      },
      {
        name: 'a start key of another item collection is refused',
        request: { ...asked(BOTH), ExclusiveStartKey: { ...FIRST, h2: { N: '2' } } },
        message:
          'The provided starting key is outside query boundaries based on provided conditions',
      },
      {
        name: 'a start key outside the range is refused',
        request: {
          ...asked(`${BOTH} AND r1 = :a`, A),
          ExclusiveStartKey: { ...FIRST, r1: { S: 'b' } },
        },
        message: 'The provided starting key does not match the range key predicate',
      },
      {
        name: 'KeyConditions with a gap are refused',
        request: {
          IndexName: 'multi',
          KeyConditions: {
            h1: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'h' }] },
            h2: { ComparisonOperator: 'EQ', AttributeValueList: [{ N: '1' }] },
            r2: { ComparisonOperator: 'EQ', AttributeValueList: [{ N: '1' }] },
          },
        },
        message: equality('r1', 'r2'),
      },
    ],
    MULTI,
  )
  refuses(
    test,
    'PutItem',
    [
      {
        name: 'a put with one attribute of the wrong type is refused',
        request: { Item: { ...FIRST, h2: { S: 'x' } } },
        message:
          'One or more parameter values were invalid: Type mismatch for Index Key h2 Expected: N Actual: S IndexName: multi',
      },
      {
        name: 'a put with one empty attribute is refused',
        request: { Item: { ...FIRST, r1: { S: '' } } },
        message:
          'One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: multi, IndexKey: r1',
      },
    ],
    MULTI,
  )
})
