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

const put = (id: string, name: string, value: unknown, refusal: Refusal): CorpusCase =>
  refused(id, name, 'PutItem', { TableName: 'table', Item: { ...KEY, v: value } }, refusal)

/** Binary values and sets. */
export const binaryCases: readonly CorpusCase[] = [
  put(
    'B1',
    'Base64 comes in fours',
    { B: 'AAA' },
    unreadable('Base64 encoded length is expected a multiple of 4 bytes but found: 3'),
  ),
  put(
    'B2',
    'the alphabet of URLs is not that of DynamoDB',
    { B: '-_-_' },
    unreadable('Invalid Base64 character detected'),
  ),
  put(
    'B3',
    'Base64 has no line breaks',
    { B: 'AAAA\nAA=' },
    unreadable('Invalid Base64 character detected'),
  ),
  refused(
    'B4',
    'a binary key is not empty',
    'PutItem',
    { TableName: 'binaries', Item: { pk: { B: '' }, sk: { B: 'AA==' } } },
    invalid(
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty binary value. Key: pk',
    ),
  ),
  put(
    'B5',
    'a set of strings is not empty',
    { SS: [] },
    wrongValues('An string set  may not be empty'),
  ),
  put(
    'B6',
    'a set of numbers is not empty',
    { NS: [] },
    wrongValues('An number set  may not be empty'),
  ),
  put(
    'B7',
    'a set of binaries is not empty',
    { BS: [] },
    wrongValues('Binary sets should not be empty'),
  ),
  put(
    'B8',
    'a set of strings has no duplicates',
    { SS: ['a', 'a'] },
    wrongValues('Input collection [a, a] contains duplicates.'),
  ),
  put(
    'B9',
    'a set of binaries has no duplicates',
    { BS: ['AA==', 'AA=='] },
    wrongValues('Input collection [AA==, AA==]of type BS contains duplicates.'),
  ),
  put(
    'B10',
    'a set of strings holds no number',
    { SS: ['a', 1] },
    unreadable('NUMBER_VALUE cannot be converted to String'),
  ),
  put(
    'B11',
    'a set of numbers holds numbers',
    { NS: ['1', 'x'] },
    invalid('The parameter cannot be converted to a numeric value: x'),
  ),
  row('B12', 'the order of a set is not part of its value', async ({ send }) => {
    await send('PutItem', { TableName: 'table', Item: { ...KEY, v: { SS: ['b', 'a'] } } })
    await send('PutItem', {
      TableName: 'table',
      Item: KEY,
      ConditionExpression: 'v = :v',
      ExpressionAttributeValues: { ':v': { SS: ['a', 'b'] } },
    })
  }),
  row('B13', 'a set that loses its last element is removed', async ({ send }) => {
    await send('PutItem', { TableName: 'table', Item: { ...KEY, v: { SS: ['a'] } } })
    await send('UpdateItem', {
      TableName: 'table',
      Key: KEY,
      UpdateExpression: 'DELETE v :v',
      ExpressionAttributeValues: { ':v': { SS: ['a', 'b'] } },
    })
    expect((await send('GetItem', { TableName: 'table', Key: KEY })).Item).toEqual(KEY)
  }),
  row('B14', 'bytes are ordered without sign', async ({ send }) => {
    for (const byte of [0xff, 0x7f, 0x80]) {
      const sk = { B: Buffer.from([byte]).toString('base64') }
      await send('PutItem', { TableName: 'binaries', Item: { pk: { B: 'AA==' }, sk } })
    }
    const { Items } = await send('Query', {
      TableName: 'binaries',
      KeyConditionExpression: 'pk = :p',
      ExpressionAttributeValues: { ':p': { B: 'AA==' } },
    })
    const bytes = Items.map((item: { sk: { B: string } }) => Buffer.from(item.sk.B, 'base64')[0])
    expect(bytes).toEqual([0x7f, 0x80, 0xff])
  }),
]
