import { expect } from 'vitest'
import { type Conformance, conformance } from './conformance.ts'
import { KEY } from './item-cases.ts'

/** A limit of the service, by the name its constant has in the source. */
interface Edge {
  readonly constant: string
  readonly limit: number
  /** Whether more than the limit is refused, or less. */
  readonly side: 'max' | 'min'
  readonly operation: string
  /** A request that goes so far. */
  request(size: number, t: Conformance): object | Promise<object>
  /** What is said beyond the limit, and of nothing within it. */
  readonly refusal: string
  /** Why DynamoDB Local can't be asked. */
  readonly engineOnly?: string
}

const ARN = 'arn:aws:dynamodb:us-east-1:000000000000:table/'
const atMost = (length: number) => `Member must have length less than or equal to ${length}`
const atLeast = (length: number) => `Member must have length greater than or equal to ${length}`
const noMoreThan = (value: number) => `Member must have value less than or equal to ${value}`
const NO_BACKUPS = 'DynamoDB Local has no backups.'
const letters = (count: number) => 'x'.repeat(count)
const digits = (count: number) => '1'.repeat(count)
const keys = (count: number, KeyType: string, prefix: string) =>
  Array.from({ length: count }, (_, index) => ({ AttributeName: `${prefix}${index}`, KeyType }))
const defined = (elements: readonly { AttributeName: string }[]) =>
  elements.map(({ AttributeName }) => ({ AttributeName, AttributeType: 'S' }))

/** A table with one global index of that name. */
const indexed = (
  t: Conformance,
  IndexName: string,
  Projection: object = { ProjectionType: 'ALL' },
) => ({
  TableName: t.tableName(),
  AttributeDefinitions: defined([{ AttributeName: 'pk' }]),
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
  GlobalSecondaryIndexes: [
    {
      IndexName,
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      Projection,
    },
  ],
})
const shard = (members: object) => ({
  StreamArn: `${ARN}table/stream/2026-01-01T00:00:00.000`,
  ShardId: `shardId-${digits(20)}-${digits(8)}`,
  ShardIteratorType: 'TRIM_HORIZON',
  ...members,
})
const put = async (t: Conformance, attributes: object) => ({
  TableName: await t.table(),
  Item: { ...KEY, ...attributes },
})

const edges: readonly Edge[] = [
  {
    constant: 'INDEX_NAME_MIN_LENGTH',
    limit: 3,
    side: 'min',
    operation: 'CreateTable',
    request: (size, t) => indexed(t, letters(size)),
    refusal: atLeast(3),
  },
  {
    constant: 'INDEX_NAME_MAX_LENGTH',
    limit: 255,
    side: 'max',
    operation: 'CreateTable',
    request: (size, t) => indexed(t, letters(size)),
    refusal: atMost(255),
  },
  {
    constant: 'KEY_ATTRIBUTE_NAME_MAX_BYTES',
    limit: 255,
    side: 'max',
    operation: 'CreateTable',
    request: (size, t) => ({
      TableName: t.tableName(),
      AttributeDefinitions: defined([{ AttributeName: letters(size) }]),
      KeySchema: [{ AttributeName: letters(size), KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
    refusal: atMost(255),
  },
  {
    constant: 'KEY_ELEMENTS_MAX',
    limit: 2,
    side: 'max',
    operation: 'CreateTable',
    request: (size, t) => {
      const KeySchema = [...keys(1, 'HASH', 'h'), ...keys(size - 1, 'RANGE', 'r')]
      return {
        TableName: t.tableName(),
        AttributeDefinitions: defined(KeySchema),
        KeySchema,
        BillingMode: 'PAY_PER_REQUEST',
      }
    },
    refusal: atMost(2),
  },
  {
    constant: 'GLOBAL_KEY_ELEMENTS_MAX',
    limit: 8,
    side: 'max',
    operation: 'CreateTable',
    request: (size, t) => {
      const KeySchema = [...keys(4, 'HASH', 'h'), ...keys(size - 4, 'RANGE', 'r')]
      return {
        TableName: t.tableName(),
        AttributeDefinitions: defined(KeySchema),
        KeySchema: [{ AttributeName: 'h0', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
        GlobalSecondaryIndexes: [
          { IndexName: 'index', KeySchema, Projection: { ProjectionType: 'ALL' } },
        ],
      }
    },
    refusal: atMost(8),
  },
  {
    constant: 'PROJECTED_PER_INDEX_MAX',
    limit: 20,
    side: 'max',
    operation: 'CreateTable',
    request: (size, t) => {
      const NonKeyAttributes = Array.from({ length: size }, (_, index) => `name${index}`)
      return indexed(t, 'index', { ProjectionType: 'INCLUDE', NonKeyAttributes })
    },
    refusal: atMost(20),
  },
  {
    constant: 'TABLE_ARN_MAX_LENGTH',
    limit: 1024,
    side: 'max',
    operation: 'GetItem',
    request: (size) => ({ TableName: ARN.padEnd(size, 'x'), Key: KEY }),
    refusal: atMost(1024),
  },
  {
    constant: 'RESOURCE_ARN_MAX_LENGTH',
    limit: 1283,
    side: 'max',
    operation: 'ListTagsOfResource',
    request: (size) => ({ ResourceArn: ARN.padEnd(size, 'x') }),
    refusal: atMost(1283),
    engineOnly: 'DynamoDB Local has no tags.',
  },
  {
    constant: 'LIST_TABLES_LIMIT_MAX',
    limit: 100,
    side: 'max',
    operation: 'ListTables',
    request: (Limit) => ({ Limit }),
    refusal: noMoreThan(100),
  },
  {
    constant: 'BACKUP_NAME_MIN_LENGTH',
    limit: 3,
    side: 'min',
    operation: 'CreateBackup',
    request: async (size, t) => ({ TableName: await t.table(), BackupName: letters(size) }),
    refusal: atLeast(3),
    engineOnly: NO_BACKUPS,
  },
  {
    constant: 'BACKUP_NAME_MAX_LENGTH',
    limit: 255,
    side: 'max',
    operation: 'CreateBackup',
    request: async (size, t) => ({ TableName: await t.table(), BackupName: letters(size) }),
    refusal: atMost(255),
    engineOnly: NO_BACKUPS,
  },
  {
    constant: 'BACKUP_ARN_MIN_LENGTH',
    limit: 37,
    side: 'min',
    operation: 'DescribeBackup',
    request: (size) => ({ BackupArn: ARN.slice(0, size) }),
    refusal: atLeast(37),
    engineOnly: NO_BACKUPS,
  },
  {
    constant: 'BACKUP_ARN_MAX_LENGTH',
    limit: 1024,
    side: 'max',
    operation: 'DescribeBackup',
    request: (size) => ({ BackupArn: ARN.padEnd(size, 'x') }),
    refusal: atMost(1024),
    engineOnly: NO_BACKUPS,
  },
  {
    constant: 'LIST_BACKUPS_LIMIT_MAX',
    limit: 100,
    side: 'max',
    operation: 'ListBackups',
    request: (Limit) => ({ Limit }),
    refusal: noMoreThan(100),
    engineOnly: NO_BACKUPS,
  },
  {
    constant: 'RECOVERY_DAYS_MAX',
    limit: 35,
    side: 'max',
    operation: 'UpdateContinuousBackups',
    request: async (RecoveryPeriodInDays, t) => ({
      TableName: await t.table(),
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays },
    }),
    refusal: noMoreThan(35),
    engineOnly: NO_BACKUPS,
  },
  {
    constant: 'LIST_INSIGHTS_RESULTS_MAX',
    limit: 100,
    side: 'max',
    operation: 'ListContributorInsights',
    request: (MaxResults) => ({ MaxResults }),
    refusal: noMoreThan(100),
    engineOnly: 'DynamoDB Local has no Contributor Insights.',
  },
  {
    constant: 'TIME_TO_LIVE_ATTRIBUTE_MIN_LENGTH',
    limit: 1,
    side: 'min',
    operation: 'UpdateTimeToLive',
    request: async (size, t) => ({
      TableName: await t.table(),
      TimeToLiveSpecification: { Enabled: true, AttributeName: letters(size) },
    }),
    refusal: atLeast(1),
  },
  {
    constant: 'TIME_TO_LIVE_ATTRIBUTE_MAX_LENGTH',
    limit: 255,
    side: 'max',
    operation: 'UpdateTimeToLive',
    request: async (size, t) => ({
      TableName: await t.table(),
      TimeToLiveSpecification: { Enabled: true, AttributeName: letters(size) },
    }),
    refusal: atMost(255),
  },
  {
    constant: 'STREAMS_PAGE_MAX',
    limit: 100,
    side: 'max',
    operation: 'ListStreams',
    request: (Limit) => ({ Limit }),
    refusal: noMoreThan(100),
  },
  {
    constant: 'SHARDS_PAGE_MAX',
    limit: 100,
    side: 'max',
    operation: 'DescribeStream',
    request: (Limit) => ({ StreamArn: shard({}).StreamArn, Limit }),
    refusal: noMoreThan(100),
  },
  {
    constant: 'RECORDS_PAGE_MAX',
    limit: 1000,
    side: 'max',
    operation: 'GetRecords',
    request: (Limit) => ({ ShardIterator: 'x', Limit }),
    refusal: noMoreThan(1000),
  },
  {
    constant: 'STREAM_ARN_MIN_LENGTH',
    limit: 37,
    side: 'min',
    operation: 'DescribeStream',
    request: (size) => ({ StreamArn: ARN.slice(0, size) }),
    refusal: atLeast(37),
  },
  {
    constant: 'STREAM_ARN_MAX_LENGTH',
    limit: 1024,
    side: 'max',
    operation: 'DescribeStream',
    request: (size) => ({ StreamArn: ARN.padEnd(size, 'x') }),
    refusal: atMost(1024),
  },
  {
    constant: 'SHARD_ID_MIN_LENGTH',
    limit: 28,
    side: 'min',
    operation: 'GetShardIterator',
    request: (size) => shard({ ShardId: 'shardId-'.padEnd(size, '0') }),
    refusal: atLeast(28),
  },
  {
    constant: 'SHARD_ID_MAX_LENGTH',
    limit: 65,
    side: 'max',
    operation: 'GetShardIterator',
    request: (size) => shard({ ShardId: 'shardId-'.padEnd(size, '0') }),
    refusal: atMost(65),
  },
  {
    constant: 'SEQUENCE_NUMBER_MIN_LENGTH',
    limit: 21,
    side: 'min',
    operation: 'GetShardIterator',
    request: (size) =>
      shard({ ShardIteratorType: 'AT_SEQUENCE_NUMBER', SequenceNumber: digits(size) }),
    refusal: atLeast(21),
  },
  {
    constant: 'SEQUENCE_NUMBER_MAX_LENGTH',
    limit: 40,
    side: 'max',
    operation: 'GetShardIterator',
    request: (size) =>
      shard({ ShardIteratorType: 'AT_SEQUENCE_NUMBER', SequenceNumber: digits(size) }),
    refusal: atMost(40),
  },
  {
    constant: 'SHARD_ITERATOR_MIN_LENGTH',
    limit: 1,
    side: 'min',
    operation: 'GetRecords',
    request: (size) => ({ ShardIterator: letters(size) }),
    refusal: atLeast(1),
  },
  {
    constant: 'SHARD_ITERATOR_MAX_LENGTH',
    limit: 2048,
    side: 'max',
    operation: 'GetRecords',
    request: (size) => ({ ShardIterator: letters(size) }),
    refusal: atMost(2048),
  },
  {
    constant: 'STATEMENT_LENGTH_MAX',
    limit: 8192,
    side: 'max',
    operation: 'ExecuteStatement',
    request: async (size, t) => ({
      Statement: `SELECT * FROM "${await t.table()}"`.padEnd(size),
    }),
    refusal: atMost(8192),
  },
  {
    constant: 'NEXT_TOKEN_LENGTH_MAX',
    limit: 32_768,
    side: 'max',
    operation: 'ExecuteStatement',
    request: async (size, t) => ({
      Statement: `SELECT * FROM "${await t.table()}"`,
      NextToken: letters(size),
    }),
    refusal: atMost(32_768),
  },
  {
    constant: 'BATCH_STATEMENTS_MAX',
    limit: 25,
    side: 'max',
    operation: 'BatchExecuteStatement',
    request: async (size, t) => {
      const TableName = await t.table()
      return {
        Statements: Array.from({ length: size }, (_, index) => ({
          Statement: `SELECT * FROM "${TableName}" WHERE pk = 'a' AND sk = '${index}'`,
        })),
      }
    },
    refusal: atMost(25),
  },
  {
    constant: 'LIST_INDEX_MAX',
    limit: 2_147_483_647,
    side: 'max',
    operation: 'GetItem',
    request: async (index, t) => ({
      TableName: await t.table(),
      Key: KEY,
      ProjectionExpression: `a[${index}]`,
    }),
    refusal:
      'Invalid ProjectionExpression: List index is not within the allowable range; index: [2147483648]',
  },
  {
    constant: 'NUMBER_EXPONENT_MAX',
    limit: 125,
    side: 'max',
    operation: 'PutItem',
    request: (exponent, t) => put(t, { n: { N: `9.9e${exponent}` } }),
    refusal:
      'Number overflow. Attempting to store a number with magnitude larger than supported range',
  },
  {
    constant: 'NUMBER_EXPONENT_MIN',
    limit: -130,
    side: 'min',
    operation: 'PutItem',
    request: (exponent, t) => put(t, { n: { N: `1e${exponent}` } }),
    refusal:
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
  },
  {
    constant: 'NUMBER_DIGITS_MAX',
    limit: 38,
    side: 'max',
    operation: 'PutItem',
    request: (count, t) => put(t, { n: { N: digits(count) } }),
    refusal: 'Attempting to store more than 38 significant digits in a Number',
  },
]

/** What the request is refused with, or nothing. */
async function refusalOf(t: Conformance, edge: Edge, size: number): Promise<string> {
  const request = await edge.request(size, t)
  return t.send(edge.operation, request).then(
    () => '',
    (error: Error) => `${error.name}: ${error.message}`,
  )
}

conformance('Edges of limits', (test) => {
  for (const edge of edges) {
    const { constant, limit, side } = edge
    const within = side === 'max' ? [limit - 1, limit] : [limit, limit + 1]
    const beyond = side === 'max' ? limit + 1 : limit - 1
    const body = async (t: Conformance) => {
      // Within the limit the request may still be refused for something else, such as a stream that
      // is not there.
      for (const size of within) expect(await refusalOf(t, edge, size)).not.toContain(edge.refusal)
      const refusal = await refusalOf(t, edge, beyond)
      expect(refusal).toContain(edge.refusal)
      expect(refusal).toMatch(/^ValidationException: /)
    }
    const name = `${constant}: ${edge.operation} takes ${within.join(' and ')}, and refuses ${beyond}`
    if (edge.engineOnly === undefined) test(name, body)
    else test.engineOnly(name, edge.engineOnly, body)
  }
})
