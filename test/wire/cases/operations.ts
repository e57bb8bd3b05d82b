import { expect } from 'vitest'
import { exchange } from '../raw-http.ts'
import {
  type Answer,
  answers,
  CORAL,
  check,
  requestBytes,
  SERVICE,
  type TestServer,
  VALIDATION,
  type WireCase,
} from '../wire-case.ts'

const TableName = 'table'
const KEY = { pk: { S: 'operation' } }
const ITEM = { ...KEY, n: { N: '1' } }
const ARN = 'arn:aws:dynamodb:us-east-1:000000000000:table/table'

/** Sends an operation over a raw socket and gives the JSON of its answer, after the checks that
 * hold for all. */
// biome-ignore lint/suspicious/noExplicitAny: answers differ by operation; cases look at them.
async function call(server: TestServer, target: string, request: object): Promise<any> {
  const body = JSON.stringify(request)
  const { responses } = await exchange([requestBytes({ target, body })], { port: server.port })
  const [response] = responses
  if (response === undefined) throw new Error('There was no answer.')
  check(response, { status: 200, headers: { 'content-type': 'application/x-amz-json-1.0' } })
  return response.body.length === 0 ? undefined : JSON.parse(response.body.toString())
}

/** The operation answers, and what it answers is judged. */
function operation(
  name: string,
  request: object | ((server: TestServer) => Promise<object>),
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  judge: (answer: any, server: TestServer) => unknown,
): WireCase {
  return {
    name: `${name.replace(/.*\./, '')} is answered`,
    async run(server) {
      const sent = typeof request === 'function' ? await request(server) : request
      await judge(await call(server, name, sent), server)
    },
  }
}

const STREAMS = 'DynamoDBStreams_20120810.'
const definition = (name: string): object => ({
  TableName: name,
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
})
async function streamArn(server: TestServer): Promise<string> {
  const { Table } = await server.engine.send('DescribeTable', { TableName: 'music' })
  return Table.LatestStreamArn ?? ''
}
async function shardId(server: TestServer): Promise<string> {
  const StreamArn = await streamArn(server)
  const { StreamDescription } = await server.engine.send('DescribeStream', { StreamArn })
  return StreamDescription.Shards?.[0]?.ShardId ?? ''
}
async function backupArn(server: TestServer): Promise<string> {
  const request = { TableName, BackupName: 'kept' }
  const { BackupDetails } = await server.engine.send('CreateBackup', request)
  return BackupDetails.BackupArn
}

const happy: readonly WireCase[] = [
  operation('CreateTable', definition('created'), (answer) =>
    expect(answer.TableDescription.TableName).toBe('created'),
  ),
  operation('DescribeTable', { TableName }, (answer) => expect(answer.Table.TableArn).toBe(ARN)),
  operation('ListTables', { Limit: 1 }, (answer) => expect(answer.TableNames).toHaveLength(1)),
  operation('UpdateTable', { TableName, DeletionProtectionEnabled: false }, (answer) =>
    expect(answer.TableDescription.TableName).toBe(TableName),
  ),
  operation(
    'DeleteTable',
    async ({ engine }) => {
      await engine.send('CreateTable', definition('deleted') as never)
      return { TableName: 'deleted' }
    },
    (answer) => expect(answer.TableDescription.TableStatus).toBe('DELETING'),
  ),
  operation('PutItem', { TableName, Item: ITEM }, (answer) => expect(answer).toEqual({})),
  operation('PutItem', { TableName, Item: ITEM, ReturnConsumedCapacity: 'TOTAL' }, (answer) =>
    expect(answer).toEqual({ ConsumedCapacity: { TableName, CapacityUnits: 1 } }),
  ),
  operation(
    'GetItem',
    async ({ engine }) => {
      await engine.send('PutItem', { TableName, Item: ITEM })
      return { TableName, Key: KEY }
    },
    (answer) => expect(answer).toEqual({ Item: ITEM }),
  ),
  operation('GetItem', { TableName, Key: { pk: { S: 'nobody' } } }, (answer) =>
    expect(answer).toEqual({}),
  ),
  operation('GetItem', { TableName: ARN, Key: { pk: { S: 'nobody' } } }, (answer) =>
    expect(answer).toEqual({}),
  ),
  operation(
    'UpdateItem',
    {
      TableName,
      Key: { pk: { S: 'updated' } },
      UpdateExpression: 'SET a = :a',
      ExpressionAttributeValues: { ':a': { S: 'ü€𝄞' } },
      ReturnValues: 'ALL_NEW',
    },
    (answer) => expect(answer).toEqual({ Attributes: { pk: { S: 'updated' }, a: { S: 'ü€𝄞' } } }),
  ),
  operation('DeleteItem', { TableName, Key: { pk: { S: 'nobody' } } }, (answer) =>
    expect(answer).toEqual({}),
  ),
  operation(
    'Query',
    async ({ engine }) => {
      await engine.send('PutItem', { TableName, Item: ITEM })
      return {
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': KEY.pk },
      }
    },
    (answer) => expect(answer).toEqual({ Items: [ITEM], Count: 1, ScannedCount: 1 }),
  ),
  operation('Scan', { TableName: 'music', Limit: 1 }, (answer) =>
    expect(answer.ScannedCount).toBe(1),
  ),
  operation(
    'BatchWriteItem',
    { RequestItems: { [TableName]: [{ PutRequest: { Item: { pk: { S: 'batch' } } } }] } },
    (answer) => expect(answer).toEqual({ UnprocessedItems: {} }),
  ),
  operation(
    'BatchGetItem',
    { RequestItems: { music: { Keys: [{ pk: { S: 'song' }, sk: { S: '1' } }] } } },
    (answer) => expect(answer.Responses.music).toHaveLength(1),
  ),
  operation(
    'TransactWriteItems',
    { TransactItems: [{ Put: { TableName, Item: { pk: { S: 'transaction' } } } }] },
    (answer) => expect(answer).toEqual({}),
  ),
  operation(
    'TransactGetItems',
    {
      TransactItems: [{ Get: { TableName: 'music', Key: { pk: { S: 'song' }, sk: { S: '1' } } } }],
    },
    (answer) => expect(answer.Responses).toHaveLength(1),
  ),
  operation(
    'ExecuteStatement',
    { Statement: `SELECT * FROM "music" WHERE pk = 'song'` },
    (answer) => expect(answer.Items).toHaveLength(1),
  ),
  operation(
    'BatchExecuteStatement',
    { Statements: [{ Statement: `SELECT * FROM "music" WHERE pk = 'song' AND sk = '1'` }] },
    (answer) => expect(answer.Responses).toHaveLength(1),
  ),
  operation(
    'ExecuteTransaction',
    { TransactStatements: [{ Statement: `SELECT * FROM "music" WHERE pk = 'song' AND sk = '1'` }] },
    (answer) => expect(answer.Responses).toHaveLength(1),
  ),
  operation('TagResource', { ResourceArn: ARN, Tags: [{ Key: 'a', Value: 'b' }] }, (answer) =>
    expect(answer).toBeUndefined(),
  ),
  operation('UntagResource', { ResourceArn: ARN, TagKeys: ['x'] }, (answer) =>
    expect(answer).toBeUndefined(),
  ),
  operation('ListTagsOfResource', { ResourceArn: ARN }, (answer) =>
    expect(answer.Tags).toBeInstanceOf(Array),
  ),
  operation(
    'UpdateTimeToLive',
    async ({ engine }) => {
      await engine.send('CreateTable', definition('expiring') as never)
      return {
        TableName: 'expiring',
        TimeToLiveSpecification: { Enabled: true, AttributeName: 't' },
      }
    },
    (answer) => expect(answer.TimeToLiveSpecification.Enabled).toBe(true),
  ),
  operation('DescribeTimeToLive', { TableName }, (answer) =>
    expect(answer.TimeToLiveDescription.TimeToLiveStatus).toBe('DISABLED'),
  ),
  operation('DescribeLimits', {}, (answer) =>
    expect(answer.TableMaxReadCapacityUnits).toBe(40_000),
  ),
  operation('DescribeEndpoints', {}, (answer) =>
    expect(answer).toEqual({ Endpoints: [{ Address: 'localhost', CachePeriodInMinutes: 1440 }] }),
  ),
  operation('DescribeContinuousBackups', { TableName }, (answer) =>
    expect(answer.ContinuousBackupsDescription.ContinuousBackupsStatus).toBe('ENABLED'),
  ),
  operation(
    'UpdateContinuousBackups',
    { TableName, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false } },
    (answer) => expect(answer.ContinuousBackupsDescription).toBeDefined(),
  ),
  operation(
    'UpdateContributorInsights',
    async ({ engine }) => {
      await engine.send('CreateTable', definition('monitored') as never)
      return { TableName: 'monitored', ContributorInsightsAction: 'ENABLE' }
    },
    (answer) =>
      expect(answer).toEqual({
        TableName: 'monitored',
        ContributorInsightsStatus: 'ENABLING',
        ContributorInsightsMode: 'ACCESSED_AND_THROTTLED_KEYS',
      }),
  ),
  operation('DescribeContributorInsights', { TableName }, (answer) =>
    expect(answer).toEqual({ TableName, ContributorInsightsStatus: 'DISABLED' }),
  ),
  operation('ListContributorInsights', { TableName }, (answer) =>
    expect(answer).toEqual({ ContributorInsightsSummaries: [] }),
  ),
  operation('CreateBackup', { TableName, BackupName: 'first' }, (answer) =>
    expect(answer.BackupDetails.BackupName).toBe('first'),
  ),
  operation('ListBackups', {}, (answer) => expect(answer.BackupSummaries).toBeInstanceOf(Array)),
  operation(
    'DescribeBackup',
    async (server) => ({ BackupArn: await backupArn(server) }),
    (answer) => expect(answer.BackupDescription.BackupDetails.BackupName).toBe('kept'),
  ),
  operation(
    'RestoreTableFromBackup',
    async (server) => ({ BackupArn: await backupArn(server), TargetTableName: 'restored' }),
    (answer) => expect(answer.TableDescription.TableName).toBe('restored'),
  ),
  operation(
    'DeleteBackup',
    async (server) => ({ BackupArn: await backupArn(server) }),
    (answer) => expect(answer.BackupDescription).toBeDefined(),
  ),
  operation(`${STREAMS}ListStreams`, {}, (answer) => expect(answer.Streams).toHaveLength(1)),
  operation(
    `${STREAMS}DescribeStream`,
    async (server) => ({ StreamArn: await streamArn(server) }),
    (answer) => expect(answer.StreamDescription.TableName).toBe('music'),
  ),
  operation(
    `${STREAMS}GetShardIterator`,
    async (server) => ({
      StreamArn: await streamArn(server),
      ShardId: await shardId(server),
      ShardIteratorType: 'LATEST',
    }),
    (answer) => expect(answer.ShardIterator).toBeTypeOf('string'),
  ),
  operation(
    `${STREAMS}GetRecords`,
    async (server) => {
      const { ShardIterator } = await server.engine.send('GetShardIterator', {
        StreamArn: await streamArn(server),
        ShardId: await shardId(server),
        ShardIteratorType: 'TRIM_HORIZON',
      })
      return { ShardIterator }
    },
    (answer) => expect(answer.Records[0].dynamodb.Keys.pk).toEqual({ S: 'song' }),
  ),
]

const error = (name: string, target: string, request: object | string, answer: Answer): WireCase =>
  answers(
    name,
    { target, body: typeof request === 'string' ? request : JSON.stringify(request) },
    answer,
  )
const modelled = (type: string, message?: string | RegExp): Answer => ({
  status: 400,
  type: SERVICE + type,
  ...(message !== undefined && { message }),
})
const EXISTING = { pk: { S: 'song' }, sk: { S: '1' } }

const envelopes: readonly WireCase[] = [
  error(
    'a missing table is ResourceNotFoundException of the service',
    'GetItem',
    { TableName: 'nowhere', Key: KEY },
    modelled('ResourceNotFoundException', /.+/),
  ),
  error(
    'an existing table is ResourceInUseException',
    'CreateTable',
    definition('table'),
    modelled('ResourceInUseException', /.+/),
  ),
  error(
    'a request that is wrong is ValidationException of the validator',
    'GetItem',
    { TableName, Key: { x: { S: 'a' } } },
    {
      status: 400,
      type: VALIDATION,
      message: 'The provided key element does not match the schema',
    },
  ),
  error(
    'a false condition says so in small letters',
    'PutItem',
    { TableName: 'music', Item: EXISTING, ConditionExpression: 'attribute_not_exists(pk)' },
    {
      status: 400,
      text: `{"__type":"${SERVICE}ConditionalCheckFailedException","message":"The conditional request failed"}`,
    },
  ),
  error(
    'a false condition carries the item when asked to',
    'PutItem',
    {
      TableName: 'music',
      Item: EXISTING,
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
    {
      ...modelled('ConditionalCheckFailedException', 'The conditional request failed'),
      json: { Item: EXISTING },
    },
  ),
  error(
    'a cancelled transaction has Message with a capital, and reasons',
    'TransactWriteItems',
    {
      TransactItems: [
        {
          Put: {
            TableName: 'music',
            Item: EXISTING,
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
      ],
    },
    {
      ...modelled('TransactionCanceledException', /\[ConditionalCheckFailed\]$/),
      json: {
        CancellationReasons: [
          { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
        ],
      },
    },
  ),
  error('a wrong JSON type has Message with a capital', 'GetItem', '{"TableName":1}', {
    status: 400,
    text: `{"__type":"${CORAL}SerializationException","Message":"NUMBER_VALUE cannot be converted to String"}`,
  }),
  error(
    'a missing backup is BackupNotFoundException',
    'DescribeBackup',
    {
      BackupArn:
        'arn:aws:dynamodb:us-east-1:000000000000:table/table/backup/01489602797149-73d8d5bc',
    },
    modelled('BackupNotFoundException'),
  ),
  error(
    'a missing table of backups is TableNotFoundException',
    'DescribeContinuousBackups',
    { TableName: 'nowhere' },
    modelled('TableNotFoundException'),
  ),
  error(
    'tags of a missing table are denied, with a capital',
    'ListTagsOfResource',
    { ResourceArn: `${ARN}-nowhere` },
    { status: 400, type: `${CORAL}AccessDeniedException`, message: /.+/ },
  ),
  error(
    'a duplicate insert is DuplicateItemException',
    'ExecuteStatement',
    { Statement: `INSERT INTO "music" VALUE {'pk': 'song', 'sk': '1'}` },
    modelled('DuplicateItemException'),
  ),
  error(
    'a missing stream is ResourceNotFoundException',
    `${STREAMS}DescribeStream`,
    { StreamArn: `${ARN}/stream/2020-01-01T00:00:00.000` },
    modelled('ResourceNotFoundException'),
  ),
  error(
    'text outside ASCII in an error is UTF-8',
    'DescribeTable',
    { TableName: 'äöü' },
    { status: 400, type: VALIDATION, message: /äöü/ },
  ),
  {
    id: 'S16',
    name: 'no error names a file or a line of code',
    async run({ port }) {
      const bodies = [
        '{"TableName":1}',
        '{',
        '{}',
        '{"TableName":"nowhere","Key":{}}',
        '[]',
        '{"Key":5}',
      ]
      for (const body of bodies) {
        for (const target of ['GetItem', 'Query', 'CreateTable', 'TransactWriteItems']) {
          const { responses } = await exchange([requestBytes({ target, body })], { port })
          const text = responses[0]?.body.toString() ?? ''
          expect(text).not.toMatch(/\.ts|\.js|node_modules|\bat .*:\d+|packages\/|\/home|\/work/)
        }
      }
    },
  },
]

/** Each operation by its happy path, and each kind of exception by its envelope. */
export const operationCases: readonly WireCase[] = [...happy, ...envelopes]
