import type { CreateTableCommandInput, UpdateContinuousBackupsCommandInput, UpdateTimeToLiveCommandInput } from '@aws-sdk/client-dynamodb'

// Send these in this order. Wait until the table is ACTIVE before each next one.

export const createEveryThingTable: CreateTableCommandInput = {
  TableName: 'every-thing',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
    { AttributeName: 'gsi1pk', AttributeType: 'S' },
    { AttributeName: 'gsi1sk', AttributeType: 'S' },
    { AttributeName: 'tournamentId', AttributeType: 'S' },
    { AttributeName: 'region', AttributeType: 'S' },
    { AttributeName: 'round', AttributeType: 'S' },
    { AttributeName: 'score', AttributeType: 'N' },
    { AttributeName: 'tag', AttributeType: 'S' },
    { AttributeName: 'lsi1sk', AttributeType: 'N' },
  ],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'gsi1',
      KeySchema: [
        { AttributeName: 'gsi1pk', KeyType: 'HASH' },
        { AttributeName: 'gsi1sk', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['_type', 'title', 'expiresAt'] },
      OnDemandThroughput: { MaxReadRequestUnits: 500, MaxWriteRequestUnits: 200 },
    },
    {
      IndexName: 'byTournament',
      KeySchema: [
        { AttributeName: 'tournamentId', KeyType: 'HASH' },
        { AttributeName: 'region', KeyType: 'HASH' },
        { AttributeName: 'round', KeyType: 'RANGE' },
        { AttributeName: 'score', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
    {
      IndexName: 'byTag',
      KeySchema: [{ AttributeName: 'tag', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
      WarmThroughput: { ReadUnitsPerSecond: 13000, WriteUnitsPerSecond: 4500 },
    },
  ],
  LocalSecondaryIndexes: [
    {
      IndexName: 'lsi1',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'lsi1sk', KeyType: 'RANGE' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
  OnDemandThroughput: { MaxReadRequestUnits: 4000, MaxWriteRequestUnits: 1000 },
  WarmThroughput: { ReadUnitsPerSecond: 15000, WriteUnitsPerSecond: 5000 },
  DeletionProtectionEnabled: true,
  TableClass: 'STANDARD_INFREQUENT_ACCESS',
  Tags: [{ Key: 'team', Value: 'content' }, { Key: 'cost center', Value: '${a} "b"' }],
  StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES', StreamEnabled: true },
  SSESpecification: {
    Enabled: true,
    SSEType: 'KMS',
    KMSMasterKeyId: 'arn:aws:kms:eu-west-1:123456789012:key/0c0ffee0-1234-4abc-8def-000000000001',
  },
}

export const updateEveryThingTimeToLive: UpdateTimeToLiveCommandInput = {
  TableName: 'every-thing',
  TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
}

export const updateEveryThingContinuousBackups: UpdateContinuousBackupsCommandInput = {
  TableName: 'every-thing',
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 14 },
}
