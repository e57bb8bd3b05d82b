import { expect, test } from 'vitest'
import { createEngine } from '../engine/index.ts'
import { compileSchema } from '../plan/compile-schema.ts'
import type { SchemaDefinition } from './schema-definition.ts'
import { createTableRequest, recoveryRequest } from './table-request.ts'

const full: SchemaDefinition = {
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk', project: ['title', 'size'] },
    inverted: { hash: 'sk', sort: 'pk', project: 'keys' },
    place: { hash: ['country', 'city'], sort: ['size'] },
    byTime: { hash: 'pk', sort: 'at', type: 'local' },
  },
  models: {
    Thing: {
      key: { pk: 'THING#${id}', sk: 'THING' },
      index: { gsi1pk: 'A', gsi1sk: 'B#${id}' },
      attributes: {
        id: { type: String },
        title: { type: String },
        country: { type: String },
        city: { type: String },
        size: { type: Number },
        at: { type: Uint8Array },
      },
    },
  },
  table: {
    billing: { readCapacityUnits: 3, writeCapacityUnits: 2 },
    stream: 'new-and-old',
    deletionProtection: true,
    tableClass: 'infrequent-access',
    tags: { team: 'blue' },
  },
}

test('a table has its keys and nothing that was not said', () => {
  const schema = compileSchema({ indexes: { primary: { hash: 'pk' } }, models: {} })
  expect(createTableRequest(schema, 'T')).toEqual({
    TableName: 'T',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
})

test('a table has all that its schema says', () => {
  const throughput = {
    ProvisionedThroughput: { ReadCapacityUnits: 3, WriteCapacityUnits: 2 },
  }
  expect(createTableRequest(compileSchema(full), 'T')).toEqual({
    TableName: 'T',
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
      { AttributeName: 'gsi1pk', AttributeType: 'S' },
      { AttributeName: 'gsi1sk', AttributeType: 'S' },
      { AttributeName: 'country', AttributeType: 'S' },
      { AttributeName: 'city', AttributeType: 'S' },
      { AttributeName: 'size', AttributeType: 'N' },
      { AttributeName: 'at', AttributeType: 'B' },
    ],
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'gsi1',
        KeySchema: [
          { AttributeName: 'gsi1pk', KeyType: 'HASH' },
          { AttributeName: 'gsi1sk', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['_type', 'title', 'size'] },
        ...throughput,
      },
      {
        IndexName: 'inverted',
        KeySchema: [
          { AttributeName: 'sk', KeyType: 'HASH' },
          { AttributeName: 'pk', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
        ...throughput,
      },
      {
        IndexName: 'place',
        KeySchema: [
          { AttributeName: 'country', KeyType: 'HASH' },
          { AttributeName: 'city', KeyType: 'HASH' },
          { AttributeName: 'size', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
        ...throughput,
      },
    ],
    LocalSecondaryIndexes: [
      {
        IndexName: 'byTime',
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'at', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    BillingMode: 'PROVISIONED',
    ...throughput,
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    DeletionProtectionEnabled: true,
    TableClass: 'STANDARD_INFREQUENT_ACCESS',
    Tags: [{ Key: 'team', Value: 'blue' }],
  })
})

test('DynamoDB takes the table, and items of its models', async () => {
  const engine = createEngine()
  const schema = compileSchema(full)
  await engine.send('CreateTable', createTableRequest(schema, 'Table'))
  const environment = {
    now: () => 0,
    randomBytes: () => new Uint8Array(16),
    schedule: () => () => {},
  }
  const input = { id: '1', country: 'NL', city: 'Delft', size: 3, at: new Uint8Array([1]) }
  const { item } = schema.models.get('Thing')!.encodeNew(input, environment, 'put()')
  await engine.send('PutItem', { TableName: 'Table', Item: item })
  const { Items } = await engine.send('Scan', { TableName: 'Table', IndexName: 'place' })
  expect(Items).toEqual([item])
  await engine.close()
})

test('a global index has a capacity of its own, or as much as the table', () => {
  const units = (read: number, write: number) => ({
    readCapacityUnits: read,
    writeCapacityUnits: write,
  })
  const [first, ...others] = Object.entries(full.indexes)
    .filter(([name, index]) => name !== 'primary' && !('type' in index && index.type === 'local'))
    .map(([name]) => name)
  const billing = { ...units(5, 6), indexes: { [first!]: units(1, 2) } }
  const request = createTableRequest(compileSchema({ ...full, table: { billing } }), 'T')
  const capacity = { ReadCapacityUnits: 5, WriteCapacityUnits: 6 }
  expect(request.ProvisionedThroughput).toEqual(capacity)
  const found = new Map(
    request.GlobalSecondaryIndexes?.map((each) => [each.IndexName, each.ProvisionedThroughput]),
  )
  expect(found.get(first!)).toEqual({ ReadCapacityUnits: 1, WriteCapacityUnits: 2 })
  for (const other of others) expect(found.get(other)).toEqual(capacity)
})

test('throughput, encryption and its key are part of the request', () => {
  const table = {
    onDemandThroughput: { maxWriteRequestUnits: 50 },
    warmThroughput: { readUnitsPerSecond: 15_000, writeUnitsPerSecond: 5_000 },
    encryption: { kmsKey: 'alias/mine' },
  }
  const request = createTableRequest(compileSchema({ ...full, table }), 'T')
  expect(request.OnDemandThroughput).toEqual({ MaxWriteRequestUnits: 50 })
  expect(request.WarmThroughput).toEqual({ ReadUnitsPerSecond: 15_000, WriteUnitsPerSecond: 5_000 })
  expect(request.SSESpecification).toEqual({
    Enabled: true,
    SSEType: 'KMS',
    KMSMasterKeyId: 'alias/mine',
  })
  const managed = { ...full, table: { encryption: 'aws-managed' } } as const
  expect(createTableRequest(compileSchema(managed), 'T').SSESpecification).toEqual({
    Enabled: true,
    SSEType: 'KMS',
  })
})

test('recovery is asked for with its period, where there is one', () => {
  for (const recoveryPeriodInDays of [1, 34, 35]) {
    compileSchema({ ...full, table: { pointInTimeRecovery: { recoveryPeriodInDays } } })
  }
  expect(recoveryRequest({ pointInTimeRecovery: true })).toEqual({
    PointInTimeRecoveryEnabled: true,
  })
  expect(recoveryRequest({ pointInTimeRecovery: { recoveryPeriodInDays: 7 } })).toEqual({
    PointInTimeRecoveryEnabled: true,
    RecoveryPeriodInDays: 7,
  })
})

test.each<[string, object]>([
  ['"all" is not a value of stream', { stream: 'all' }],
  ['"cold" is not a value of tableClass', { tableClass: 'cold' }],
  ['"provisioned" is not a value of billing', { billing: 'provisioned' }],
  ['deletionProtection is neither true nor false', { deletionProtection: 'yes' }],
  [
    'recoveryPeriodInDays is not a whole number from 1 to 35',
    { pointInTimeRecovery: { recoveryPeriodInDays: 36 } },
  ],
  ['"days" is not an option here', { pointInTimeRecovery: { days: 7 } }],
  ['it has no members', { warmThroughput: {} }],
  [
    'readUnitsPerSecond is not a whole number from 1 up',
    { warmThroughput: { readUnitsPerSecond: 0.5 } },
  ],
  [
    'maxReadRequestUnits is not a whole number from 1 up',
    { onDemandThroughput: { maxReadRequestUnits: -1 } },
  ],
  [
    'the table is not on demand',
    {
      onDemandThroughput: { maxReadRequestUnits: 1 },
      billing: { readCapacityUnits: 1, writeCapacityUnits: 1 },
    },
  ],
  ['"aws" is not a value of encryption', { encryption: 'aws' }],
  ['kmsKey is not a string', { encryption: { kmsKey: 7 } }],
  ['the tag "team" is not a string', { tags: { team: 7 } }],
  [
    'readCapacityUnits is not a whole number from 1 up',
    { billing: { readCapacityUnits: 0, writeCapacityUnits: 1 } },
  ],
  [
    '"gsi9" is not a global index',
    {
      billing: {
        readCapacityUnits: 1,
        writeCapacityUnits: 1,
        indexes: { gsi9: { readCapacityUnits: 1, writeCapacityUnits: 1 } },
      },
    },
  ],
])('wrong values in table are refused: %s', (message, table) => {
  expect(() => compileSchema({ ...full, table: table as never })).toThrow(message)
})
