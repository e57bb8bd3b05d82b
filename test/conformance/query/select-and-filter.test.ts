import { expect } from 'vitest'
import { conformance } from '../conformance.ts'
import { refuses } from '../item-cases.ts'
import { INDEXED, putAll, sortKeys } from '../read-tables.ts'

const asked = {
  KeyConditionExpression: 'pk = :p',
  ExpressionAttributeValues: { ':p': { S: 'a' } },
}
const byGlobal = {
  KeyConditionExpression: 'g = :p',
  ExpressionAttributeValues: { ':p': { S: 'G' } },
}
const KEYS = { pk: { S: 'a' }, sk: { S: '1' } }
const GLOBAL_KEYS = { ...KEYS, g: { S: 'G' }, h: { S: 'H' } }
const LOCAL_KEYS = { ...KEYS, l: { N: '1' } }
const SHOWN = { shown: { S: 'seen' } }
const ITEM = { ...GLOBAL_KEYS, ...LOCAL_KEYS, ...SHOWN, covert: { S: 'unseen' } }
const NOT_PROJECTED = 'One or more parameter values were invalid: '

conformance('Query Select', (test) => {
  for (const [IndexName, Select, found] of [
    [undefined, undefined, ITEM],
    [undefined, 'ALL_ATTRIBUTES', ITEM],
    ['global-keys', undefined, GLOBAL_KEYS],
    ['global-keys', 'ALL_PROJECTED_ATTRIBUTES', GLOBAL_KEYS],
    ['global-some', undefined, { ...GLOBAL_KEYS, ...SHOWN }],
    ['global-some', 'ALL_PROJECTED_ATTRIBUTES', { ...GLOBAL_KEYS, ...SHOWN }],
    ['global-all', undefined, ITEM],
    ['global-all', 'ALL_ATTRIBUTES', ITEM],
    ['global-all', 'ALL_PROJECTED_ATTRIBUTES', ITEM],
    ['local-keys', undefined, LOCAL_KEYS],
    ['local-keys', 'ALL_PROJECTED_ATTRIBUTES', LOCAL_KEYS],
    ['local-keys', 'ALL_ATTRIBUTES', ITEM],
    ['local-some', undefined, { ...LOCAL_KEYS, ...SHOWN }],
    ['local-some', 'ALL_ATTRIBUTES', ITEM],
    ['local-all', undefined, ITEM],
  ] as const) {
    test(`${Select ?? 'no Select'} on ${IndexName ?? 'the table'} gives ${Object.keys(found).length} attributes`, async (t) => {
      const TableName = await t.table(INDEXED)
      await t.send('PutItem', { TableName, Item: ITEM })
      const { Items } = await t.send('Query', {
        TableName,
        ...(IndexName?.startsWith('global') ? byGlobal : asked),
        ...(IndexName === undefined ? {} : { IndexName }),
        ...(Select === undefined ? {} : { Select }),
      })
      expect(Items).toEqual([found])
    })
  }

  test('COUNT gives counts and no items', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, [KEYS, { ...KEYS, sk: { S: '2' } }])
    expect(await t.send('Query', { TableName, ...asked, Select: 'COUNT' })).toEqual({
      Count: 2,
      ScannedCount: 2,
    })
  })

  test('COUNT with a filter counts what passes', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, [
      { ...KEYS, x: { N: '1' } },
      { ...KEYS, sk: { S: '2' } },
    ])
    const answer = await t.send('Query', {
      TableName,
      ...asked,
      Select: 'COUNT',
      FilterExpression: 'attribute_exists(x)',
    })
    expect(answer).toEqual({ Count: 1, ScannedCount: 2 })
  })

  test('SPECIFIC_ATTRIBUTES gives what the projection names, and no key it does not name', async (t) => {
    const TableName = await t.table()
    await t.send('PutItem', { TableName, Item: { ...KEYS, x: { N: '1' }, y: { N: '2' } } })
    const { Items } = await t.send('Query', {
      TableName,
      ...asked,
      Select: 'SPECIFIC_ATTRIBUTES',
      ProjectionExpression: 'y',
    })
    expect(Items).toEqual([{ y: { N: '2' } }])
  })

  test('an item without any of the projected attributes is an empty item', async (t) => {
    const TableName = await t.table()
    await t.send('PutItem', { TableName, Item: KEYS })
    const answer = await t.send('Query', { TableName, ...asked, ProjectionExpression: 'y' })
    expect(answer).toEqual({ Items: [{}], Count: 1, ScannedCount: 1 })
  })

  test('a local index fetches projected attributes it does not hold', async (t) => {
    const TableName = await t.table(INDEXED)
    await t.send('PutItem', { TableName, Item: ITEM })
    const { Items } = await t.send('Query', {
      TableName,
      ...asked,
      IndexName: 'local-keys',
      ProjectionExpression: 'covert, l',
    })
    expect(Items).toEqual([{ covert: { S: 'unseen' }, l: { N: '1' } }])
  })

  test('a global index gives those projected attributes that it holds', async (t) => {
    const TableName = await t.table(INDEXED)
    await t.send('PutItem', { TableName, Item: ITEM })
    const { Items } = await t.send('Query', {
      TableName,
      ...byGlobal,
      IndexName: 'global-some',
      ProjectionExpression: 'shown, h',
    })
    expect(Items).toEqual([{ ...SHOWN, h: { S: 'H' } }])
  })

  refuses(
    test,
    'Query',
    [
      {
        name: 'an unknown Select is refused',
        request: { ...asked, Select: 'SOME' },
        message:
          "1 validation error detected: Value 'SOME' at 'select' failed to satisfy constraint: Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]",
      },
      {
        name: 'SPECIFIC_ATTRIBUTES without a projection is refused',
        request: { ...asked, Select: 'SPECIFIC_ATTRIBUTES' },
        message:
          '1 validation error detected: Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
      },
      {
        name: 'ALL_ATTRIBUTES with a projection is refused',
        request: { ...asked, Select: 'ALL_ATTRIBUTES', ProjectionExpression: 'x' },
        message: 'Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES',
      },
      {
        name: 'ALL_PROJECTED_ATTRIBUTES with a projection is refused',
        request: {
          ...asked,
          IndexName: 'local-keys',
          Select: 'ALL_PROJECTED_ATTRIBUTES',
          ProjectionExpression: 'x',
        },
        message:
          'Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES',
      },
      {
        name: 'COUNT with a projection is refused',
        request: { ...asked, Select: 'COUNT', ProjectionExpression: 'x' },
        message: 'Cannot specify the ProjectionExpression when choosing to get only the Count',
      },
      {
        name: 'COUNT with AttributesToGet is refused',
        request: {
          KeyConditions: { pk: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'a' }] } },
          Select: 'COUNT',
          AttributesToGet: ['x'],
        },
        message: 'Cannot specify the AttributesToGet when choosing to get only the Count',
      },
      {
        name: 'ALL_PROJECTED_ATTRIBUTES without an index is refused',
        request: { ...asked, Select: 'ALL_PROJECTED_ATTRIBUTES' },
        message: 'ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName',
      },
      {
        name: 'ALL_ATTRIBUTES on a global index of keys is refused',
        request: { ...byGlobal, IndexName: 'global-keys', Select: 'ALL_ATTRIBUTES' },
        message: `${NOT_PROJECTED}Select type ALL_ATTRIBUTES is not supported for global secondary index global-keys because its projection type is not ALL`,
      },
      {
        name: 'ALL_ATTRIBUTES on a global index of some attributes is refused',
        request: { ...byGlobal, IndexName: 'global-some', Select: 'ALL_ATTRIBUTES' },
        message: `${NOT_PROJECTED}Select type ALL_ATTRIBUTES is not supported for global secondary index global-some because its projection type is not ALL`,
      },
      {
        name: 'projecting what a global index does not hold is refused',
        request: { ...byGlobal, IndexName: 'global-some', ProjectionExpression: 'shown, covert' },
        message: `${NOT_PROJECTED}Global secondary index global-some does not project [covert]`,
      },
      {
        name: 'a consistent read of a global index is refused',
        request: { ...byGlobal, IndexName: 'global-all', ConsistentRead: true },
        message: 'Consistent reads are not supported on global secondary indexes',
      },
      {
        name: 'an index that the table does not have is refused',
        request: { ...asked, IndexName: 'nowhere' },
        message: 'The table does not have the specified index: nowhere',
      },
      {
        name: 'an index name of two letters is refused',
        request: { ...asked, IndexName: 'no' },
        message:
          "1 validation error detected: Value 'no' at 'indexName' failed to satisfy constraint: Member must have length greater than or equal to 3",
      },
      {
        name: 'projecting into a key attribute is refused',
        request: { ...asked, ProjectionExpression: 'pk.x' },
        message:
          "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk",
      },
      {
        name: 'projecting into a key attribute of an index is refused',
        request: { ...asked, ProjectionExpression: 'g[0]' },
        message:
          "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: g",
      },
      {
        name: 'a consistent read of a table that does not exist is not found',
        request: { ...asked, TableName: 'no-such-table', ConsistentRead: true },
        error: 'ResourceNotFoundException',
        message: 'Requested resource not found',
      },
      {
        name: 'several bad members are reported at once',
        request: { ...asked, Select: 'SOME', ReturnConsumedCapacity: 'ALL' },
        message:
          "2 validation errors detected: Value 'SOME' at 'select' failed to satisfy constraint: Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]; Value 'ALL' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]",
      },
    ],
    INDEXED,
  )

  for (const IndexName of ['local-keys', undefined]) {
    test(`a consistent read of ${IndexName ?? 'the table'} is answered`, async (t) => {
      const TableName = await t.table(INDEXED)
      await t.send('PutItem', { TableName, Item: ITEM })
      const answer = await t.send('Query', {
        TableName,
        ...asked,
        ...(IndexName === undefined ? {} : { IndexName }),
        ConsistentRead: true,
      })
      expect(answer.Count).toBe(1)
    })
  }
})

conformance('Query filters', (test) => {
  test('a filter lets through what passes and counts all it has seen', async (t) => {
    const TableName = await t.table()
    await putAll(
      t,
      TableName,
      ['1', '2', '3', '4'].map((sk) => ({ pk: { S: 'a' }, sk: { S: sk }, n: { N: sk } })),
    )
    const answer = await t.send('Query', {
      TableName,
      KeyConditionExpression: 'pk = :p',
      FilterExpression: 'n BETWEEN :low AND :high',
      ExpressionAttributeValues: { ':p': { S: 'a' }, ':low': { N: '2' }, ':high': { N: '3' } },
    })
    expect(sortKeys(answer.Items)).toEqual(['2', '3'])
    expect([answer.Count, answer.ScannedCount]).toEqual([2, 4])
  })

  test('a filter looks at attributes that the projection leaves out', async (t) => {
    const TableName = await t.table()
    await t.send('PutItem', { TableName, Item: { ...KEYS, x: { N: '1' }, y: { N: '2' } } })
    const { Items } = await t.send('Query', {
      TableName,
      ...asked,
      FilterExpression: 'attribute_exists(x)',
      ProjectionExpression: 'y',
    })
    expect(Items).toEqual([{ y: { N: '2' } }])
  })

  test('a filter on a global index may speak of the table’s key', async (t) => {
    const TableName = await t.table(INDEXED)
    await putAll(t, TableName, [GLOBAL_KEYS, { ...GLOBAL_KEYS, sk: { S: '2' } }])
    const { Items } = await t.send('Query', {
      TableName,
      ...byGlobal,
      IndexName: 'global-keys',
      FilterExpression: 'sk = :s',
      ExpressionAttributeValues: { ':p': { S: 'G' }, ':s': { S: '2' } },
    })
    expect(sortKeys(Items)).toEqual(['2'])
  })

  test('a filter on a local index may speak of the table’s sort key', async (t) => {
    const TableName = await t.table(INDEXED)
    await putAll(t, TableName, [LOCAL_KEYS, { ...LOCAL_KEYS, sk: { S: '2' } }])
    const { Items } = await t.send('Query', {
      TableName,
      IndexName: 'local-keys',
      KeyConditionExpression: 'pk = :p',
      FilterExpression: 'sk = :s',
      ExpressionAttributeValues: { ':p': { S: 'a' }, ':s': { S: '2' } },
    })
    expect(sortKeys(Items)).toEqual(['2'])
  })

  const ON_KEY =
    'Filter Expression can only contain non-primary key attributes: Primary key attribute: '
  refuses(
    test,
    'Query',
    [
      {
        name: 'a filter on the partition key is refused',
        request: { ...asked, FilterExpression: 'pk = :p' },
        message: `${ON_KEY}pk`,
      },
      {
        name: 'a filter on the sort key is refused',
        request: { ...asked, FilterExpression: 'attribute_exists(x) AND sk = :p' },
        message: `${ON_KEY}sk`,
      },
      {
        name: 'a filter that asks for the existence of a key is refused',
        request: { ...asked, FilterExpression: 'attribute_exists(sk)' },
        message: `${ON_KEY}sk`,
      },
      {
        name: 'a filter with a key inside a function is refused',
        request: { ...asked, FilterExpression: 'x = :p OR NOT contains(sk, :p)' },
        message: `${ON_KEY}sk`,
      },
      {
        name: 'a filter on the size of a key is refused',
        request: { ...asked, FilterExpression: 'size(sk) > :p' },
        message: `${ON_KEY}sk`,
      },
      {
        name: 'a filter on the sort key of the global index is refused',
        request: { ...byGlobal, IndexName: 'global-keys', FilterExpression: 'h = :p' },
        message: `${ON_KEY}h`,
      },
      {
        name: 'a filter on the sort key of the local index is refused',
        request: { ...asked, IndexName: 'local-keys', FilterExpression: 'l = :p' },
        message: `${ON_KEY}l`,
      },
      {
        name: 'a QueryFilter on a key is refused',
        request: {
          KeyConditions: { pk: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'a' }] } },
          QueryFilter: { sk: { ComparisonOperator: 'NOT_NULL' } },
        },
        message:
          'QueryFilter can only contain non-primary key attributes: Primary key attribute: sk',
      },
      {
        name: 'a filter on what a global index does not hold is refused',
        request: {
          ...byGlobal,
          IndexName: 'global-some',
          FilterExpression: 'shown = :p AND secret = :p AND covert.x = :p',
        },
        message: `${NOT_PROJECTED}Secondary index global-some does not project one or more filter attributes: [covert, secret]`,
      },
      {
        name: 'a filter on what a local index does not hold is refused',
        request: { ...asked, IndexName: 'local-keys', FilterExpression: 'covert = :p' },
        message: `${NOT_PROJECTED}Secondary index local-keys does not project one or more filter attributes: [covert]`,
      },
      {
        name: 'a filter into a key attribute of another index is refused',
        request: { ...asked, FilterExpression: 'g.x = :p' },
        message:
          "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: g",
      },
      {
        name: 'a filter that is not well formed is refused',
        request: { ...asked, FilterExpression: 'x =' },
        message: 'Invalid FilterExpression: Syntax error; token: "<EOF>", near: "="',
      },
    ],
    INDEXED,
  )
})
