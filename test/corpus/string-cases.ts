import { expect } from 'vitest'
import {
  type CorpusCase,
  invalid,
  KEY,
  keySchema,
  refused,
  row,
  type Setup,
  tableDefinition,
  unreadable,
  wrongValues,
} from './corpus-case.ts'

const emptyKey = (name: string) =>
  invalid(
    `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
  )
const put = (Item: object, TableName = 'table') => ({ TableName, Item })
const LONE_HIGH = '\ud800'
const LONE_LOW = '\udc00'
const ILL_FORMED = unreadable('Ill-formed Unicode: the string contains a lone surrogate')

async function roundTrips({ send }: Setup, Item: object): Promise<void> {
  await send('PutItem', put({ ...KEY, ...Item }))
  expect((await send('GetItem', { TableName: 'table', Key: KEY })).Item).toEqual({
    ...KEY,
    ...Item,
  })
}

async function sortKeysOf({ send }: Setup): Promise<string[]> {
  const { Items } = await send('Query', {
    TableName: 'table',
    KeyConditionExpression: 'pk = :p',
    ExpressionAttributeValues: { ':p': KEY.pk },
  })
  return Items.map((item: typeof KEY) => item.sk.S)
}

/** Strings: empty, ill-formed, long, and easily confused. */
export const stringCases: readonly CorpusCase[] = [
  refused(
    'S1',
    'a partition key is not empty',
    'PutItem',
    put({ ...KEY, pk: { S: '' } }),
    emptyKey('pk'),
  ),
  refused(
    'S2',
    'a sort key is not empty',
    'PutItem',
    put({ ...KEY, sk: { S: '' } }),
    emptyKey('sk'),
  ),
  refused(
    'S3',
    'an index key is not empty',
    'PutItem',
    put({ ...KEY, g: { S: '' }, h: { N: '1' } }),
    invalid(
      'One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: global, IndexKey: g',
    ),
  ),
  row('S4', 'another string may be empty', (setup) =>
    roundTrips(setup, { v: { S: '' }, m: { M: { v: { S: '' } } }, l: { S: 'x' } }),
  ),
  refused(
    'S5',
    'half a character is not a key',
    'PutItem',
    put({ ...KEY, pk: { S: `a${LONE_HIGH}` } }),
    ILL_FORMED,
  ),
  refused(
    'S5',
    'half a character is not a key to look for',
    'GetItem',
    { TableName: 'table', Key: { ...KEY, pk: { S: LONE_HIGH } } },
    ILL_FORMED,
  ),
  refused(
    'S6',
    'half a character is not a value',
    'PutItem',
    put({ ...KEY, v: { S: `${LONE_LOW}a` } }),
    ILL_FORMED,
  ),
  refused(
    'S6',
    'half a character is not an element of a set',
    'PutItem',
    put({ ...KEY, v: { SS: ['a', LONE_LOW] } }),
    ILL_FORMED,
  ),
  refused(
    'S6',
    'half a character is not a value deep in a document',
    'PutItem',
    put({ ...KEY, v: { L: [{ M: { a: { S: LONE_LOW } } }] } }),
    ILL_FORMED,
  ),
  refused(
    'S6',
    'half a character is not an attribute name',
    'PutItem',
    put({ ...KEY, [LONE_LOW]: { S: 'x' } }),
    ILL_FORMED,
  ),
  refused(
    'S6',
    'half a character is not a name within a document',
    'PutItem',
    put({ ...KEY, v: { M: { [LONE_HIGH]: { S: 'x' } } } }),
    ILL_FORMED,
  ),
  row('S7', 'a key may hold the character NUL', async (setup) => {
    const keys = ['a', 'a\0', 'a\0b', 'ab']
    for (const sk of keys) await setup.send('PutItem', put({ ...KEY, sk: { S: sk } }))
    expect(await sortKeysOf(setup)).toEqual(keys)
  }),
  row('S8', 'strings are ordered by their bytes of UTF-8', async (setup) => {
    for (const sk of ['\u{10000}', '\uFFFD']) {
      await setup.send('PutItem', put({ ...KEY, sk: { S: sk } }))
    }
    expect(await sortKeysOf(setup)).toEqual(['\uFFFD', '\u{10000}'])
  }),
  row('S9', 'two ways to compose a letter are two keys', async (setup) => {
    for (const sk of ['\u00e9', 'e\u0301']) {
      await setup.send('PutItem', put({ ...KEY, sk: { S: sk } }))
    }
    expect(await sortKeysOf(setup)).toEqual(['e\u0301', '\u00e9'])
  }),
  row('S11', 'a partition key of 2048 bytes in letters of three is stored', async ({ send }) => {
    await send('PutItem', put({ pk: { S: `${'€'.repeat(682)}xx` } }, 'hash'))
  }),
  refused(
    'S11',
    'a partition key of 2049 bytes in letters of three is refused',
    'PutItem',
    put({ pk: { S: '€'.repeat(683) } }, 'hash'),
    wrongValues('Size of hashkey has exceeded the maximum size limit of2048 bytes'),
  ),
  refused(
    'S12',
    'a sort key of 1025 bytes is refused',
    'PutItem',
    put({ ...KEY, sk: { S: 'x'.repeat(1025) } }),
    wrongValues('Aggregated size of all range keys has exceeded the size limit of 1024 bytes'),
  ),
  row('S13', 'a string may fill the item', ({ send }) =>
    send('PutItem', put({ pk: { S: 'a' }, s: { S: 'x'.repeat(409_600 - 4) } }, 'hash')),
  ),
  refused(
    'S13',
    'a string of 400 KB leaves no room for the key',
    'PutItem',
    put({ pk: { S: 'a' }, s: { S: 'x'.repeat(409_600) } }, 'hash'),
    invalid('Item size has exceeded the maximum allowed size'),
  ),
  refused(
    'S14',
    'an attribute has a name',
    'PutItem',
    put({ ...KEY, '': { S: 'x' } }),
    wrongValues('Empty attribute name'),
  ),
  refused(
    'S15',
    'an attribute name of 65536 bytes is refused',
    'PutItem',
    put({ ...KEY, ['n'.repeat(65_536)]: { S: 'x' } }),
    wrongValues('Attribute name is too large, must be less than 65536 bytes'),
  ),
  refused(
    'S14',
    'a placeholder does not stand for an empty name',
    'GetItem',
    {
      TableName: 'table',
      Key: KEY,
      ProjectionExpression: '#n',
      ExpressionAttributeNames: { '#n': '' },
    },
    invalid('ExpressionAttributeNames contains invalid value: Empty attribute name for key #n'),
  ),
  refused(
    'S15',
    'a placeholder does not stand for a name of 65536 bytes',
    'UpdateItem',
    {
      TableName: 'table',
      Key: KEY,
      UpdateExpression: 'SET #n = :v',
      ExpressionAttributeNames: { '#n': 'n'.repeat(65_536) },
      ExpressionAttributeValues: { ':v': { S: 'x' } },
    },
    invalid(
      'ExpressionAttributeNames contains invalid value: Attribute name is too large, must be less than 65536 bytes for key #n',
    ),
  ),
  refused(
    'S16',
    'the name of a key attribute of 256 bytes is refused',
    'CreateTable',
    tableDefinition('long', { ['k'.repeat(256)]: 'S' }, keySchema(['k'.repeat(256)])),
    invalid(/Member must have length less than or equal to 255/),
  ),
  row(
    'S17',
    'a dot in an expression leads into a map, never to a name with a dot',
    async (setup) => {
      const Item = { ...KEY, 'a.b': { S: 'flat' }, a: { M: { b: { S: 'deep' } } } }
      await setup.send('PutItem', put(Item))
      const bare = await setup.send('GetItem', {
        TableName: 'table',
        Key: KEY,
        ProjectionExpression: 'a.b',
      })
      expect(bare.Item).toEqual({ a: { M: { b: { S: 'deep' } } } })
      const named = await setup.send('GetItem', {
        TableName: 'table',
        Key: KEY,
        ProjectionExpression: '#n',
        ExpressionAttributeNames: { '#n': 'a.b' },
      })
      expect(named.Item).toEqual({ 'a.b': { S: 'flat' } })
    },
  ),
  refused(
    'S18',
    'a bare name is made of letters, not of emoji',
    'GetItem',
    { TableName: 'table', Key: KEY, ProjectionExpression: 'a😀' },
    invalid(/^Invalid ProjectionExpression: Syntax error; token: /),
  ),
  row('S19', 'the string null is a string', (setup) => roundTrips(setup, { v: { S: 'null' } })),
]
