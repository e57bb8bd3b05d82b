import { expect } from 'vitest'
import {
  type CorpusCase,
  invalid,
  KEY,
  type Refusal,
  refused,
  row,
  unreadable,
  wrongValues,
} from './corpus-case.ts'

const NOT_A_MAP = unreadable(
  'Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>',
)
const STRUCTURE_UNEXPECTED = unreadable('Start of structure or map found where not expected')
const VALUE_EMPTY = invalid(
  'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
)

const getFrom = (id: string, name: string, TableName: unknown, refusal: Refusal): CorpusCase =>
  refused(id, name, 'GetItem', { TableName, Key: KEY }, refusal)
const put = (id: string, name: string, value: unknown, refusal: Refusal): CorpusCase =>
  refused(id, name, 'PutItem', { TableName: 'table', Item: { ...KEY, v: value } }, refusal)

const partition = {
  TableName: 'table',
  KeyConditionExpression: 'pk = :p',
  ExpressionAttributeValues: { ':p': KEY.pk },
}

/** Parameters of the wrong JSON type. */
export const jsonCases: readonly CorpusCase[] = [
  getFrom(
    'J1',
    'a number is not a table name',
    1,
    unreadable('NUMBER_VALUE cannot be converted to String'),
  ),
  getFrom(
    'J2',
    'a list is not a table name',
    ['table'],
    unreadable('Unrecognized collection type class java.lang.String'),
  ),
  getFrom('J3', 'an object is not a table name', { S: 'table' }, STRUCTURE_UNEXPECTED),
  getFrom(
    'J4',
    'null is a missing table name',
    null,
    invalid(
      "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null",
    ),
  ),
  refused(
    'J4',
    'null is not a name that a placeholder stands for',
    'UpdateItem',
    {
      TableName: 'table',
      Key: KEY,
      UpdateExpression: 'REMOVE #n',
      ExpressionAttributeNames: { '#n': null },
    },
    invalid(/^ExpressionAttributeNames contains invalid value: .* for key #n$/),
  ),
  refused(
    'J4',
    'null is not an attribute to get',
    'GetItem',
    { TableName: 'table', Key: KEY, AttributesToGet: [null] },
    invalid(/Empty attribute name$/),
  ),
  refused(
    'J4',
    'null is not a list of writes',
    'BatchWriteItem',
    { RequestItems: { table: null } },
    invalid(/Member must have length greater than or equal to 1\]$/),
  ),
  refused(
    'J4',
    'null is not a set element',
    'PutItem',
    { TableName: 'table', Item: { ...KEY, v: { SS: ['a', null] } } },
    unreadable(/./),
  ),
  refused(
    'J4',
    'null is not a list element',
    'PutItem',
    { TableName: 'table', Item: { ...KEY, v: { L: [null] } } },
    VALUE_EMPTY,
  ),
  refused(
    'J5',
    'a limit is not written as a string',
    'Query',
    { ...partition, Limit: '5' },
    unreadable('STRING_VALUE cannot be converted to Integer'),
  ),
  row('J6', 'a limit of one and a half is a limit of one', async ({ send }) => {
    for (const sk of ['1', '2']) {
      await send('PutItem', { TableName: 'table', Item: { ...KEY, sk: { S: sk } } })
    }
    expect((await send('Query', { ...partition, Limit: 1.5 })).Count).toBe(1)
  }),
  refused(
    'J7',
    'maybe is not a boolean',
    'GetItem',
    { TableName: 'table', Key: KEY, ConsistentRead: 'maybe' },
    unreadable('Unexpected token received from parser'),
  ),
  refused('J8', 'a key is not a list', 'GetItem', { TableName: 'table', Key: [KEY] }, NOT_A_MAP),
  put('J9', 'a bare scalar is not a value', 'x', unreadable('Unexpected value type in payload')),
  put('J10', 'a value has a type', {}, VALUE_EMPTY),
  put(
    'J11',
    'a value has one type',
    { S: 'x', N: '1' },
    invalid(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    ),
  ),
  put('J12', 'a type nobody knows is none', { X: 'a' }, VALUE_EMPTY),
  put('J12', 'a type every object inherits is none', { toString: 'a' }, VALUE_EMPTY),
  put(
    'J13',
    'a number is not a string',
    { S: 1 },
    unreadable('NUMBER_VALUE cannot be converted to String'),
  ),
  put(
    'J14',
    'numbers are written as strings',
    { N: 1 },
    unreadable('NUMBER_VALUE cannot be converted to String'),
  ),
  row('J15', 'the string true is read as true', async ({ send }) => {
    await send('PutItem', { TableName: 'table', Item: { ...KEY, v: { BOOL: 'true' } } })
    const { Item } = await send('GetItem', { TableName: 'table', Key: KEY })
    expect(Item.v).toEqual({ BOOL: true })
  }),
  put(
    'J15',
    'another string is not read as a boolean',
    { BOOL: 'maybe' },
    unreadable('Unexpected token received from parser'),
  ),
  put(
    'J16',
    'null is never false',
    { NULL: false },
    wrongValues('Null attribute value types must have the value of true'),
  ),
  put('J17', 'a string is not a set', { SS: 'a' }, unreadable('Unexpected field type')),
  put('J18', 'an object is not a list', { L: {} }, STRUCTURE_UNEXPECTED),
  put('J19', 'a list is not a map', { M: [] }, NOT_A_MAP),
  put(
    'J20',
    'stars are not Base64',
    { B: '***' },
    unreadable('Base64 encoded length is expected a multiple of 4 bytes but found: 3'),
  ),
  put(
    'J20',
    'four stars are not Base64 either',
    { B: '****' },
    unreadable('Invalid Base64 character detected'),
  ),
]
