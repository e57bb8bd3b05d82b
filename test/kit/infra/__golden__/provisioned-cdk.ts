import { RemovalPolicy } from 'aws-cdk-lib'
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb'
import type { Construct } from 'constructs'

export function countersTable(scope: Construct, id = 'Counters'): dynamodb.TableV2 {
  return new dynamodb.TableV2(scope, id, {
    tableName: 'Counters',
    partitionKey: { name: 'id', type: dynamodb.AttributeType.STRING },
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: false },
    deletionProtection: false,
    removalPolicy: RemovalPolicy.RETAIN,
    billing: dynamodb.Billing.provisioned({ readCapacity: dynamodb.Capacity.fixed(5), writeCapacity: dynamodb.Capacity.autoscaled({ minCapacity: 2, maxCapacity: 2 }) }),
    dynamoStream: dynamodb.StreamViewType.KEYS_ONLY,
    globalSecondaryIndexes: [
      {
        indexName: 'byOwner',
        partitionKey: { name: 'owner', type: dynamodb.AttributeType.STRING },
        sortKey: { name: 'id', type: dynamodb.AttributeType.STRING },
        projectionType: dynamodb.ProjectionType.ALL,
        readCapacity: dynamodb.Capacity.fixed(5),
        writeCapacity: dynamodb.Capacity.autoscaled({ minCapacity: 2, maxCapacity: 2 }),
      },
    ],
  })
}
