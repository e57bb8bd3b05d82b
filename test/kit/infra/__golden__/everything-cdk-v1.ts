import { RemovalPolicy, Tags } from 'aws-cdk-lib'
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb'
import * as kms from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'

export function everyThingTable(scope: Construct, id = 'EveryThing'): dynamodb.Table {
  const table = new dynamodb.Table(scope, id, {
    tableName: 'every-thing',
    partitionKey: { name: 'pk', type: dynamodb.AttributeType.STRING },
    sortKey: { name: 'sk', type: dynamodb.AttributeType.STRING },
    timeToLiveAttribute: 'expiresAt',
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: 14 },
    warmThroughput: { readUnitsPerSecond: 15000, writeUnitsPerSecond: 5000 },
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
    tableClass: dynamodb.TableClass.STANDARD_INFREQUENT_ACCESS,
    billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
    maxReadRequestUnits: 4000,
    maxWriteRequestUnits: 1000,
    encryption: dynamodb.TableEncryption.CUSTOMER_MANAGED,
    encryptionKey: kms.Key.fromKeyArn(scope, `${id}Key`, 'arn:aws:kms:eu-west-1:123456789012:key/0c0ffee0-1234-4abc-8def-000000000001'),
    stream: dynamodb.StreamViewType.NEW_AND_OLD_IMAGES,
  })
  table.addGlobalSecondaryIndex({
    indexName: 'gsi1',
    partitionKey: { name: 'gsi1pk', type: dynamodb.AttributeType.STRING },
    sortKey: { name: 'gsi1sk', type: dynamodb.AttributeType.STRING },
    projectionType: dynamodb.ProjectionType.INCLUDE,
    nonKeyAttributes: ['_type', 'title', 'expiresAt'],
    maxReadRequestUnits: 500,
    maxWriteRequestUnits: 200,
  })
  table.addGlobalSecondaryIndex({
    indexName: 'byTournament',
    partitionKeys: [
      { name: 'tournamentId', type: dynamodb.AttributeType.STRING },
      { name: 'region', type: dynamodb.AttributeType.STRING },
    ],
    sortKeys: [
      { name: 'round', type: dynamodb.AttributeType.STRING },
      { name: 'score', type: dynamodb.AttributeType.NUMBER },
    ],
    projectionType: dynamodb.ProjectionType.ALL,
  })
  table.addGlobalSecondaryIndex({
    indexName: 'byTag',
    partitionKey: { name: 'tag', type: dynamodb.AttributeType.STRING },
    projectionType: dynamodb.ProjectionType.KEYS_ONLY,
    warmThroughput: { readUnitsPerSecond: 13000, writeUnitsPerSecond: 4500 },
  })
  table.addLocalSecondaryIndex({
    indexName: 'lsi1',
    sortKey: { name: 'lsi1sk', type: dynamodb.AttributeType.NUMBER },
    projectionType: dynamodb.ProjectionType.KEYS_ONLY,
  })
  Tags.of(table).add('team', 'content')
  Tags.of(table).add('cost center', '${a} "b"')
  return table
}
