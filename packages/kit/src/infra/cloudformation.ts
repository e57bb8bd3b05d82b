import type { Extra } from './extra.ts'
import { pascalName } from './names.ts'
import type { Yaml } from './print-yaml.ts'
import {
  AWS_MANAGED,
  type Capacity,
  type IndexShape,
  type TableShape,
  type Units,
} from './table-shape.ts'

/** The resource, which survives the deletion of its stack. */
export function tableResource(
  shape: TableShape,
  extra: Extra = {},
): { readonly [name: string]: Yaml } {
  const { capacity, ttl, stream, tags } = shape
  return {
    Type: 'AWS::DynamoDB::Table',
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
    Properties: {
      TableName: shape.name,
      BillingMode: capacity ? 'PROVISIONED' : 'PAY_PER_REQUEST',
      ...provisioned(capacity),
      AttributeDefinitions: shape.keys.map(({ name, type }) => ({
        AttributeName: name,
        AttributeType: type,
      })),
      KeySchema: keySchema({
        hash: [shape.hash],
        sort: shape.sort === undefined ? [] : [shape.sort],
      }),
      ...(shape.global.length > 0 && {
        GlobalSecondaryIndexes: shape.global.map((index) => ({
          ...indexResource(index),
          ...provisioned(index.capacity),
        })),
      }),
      ...(shape.local.length > 0 && { LocalSecondaryIndexes: shape.local.map(indexResource) }),
      ...(ttl !== undefined && { TimeToLiveSpecification: { AttributeName: ttl, Enabled: true } }),
      ...(stream && { StreamSpecification: { StreamViewType: stream } }),
      ...(shape.maximum && {
        OnDemandThroughput: named(shape.maximum, 'MaxReadRequestUnits', 'MaxWriteRequestUnits'),
      }),
      ...(shape.warm && {
        WarmThroughput: named(shape.warm, 'ReadUnitsPerSecond', 'WriteUnitsPerSecond'),
      }),
      PointInTimeRecoverySpecification: {
        PointInTimeRecoveryEnabled: shape.pointInTimeRecovery,
        ...(shape.recoveryDays !== undefined && { RecoveryPeriodInDays: shape.recoveryDays }),
      },
      ...(shape.encryptionKey !== undefined && {
        SSESpecification: {
          SSEEnabled: true,
          SSEType: 'KMS',
          ...(shape.encryptionKey !== AWS_MANAGED && { KMSMasterKeyId: shape.encryptionKey }),
        },
      }),
      DeletionProtectionEnabled: shape.deletionProtection,
      ...(shape.infrequentAccess && { TableClass: 'STANDARD_INFREQUENT_ACCESS' }),
      ...(tags.size > 0 && { Tags: [...tags].map(([Key, Value]) => ({ Key, Value })) }),
      // JSON is YAML, but for null, which no property of the resource takes.
      ...(extra as { readonly [name: string]: Yaml }),
    },
  }
}

/** A whole template, as an object. */
export function cloudFormationTemplate(
  shape: TableShape,
  extra?: Extra,
): { readonly [name: string]: Yaml } {
  const id = `${pascalName(shape.name)}Table`
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Resources: { [id]: tableResource(shape, extra) },
    Outputs: {
      [`${id}Name`]: { Value: { Ref: id } },
      [`${id}Arn`]: { Value: { 'Fn::GetAtt': [id, 'Arn'] } },
      ...(shape.stream && { [`${id}StreamArn`]: { Value: { 'Fn::GetAtt': [id, 'StreamArn'] } } }),
    },
  }
}

function indexResource({ name, projection, ...keys }: IndexShape) {
  const isList = typeof projection === 'object'
  return {
    IndexName: name,
    KeySchema: keySchema(keys),
    Projection: {
      ProjectionType: isList ? 'INCLUDE' : projection,
      ...(isList && { NonKeyAttributes: projection }),
    },
  }
}

function keySchema({ hash, sort }: Pick<IndexShape, 'hash' | 'sort'>) {
  return [
    ...hash.map((AttributeName) => ({ AttributeName, KeyType: 'HASH' })),
    ...sort.map((AttributeName) => ({ AttributeName, KeyType: 'RANGE' })),
  ]
}

/** The units that are given, by these names. */
export function named(
  { read, write }: Units,
  readName: string,
  writeName: string,
): { readonly [name: string]: number } {
  return {
    ...(read !== undefined && { [readName]: read }),
    ...(write !== undefined && { [writeName]: write }),
  }
}

function provisioned(capacity: Capacity | undefined) {
  return (
    capacity && {
      ProvisionedThroughput: {
        ReadCapacityUnits: capacity.read,
        WriteCapacityUnits: capacity.write,
      },
    }
  )
}
