import { expect } from 'vitest'
import {
  type CorpusCase,
  globalIndex,
  KEY,
  keySchema,
  row,
  tableDefinition,
  wire,
} from './corpus-case.ts'

/** Stores an attribute of that name at the top, in a map and by an update, and reads it back as an
 * own member. */
const roundTrips = (id: string, name: string): CorpusCase =>
  row(id, `an attribute may be called ${name}`, async ({ send }) => {
    const member = JSON.stringify(name)
    const request = wire(
      `{"TableName":"table","Item":{"pk":{"S":"a"},"sk":{"S":"1"},${member}:{"M":{${member}:{"S":"own"},"polluted":{"S":"yes"}}}}}`,
    )
    await send('PutItem', request)
    await send('UpdateItem', {
      TableName: 'table',
      Key: KEY,
      UpdateExpression: 'SET #n.#n = :v, copied = #n',
      ConditionExpression: 'attribute_exists(#n) AND attribute_exists(#n.#n)',
      ExpressionAttributeNames: { '#n': name },
      ExpressionAttributeValues: { ':v': { S: 'updated' } },
    })
    const { Item } = await send('GetItem', { TableName: 'table', Key: KEY })
    expect(Object.hasOwn(Item, name)).toBe(true)
    const map = Object.getOwnPropertyDescriptor(Item, name)?.value.M
    expect(Object.getOwnPropertyDescriptor(map, name)?.value).toEqual({ S: 'updated' })
    const projected = await send('GetItem', {
      TableName: 'table',
      Key: KEY,
      ProjectionExpression: '#n.#n',
      ExpressionAttributeNames: { '#n': name },
    })
    expect(Object.keys(projected.Item)).toEqual([name])
    const { Count } = await send('Scan', {
      TableName: 'table',
      FilterExpression: 'attribute_not_exists(#n)',
      ExpressionAttributeNames: { '#n': name },
    })
    expect(Count).toBe(0)
    await send('PutItem', { TableName: 'table', Item: { pk: { S: 'b' }, sk: { S: '1' } } })
    const other = await send('Scan', {
      TableName: 'table',
      FilterExpression: 'attribute_exists(#n)',
      ExpressionAttributeNames: { '#n': name },
    })
    expect(other.Count).toBe(1)
  })

const NOT_FOUND = ['ResourceNotFoundException', 'Requested resource not found'] as const

/** Names that every JavaScript object knows. */
export const nameCases: readonly CorpusCase[] = [
  roundTrips('P1', '__proto__'),
  roundTrips('P2', 'constructor'),
  roundTrips('P3', 'prototype'),
  roundTrips('P4', 'toString'),
  roundTrips('P5', 'hasOwnProperty'),
  roundTrips('P6', '__defineGetter__'),
  row('P1', 'a key attribute may be called __proto__', async ({ send }) => {
    await send(
      'CreateTable',
      tableDefinition(
        'odd',
        wire('{"__proto__":"S"}') as Record<string, string>,
        keySchema(['__proto__']),
      ),
    )
    await send('PutItem', wire('{"TableName":"odd","Item":{"__proto__":{"S":"a"},"v":{"S":"x"}}}'))
    const { Item } = await send(
      'GetItem',
      wire('{"TableName":"odd","Key":{"__proto__":{"S":"a"}}}'),
    )
    expect(Item.v).toEqual({ S: 'x' })
    expect(Object.getOwnPropertyDescriptor(Item, '__proto__')?.value).toEqual({ S: 'a' })
  }),
  row('P7', 'a table may be called __proto__', async ({ send }) => {
    await send('CreateTable', tableDefinition('__proto__', { pk: 'S' }, keySchema(['pk'])))
    await send('PutItem', { TableName: '__proto__', Item: { pk: { S: 'a' } } })
    const read = await send(
      'BatchGetItem',
      wire('{"RequestItems":{"__proto__":{"Keys":[{"pk":{"S":"a"}}]}}}'),
    )
    expect(Object.getOwnPropertyDescriptor(read.Responses, '__proto__')?.value).toEqual([
      { pk: { S: 'a' } },
    ])
    await send(
      'BatchWriteItem',
      wire('{"RequestItems":{"__proto__":[{"DeleteRequest":{"Key":{"pk":{"S":"a"}}}}]}}'),
    )
    expect((await send('Scan', { TableName: '__proto__' })).Count).toBe(0)
  }),
  row('P8', 'an index may be called constructor', async ({ send }) => {
    await send(
      'CreateTable',
      tableDefinition('odd', { pk: 'S', g: 'S' }, keySchema(['pk']), {
        GlobalSecondaryIndexes: [globalIndex('constructor', keySchema(['g']))],
      }),
    )
    await send('PutItem', { TableName: 'odd', Item: { pk: { S: 'a' }, g: { S: 'x' } } })
    const { Items, ConsumedCapacity } = await send('Scan', {
      TableName: 'odd',
      IndexName: 'constructor',
      ReturnConsumedCapacity: 'INDEXES',
    })
    expect(Items).toHaveLength(1)
    expect(Object.keys(ConsumedCapacity.GlobalSecondaryIndexes)).toEqual(['constructor'])
  }),
  row(
    'P8',
    'an index nobody made is unknown, also when every object has its name',
    async ({ refuses }) => {
      await refuses('Scan', { TableName: 'table', IndexName: 'constructor' }, [
        'ValidationException',
        'The table does not have the specified index: constructor',
      ])
    },
  ),
  row('P9', 'a placeholder of a name may be called #__proto__', async ({ send }) => {
    await send('PutItem', { TableName: 'table', Item: { ...KEY, v: { S: 'x' } } })
    const { Item } = await send(
      'GetItem',
      wire(
        '{"TableName":"table","Key":{"pk":{"S":"a"},"sk":{"S":"1"}},"ProjectionExpression":"#__proto__","ExpressionAttributeNames":{"#__proto__":"v"}}',
      ),
    )
    expect(Item).toEqual({ v: { S: 'x' } })
  }),
  row('P9', 'a placeholder every object has the name of is not defined', async ({ refuses }) => {
    await refuses(
      'GetItem',
      {
        TableName: 'table',
        Key: KEY,
        ProjectionExpression: '#toString',
        ExpressionAttributeNames: { '#a': 'b' },
      },
      [
        'ValidationException',
        'Invalid ProjectionExpression: An expression attribute name used in the document path is not defined; attribute name: #toString',
      ],
    )
  }),
  row('P10', 'a placeholder of a value may be called :constructor', async ({ send }) => {
    await send('PutItem', { TableName: 'table', Item: { ...KEY, v: { S: 'x' } } })
    const { Count } = await send('Scan', {
      TableName: 'table',
      FilterExpression: 'v = :constructor',
      ExpressionAttributeValues: { ':constructor': { S: 'x' } },
    })
    expect(Count).toBe(1)
  }),
  row('P11', 'a tag may be called __proto__', async ({ send }) => {
    const { Table } = await send('DescribeTable', { TableName: 'hash' })
    const ResourceArn = Table.TableArn
    await send('TagResource', { ResourceArn, Tags: [{ Key: '__proto__', Value: 'polluted' }] })
    const { Tags } = await send('ListTagsOfResource', { ResourceArn })
    expect(Tags).toEqual([{ Key: '__proto__', Value: 'polluted' }])
  }),
  row('P13', 'a batch for a table called __proto__ finds no such table', async ({ refuses }) => {
    await refuses(
      'BatchGetItem',
      wire('{"RequestItems":{"__proto__":{"Keys":[{"pk":{"S":"a"}}]}}}'),
      NOT_FOUND,
    )
    await refuses(
      'BatchWriteItem',
      wire('{"RequestItems":{"__proto__":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}}]}}'),
      NOT_FOUND,
    )
    await refuses('GetItem', { TableName: 'constructor', Key: KEY }, NOT_FOUND)
  }),
  row(
    'P14',
    'a member __proto__ of a request is a member nobody knows',
    async ({ send, refuses }) => {
      await send('ListTables', wire('{"__proto__":{"polluted":true,"Limit":"x"}}'))
      await refuses('GetItem', wire('{"__proto__":{"TableName":"table"},"Key":{}}'), [
        'ValidationException',
        /tableName.*Member must not be null/,
      ])
    },
  ),
  row('P14', 'a type __proto__ of a value is a type nobody knows', async ({ refuses }) => {
    await refuses(
      'PutItem',
      wire(
        '{"TableName":"hash","Item":{"pk":{"S":"a"},"v":{"__proto__":{"S":"x","polluted":"yes"}}}}',
      ),
      [
        'ValidationException',
        'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
      ],
    )
  }),
  row('K30', 'keys that read the same in a row are two items', async ({ send }) => {
    for (const [pk, sk] of [
      ['A#', 'B'],
      ['A', '#B'],
    ]) {
      await send('PutItem', { TableName: 'table', Item: { pk: { S: pk }, sk: { S: sk } } })
    }
    expect((await send('Scan', { TableName: 'table' })).Count).toBe(2)
    const { Item } = await send('GetItem', {
      TableName: 'table',
      Key: { pk: { S: 'A' }, sk: { S: '#B' } },
    })
    expect(Item).toEqual({ pk: { S: 'A' }, sk: { S: '#B' } })
  }),
]
