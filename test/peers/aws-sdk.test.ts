import {
  BatchExecuteStatementCommand,
  ConditionalCheckFailedException,
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  DynamoDBServiceException,
  GetItemCommand,
  PutItemCommand,
  paginateListTables,
  paginateScan,
  ResourceInUseException,
  ResourceNotFoundException,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb'
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams'
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  NumberValue,
  PutCommand,
  paginateQuery,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { expect } from 'vitest'
import { createSingleTable } from './create-single-table.ts'
import { onEachTarget } from './on-each-target.ts'

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('expected a rejection'),
    (error: unknown) => error,
  )
}

onEachTarget('DynamoDBClient', (test) => {
  test('a table lives from CreateTable to DeleteTable, and the waiters see it', async (context) => {
    const { config, tableName: TableName } = context
    const client = new DynamoDBClient(config)
    await createSingleTable(client, TableName)
    const { Table } = await client.send(new DescribeTableCommand({ TableName }))
    expect(Table?.TableStatus).toBe('ACTIVE')
    expect(Table?.CreationDateTime).toBeInstanceOf(Date)
    expect(Table?.GlobalSecondaryIndexes?.[0]?.IndexName).toBe('gsi1')
    expect(await rejection(createSingleTable(client, TableName))).toBeInstanceOf(
      ResourceInUseException,
    )
    await client.send(new DeleteTableCommand({ TableName }))
    const waiter = { client, maxWaitTime: 30, minDelay: 1, maxDelay: 1 }
    await waitUntilTableNotExists(waiter, { TableName })
    const error = await rejection(client.send(new DescribeTableCommand({ TableName })))
    expect(error).toBeInstanceOf(ResourceNotFoundException)
  })

  test('every type of value comes back as it was put', async ({ config, tableName }) => {
    const client = new DynamoDBClient(config)
    await createSingleTable(client, tableName)
    const Item = {
      pk: { S: 'types' },
      sk: { S: 'all' },
      n: { N: '12345678901234567890.5' },
      b: { B: new Uint8Array([0, 1, 254, 255]) },
      bool: { BOOL: false },
      nothing: { NULL: true },
      ss: { SS: ['a', 'b'] },
      ns: { NS: ['1'] },
      bs: { BS: [new Uint8Array([7])] },
      l: { L: [{ S: 'é\u{1F600}' }, { M: {} }] },
      m: { M: { __proto: { S: 'x' }, toString: { N: '1' } } },
      big: { S: 'x'.repeat(100_000) },
    }
    await client.send(new PutItemCommand({ TableName: tableName, Item }))
    const Key = { pk: { S: 'types' }, sk: { S: 'all' } }
    const answer = await client.send(new GetItemCommand({ TableName: tableName, Key }))
    expect(answer.Item).toEqual(Item)
    expect(answer.$metadata.httpStatusCode).toBe(200)
    expect(answer.$metadata.requestId).toMatch(/./)
  })

  test('a failed condition is the exception class with the old item', async (context) => {
    const client = new DynamoDBClient(context.config)
    await createSingleTable(client, context.tableName)
    const Item = { pk: { S: 'a' }, sk: { S: 'b' }, n: { N: '1' } }
    await client.send(new PutItemCommand({ TableName: context.tableName, Item }))
    const error = await rejection(
      client.send(
        new UpdateItemCommand({
          TableName: context.tableName,
          Key: { pk: { S: 'a' }, sk: { S: 'b' } },
          UpdateExpression: 'SET n = :two',
          ConditionExpression: 'n > :two',
          ExpressionAttributeValues: { ':two': { N: '2' } },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    )
    expect(error).toBeInstanceOf(ConditionalCheckFailedException)
    expect(error).toMatchObject({
      name: 'ConditionalCheckFailedException',
      message: 'The conditional request failed',
      Item,
    })
  })

  test('a cancelled transaction lists its reasons in order', async ({ config, tableName }) => {
    const client = new DynamoDBClient(config)
    await createSingleTable(client, tableName)
    const put = (pk: string, ConditionExpression?: string) => ({
      Put: {
        TableName: tableName,
        Item: { pk: { S: pk }, sk: { S: 's' } },
        ...(ConditionExpression === undefined ? {} : { ConditionExpression }),
      },
    })
    const TransactItems = [put('a'), put('b', 'attribute_exists(pk)')]
    const error = await rejection(client.send(new TransactWriteItemsCommand({ TransactItems })))
    expect(error).toBeInstanceOf(TransactionCanceledException)
    expect((error as TransactionCanceledException).CancellationReasons).toEqual([
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
    ])
    const Key = { pk: { S: 'a' }, sk: { S: 's' } }
    const after = await client.send(new GetItemCommand({ TableName: tableName, Key }))
    expect(after.Item).toBeUndefined()
  })

  test('a refused request is a service exception with status 400 and is not retried', async (context) => {
    const client = new DynamoDBClient(context.config)
    await createSingleTable(client, context.tableName)
    const error = await rejection(
      client.send(
        new PutItemCommand({
          TableName: context.tableName,
          Item: { pk: { S: 'a' }, sk: { S: 'b' } },
          ConditionExpression: 'attribute_not_exists(pk)',
          ExpressionAttributeValues: { ':unused': { S: 'x' } },
        }),
      ),
    )
    expect(error).toBeInstanceOf(DynamoDBServiceException)
    expect(error).toMatchObject({
      name: 'ValidationException',
      message: 'Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}',
      $fault: 'client',
      $metadata: { httpStatusCode: 400, attempts: 1 },
    })
  })

  test('the paginators go through all pages', async ({ config, tableName }) => {
    const client = new DynamoDBClient(config)
    await createSingleTable(client, tableName)
    for (let n = 0; n < 7; n++) {
      const Item = { pk: { S: `p${n}` }, sk: { S: 's' } }
      await client.send(new PutItemCommand({ TableName: tableName, Item }))
    }
    const found: string[] = []
    let pages = 0
    for await (const page of paginateScan({ client, pageSize: 3 }, { TableName: tableName })) {
      pages++
      found.push(...(page.Items ?? []).map((item) => item.pk?.S ?? ''))
    }
    expect(pages).toBe(3)
    expect(found.sort()).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6'])

    await createSingleTable(client, `${tableName}-2`)
    const names: string[] = []
    for await (const page of paginateListTables({ client, pageSize: 1 }, {})) {
      names.push(...(page.TableNames ?? []))
    }
    expect(names).toEqual(expect.arrayContaining([tableName, `${tableName}-2`]))
  })

  test('an aborted signal rejects the call and sends nothing', async ({ config, tableName }) => {
    const client = new DynamoDBClient(config)
    await createSingleTable(client, tableName)
    const key = { pk: { S: 'a' }, sk: { S: 's' } }
    const controller = new AbortController()
    controller.abort()
    const error = await rejection(
      client.send(new PutItemCommand({ TableName: tableName, Item: key }), {
        abortSignal: controller.signal,
      }),
    )
    expect(error).toMatchObject({ name: 'AbortError' })
    const after = await client.send(new GetItemCommand({ TableName: tableName, Key: key }))
    expect(after.Item).toBeUndefined()
  })

  test('PartiQL statements run in a batch', async ({ config, tableName }) => {
    const client = new DynamoDBClient(config)
    await createSingleTable(client, tableName)
    await client.send(
      new BatchExecuteStatementCommand({
        Statements: [
          { Statement: `INSERT INTO "${tableName}" VALUE {'pk': 'a', 'sk': '1', 'n': 1}` },
          { Statement: `INSERT INTO "${tableName}" VALUE {'pk': 'a', 'sk': '2', 'n': 2}` },
        ],
      }),
    )
    const answer = await client.send(
      new BatchExecuteStatementCommand({
        Statements: [
          { Statement: `SELECT n FROM "${tableName}" WHERE pk = 'a' AND sk = '2'` },
          { Statement: `SELECT n FROM "${tableName}" WHERE pk = 'a' AND sk = '3'` },
        ],
      }),
    )
    expect(answer.Responses?.map((response) => response.Item)).toEqual([
      { n: { N: '2' } },
      undefined,
    ])
  })

  test('a client can be destroyed and another one continues', async ({ config, tableName }) => {
    const first = new DynamoDBClient(config)
    await createSingleTable(first, tableName)
    first.destroy()
    const second = new DynamoDBClient(config)
    const { Table } = await second.send(new DescribeTableCommand({ TableName: tableName }))
    expect(Table?.TableName).toBe(tableName)
  })
})

onEachTarget('DynamoDBDocumentClient', (test) => {
  test('items are put, read, changed and deleted as plain values', async (context) => {
    const { config, tableName: TableName } = context
    const client = new DynamoDBClient(config)
    await createSingleTable(client, TableName)
    const documents = DynamoDBDocumentClient.from(client, {
      marshallOptions: { removeUndefinedValues: true },
    })
    const Key = { pk: 'USER#1', sk: 'PROFILE' }
    const tags = new Set(['a', 'b'])
    const Item = { ...Key, name: 'Alice', age: 30, tags, nested: { list: [1, null, true] } }
    await documents.send(new PutCommand({ TableName, Item: { ...Item, gone: undefined } }))
    expect((await documents.send(new GetCommand({ TableName, Key }))).Item).toEqual(Item)

    const updated = await documents.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: 'SET #age = #age + :one, nested.#l[1] = :text REMOVE #n DELETE tags :a',
        ExpressionAttributeNames: { '#age': 'age', '#l': 'list', '#n': 'name' },
        ExpressionAttributeValues: { ':one': 1, ':text': 'x', ':a': new Set(['a']) },
        ReturnValues: 'ALL_NEW',
      }),
    )
    expect(updated.Attributes).toEqual({
      ...Key,
      age: 31,
      tags: new Set(['b']),
      nested: { list: [1, 'x', true] },
    })

    const deleted = await documents.send(
      new DeleteCommand({ TableName, Key, ReturnValues: 'ALL_OLD' }),
    )
    expect(deleted.Attributes).toEqual(updated.Attributes)
    expect((await documents.send(new GetCommand({ TableName, Key }))).Item).toBeUndefined()
  })

  test('a number of 38 digits survives as a NumberValue', async ({ config, tableName }) => {
    const client = new DynamoDBClient(config)
    await createSingleTable(client, tableName)
    const documents = DynamoDBDocumentClient.from(client, {
      unmarshallOptions: { wrapNumbers: true },
    })
    const digits = '12345678901234567890123456789012345678'
    const Key = { pk: 'a', sk: 'b' }
    const Item = { ...Key, n: NumberValue.from(digits) }
    await documents.send(new PutCommand({ TableName: tableName, Item }))
    const answer = await documents.send(new GetCommand({ TableName: tableName, Key }))
    expect(String(answer.Item?.n)).toBe(digits)
  })

  test('batches and transactions', async ({ config, tableName }) => {
    const client = new DynamoDBClient(config)
    await createSingleTable(client, tableName)
    const documents = DynamoDBDocumentClient.from(client)
    const items = Array.from({ length: 25 }, (_, n) => ({ pk: 'batch', sk: `${n}`, n }))
    const written = await documents.send(
      new BatchWriteCommand({
        RequestItems: { [tableName]: items.map((Item) => ({ PutRequest: { Item } })) },
      }),
    )
    expect(written.UnprocessedItems).toEqual({})
    const Keys = items.map(({ pk, sk }) => ({ pk, sk }))
    const read = await documents.send(
      new BatchGetCommand({ RequestItems: { [tableName]: { Keys } } }),
    )
    expect(read.Responses?.[tableName]).toHaveLength(25)

    await documents.send(
      new TransactWriteCommand({
        ClientRequestToken: 'once',
        TransactItems: [
          { Delete: { TableName: tableName, Key: { pk: 'batch', sk: '0' } } },
          {
            Update: {
              TableName: tableName,
              Key: { pk: 'batch', sk: '1' },
              UpdateExpression: 'ADD n :ten',
              ExpressionAttributeValues: { ':ten': 10 },
            },
          },
          {
            ConditionCheck: {
              TableName: tableName,
              Key: { pk: 'batch', sk: '2' },
              ConditionExpression: 'n = :two',
              ExpressionAttributeValues: { ':two': 2 },
            },
          },
        ],
      }),
    )
    const after = await documents.send(
      new TransactGetCommand({
        TransactItems: ['0', '1'].map((sk) => ({
          Get: { TableName: tableName, Key: { pk: 'batch', sk } },
        })),
      }),
    )
    expect(after.Responses?.map((response) => response.Item?.n)).toEqual([undefined, 11])
  })

  test('queries go by key order, backwards, through an index, and page by page', async (context) => {
    const { config, tableName: TableName } = context
    const client = new DynamoDBClient(config)
    await createSingleTable(client, TableName)
    const documents = DynamoDBDocumentClient.from(client)
    for (let n = 0; n < 10; n++) {
      const Item = { pk: 'USER#1', sk: `POST#${n}`, gsi1pk: `DAY#${n % 2}`, gsi1sk: `${n}`, n }
      await documents.send(new PutCommand({ TableName, Item }))
    }
    const newest = await documents.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :post)',
        ExpressionAttributeValues: { ':pk': 'USER#1', ':post': 'POST#' },
        ScanIndexForward: false,
        Limit: 2,
      }),
    )
    expect(newest.Items?.map((item) => item.n)).toEqual([9, 8])
    expect(newest.LastEvaluatedKey).toEqual({ pk: 'USER#1', sk: 'POST#8' })

    const found: number[] = []
    let pages = 0
    const pageOf = paginateQuery(
      { client: documents, pageSize: 2 },
      {
        TableName,
        IndexName: 'gsi1',
        KeyConditionExpression: 'gsi1pk = :day',
        FilterExpression: 'n > :one',
        ExpressionAttributeValues: { ':day': 'DAY#1', ':one': 1 },
      },
    )
    for await (const page of pageOf) {
      pages++
      found.push(...(page.Items ?? []).map((item) => item.n))
    }
    expect(found).toEqual([3, 5, 7, 9])
    expect(pages).toBe(3)
  })
})

onEachTarget('DynamoDBStreamsClient', (test) => {
  test('the changes of a table come out in order', async ({ config, tableName: TableName }) => {
    const client = new DynamoDBClient(config)
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      }),
    )
    await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1, maxDelay: 1 }, { TableName })
    const documents = DynamoDBDocumentClient.from(client)
    await documents.send(new PutCommand({ TableName, Item: { pk: 'a', n: 1 } }))
    await documents.send(new PutCommand({ TableName, Item: { pk: 'a', n: 2 } }))
    await documents.send(new DeleteCommand({ TableName, Key: { pk: 'a' } }))

    const streams = new DynamoDBStreamsClient(config)
    const listed = await streams.send(new ListStreamsCommand({ TableName }))
    const StreamArn = listed.Streams?.[0]?.StreamArn
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }))
    expect(StreamDescription?.StreamViewType).toBe('NEW_AND_OLD_IMAGES')
    const { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({
        StreamArn,
        ShardId: StreamDescription?.Shards?.[0]?.ShardId,
        ShardIteratorType: 'TRIM_HORIZON',
      }),
    )
    const { Records = [] } = await streams.send(new GetRecordsCommand({ ShardIterator }))
    expect(
      Records.map(({ eventName, dynamodb }) => [
        eventName,
        dynamodb?.OldImage?.n?.N,
        dynamodb?.NewImage?.n?.N,
      ]),
    ).toEqual([
      ['INSERT', undefined, '1'],
      ['MODIFY', '1', '2'],
      ['REMOVE', '2', undefined],
    ])
    expect(Records[0]?.dynamodb?.ApproximateCreationDateTime).toBeInstanceOf(Date)
  })
})
