import type { CreateTableCommandInput, UpdateContinuousBackupsCommandInput, UpdateTimeToLiveCommandInput } from '@aws-sdk/client-dynamodb'

// Send these in this order. Wait until the table is ACTIVE before each next one.

export const createBlogTable: CreateTableCommandInput = {
  TableName: 'Blog',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
    { AttributeName: 'gsi1pk', AttributeType: 'S' },
    { AttributeName: 'gsi1sk', AttributeType: 'S' },
  ],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'gsi1',
      KeySchema: [
        { AttributeName: 'gsi1pk', KeyType: 'HASH' },
        { AttributeName: 'gsi1sk', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
  DeletionProtectionEnabled: true,
  StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES', StreamEnabled: true },
}

export const updateBlogTimeToLive: UpdateTimeToLiveCommandInput = { TableName: 'Blog', TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true } }

export const updateBlogContinuousBackups: UpdateContinuousBackupsCommandInput = { TableName: 'Blog', PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }
