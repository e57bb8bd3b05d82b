import {
  type CreateTableRequest,
  createTableRequest,
  type Projection,
  type Schema,
} from 'singletable/tools'
import { InfraError, InfraUsageError } from './infra-error.ts'

/** A key attribute and its DynamoDB type. */
export interface KeyAttribute {
  readonly name: string
  readonly type: 'S' | 'N' | 'B'
}

export interface IndexShape {
  readonly name: string
  /** One attribute; up to four in a global index. */
  readonly hash: readonly string[]
  readonly sort: readonly string[]
  /** A list names the attributes in addition to the keys. */
  readonly projection: 'ALL' | 'KEYS_ONLY' | readonly string[]
  /** Of a global index of a table that is not on demand. */
  readonly capacity?: Capacity | undefined
  /** Of a global index, as the table has them. */
  readonly maximum?: Units | undefined
  readonly warm?: Units | undefined
}

export interface Capacity {
  readonly read: number
  readonly write: number
}

/** Reads and writes of each second, as far as they are given. */
export interface Units {
  readonly read: number | undefined
  readonly write: number | undefined
}

export const AWS_MANAGED = 'aws-managed'

export type StreamView = 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES'

/** All that a table's definition says, whether it comes from a schema, a live table or a template:
 * what every target is written from. */
export interface TableShape {
  readonly name: string
  /** Those of the table, of global indexes and of local ones, in this order; no others, since
   * DynamoDB refuses them. */
  readonly keys: readonly KeyAttribute[]
  readonly hash: string
  readonly sort: string | undefined
  readonly global: readonly IndexShape[]
  readonly local: readonly IndexShape[]
  readonly ttl: string | undefined
  readonly stream: StreamView | undefined
  readonly capacity: Capacity | undefined
  /** What a table on demand serves each second at most. */
  readonly maximum: Units | undefined
  /** What it serves each second without growing first. */
  readonly warm: Units | undefined
  readonly pointInTimeRecovery: boolean
  /** How many days back it can be restored; all that DynamoDB keeps unless given. */
  readonly recoveryDays: number | undefined
  /** The key that encrypts it; `AWS_MANAGED` for that of the account, none for DynamoDB's own. */
  readonly encryptionKey: string | undefined
  /** The other regions that have its items. */
  readonly replicas: readonly string[]
  /** Whether they have them as soon as a write is answered. */
  readonly isStrong: boolean
  /** The third region of a strongly consistent table with one replica. */
  readonly witness: string | undefined
  readonly deletionProtection: boolean
  readonly infrequentAccess: boolean
  readonly tags: ReadonlyMap<string, string>
}

type Provisioned = Pick<CreateTableRequest, 'ProvisionedThroughput'>

const SERVICE_NAME = /^[a-zA-Z0-9_.-]{3,255}$/

/** The shape a schema asks for. What it does not say is safe: backups and protection against
 * deletion are on. */
export function tableShape(schema: Schema, name: string): TableShape {
  checkNames(schema, name)
  const request = createTableRequest(schema, name)
  const types = new Map(
    request.AttributeDefinitions.map(({ AttributeName, AttributeType }) => [
      AttributeName,
      AttributeType,
    ]),
  )
  const capacityOf = ({ ProvisionedThroughput: units }: Provisioned): Capacity | undefined =>
    units && { read: units.ReadCapacityUnits, write: units.WriteCapacityUnits }
  const { table } = schema.definition
  const shape = {
    name,
    hash: schema.primary.hash[0] ?? '',
    sort: schema.primary.sort[0],
    global: (request.GlobalSecondaryIndexes ?? []).map((index) => ({
      ...indexShape(index),
      capacity: capacityOf(index),
      maximum: maximumOf(index.OnDemandThroughput),
      warm: warmthOf(index.WarmThroughput),
    })),
    local: (request.LocalSecondaryIndexes ?? []).map(indexShape),
    ttl: schema.ttl,
    stream: request.StreamSpecification?.StreamViewType,
    capacity: capacityOf(request),
    maximum: maximumOf(request.OnDemandThroughput),
    warm: warmthOf(request.WarmThroughput),
    pointInTimeRecovery: Boolean(table?.pointInTimeRecovery ?? true),
    recoveryDays:
      typeof table?.pointInTimeRecovery === 'object'
        ? table.pointInTimeRecovery.recoveryPeriodInDays
        : undefined,
    encryptionKey:
      request.SSESpecification && (request.SSESpecification.KMSMasterKeyId ?? AWS_MANAGED),
    replicas: table?.replicas ?? [],
    isStrong: table?.multiRegionConsistency === 'strong',
    witness: table?.witness,
    deletionProtection: table?.deletionProtection ?? true,
    infrequentAccess: table?.tableClass === 'infrequent-access',
    tags: new Map(Object.entries(table?.tags ?? {})),
  }
  return { ...shape, keys: orderedKeys(shape, types) }
}

/** Most targets can't look up the id or the alias of a key. */
export function keyArn(key: string, target: string): string {
  if (key.startsWith('arn:')) return key
  throw new InfraError(
    `${target} takes the encryption key by its ARN, and the schema has "${key}".`,
    'give kmsKey as an ARN, or use another target',
  )
}

/** DynamoDB shows no maximum as -1, as it takes it. */
export function maximumOf(bounds: CreateTableRequest['OnDemandThroughput']): Units | undefined {
  const given = (units: number | undefined): number | undefined =>
    units === undefined || Number(units) < 0 ? undefined : Number(units)
  const [read, write] = [given(bounds?.MaxReadRequestUnits), given(bounds?.MaxWriteRequestUnits)]
  return (read ?? write) === undefined ? undefined : { read, write }
}

export function warmthOf(warm: CreateTableRequest['WarmThroughput']): Units | undefined {
  const given = (units: number | undefined): number | undefined => units && Number(units)
  return warm && { read: given(warm.ReadUnitsPerSecond), write: given(warm.WriteUnitsPerSecond) }
}

/** Refuses what DynamoDB would refuse; in a policy, some of it would even mean other tables. */
export function checkNames(schema: Schema, table: string): void {
  const indexes = [...schema.indexes.keys()].slice(1)
  for (const [name, what] of [
    [table, 'table'] as const,
    ...indexes.map((index) => [index, 'index'] as const),
  ]) {
    if (SERVICE_NAME.test(name)) continue
    throw new InfraUsageError(
      `"${name}" can't be the name of ${what === 'table' ? 'a table' : 'an index'}.`,
      'give 3 to 255 letters, digits, "_", "-" or "."',
    )
  }
}

/** An index as DynamoDB and CloudFormation write it. */
export interface WireIndex {
  readonly IndexName: string
  readonly KeySchema: readonly { readonly AttributeName: string; readonly KeyType: string }[]
  readonly Projection?: Projection | undefined
}

export function indexShape({ IndexName, KeySchema, Projection }: WireIndex): IndexShape {
  const partsOf = (type: string): readonly string[] =>
    KeySchema.filter(({ KeyType }) => KeyType === type).map(({ AttributeName }) => AttributeName)
  const { ProjectionType = 'ALL', NonKeyAttributes = [] } = Projection ?? {}
  return {
    name: IndexName,
    hash: partsOf('HASH'),
    sort: partsOf('RANGE'),
    projection: ProjectionType === 'INCLUDE' ? NonKeyAttributes : ProjectionType,
  }
}

/** The key attributes in the order in which all targets have them, without those of no key. */
export function orderedKeys(
  { hash, sort, global, local }: Pick<TableShape, 'hash' | 'sort' | 'global' | 'local'>,
  types: ReadonlyMap<string, KeyAttribute['type']>,
): readonly KeyAttribute[] {
  const indexes = [...global, ...local]
  const names = new Set([
    hash,
    ...(sort === undefined ? [] : [sort]),
    ...indexes.flatMap((index) => [...index.hash, ...index.sort]),
  ])
  return [...names].map((name) => ({ name, type: types.get(name) ?? 'S' }))
}

/** The same table with other global indexes. */
export function withGlobalIndexes(
  shape: TableShape,
  global: readonly IndexShape[],
  keys: readonly KeyAttribute[],
): TableShape {
  const types = new Map(keys.map(({ name, type }) => [name, type]))
  return { ...shape, global, keys: orderedKeys({ ...shape, global }, types) }
}
