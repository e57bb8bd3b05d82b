import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBClient as OldestClient } from '@aws-sdk/client-dynamodb-oldest'
import { DynamoDBDocument, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { createEngine, type Item, ServiceError, type Transport } from 'singletable/engine'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type AwsClient,
  awsTransport,
  isAwsClient,
} from '../../packages/singletable/src/aws/aws-transport.ts'
import { rejection } from './canned-client.ts'

const TableName = 'Blog'
const EVERY_TYPE: Item = {
  pk: { S: 'types' },
  sk: { S: 'all' },
  number: { N: '12345678901234567890.5' },
  bytes: { B: 'AAH+/w==' },
  yes: { BOOL: true },
  nothing: { NULL: true },
  strings: { SS: ['a', 'b'] },
  numbers: { NS: ['1', '2'] },
  binaries: { BS: ['AAH+/w==', 'Ag=='] },
  list: { L: [{ B: 'Aw==' }, { S: 'text' }, { L: [{ BS: ['BA=='] }] }] },
  map: { M: { B: { B: 'BQ==' }, BS: { S: 'text' }, inner: { M: { N: { N: '1' } } } } },
}

const engine = createEngine()
const config = engine.clientConfig()
const client = new DynamoDBClient(config)
const marshallOptions = { removeUndefinedValues: true }
const clients: Readonly<Record<string, AwsClient>> = {
  DynamoDBClient: client,
  DynamoDBDocumentClient: DynamoDBDocumentClient.from(client, { marshallOptions }),
  DynamoDBDocument: DynamoDBDocument.from(client),
  // Both have handlers of the same kind; only their types differ.
  'DynamoDBClient of the oldest SDK': new OldestClient(config as never),
}

describe.each(Object.entries(clients))('a transport over a %s', (_, client) => {
  let transport: Transport

  beforeEach(async () => {
    transport = awsTransport(client)
    await transport.send('CreateTable', {
      TableName,
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    })
  })
  afterEach(async () => {
    await transport.send('DeleteTable', { TableName })
  })

  const Key = { pk: { S: 'types' }, sk: { S: 'all' } }
  const put = (item: Item): Promise<unknown> => transport.send('PutItem', { TableName, Item: item })

  test('gives back an item of every type as it was put, and leaves the request as it was', async () => {
    const before = structuredClone(EVERY_TYPE)
    await put(EVERY_TYPE)
    expect(EVERY_TYPE).toEqual(before)
    expect(await transport.send('GetItem', { TableName, Key })).toEqual({ Item: EVERY_TYPE })
    expect(await engine.send('GetItem', { TableName, Key })).toEqual({ Item: EVERY_TYPE })
  })

  test('takes bytes in a condition, an update and a start key', async () => {
    await put(EVERY_TYPE)
    const { Attributes } = await transport.send('UpdateItem', {
      TableName,
      Key,
      UpdateExpression: 'SET #b = :new ADD binaries :more',
      ConditionExpression: '#b = :old',
      ExpressionAttributeNames: { '#b': 'bytes' },
      ExpressionAttributeValues: {
        ':old': { B: 'AAH+/w==' },
        ':new': { B: '' },
        ':more': { BS: ['Ag==', '/w=='] },
      },
      ReturnValues: 'UPDATED_NEW',
    })
    expect(Attributes?.bytes).toEqual({ B: '' })
    expect(Attributes?.binaries?.BS).toHaveLength(3)
  })

  test('answers Query and Scan page by page', async () => {
    for (const sk of ['1', '2', '3']) await put({ pk: { S: 'a' }, sk: { S: sk } })
    const query = {
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'a' } },
      Limit: 2,
    }
    const first = await transport.send('Query', query)
    expect(first).toMatchObject({ Count: 2, LastEvaluatedKey: { sk: { S: '2' } } })
    const start = first.LastEvaluatedKey ?? {}
    const second = await transport.send('Query', { ...query, ExclusiveStartKey: start })
    expect(second.Items).toEqual([{ pk: { S: 'a' }, sk: { S: '3' } }])
    expect((await transport.send('Scan', { TableName })).Items).toHaveLength(3)
  })

  test('writes and reads in batches', async () => {
    const Item = { ...EVERY_TYPE, ...Key, sk: { S: 'other' } }
    const written = await transport.send('BatchWriteItem', {
      RequestItems: {
        [TableName]: [{ PutRequest: { Item: EVERY_TYPE } }, { PutRequest: { Item } }],
      },
    })
    expect(written).toEqual({ UnprocessedItems: {} })
    const { Responses } = await transport.send('BatchGetItem', {
      RequestItems: { [TableName]: { Keys: [Key, { pk: Item.pk, sk: Item.sk }] } },
    })
    expect(Responses[TableName]).toEqual(expect.arrayContaining([EVERY_TYPE, Item]))
    await transport.send('DeleteItem', { TableName, Key })
    expect(await transport.send('GetItem', { TableName, Key })).toEqual({})
  })

  test('writes and reads in transactions', async () => {
    await transport.send('TransactWriteItems', {
      TransactItems: [{ Put: { TableName, Item: EVERY_TYPE } }],
    })
    const { Responses } = await transport.send('TransactGetItems', {
      TransactItems: [{ Get: { TableName, Key } }],
    })
    expect(Responses).toEqual([{ Item: EVERY_TYPE }])
  })

  test('runs statements', async () => {
    await put(EVERY_TYPE)
    const { Items } = await transport.send('ExecuteStatement', {
      Statement: `SELECT * FROM "${TableName}" WHERE pk = ? AND bytes = ?`,
      Parameters: [{ S: 'types' }, { B: 'AAH+/w==' }],
    })
    expect(Items).toEqual([EVERY_TYPE])
  })

  test('describes tables with times in seconds, as on the wire', async () => {
    const described = await transport.send('DescribeTable', { TableName })
    expect(described).toEqual(await engine.send('DescribeTable', { TableName }))
    expect(described.Table.CreationDateTime).toBeTypeOf('number')
    expect((await transport.send('ListTables', {})).TableNames).toEqual([TableName])
    const backups = { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }
    await transport.send('UpdateContinuousBackups', { TableName, ...backups })
    expect(await transport.send('DescribeContinuousBackups', { TableName })).toEqual(
      await engine.send('DescribeContinuousBackups', { TableName }),
    )
    await transport.send('UpdateTimeToLive', {
      TableName,
      TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' },
    })
    expect(await transport.send('DescribeTimeToLive', { TableName })).toEqual(
      await engine.send('DescribeTimeToLive', { TableName }),
    )
    await transport.send('UpdateContributorInsights', {
      TableName,
      ContributorInsightsAction: 'ENABLE',
    })
    const insights = await transport.send('DescribeContributorInsights', { TableName })
    expect(insights).toEqual(await engine.send('DescribeContributorInsights', { TableName }))
    expect(insights.LastUpdateDateTime).toBeTypeOf('number')
    const ResourceArn = described.Table.TableArn
    expect(
      await transport.send('TagResource', { ResourceArn, Tags: [{ Key: 'a', Value: 'b' }] }),
    ).toEqual({})
    await transport.send('UpdateTable', { TableName, TableClass: 'STANDARD_INFREQUENT_ACCESS' })
    const changed = await transport.send('DescribeTable', { TableName })
    expect(changed).toEqual(await engine.send('DescribeTable', { TableName }))
  })

  test('keeps attributes that are named like members of every object', async () => {
    const names = '{"toString":{"B":"AQ=="},"constructor":{"S":"x"},"hasOwnProperty":{"N":"1"}}'
    const item: Item = {
      ...Key,
      ...JSON.parse(names),
      map: { M: JSON.parse('{"__proto__":{"B":"AQ=="},"valueOf":{"BS":["Ag=="]}}') },
    }
    await put(item)
    const { Item } = await transport.send('GetItem', { TableName, Key })
    // Strings are compared because an own member named `__proto__` is nothing to most comparisons.
    const sorted = (value: Item | undefined): string =>
      JSON.stringify(Object.entries(value ?? {}).sort())
    expect(sorted(Item)).toBe(sorted(item))
    expect(sorted((await engine.send('GetItem', { TableName, Key })).Item)).toBe(sorted(item))
  })

  test('writes and reads an attribute named __proto__, which the commands of the SDK drop', async () => {
    const item: Item = JSON.parse('{"pk":{"S":"types"},"sk":{"S":"all"},"__proto__":{"B":"AQ=="}}')
    await put(item)
    for (const each of [engine, transport]) {
      const { Item } = await each.send('GetItem', { TableName, Key })
      expect(JSON.stringify(Object.entries(Item ?? {}).sort())).toContain(
        '["__proto__",{"B":"AQ=="}]',
      )
    }
  })

  test('rejects with the item of a failed condition', async () => {
    await put(EVERY_TYPE)
    const error = await rejection(
      transport.send('PutItem', {
        TableName,
        Item: EVERY_TYPE,
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    )
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toMatchObject({
      name: 'ConditionalCheckFailedException',
      message: 'The conditional request failed',
      Item: EVERY_TYPE,
    })
  })

  test('rejects with the reasons of a cancelled transaction', async () => {
    await put(EVERY_TYPE)
    const error = await rejection(
      transport.send('TransactWriteItems', {
        TransactItems: [
          { Delete: { TableName, Key: { pk: { S: 'x' }, sk: { S: 'y' } } } },
          {
            Put: {
              TableName,
              Item: EVERY_TYPE,
              ConditionExpression: 'attribute_not_exists(pk)',
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            },
          },
        ],
      }),
    )
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [
        { Code: 'None' },
        {
          Code: 'ConditionalCheckFailed',
          Message: 'The conditional request failed',
          Item: EVERY_TYPE,
        },
      ],
    })
  })

  test('rejects what the service refuses with its name and text, and keeps the original', async () => {
    const request = { TableName: 'Absent', Key }
    const error = await rejection(transport.send('GetItem', request))
    const same = await rejection(engine.send('GetItem', request))
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toEqual(Object.assign(same as ServiceError, { cause: expect.anything() }))
    expect((error as ServiceError).cause).toHaveProperty('$metadata.requestId')
  })
})

test('a client of the SDK is recognised by its members', () => {
  const client = new DynamoDBClient({ region: 'eu-west-1' })
  expect(isAwsClient(client)).toBe(true)
  expect(isAwsClient(DynamoDBDocumentClient.from(client))).toBe(true)
  for (const other of [createEngine(), { send() {} }, undefined, null, 'client', () => {}]) {
    expect(isAwsClient(other)).toBe(false)
  }
})
