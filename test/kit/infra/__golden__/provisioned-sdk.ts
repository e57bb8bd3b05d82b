import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'

// Send these in this order. Wait until the table is ACTIVE before each next one.

export const createCountersTable: CreateTableCommandInput = {
  TableName: 'Counters',
  BillingMode: 'PROVISIONED',
  ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 2 },
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }, { AttributeName: 'owner', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'byOwner',
      KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }, { AttributeName: 'id', KeyType: 'RANGE' }],
      Projection: { ProjectionType: 'ALL' },
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 2 },
    },
  ],
  DeletionProtectionEnabled: false,
  StreamSpecification: { StreamViewType: 'KEYS_ONLY', StreamEnabled: true },
}
