import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateQuery,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams'
import { DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { type Listener, listen } from '@singletable/kit/server'
import { createEngine, type Engine } from 'singletable/engine'
import { afterAll, beforeAll, expect, test } from 'vitest'

let engine: Engine
let server: Listener
let client: DynamoDBClient

beforeAll(async () => {
  engine = createEngine()
  server = await listen(engine, { port: 0 })
  client = new DynamoDBClient(configuration())
  await client.send(
    new CreateTableCommand({
      TableName: 'blog',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
    }),
  )
})
afterAll(async () => {
  client.destroy()
  await server.close()
  await engine.close()
})

function configuration() {
  return {
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
    maxAttempts: 1,
  }
}

test('an item that the SDK puts over the socket is got back, binary and numbers included', async () => {
  const Item = {
    pk: { S: 'a' },
    sk: { S: 'ü € 𝄞' },
    n: { N: '12345678901234567890.5' },
    b: { B: Uint8Array.of(0, 255, 128) },
    m: { M: { l: { L: [{ BOOL: true }, { NULL: true as const }] } } },
  }
  await client.send(new PutItemCommand({ TableName: 'blog', Item }))
  const { Item: found, $metadata } = await client.send(
    new GetItemCommand({ TableName: 'blog', Key: { pk: Item.pk, sk: Item.sk } }),
  )
  expect(found).toEqual(Item)
  expect($metadata.requestId).toMatch(/^[0-9A-Z]{52}$/)
})

test('a false condition is the exception class of the SDK, with the item that exists', async () => {
  const Item = { pk: { S: 'condition' }, sk: { S: '1' } }
  await client.send(new PutItemCommand({ TableName: 'blog', Item }))
  const error = await client
    .send(
      new PutItemCommand({
        TableName: 'blog',
        Item,
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    )
    .catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ConditionalCheckFailedException)
  expect(error).toMatchObject({ Item, message: 'The conditional request failed' })
})

test('a cancelled transaction has its reasons', async () => {
  const error = await client
    .send(
      new TransactWriteItemsCommand({
        TransactItems: [
          { Put: { TableName: 'blog', Item: { pk: { S: 't' }, sk: { S: '1' } } } },
          {
            ConditionCheck: {
              TableName: 'blog',
              Key: { pk: { S: 'nowhere' }, sk: { S: '1' } },
              ConditionExpression: 'attribute_exists(pk)',
            },
          },
        ],
      }),
    )
    .catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(TransactionCanceledException)
  expect(error).toMatchObject({
    CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
  })
})

test('the document client and a paginator read page after page', async () => {
  const documents = DynamoDBDocumentClient.from(client)
  for (let sk = 0; sk < 25; sk++) {
    await documents.send(
      new PutCommand({ TableName: 'blog', Item: { pk: 'pages', sk: String(sk).padStart(3, '0') } }),
    )
  }
  const { Count } = await documents.send(
    new QueryCommand({
      TableName: 'blog',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': 'pages' },
    }),
  )
  expect(Count).toBe(25)
  const counts: (number | undefined)[] = []
  const pages = paginateQuery(
    { client, pageSize: 10 },
    {
      TableName: 'blog',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'pages' } },
    },
  )
  for await (const page of pages) counts.push(page.Count)
  expect(counts).toEqual([10, 10, 5])
})

test('the streams client reads what was written, on the same port', async () => {
  const streams = new DynamoDBStreamsClient(configuration())
  const { Streams = [] } = await streams.send(new ListStreamsCommand({ TableName: 'blog' }))
  const { StreamArn = '' } = Streams[0] ?? {}
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }))
  const { ShardId = '' } = StreamDescription?.Shards?.[0] ?? {}
  await client.send(
    new PutItemCommand({ TableName: 'blog', Item: { pk: { S: 'streamed' }, sk: { S: '1' } } }),
  )
  const { ShardIterator } = await streams.send(
    new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
  )
  const { Records = [] } = await streams.send(new GetRecordsCommand({ ShardIterator }))
  expect(Records.map((record) => record.dynamodb?.Keys?.pk?.S)).toContain('streamed')
  streams.destroy()
})

test('200 writes at once over many connections all arrive', async () => {
  const puts = Array.from({ length: 200 }, (_, n) =>
    client.send(
      new PutItemCommand({ TableName: 'blog', Item: { pk: { S: 'many' }, sk: { S: String(n) } } }),
    ),
  )
  await Promise.all(puts)
  const { Count } = await engine.send('Query', {
    TableName: 'blog',
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: 'many' } },
  })
  expect(Count).toBe(200)
})
