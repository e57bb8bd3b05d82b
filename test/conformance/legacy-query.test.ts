import { expect } from 'vitest'
import { type Conformance, conformance } from './conformance.ts'

const INVALID = 'One or more parameter values were invalid: '
const MIXED =
  'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: '
const NOT_INDEXABLE = 'Attempted conditional constraint is not an indexable operation'
const TABLE = {
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
    { AttributeName: 'number', AttributeType: 'N' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'byNumber',
      KeySchema: [{ AttributeName: 'number', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
}

type Members = Readonly<Record<string, unknown>>

function comparison(ComparisonOperator: string, ...AttributeValueList: unknown[]): Members {
  return { ComparisonOperator, AttributeValueList }
}

async function stocked(t: Conformance): Promise<string> {
  const TableName = await t.table(TABLE)
  for (const sk of ['1', '12', '2', '3']) {
    const Item = { pk: { S: 'a' }, sk: { S: sk }, number: { N: sk }, text: { S: `t${sk}` } }
    await t.send('PutItem', { TableName, Item })
  }
  return TableName
}

/** The sort keys of the items found. */
async function found(t: Conformance, members: Members): Promise<string[]> {
  const TableName = await stocked(t)
  const { Items } = await t.send('Query', { TableName, ...members })
  return Items.map((item: { sk: { S: string } }) => item.sk.S)
}

async function refused(t: Conformance, members: Members, message: string | RegExp): Promise<void> {
  const TableName = await t.table(TABLE)
  await t.fails('Query', { TableName, ...members }, 'ValidationException', message)
}

const pk = comparison('EQ', { S: 'a' })

conformance('KeyConditions', (test) => {
  const outcomes: readonly (readonly [string, Members, readonly string[]])[] = [
    ['the partition key alone finds the whole collection', { pk }, ['1', '12', '2', '3']],
    ['EQ finds one sort key', { pk, sk: comparison('EQ', { S: '2' }) }, ['2']],
    ['LT finds what lies before', { pk, sk: comparison('LT', { S: '2' }) }, ['1', '12']],
    ['LE includes its value', { pk, sk: comparison('LE', { S: '2' }) }, ['1', '12', '2']],
    ['GT finds what lies behind', { pk, sk: comparison('GT', { S: '2' }) }, ['3']],
    ['GE includes its value', { pk, sk: comparison('GE', { S: '2' }) }, ['2', '3']],
    [
      'BETWEEN includes its bounds',
      { pk, sk: comparison('BETWEEN', { S: '12' }, { S: '2' }) },
      ['12', '2'],
    ],
    ['BEGINS_WITH finds a prefix', { sk: comparison('BEGINS_WITH', { S: '1' }), pk }, ['1', '12']],
    ['another partition key finds nothing', { pk: comparison('EQ', { S: 'b' }) }, []],
  ]
  for (const [name, KeyConditions, outcome] of outcomes) {
    test(name, async (t) => {
      expect(await found(t, { KeyConditions })).toEqual(outcome)
    })
  }

  test('an index is found by its own key, however the number is written', async (t) => {
    const KeyConditions = { number: comparison('EQ', { N: '1.20E1' }) }
    expect(await found(t, { IndexName: 'byNumber', KeyConditions })).toEqual(['12'])
  })
  test('they work backwards', async (t) => {
    const members = { KeyConditions: { pk }, ScanIndexForward: false, Limit: 2 }
    expect(await found(t, members)).toEqual(['3', '2'])
  })
  test('an empty map together with the expression counts as absent', async (t) => {
    const members = {
      KeyConditions: {},
      QueryFilter: {},
      KeyConditionExpression: 'pk = :pk AND sk > :sk',
      ExpressionAttributeValues: { ':pk': { S: 'a' }, ':sk': { S: '2' } },
    }
    expect(await found(t, members)).toEqual(['3'])
  })
  test('they are allowed together with a FilterExpression', async (t) => {
    const members = {
      KeyConditions: { pk },
      FilterExpression: '#n > :n',
      ExpressionAttributeNames: { '#n': 'number' },
      ExpressionAttributeValues: { ':n': { N: '2' } },
    }
    expect(await found(t, members)).toEqual(['12', '3'])
  })
  test('they are allowed together with a ProjectionExpression', async (t) => {
    const TableName = await stocked(t)
    const { Items } = await t.send('Query', {
      TableName,
      KeyConditions: { pk, sk: comparison('EQ', { S: '2' }) },
      ProjectionExpression: '#n',
      ExpressionAttributeNames: { '#n': 'number' },
    })
    expect(Items).toEqual([{ number: { N: '2' } }])
  })

  const missed = (name: string) => `Query condition missed key schema element: ${name}`
  const notSupported = 'Query key condition not supported'
  const wrongType = `${INVALID}Condition parameter type does not match schema type`
  const refusals: readonly (readonly [string, Members, string | RegExp])[] = [
    ['an empty map is refused', {}, 'Conditions can be of length 1 or 2 only'],
    [
      'three conditions are refused',
      { pk, sk: comparison('EQ', { S: '2' }), a: comparison('EQ', { S: 'x' }) },
      'Conditions can be of length 1 or 2 only',
    ],
    [
      'a condition on the sort key alone is refused',
      { sk: comparison('EQ', { S: '2' }) },
      missed('pk'),
    ],
    [
      'a condition on another attribute is refused',
      { pk, a: comparison('EQ', { S: 'x' }) },
      missed('sk'),
    ],
    ['a range of partition keys is refused', { pk: comparison('GT', { S: 'a' }) }, notSupported],
    [
      'a prefix of partition keys is refused',
      { pk: comparison('BEGINS_WITH', { S: 'a' }) },
      notSupported,
    ],
    [
      'BETWEEN on the partition key is refused',
      { pk: comparison('BETWEEN', { S: 'a' }, { S: 'b' }) },
      notSupported,
    ],
    ['IN on the partition key is refused', { pk: comparison('IN', { S: 'a' }) }, NOT_INDEXABLE],
    ['NOT_NULL on the partition key is refused', { pk: comparison('NOT_NULL') }, NOT_INDEXABLE],
    [
      'CONTAINS on the sort key is refused',
      { pk, sk: comparison('CONTAINS', { S: '2' }) },
      NOT_INDEXABLE,
    ],
    [
      'NOT_CONTAINS on the sort key is refused',
      { pk, sk: comparison('NOT_CONTAINS', { S: '2' }) },
      NOT_INDEXABLE,
    ],
    ['IN on the sort key is refused', { pk, sk: comparison('IN', { S: '2' }) }, NOT_INDEXABLE],
    ['NE on the sort key is refused', { pk, sk: comparison('NE', { S: '2' }) }, NOT_INDEXABLE],
    ['NULL on the sort key is refused', { pk, sk: comparison('NULL') }, NOT_INDEXABLE],
    [
      'a partition key of the wrong type is refused',
      { pk: comparison('EQ', { N: '1' }) },
      wrongType,
    ],
    [
      'a sort key of the wrong type is refused',
      { pk, sk: comparison('LT', { N: '1' }) },
      wrongType,
    ],
    ['a set as a sort key is refused', { pk, sk: comparison('EQ', { SS: ['a'] }) }, wrongType],
    [
      'a type is refused before a missing sort key',
      { pk: comparison('EQ', { N: '1' }), a: comparison('EQ', { S: 'x' }) },
      wrongType,
    ],
    [
      'an empty partition key is refused',
      { pk: comparison('EQ', { S: '' }) },
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
    ],
    [
      'an empty sort key is refused',
      { pk, sk: comparison('EQ', { S: '' }) },
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: sk',
    ],
    [
      'an operator without values is refused',
      { pk: { ComparisonOperator: 'EQ' } },
      `${INVALID}Invalid number of argument(s) for the EQ ComparisonOperator`,
    ],
    [
      'two values for EQ are refused',
      { pk: comparison('EQ', { S: 'a' }, { S: 'b' }) },
      `${INVALID}Invalid number of argument(s) for the EQ ComparisonOperator`,
    ],
    [
      'an order of sets is refused',
      { pk: comparison('LT', { SS: ['a'] }) },
      `${INVALID}ComparisonOperator LT is not valid for SS AttributeValue type`,
    ],
    [
      'reversed bounds are refused',
      { pk, sk: comparison('BETWEEN', { S: '3' }, { S: '2' }) },
      'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound',
    ],
    [
      'a value without a type is refused',
      { pk: comparison('EQ', {}) },
      'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
    ],
    [
      'a missing operator is refused',
      { pk: { AttributeValueList: [{ S: 'a' }] } },
      "1 validation error detected: Value null at 'keyConditions.pk.member.comparisonOperator' failed to satisfy constraint: Member must not be null",
    ],
  ]
  for (const [name, KeyConditions, message] of refusals) {
    test(name, (t) => refused(t, { KeyConditions }, message))
  }

  test('a second condition on an index without a sort key is refused', (t) =>
    refused(
      t,
      { IndexName: 'byNumber', KeyConditions: { number: comparison('EQ', { N: '1' }), pk } },
      notSupported,
    ))
  test('an index is not found by the key of the table', (t) =>
    refused(t, { IndexName: 'byNumber', KeyConditions: { pk } }, missed('number')))
  test('a query without a key condition is refused', (t) =>
    refused(
      t,
      {},
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    ))
  test('they are refused together with a KeyConditionExpression', (t) =>
    refused(
      t,
      {
        KeyConditions: { pk },
        KeyConditionExpression: 'pk = :pk',
        FilterExpression: 'a = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'a' } },
      },
      `${MIXED}{KeyConditions} Expression parameters: {FilterExpression, KeyConditionExpression}`,
    ))
  test('all parameters of both languages are named', (t) =>
    refused(
      t,
      {
        ConditionalOperator: 'AND',
        KeyConditions: { pk },
        QueryFilter: { a: pk },
        AttributesToGet: ['a'],
        KeyConditionExpression: 'pk = :pk',
        FilterExpression: 'a = :pk',
        ProjectionExpression: 'a',
      },
      `${MIXED}{AttributesToGet, QueryFilter, ConditionalOperator, KeyConditions} Expression parameters: {ProjectionExpression, FilterExpression, KeyConditionExpression}`,
    ))
  test('values without an expression are refused', (t) =>
    refused(
      t,
      { KeyConditions: { pk }, ExpressionAttributeValues: { ':a': { S: 'a' } } },
      'ExpressionAttributeValues can only be specified when using expressions: FilterExpression and KeyConditionExpression are null',
    ))
})

conformance('QueryFilter', (test) => {
  const outcomes: readonly (readonly [string, Members, readonly string[]])[] = [
    [
      'it drops what does not match',
      { QueryFilter: { number: comparison('GT', { N: '2' }) } },
      ['12', '3'],
    ],
    ['an empty one drops nothing', { QueryFilter: {} }, ['1', '12', '2', '3']],
    [
      'all of several must hold',
      {
        QueryFilter: { number: comparison('EQ', { N: '2' }), text: comparison('EQ', { S: 't3' }) },
      },
      [],
    ],
    [
      'one of several suffices with OR',
      {
        QueryFilter: { number: comparison('EQ', { N: '2' }), text: comparison('EQ', { S: 't3' }) },
        ConditionalOperator: 'OR',
      },
      ['2', '3'],
    ],
    [
      'NE keeps items without the attribute',
      { QueryFilter: { other: comparison('NE', { S: 'x' }) } },
      ['1', '12', '2', '3'],
    ],
    [
      'NOT_CONTAINS drops items without the attribute',
      { QueryFilter: { other: comparison('NOT_CONTAINS', { S: 'x' }) } },
      [],
    ],
  ]
  for (const [name, members, outcome] of outcomes) {
    test(name, async (t) => {
      expect(await found(t, { KeyConditions: { pk }, ...members })).toEqual(outcome)
    })
  }

  test('the count of what was looked at includes what it drops', async (t) => {
    const TableName = await stocked(t)
    const answer = await t.send('Query', {
      TableName,
      KeyConditions: { pk },
      QueryFilter: { text: comparison('EQ', { S: 't2' }) },
      Select: 'COUNT',
    })
    expect(answer).toEqual({ Count: 1, ScannedCount: 4 })
  })
  test('on an index it may use the key of the table', async (t) => {
    const members = {
      IndexName: 'byNumber',
      KeyConditions: { number: comparison('EQ', { N: '2' }) },
      QueryFilter: { sk: comparison('EQ', { S: '2' }) },
    }
    expect(await found(t, members)).toEqual(['2'])
  })

  const onKey = (name: string) =>
    `QueryFilter can only contain non-primary key attributes: Primary key attribute: ${name}`
  const refusals: readonly (readonly [string, Members, string | RegExp])[] = [
    ['one on the partition key is refused', { QueryFilter: { pk } }, onKey('pk')],
    ['one on the sort key is refused', { QueryFilter: { sk: pk } }, onKey('sk')],
    ['one on both keys names the partition key', { QueryFilter: { sk: pk, pk } }, onKey('pk')],
    [
      'one on the key of the index is refused',
      {
        IndexName: 'byNumber',
        KeyConditions: { number: comparison('EQ', { N: '1' }) },
        QueryFilter: { number: comparison('EQ', { N: '1' }) },
      },
      onKey('number'),
    ],
    [
      'an operator without values is refused',
      { QueryFilter: { a: comparison('BETWEEN') } },
      `${INVALID}Invalid number of argument(s) for the BETWEEN ComparisonOperator`,
    ],
    [
      'it is refused together with a KeyConditionExpression',
      {
        KeyConditions: {},
        QueryFilter: { a: pk },
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'a' } },
      },
      `${MIXED}{QueryFilter} Expression parameters: {KeyConditionExpression}`,
    ],
    [
      'together with a FilterExpression only the filter is named',
      {
        QueryFilter: { a: pk },
        FilterExpression: 'a = :a',
        ExpressionAttributeValues: { ':a': { S: 'a' } },
      },
      `${MIXED}{QueryFilter} Expression parameters: {FilterExpression}`,
    ],
    [
      'a ConditionalOperator without it is refused',
      { ConditionalOperator: 'AND' },
      'ConditionalOperator cannot be used without Filter or Expected',
    ],
    [
      'a ConditionalOperator for one condition is refused',
      { ConditionalOperator: 'AND', QueryFilter: { a: pk } },
      'ConditionalOperator can only be used when Filter or Expected has two or more elements',
    ],
    [
      'its values are looked at before the ConditionalOperator',
      { ConditionalOperator: 'AND', QueryFilter: { a: comparison('EQ') } },
      `${INVALID}Invalid number of argument(s) for the EQ ComparisonOperator`,
    ],
    [
      'a wrong key condition comes before one on the key',
      { KeyConditions: { pk: comparison('LT', { S: 'a' }) }, QueryFilter: { pk } },
      'Query key condition not supported',
    ],
  ]
  for (const [name, members, message] of refusals) {
    test(name, (t) => refused(t, { KeyConditions: { pk }, ...members }, message))
  }
})

conformance('AttributesToGet', (test) => {
  const KEY = { pk: { S: 'a' }, sk: { S: '1' } }
  const ITEM = { ...KEY, 'a.b': { S: 'x' }, a: { M: { b: { S: 'y' } } } }
  const duplicate = (name: string) => `${INVALID}Duplicate value in attribute name: ${name}`

  test('GetItem returns only what is named', async (t) => {
    const TableName = await t.table()
    await t.send('PutItem', { TableName, Item: ITEM })
    const AttributesToGet = ['pk', 'a.b', 'other']
    const answer = await t.send('GetItem', { TableName, Key: KEY, AttributesToGet })
    expect(answer).toEqual({ Item: { pk: { S: 'a' }, 'a.b': { S: 'x' } } })
  })
  test('BatchGetItem returns only what is named', async (t) => {
    const TableName = await t.table()
    await t.send('PutItem', { TableName, Item: ITEM })
    const { Responses } = await t.send('BatchGetItem', {
      RequestItems: { [TableName]: { Keys: [KEY], AttributesToGet: ['sk', 'a'] } },
    })
    expect(Responses[TableName]).toEqual([{ sk: { S: '1' }, a: ITEM.a }])
  })
  test('Query returns only what is named', async (t) => {
    const TableName = await t.table()
    await t.send('PutItem', { TableName, Item: ITEM })
    const members = { KeyConditions: { pk }, Select: 'SPECIFIC_ATTRIBUTES', AttributesToGet: ['a'] }
    const { Items } = await t.send('Query', { TableName, ...members })
    expect(Items).toEqual([{ a: ITEM.a }])
  })
  test('GetItem refuses a name given twice', async (t) => {
    const TableName = await t.table()
    const AttributesToGet = ['a', 'b', 'c', 'b', 'a']
    await t.fails(
      'GetItem',
      { TableName, Key: KEY, AttributesToGet },
      'ValidationException',
      duplicate('b'),
    )
  })
  test('BatchGetItem refuses a name given twice', async (t) => {
    const TableName = await t.table()
    const AttributesToGet = ['a', 'b', 'c', 'b', 'a']
    await t.fails(
      'BatchGetItem',
      { RequestItems: { [TableName]: { Keys: [KEY], AttributesToGet } } },
      'ValidationException',
      duplicate('b'),
    )
  })
  test('Query refuses a name given twice', (t) =>
    refused(t, { KeyConditions: { pk }, AttributesToGet: ['a', 'a'] }, duplicate('a')))
  test('GetItem refuses it together with a ProjectionExpression', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'GetItem',
      { TableName, Key: KEY, AttributesToGet: ['a'], ProjectionExpression: 'a' },
      'ValidationException',
      `${MIXED}{AttributesToGet} Expression parameters: {ProjectionExpression}`,
    )
  })
  test('BatchGetItem refuses it together with a ProjectionExpression', async (t) => {
    const TableName = await t.table()
    const read = { Keys: [KEY], AttributesToGet: ['a'], ProjectionExpression: 'a' }
    await t.fails(
      'BatchGetItem',
      { RequestItems: { [TableName]: read } },
      'ValidationException',
      `${MIXED}{AttributesToGet} Expression parameters: {ProjectionExpression}`,
    )
  })
  test('GetItem refuses names of placeholders together with it', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'GetItem',
      { TableName, Key: KEY, AttributesToGet: ['a'], ExpressionAttributeNames: { '#a': 'a' } },
      'ValidationException',
      'ExpressionAttributeNames can only be specified when using expressions',
    )
  })
  test('GetItem refuses an empty list', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'GetItem',
      { TableName, Key: KEY, AttributesToGet: [] },
      'ValidationException',
      "1 validation error detected: Value '[]' at 'attributesToGet' failed to satisfy constraint: Member must have length greater than or equal to 1",
    )
  })
  test('Query refuses it together with a key condition expression', (t) =>
    refused(
      t,
      {
        AttributesToGet: ['a'],
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'a' } },
      },
      `${MIXED}{AttributesToGet} Expression parameters: {KeyConditionExpression}`,
    ))
  test('Query refuses it if only the count is wanted', (t) =>
    refused(
      t,
      { KeyConditions: { pk }, Select: 'COUNT', AttributesToGet: ['a'] },
      'Cannot specify the AttributesToGet when choosing to get only the Count',
    ))
  test('Query refuses it if all attributes are wanted', (t) =>
    refused(
      t,
      { KeyConditions: { pk }, Select: 'ALL_ATTRIBUTES', AttributesToGet: ['a'] },
      'Cannot specify the AttributesToGet when choosing to get ALL_ATTRIBUTES',
    ))
})
