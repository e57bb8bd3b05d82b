import { RemovalPolicy, Stack } from 'aws-cdk-lib'
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb'
import * as kms from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'

export function notesTable(scope: Construct, id = 'Notes'): dynamodb.TableV2 {
  return new dynamodb.TableV2(scope, id, {
    tableName: 'Notes',
    partitionKey: { name: 'pk', type: dynamodb.AttributeType.STRING },
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    warmThroughput: { readUnitsPerSecond: 13000, writeUnitsPerSecond: 5000 },
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
    billing: dynamodb.Billing.onDemand({ maxReadRequestUnits: 400, maxWriteRequestUnits: 100 }),
    encryption: dynamodb.TableEncryptionV2.customerManagedKey(kms.Alias.fromAliasName(scope, `${id}Key`, 'alias/notes'), {
      'eu-central-1': Stack.of(scope).formatArn({ service: 'kms', region: 'eu-central-1', resource: 'alias/notes' }),
      'eu-west-2': Stack.of(scope).formatArn({ service: 'kms', region: 'eu-west-2', resource: 'alias/notes' }),
    }),
    replicas: [
      { region: 'eu-central-1', tags: [{ key: 'team', value: 'content' }] },
      { region: 'eu-west-2', tags: [{ key: 'team', value: 'content' }] },
    ],
    dynamoStream: dynamodb.StreamViewType.NEW_AND_OLD_IMAGES,
    globalSecondaryIndexes: [
      {
        indexName: 'byName',
        partitionKey: { name: 'name', type: dynamodb.AttributeType.STRING },
        projectionType: dynamodb.ProjectionType.ALL,
        maxReadRequestUnits: 50,
        maxWriteRequestUnits: 20,
        warmThroughput: { readUnitsPerSecond: 12500, writeUnitsPerSecond: 4500 },
      },
    ],
    tags: [{ key: 'team', value: 'content' }],
  })
}
