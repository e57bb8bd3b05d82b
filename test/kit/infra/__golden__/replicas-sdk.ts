import type { CreateTableCommandInput, UpdateContinuousBackupsCommandInput, UpdateTableCommandInput } from '@aws-sdk/client-dynamodb'

// Send these in this order. Wait until the table is ACTIVE before each next one.

export const createNotesTable: CreateTableCommandInput = {
  TableName: 'Notes',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }, { AttributeName: 'name', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'byName',
      KeySchema: [{ AttributeName: 'name', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'ALL' },
      OnDemandThroughput: { MaxReadRequestUnits: 50, MaxWriteRequestUnits: 20 },
      WarmThroughput: { ReadUnitsPerSecond: 12500, WriteUnitsPerSecond: 4500 },
    },
  ],
  OnDemandThroughput: { MaxReadRequestUnits: 400, MaxWriteRequestUnits: 100 },
  WarmThroughput: { ReadUnitsPerSecond: 13000, WriteUnitsPerSecond: 5000 },
  DeletionProtectionEnabled: true,
  Tags: [{ Key: 'team', Value: 'content' }],
  StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES', StreamEnabled: true },
  SSESpecification: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: 'alias/notes' },
}

export const updateNotesTable: UpdateTableCommandInput = {
  TableName: 'Notes',
  ReplicaUpdates: [{ Create: { RegionName: 'eu-central-1', KMSMasterKeyId: 'alias/notes' } }],
}

export const updateNotesTable2: UpdateTableCommandInput = {
  TableName: 'Notes',
  ReplicaUpdates: [{ Create: { RegionName: 'eu-west-2', KMSMasterKeyId: 'alias/notes' } }],
}

export const updateNotesContinuousBackups: UpdateContinuousBackupsCommandInput = { TableName: 'Notes', PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }
