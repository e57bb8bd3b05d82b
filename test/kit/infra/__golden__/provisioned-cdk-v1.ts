import { RemovalPolicy } from 'aws-cdk-lib'
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb'
import type { Construct } from 'constructs'

export function countersTable(scope: Construct, id = 'Counters'): dynamodb.Table {
  const table = new dynamodb.Table(scope, id, {
    tableName: 'Counters',
    partitionKey: { name: 'id', type: dynamodb.AttributeType.STRING },
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: false },
    deletionProtection: false,
    removalPolicy: RemovalPolicy.RETAIN,
    billingMode: dynamodb.BillingMode.PROVISIONED,
    readCapacity: 5,
    writeCapacity: 2,
    stream: dynamodb.StreamViewType.KEYS_ONLY,
  })
  table.addGlobalSecondaryIndex({
    indexName: 'byOwner',
    partitionKey: { name: 'owner', type: dynamodb.AttributeType.STRING },
    sortKey: { name: 'id', type: dynamodb.AttributeType.STRING },
    projectionType: dynamodb.ProjectionType.ALL,
    readCapacity: 5,
    writeCapacity: 2,
  })
  return table
}
