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
  const isGlobal = shape.replicas.length > 0
  return {
    Type: isGlobal ? 'AWS::DynamoDB::GlobalTable' : 'AWS::DynamoDB::Table',
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
    Properties: isGlobal ? globalProperties(shape, extra) : tableProperties(shape, extra),
  }
}

/**
 * The properties of a table with replicas: what each region has of its own is said for each, that
 * of the stack included.
 */
function globalProperties(shape: TableShape, extra: Extra): { readonly [name: string]: Yaml } {
  const {
    Tags,
    TableClass,
    DeletionProtectionEnabled,
    PointInTimeRecoverySpecification,
    OnDemandThroughput: _,
    GlobalSecondaryIndexes: __,
    SSESpecification,
    ...shared
  } = tableProperties(shape, {}) as { readonly [name: string]: Yaml }
  const { global, replicas, maximum, encryptionKey: key } = shape
  const reads = (units: Units | undefined) =>
    units?.read !== undefined && {
      ReadOnDemandThroughputSettings: { MaxReadRequestUnits: units.read },
    }
  const writes = (units: Units | undefined) =>
    units?.write !== undefined && {
      WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: units.write },
    }
  const bounded = global.filter(({ maximum: own }) => own?.read !== undefined)
  const own = {
    ...(key !== undefined && key !== AWS_MANAGED && { SSESpecification: { KMSMasterKeyId: key } }),
    ...reads(maximum),
    ...(bounded.length > 0 && {
      GlobalSecondaryIndexes: bounded.map(({ name, maximum: units }) => ({
        IndexName: name,
        ...reads(units),
      })),
    }),
    PointInTimeRecoverySpecification,
    DeletionProtectionEnabled,
    ...(TableClass !== undefined && { TableClass }),
    ...(Tags !== undefined && { Tags }),
  }
  return {
    ...shared,
    ...writes(maximum),
    ...(global.length > 0 && {
      GlobalSecondaryIndexes: global.map((index) => ({
        ...indexResource(index),
        ...writes(index.maximum),
        ...unitsOf({ ...index, maximum: undefined }),
      })),
    }),
    ...(SSESpecification !== undefined && {
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
    }),
    ...(shape.isStrong && { MultiRegionConsistency: 'STRONG' }),
    ...(shape.witness !== undefined && { GlobalTableWitnesses: [{ Region: shape.witness }] }),
    Replicas: [{ Ref: 'AWS::Region' }, ...replicas].map((Region) => ({ Region, ...own })),
    ...(extra as { readonly [name: string]: Yaml }),
  } as { readonly [name: string]: Yaml }
}

/** The properties of a table in one region, which are also the members of CreateTable. */
export function tableProperties(
  shape: TableShape,
  extra: Extra = {},
): { readonly [name: string]: Yaml } {
  const { capacity, ttl, stream, tags } = shape
  return {
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
        ...unitsOf(index),
      })),
    }),
    ...(shape.local.length > 0 && { LocalSecondaryIndexes: shape.local.map(indexResource) }),
    ...(ttl !== undefined && { TimeToLiveSpecification: { AttributeName: ttl, Enabled: true } }),
    ...(stream && { StreamSpecification: { StreamViewType: stream } }),
    ...unitsOf(shape),
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

/** What the table or an index serves each second at most, and at once. */
function unitsOf({ maximum, warm }: Pick<IndexShape, 'maximum' | 'warm'>) {
  return {
    ...(maximum && {
      OnDemandThroughput: named(maximum, 'MaxReadRequestUnits', 'MaxWriteRequestUnits'),
    }),
    ...(warm && { WarmThroughput: named(warm, 'ReadUnitsPerSecond', 'WriteUnitsPerSecond') }),
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
