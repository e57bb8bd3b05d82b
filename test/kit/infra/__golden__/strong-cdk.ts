import { RemovalPolicy } from 'aws-cdk-lib'
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb'
import type { Construct } from 'constructs'

export function notesTable(scope: Construct, id = 'Notes'): dynamodb.TableV2 {
  return new dynamodb.TableV2(scope, id, {
    tableName: 'Notes',
    partitionKey: { name: 'pk', type: dynamodb.AttributeType.STRING },
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
    billing: dynamodb.Billing.onDemand(),
    replicas: [{ region: 'eu-central-1' }],
    witnessRegion: 'eu-west-2',
    multiRegionConsistency: dynamodb.MultiRegionConsistency.STRONG,
    globalSecondaryIndexes: [
      {
        indexName: 'byName',
        partitionKey: { name: 'name', type: dynamodb.AttributeType.STRING },
        projectionType: dynamodb.ProjectionType.ALL,
      },
    ],
  })
}
