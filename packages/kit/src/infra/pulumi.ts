import { named } from './cloudformation.ts'
import type { Extra } from './extra.ts'
import { camelName } from './names.ts'
import { type Literal, printCode } from './print-code.ts'
import { AWS_MANAGED, type IndexShape, keyArn, type TableShape } from './table-shape.ts'

/** A module with the table as a resource of `@pulumi/aws`, from version 7.19 on, which has keys of
 * several attributes. */
export function printPulumi(shape: TableShape, extra: Extra = {}): string {
  const { capacity, ttl, stream, tags } = shape
  const properties: { readonly [name: string]: Literal } = {
    name: shape.name,
    billingMode: capacity ? 'PROVISIONED' : 'PAY_PER_REQUEST',
    readCapacity: capacity?.read,
    writeCapacity: capacity?.write,
    hashKey: shape.hash,
    rangeKey: shape.sort,
    attributes: shape.keys.map(({ name, type }) => ({ name, type })),
    globalSecondaryIndexes: listOrNone(shape.global.map(globalIndex)),
    localSecondaryIndexes: listOrNone(
      shape.local.map(({ name, sort, projection }) => ({
        name,
        rangeKey: sort[0],
        ...projected(projection),
      })),
    ),
    ttl: ttl === undefined ? undefined : { attributeName: ttl, enabled: true },
    streamEnabled: stream ? true : undefined,
    streamViewType: stream,
    ...unitsArguments(shape),
    pointInTimeRecovery: {
      enabled: shape.pointInTimeRecovery,
      recoveryPeriodInDays: shape.recoveryDays,
    },
    serverSideEncryption: encryptionArgument(shape),
    ...replicaArguments(shape),
    deletionProtectionEnabled: shape.deletionProtection,
    tableClass: shape.infrequentAccess ? 'STANDARD_INFREQUENT_ACCESS' : undefined,
    tags: tags.size > 0 ? tags : undefined,
    ...extra,
  }
  const name = camelName(shape.name)
  return [
    "import * as aws from '@pulumi/aws'",
    '',
    `export const ${name} = new aws.dynamodb.Table(${printCode(shape.name)}, ${printCode(properties)}, { protect: true, retainOnDelete: true })`,
    '',
  ].join('\n')
}

/** What the table or an index serves each second at most, and at once. */
export function unitsArguments({ maximum, warm }: Pick<IndexShape, 'maximum' | 'warm'>): {
  readonly [name: string]: Literal
} {
  return {
    onDemandThroughput: maximum && named(maximum, 'maxReadRequestUnits', 'maxWriteRequestUnits'),
    warmThroughput: warm && named(warm, 'readUnitsPerSecond', 'writeUnitsPerSecond'),
  }
}

export function replicaArguments(shape: TableShape): { readonly [name: string]: Literal } {
  const { replicas, witness } = shape
  const own = {
    consistencyMode: shape.isStrong ? 'STRONG' : undefined,
    pointInTimeRecovery: shape.pointInTimeRecovery,
    propagateTags: shape.tags.size > 0 ? true : undefined,
    deletionProtectionEnabled: shape.deletionProtection,
  }
  return {
    replicas: listOrNone(replicas.map((regionName) => ({ regionName, ...own }))),
    globalTableWitness: witness === undefined ? undefined : { regionName: witness },
  }
}

/** As `@pulumi/aws` has it, which SST's resources are made of as well. */
export function encryptionArgument({ encryptionKey: key }: TableShape): Literal {
  if (key === undefined) return undefined
  return { enabled: true, kmsKeyArn: key === AWS_MANAGED ? undefined : keyArn(key, 'Pulumi') }
}

function globalIndex(index: IndexShape): Literal {
  const { name, hash, sort, projection, capacity } = index
  return {
    name,
    keySchemas: [
      ...hash.map((attributeName) => ({ attributeName, keyType: 'HASH' })),
      ...sort.map((attributeName) => ({ attributeName, keyType: 'RANGE' })),
    ],
    ...projected(projection),
    readCapacity: capacity?.read,
    writeCapacity: capacity?.write,
    ...unitsArguments(index),
  }
}

function projected(projection: IndexShape['projection']): { readonly [name: string]: Literal } {
  const isList = typeof projection === 'object'
  return {
    projectionType: isList ? 'INCLUDE' : projection,
    nonKeyAttributes: isList ? projection : undefined,
  }
}

function listOrNone(list: readonly Literal[]): readonly Literal[] | undefined {
  return list.length > 0 ? list : undefined
}
