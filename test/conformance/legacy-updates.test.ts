import { expect } from 'vitest'
import { type Conformance, conformance } from './conformance.ts'

const INVALID = 'One or more parameter values were invalid: '
const KEY = { pk: { S: 'a' }, sk: { S: '1' } }
const ITEM = {
  ...KEY,
  text: { S: 'hello' },
  number: { N: '5' },
  strings: { SS: ['a', 'b'] },
  list: { L: [{ S: 'a' }] },
}

type Members = Readonly<Record<string, unknown>>

/** The attribute after the update, undefined if it isn't there. */
async function updated(t: Conformance, name: string, update: Members): Promise<unknown> {
  const TableName = await t.table()
  await t.send('PutItem', { TableName, Item: ITEM })
  await t.send('UpdateItem', { TableName, Key: KEY, AttributeUpdates: { [name]: update } })
  const { Item } = await t.send('GetItem', { TableName, Key: KEY })
  return Item[name]
}

async function refused(t: Conformance, members: Members, message: string | RegExp): Promise<void> {
  const TableName = await t.table()
  await t.send('PutItem', { TableName, Item: ITEM })
  await t.fails('UpdateItem', { TableName, Key: KEY, ...members }, 'ValidationException', message)
  const { Item } = await t.send('GetItem', { TableName, Key: KEY })
  expect(Item).toEqual(ITEM)
}

conformance('AttributeUpdates', (test) => {
  const outcomes: readonly (readonly [string, string, Members, unknown])[] = [
    [
      'PUT replaces a value of another type',
      'text',
      { Action: 'PUT', Value: { N: '1' } },
      { N: '1' },
    ],
    ['PUT adds an attribute', 'other', { Action: 'PUT', Value: { M: {} } }, { M: {} }],
    ['PUT takes an empty string', 'other', { Action: 'PUT', Value: { S: '' } }, { S: '' }],
    ['an update without an action is a PUT', 'other', { Value: { S: 'x' } }, { S: 'x' }],
    ['DELETE without a value removes the attribute', 'text', { Action: 'DELETE' }, undefined],
    ['DELETE of a missing attribute changes nothing', 'other', { Action: 'DELETE' }, undefined],
    [
      'DELETE takes elements out of a set',
      'strings',
      { Action: 'DELETE', Value: { SS: ['a', 'x'] } },
      { SS: ['b'] },
    ],
    [
      'DELETE of all elements removes the set',
      'strings',
      { Action: 'DELETE', Value: { SS: ['b', 'a'] } },
      undefined,
    ],
    [
      'DELETE of elements of a missing set changes nothing',
      'other',
      { Action: 'DELETE', Value: { NS: ['1'] } },
      undefined,
    ],
    ['ADD sums numbers', 'number', { Action: 'ADD', Value: { N: '-7' } }, { N: '-2' }],
    ['ADD of a number starts at zero', 'other', { Action: 'ADD', Value: { N: '3' } }, { N: '3' }],
    [
      'ADD joins sets',
      'strings',
      { Action: 'ADD', Value: { SS: ['c', 'a'] } },
      { SS: ['a', 'b', 'c'] },
    ],
    ['ADD makes a set', 'other', { Action: 'ADD', Value: { NS: ['3'] } }, { NS: ['3'] }],
    [
      'ADD appends to a list',
      'list',
      { Action: 'ADD', Value: { L: [{ N: '1' }, { S: 'a' }] } },
      { L: [{ S: 'a' }, { N: '1' }, { S: 'a' }] },
    ],
    [
      'ADD makes a list',
      'other',
      { Action: 'ADD', Value: { L: [{ N: '1' }] } },
      { L: [{ N: '1' }] },
    ],
    [
      'ADD of an empty list changes nothing',
      'list',
      { Action: 'ADD', Value: { L: [] } },
      { L: [{ S: 'a' }] },
    ],
    [
      'a name with dots and brackets is one name',
      'a.b[0]',
      { Action: 'PUT', Value: { S: 'x' } },
      { S: 'x' },
    ],
  ]
  for (const [name, attribute, update, outcome] of outcomes) {
    test(name, async (t) => {
      expect(await updated(t, attribute, update)).toEqual(outcome)
    })
  }

  const onlyDelete = `${INVALID}Only DELETE action is allowed when no attribute value is specified`
  const refusals: readonly (readonly [string, Members, string | RegExp])[] = [
    ['an empty update is refused', { a: {} }, onlyDelete],
    ['PUT without a value is refused', { a: { Action: 'PUT' } }, onlyDelete],
    ['ADD without a value is refused', { a: { Action: 'ADD' } }, onlyDelete],
    [
      'ADD of a string is refused',
      { a: { Action: 'ADD', Value: { S: 'x' } } },
      `${INVALID}ADD action is not supported for the type STRING`,
    ],
    [
      'ADD of a binary is refused',
      { a: { Action: 'ADD', Value: { B: 'YQ==' } } },
      `${INVALID}ADD action is not supported for the type BINARY`,
    ],
    [
      'ADD of a flag is refused',
      { a: { Action: 'ADD', Value: { BOOL: true } } },
      `${INVALID}ADD action is not supported for the type BOOLEAN`,
    ],
    [
      'ADD of a null is refused',
      { a: { Action: 'ADD', Value: { NULL: true } } },
      `${INVALID}ADD action is not supported for the type NULL`,
    ],
    [
      'ADD of a map is refused',
      { a: { Action: 'ADD', Value: { M: {} } } },
      `${INVALID}ADD action is not supported for the type MAP`,
    ],
    [
      'DELETE of a string is refused',
      { a: { Action: 'DELETE', Value: { S: 'x' } } },
      `${INVALID}DELETE action with value is not supported for the type STRING`,
    ],
    [
      'DELETE of a number is refused',
      { a: { Action: 'DELETE', Value: { N: '1' } } },
      `${INVALID}DELETE action with value is not supported for the type NUMBER`,
    ],
    [
      'DELETE of a list is refused',
      { a: { Action: 'DELETE', Value: { L: [] } } },
      `${INVALID}DELETE action with value is not supported for the type LIST`,
    ],
    [
      'ADD of a number to a string is refused',
      { text: { Action: 'ADD', Value: { N: '1' } } },
      'Type mismatch for attribute to update',
    ],
    [
      'ADD of a set to a list is refused',
      { list: { Action: 'ADD', Value: { SS: ['x'] } } },
      'Type mismatch for attribute to update',
    ],
    [
      'ADD of a list to a set is refused',
      { strings: { Action: 'ADD', Value: { L: [] } } },
      'Type mismatch for attribute to update',
    ],
    [
      'DELETE of elements of another type is refused',
      { strings: { Action: 'DELETE', Value: { NS: ['1'] } } },
      'Type mismatch for attribute to update',
    ],
    [
      'a value without a type is refused',
      { a: { Action: 'PUT', Value: {} } },
      'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
    ],
    [
      'a value of two types is refused before the action is looked at',
      { a: { Action: 'ADD', Value: { S: 'a', SS: ['a'] } } },
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    ],
    [
      'an empty set is refused',
      { a: { Action: 'DELETE', Value: { SS: [] } } },
      `${INVALID}An string set  may not be empty`,
    ],
    [
      'the first attribute that is wrong is reported',
      { b: {}, a: { Action: 'ADD', Value: { S: 'x' } } },
      onlyDelete,
    ],
    [
      'an update of the partition key is refused',
      { pk: { Action: 'PUT', Value: { S: 'a' } } },
      `${INVALID}Cannot update attribute pk. This attribute is part of the key`,
    ],
    [
      'removal of the sort key is refused',
      { sk: { Action: 'DELETE' } },
      `${INVALID}Cannot update attribute sk. This attribute is part of the key`,
    ],
    [
      'an empty attribute name is refused',
      { '': { Action: 'PUT', Value: { S: 'x' } } },
      /Empty attribute name$/,
    ],
    ['the action is looked at before the key schema', { pk: { Action: 'PUT' } }, onlyDelete],
    [
      'an action that does not exist is refused',
      { a: { Action: 'FOO', Value: { S: 'x' } } },
      "1 validation error detected: Value 'FOO' at 'attributeUpdates.a.member.action' failed to satisfy constraint: Member must satisfy enum value set: [ADD, PUT, DELETE]",
    ],
    [
      'ADD beyond the range of numbers is refused',
      { number: { Action: 'ADD', Value: { N: '9.9999999999999999999999999999999999999E+125' } } },
      /^Number overflow|38/,
    ],
  ]
  for (const [name, AttributeUpdates, message] of refusals) {
    test(name, (t) => refused(t, { AttributeUpdates }, message))
  }

  test('updates are looked at before expectations', (t) =>
    refused(t, { AttributeUpdates: { a: {} }, Expected: { b: {} } }, onlyDelete))

  test('updates together with an UpdateExpression are refused', (t) =>
    refused(
      t,
      {
        AttributeUpdates: { a: {} },
        Expected: { b: { Exists: false } },
        ConditionalOperator: 'AND',
        UpdateExpression: 'SET a = :a',
        ConditionExpression: 'a = :a',
        ExpressionAttributeNames: { '#a': 'a' },
        ExpressionAttributeValues: { ':a': { S: 'x' } },
      },
      'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributeUpdates, Expected, ConditionalOperator} Expression parameters: {UpdateExpression, ConditionExpression}',
    ))

  test('updates together with a ConditionExpression are refused', (t) =>
    refused(
      t,
      {
        AttributeUpdates: { a: { Action: 'DELETE' } },
        ConditionExpression: 'attribute_exists(pk)',
      },
      'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributeUpdates} Expression parameters: {ConditionExpression}',
    ))

  test('Expected together with an UpdateExpression is refused', (t) =>
    refused(
      t,
      { Expected: { a: { Exists: false } }, UpdateExpression: 'REMOVE b' },
      'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {Expected} Expression parameters: {UpdateExpression}',
    ))

  test('placeholders without an expression are refused', (t) =>
    refused(
      t,
      { AttributeUpdates: { a: { Action: 'DELETE' } }, ExpressionAttributeNames: { '#a': 'a' } },
      'ExpressionAttributeNames can only be specified when using expressions',
    ))

  test('a failing expectation comes before a type mismatch', async (t) => {
    const TableName = await t.table()
    await t.send('PutItem', { TableName, Item: ITEM })
    await t.fails(
      'UpdateItem',
      {
        TableName,
        Key: KEY,
        AttributeUpdates: { text: { Action: 'ADD', Value: { N: '1' } } },
        Expected: { other: { Value: { S: 'x' } } },
      },
      'ConditionalCheckFailedException',
    )
  })

  const many = {
    text: { Action: 'DELETE' },
    number: { Action: 'ADD', Value: { N: '1' } },
    other: { Action: 'PUT', Value: { S: 'x' } },
    strings: { Action: 'DELETE', Value: { SS: ['a'] } },
    missing: { Action: 'DELETE' },
  }
  const { text: _, ...kept } = ITEM
  const after = { ...kept, number: { N: '6' }, other: { S: 'x' }, strings: { SS: ['b'] } }
  for (const [ReturnValues, attributes] of [
    ['ALL_OLD', ITEM],
    ['ALL_NEW', after],
    ['UPDATED_OLD', { text: ITEM.text, number: ITEM.number, strings: ITEM.strings }],
    ['UPDATED_NEW', { number: after.number, other: after.other, strings: after.strings }],
  ] as const) {
    test(`${ReturnValues} returns its part of the item`, async (t) => {
      const TableName = await t.table()
      await t.send('PutItem', { TableName, Item: ITEM })
      const answer = await t.send('UpdateItem', {
        TableName,
        Key: KEY,
        AttributeUpdates: many,
        ReturnValues,
      })
      expect(answer).toEqual({ Attributes: attributes })
    })
  }

  for (const [name, AttributeUpdates, item] of [
    ['an update without updates makes the item', undefined, KEY],
    ['an empty map of updates makes the item', {}, KEY],
    ['PUT makes the item', { a: { Action: 'PUT', Value: { S: 'x' } } }, { ...KEY, a: { S: 'x' } }],
    [
      'ADD of a list makes the item',
      { a: { Action: 'ADD', Value: { L: [] } } },
      { ...KEY, a: { L: [] } },
    ],
    ['DELETE makes no item', { a: { Action: 'DELETE' } }, undefined],
    [
      'DELETE of elements makes no item',
      { a: { Action: 'DELETE', Value: { SS: ['x'] } } },
      undefined,
    ],
    [
      'DELETE together with a PUT creates the item',
      { a: { Action: 'DELETE' }, b: { Action: 'PUT', Value: { S: 'x' } } },
      { ...KEY, b: { S: 'x' } },
    ],
  ] as const) {
    test(`where there is no item, ${name}`, async (t) => {
      const TableName = await t.table()
      await t.send('UpdateItem', { TableName, Key: KEY, AttributeUpdates })
      const { Item } = await t.send('GetItem', { TableName, Key: KEY })
      expect(Item).toEqual(item)
    })
  }

  const indexed = {
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
      { AttributeName: 'text', AttributeType: 'S' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byText',
        KeySchema: [{ AttributeName: 'text', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  }
  test('a value of the wrong type for an index key is refused', async (t) => {
    const TableName = await t.table(indexed)
    await t.fails(
      'UpdateItem',
      { TableName, Key: KEY, AttributeUpdates: { text: { Action: 'PUT', Value: { N: '1' } } } },
      'ValidationException',
      `${INVALID}Type mismatch for Index Key text Expected: S Actual: N IndexName: byText`,
    )
  })
  test('an empty string for an index key is refused', async (t) => {
    const TableName = await t.table(indexed)
    await t.fails(
      'UpdateItem',
      { TableName, Key: KEY, AttributeUpdates: { text: { Action: 'PUT', Value: { S: '' } } } },
      'ValidationException',
      /A value specified for a secondary index key is not supported\. The AttributeValue for a key attribute cannot contain an empty string value\. IndexName: byText, IndexKey: text$/,
    )
  })
  test('an index key that is removed takes the item out of the index', async (t) => {
    const TableName = await t.table(indexed)
    await t.send('PutItem', { TableName, Item: ITEM })
    await t.send('UpdateItem', {
      TableName,
      Key: KEY,
      AttributeUpdates: { text: { Action: 'DELETE' } },
    })
    const { Count } = await t.send('Scan', { TableName, IndexName: 'byText' })
    expect(Count).toBe(0)
  })
})
