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
    },
  ],
  DeletionProtectionEnabled: true,
}

export const updateNotesTable: UpdateTableCommandInput = {
  TableName: 'Notes',
  ReplicaUpdates: [{ Create: { RegionName: 'eu-central-1' } }],
  MultiRegionConsistency: 'STRONG',
  GlobalTableWitnessUpdates: [{ Create: { RegionName: 'eu-west-2' } }],
}

export const updateNotesContinuousBackups: UpdateContinuousBackupsCommandInput = { TableName: 'Notes', PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }
