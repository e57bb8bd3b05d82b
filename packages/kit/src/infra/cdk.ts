import { named } from './cloudformation.ts'
import type { Extra } from './extra.ts'
import { InfraError } from './infra-error.ts'
import { camelName, pascalName } from './names.ts'
import { Code, type Literal, printCode } from './print-code.ts'
import {
  AWS_MANAGED,
  type Capacity,
  type IndexShape,
  type KeyAttribute,
  keyArn,
  type TableShape,
} from './table-shape.ts'

const TYPES = { S: 'STRING', N: 'NUMBER', B: 'BINARY' } as const

/** A function that makes the table as a `TableV2`, which CloudFormation knows as a global table of
 * one region. */
export function printCdk(shape: TableShape, extra: Extra = {}): string {
  const { tags, capacity, maximum, encryptionKey } = shape
  const tagList = listOrNone([...tags].map(([key, value]) => ({ key, value })))
  const properties = {
    ...commonProperties(shape),
    billing: new Code(
      capacity
        ? `dynamodb.Billing.provisioned({ readCapacity: dynamodb.Capacity.fixed(${capacity.read}), writeCapacity: ${fixedWrites(capacity)} })`
        : `dynamodb.Billing.onDemand(${maximum ? printCode(named(maximum, 'maxReadRequestUnits', 'maxWriteRequestUnits'), '  ') : ''})`,
    ),
    encryption:
      encryptionKey === undefined
        ? undefined
        : new Code(
            encryptionKey === AWS_MANAGED
              ? 'dynamodb.TableEncryptionV2.awsManagedKey()'
              : `dynamodb.TableEncryptionV2.customerManagedKey(${keyOf(encryptionKey)}${keysOf(shape)})`,
          ),
    replicas: listOrNone(shape.replicas.map((region) => ({ region, tags: tagList }))),
    witnessRegion: shape.witness,
    multiRegionConsistency: shape.isStrong
      ? new Code('dynamodb.MultiRegionConsistency.STRONG')
      : undefined,
    dynamoStream: shape.stream && new Code(`dynamodb.StreamViewType.${shape.stream}`),
    globalSecondaryIndexes: listOrNone(shape.global.map((index) => globalIndex(index, shape))),
    localSecondaryIndexes: listOrNone(shape.local.map((index) => localIndex(index, shape))),
    tags: tagList,
    ...extra,
  }
  return printModule('TableV2', shape, [
    `  return new dynamodb.TableV2(scope, id, ${printCode(properties, '  ')})`,
  ])
}

/** The same as a `Table`: for stacks that have one already, because another construct would replace
 * it. */
export function printCdkV1(shape: TableShape, extra: Extra = {}): string {
  const { capacity, tags, maximum, encryptionKey, isStrong, replicas } = shape
  if (isStrong) {
    throw new InfraError(
      "The CDK's Table has no strong consistency between regions.",
      'leave out --construct v1, which makes a TableV2',
    )
  }
  const properties = {
    ...commonProperties(shape),
    replicationRegions: listOrNone(replicas),
    billingMode: new Code(`dynamodb.BillingMode.${capacity ? 'PROVISIONED' : 'PAY_PER_REQUEST'}`),
    ...(capacity && { readCapacity: capacity.read, writeCapacity: capacity.write }),
    ...(maximum && named(maximum, 'maxReadRequestUnits', 'maxWriteRequestUnits')),
    ...(encryptionKey !== undefined && {
      encryption: new Code(
        `dynamodb.TableEncryption.${encryptionKey === AWS_MANAGED ? 'AWS_MANAGED' : 'CUSTOMER_MANAGED'}`,
      ),
      ...(encryptionKey !== AWS_MANAGED && { encryptionKey: new Code(keyOf(encryptionKey)) }),
    }),
    stream: shape.stream && new Code(`dynamodb.StreamViewType.${shape.stream}`),
    ...extra,
  }
  const lines = [`  const table = new dynamodb.Table(scope, id, ${printCode(properties, '  ')})`]
  for (const index of shape.global) {
    const own = index.capacity && {
      readCapacity: index.capacity.read,
      writeCapacity: index.capacity.write,
    }
    const text = printCode(
      { ...globalIndex({ ...index, capacity: undefined }, shape), ...own },
      '  ',
    )
    lines.push(`  table.addGlobalSecondaryIndex(${text})`)
  }
  for (const index of shape.local) {
    lines.push(`  table.addLocalSecondaryIndex(${printCode(localIndex(index, shape), '  ')})`)
  }
  for (const [name, value] of tags) {
    lines.push(`  Tags.of(table).add(${printCode(name)}, ${printCode(value)})`)
  }
  return printModule('Table', shape, [...lines, '  return table'])
}

function printModule(
  construct: string,
  { name, tags, encryptionKey, replicas }: TableShape,
  body: readonly string[],
): string {
  const hasKey = encryptionKey !== undefined && encryptionKey !== AWS_MANAGED
  const names = [
    'RemovalPolicy',
    ...(construct === 'TableV2' && hasKey && replicas.length > 0 ? ['Stack'] : []),
    ...(construct === 'Table' && tags.size > 0 ? ['Tags'] : []),
  ].join(', ')
  return [
    `import { ${names} } from 'aws-cdk-lib'`,
    "import * as dynamodb from 'aws-cdk-lib/aws-dynamodb'",
    ...(hasKey ? ["import * as kms from 'aws-cdk-lib/aws-kms'"] : []),
    "import type { Construct } from 'constructs'",
    '',
    `export function ${camelName(name)}Table(scope: Construct, id = '${pascalName(name)}'): dynamodb.${construct} {`,
    ...body,
    '}',
    '',
  ].join('\n')
}

function commonProperties(shape: TableShape): { readonly [name: string]: Literal } {
  return {
    tableName: shape.name,
    partitionKey: attribute(shape.hash, shape.keys),
    sortKey: shape.sort === undefined ? undefined : attribute(shape.sort, shape.keys),
    timeToLiveAttribute: shape.ttl,
    pointInTimeRecoverySpecification: {
      pointInTimeRecoveryEnabled: shape.pointInTimeRecovery,
      recoveryPeriodInDays: shape.recoveryDays,
    },
    warmThroughput: shape.warm && named(shape.warm, 'readUnitsPerSecond', 'writeUnitsPerSecond'),
    deletionProtection: shape.deletionProtection,
    removalPolicy: new Code('RemovalPolicy.RETAIN'),
    tableClass: shape.infrequentAccess
      ? new Code('dynamodb.TableClass.STANDARD_INFREQUENT_ACCESS')
      : undefined,
  }
}

function globalIndex(
  { name, hash, sort, projection, capacity, maximum, warm }: IndexShape,
  { keys }: TableShape,
): { readonly [name: string]: Literal } {
  const attributes = (names: readonly string[]): readonly Literal[] =>
    names.map((each) => attribute(each, keys))
  const isSimple = hash.length === 1 && sort.length <= 1
  const [hashes, sorts] = [attributes(hash), attributes(sort)]
  return {
    indexName: name,
    ...(isSimple
      ? { partitionKey: hashes[0], sortKey: sorts[0] }
      : { partitionKeys: hashes, sortKeys: sorts.length > 0 ? sorts : undefined }),
    ...projected(projection),
    ...(capacity && {
      readCapacity: new Code(`dynamodb.Capacity.fixed(${capacity.read})`),
      writeCapacity: new Code(fixedWrites(capacity)),
    }),
    ...(maximum && named(maximum, 'maxReadRequestUnits', 'maxWriteRequestUnits')),
    warmThroughput: warm && named(warm, 'readUnitsPerSecond', 'writeUnitsPerSecond'),
  }
}

function localIndex(
  { name, sort, projection }: IndexShape,
  { keys }: TableShape,
): { readonly [name: string]: Literal } {
  return {
    indexName: name,
    sortKey: attribute(sort[0] ?? '', keys),
    ...projected(projection),
  }
}

function projected(projection: IndexShape['projection']): { readonly [name: string]: Literal } {
  const isList = typeof projection === 'object'
  return {
    projectionType: new Code(`dynamodb.ProjectionType.${isList ? 'INCLUDE' : projection}`),
    nonKeyAttributes: isList ? projection : undefined,
  }
}

function attribute(name: string, keys: readonly KeyAttribute[]): Literal {
  const type = keys.find((key) => key.name === name)?.type ?? 'S'
  return { name, type: new Code(`dynamodb.AttributeType.${TYPES[type]}`) }
}

/** The construct takes nothing but scaling for writes; from a number to the same one, they stay. */
function fixedWrites({ write }: Capacity): string {
  return `dynamodb.Capacity.autoscaled({ minCapacity: ${write}, maxCapacity: ${write} })`
}

/** The keys of the replicas, which have one alias. */
function keysOf({ replicas, encryptionKey = '' }: TableShape): string {
  if (replicas.length === 0) return ''
  const arns = replicas.map((region) => {
    const parts = printCode({ service: 'kms', region, resource: encryptionKey }, '    ')
    return [region, new Code(`Stack.of(scope).formatArn(${parts})`)] as const
  })
  return `, ${printCode(new Map(arns), '    ')}`
}

/** A key that is there already. */
function keyOf(key: string): string {
  const id = '`${id}Key`'
  return key.startsWith('alias/')
    ? `kms.Alias.fromAliasName(scope, ${id}, ${printCode(key)})`
    : `kms.Key.fromKeyArn(scope, ${id}, ${printCode(keyArn(key, 'The CDK'))})`
}

function listOrNone(list: readonly Literal[]): readonly Literal[] | undefined {
  return list.length > 0 ? list : undefined
}
