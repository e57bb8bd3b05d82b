import { expect } from 'vitest'
import { conformance } from '../conformance.ts'
import { itemOf, KEY, refuses } from '../item-cases.ts'

const INVALID = 'One or more parameter values were invalid: '
const PARTITION_TOO_LARGE = `${INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes`
const SORT_TOO_LARGE = `${INVALID}Aggregated size of all range keys has exceeded the size limit of 1024 bytes`

const binaryTable = {
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'B' },
    { AttributeName: 'sk', AttributeType: 'B' },
  ],
}
const binary = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64')

conformance('Keys of put items', (test) => {
  refuses(test, 'PutItem', [
    {
      name: 'an item without the partition key is refused',
      request: { Item: { sk: { S: '1' } } },
      message: `${INVALID}Missing the key pk in the item`,
    },
    {
      name: 'an item without the sort key is refused',
      request: { Item: { pk: { S: 'a' } } },
      message: `${INVALID}Missing the key sk in the item`,
    },
    {
      name: 'an item without any attribute is refused',
      request: { Item: {} },
      message: `${INVALID}Missing the key pk in the item`,
    },
    {
      name: 'a partition key of the wrong type is refused',
      request: { Item: { ...KEY, pk: { N: '1' } } },
      message: `${INVALID}Type mismatch for key pk expected: S actual: N`,
    },
    {
      name: 'a sort key of the wrong type is refused',
      request: { Item: { ...KEY, sk: { B: 'AA==' } } },
      message: `${INVALID}Type mismatch for key sk expected: S actual: B`,
    },
    {
      name: 'a key that is null is refused',
      request: { Item: { ...KEY, pk: { NULL: true } } },
      message: `${INVALID}Type mismatch for key pk expected: S actual: NULL`,
    },
    {
      name: 'a key that is a map is refused',
      request: { Item: { ...KEY, pk: { M: {} } } },
      message: `${INVALID}Type mismatch for key pk expected: S actual: M`,
    },
    {
      name: 'an empty partition key is refused',
      request: { Item: { ...KEY, pk: { S: '' } } },
      message:
        'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
    },
    {
      name: 'an empty sort key is refused',
      request: { Item: { ...KEY, sk: { S: '' } } },
      message:
        'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: sk',
    },
    {
      name: 'a partition key of 2049 bytes is refused',
      request: { Item: { ...KEY, pk: { S: 'x'.repeat(2049) } } },
      message: PARTITION_TOO_LARGE,
    },
    {
      name: 'a partition key is measured in bytes of UTF-8',
      request: { Item: { ...KEY, pk: { S: 'ü'.repeat(1025) } } },
      message: PARTITION_TOO_LARGE,
    },
    {
      name: 'a sort key of 1025 bytes is refused',
      request: { Item: { ...KEY, sk: { S: 'x'.repeat(1025) } } },
      message: SORT_TOO_LARGE,
    },
    {
      name: 'a missing key is reported before an empty one',
      request: { Item: { pk: { S: '' } } },
      message: `${INVALID}Missing the key sk in the item`,
    },
  ])
  refuses(
    test,
    'PutItem',
    [
      {
        name: 'an empty binary key is refused',
        request: { Item: { pk: { B: '' }, sk: { B: 'AA==' } } },
        message:
          'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty binary value. Key: pk',
      },
      {
        name: 'a binary partition key of 2049 bytes is refused',
        request: { Item: { pk: { B: binary(2049) }, sk: { B: 'AA==' } } },
        message: PARTITION_TOO_LARGE,
      },
      {
        name: 'a binary sort key of 1025 bytes is refused',
        request: { Item: { pk: { B: 'AA==' }, sk: { B: binary(1025) } } },
        message: SORT_TOO_LARGE,
      },
    ],
    binaryTable,
  )

  for (const [pk, sk] of [
    [2047, 1023],
    [2048, 1024],
  ] as const) {
    test(`keys of ${pk} and ${sk} bytes are stored`, async (t) => {
      const TableName = await t.table()
      const Key = { pk: { S: 'x'.repeat(pk) }, sk: { S: 'y'.repeat(sk) } }
      await t.send('PutItem', { TableName, Item: Key })
      expect(await itemOf(t, TableName, Key)).toEqual(Key)
    })
  }

  test('binary keys of 2048 and 1024 bytes are stored', async (t) => {
    const TableName = await t.table(binaryTable)
    const Key = { pk: { B: binary(2048) }, sk: { B: binary(1024) } }
    await t.send('PutItem', { TableName, Item: Key })
    expect(await itemOf(t, TableName, Key)).toEqual(Key)
  })
})
