import { getOwn } from '../values/own.ts'
import type {
  CreateTableRequest,
  GlobalSecondaryIndex,
  KeySchemaElement,
  LocalSecondaryIndex,
  Projection,
  SSESpecification,
  UpdateTableRequest,
} from '../wire/table-operations.ts'
import { keyAttributes } from './index-keys.ts'
import type { Index, Schema } from './model.ts'
import type { CapacityDefinition, TableDefinition } from './schema-definition.ts'

export const STREAM_VIEWS = {
  keys: 'KEYS_ONLY',
  new: 'NEW_IMAGE',
  old: 'OLD_IMAGE',
  'new-and-old': 'NEW_AND_OLD_IMAGES',
} as const

/** The key that every account has for DynamoDB. */
const AWS_MANAGED_KEY = 'alias/aws/dynamodb'

/**
 * What makes the table with all its indexes. Time to live and point-in-time recovery are set once
 * it is there.
 */
export function createTableRequest(schema: Schema, tableName: string): CreateTableRequest {
  const table = schema.definition.table ?? {}
  const { billing, stream, deletionProtection, tableClass, tags } = table
  const key = encryptionKey(table)
  const view = stream && STREAM_VIEWS[stream]
  const provisioned = typeof billing === 'object' ? billing : undefined
  const throughput = provisioned && throughputOf(provisioned)
  const global: GlobalSecondaryIndex[] = []
  const local: LocalSecondaryIndex[] = []
  for (const index of schema.indexes.values()) {
    const request = {
      IndexName: index.name,
      KeySchema: keySchema(index),
      Projection: projection(index, schema),
    }
    if (index.type === 'local') local.push(request)
    else if (index.type === 'global') {
      const own = getOwn(provisioned?.indexes ?? {}, index.name)
      global.push({
        ...request,
        ...(own ? throughputOf(own) : throughput),
        ...unitsOf(
          getOwn(table.onDemandThroughput?.indexes ?? {}, index.name),
          getOwn(table.warmThroughput?.indexes ?? {}, index.name),
        ),
      })
    }
  }
  return {
    TableName: tableName,
    // DynamoDB refuses definitions of attributes that are in no key.
    AttributeDefinitions: [...schema.keyTypes].map(([AttributeName, AttributeType]) => {
      return { AttributeName, AttributeType }
    }),
    KeySchema: keySchema(schema.primary),
    ...(global.length > 0 && { GlobalSecondaryIndexes: global }),
    ...(local.length > 0 && { LocalSecondaryIndexes: local }),
    BillingMode: throughput ? 'PROVISIONED' : 'PAY_PER_REQUEST',
    ...throughput,
    ...unitsOf(table.onDemandThroughput, table.warmThroughput),
    ...(view && { StreamSpecification: { StreamEnabled: true, StreamViewType: view } }),
    ...(deletionProtection && { DeletionProtectionEnabled: true }),
    ...(key !== undefined && { SSESpecification: encryptionRequest(key) }),
    ...(tableClass === 'infrequent-access' && { TableClass: 'STANDARD_INFREQUENT_ACCESS' }),
    ...(tags && { Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) }),
  }
}

/** The key that encrypts the table; `undefined` if it is one of DynamoDB's own. */
function encryptionKey({ encryption }: TableDefinition): string | undefined {
  if (typeof encryption === 'object') return encryption.kmsKey
  return encryption === 'aws-managed' ? AWS_MANAGED_KEY : undefined
}

/** DynamoDB refuses the name of the key that it takes by itself. */
function encryptionRequest(key: string): SSESpecification {
  return {
    Enabled: true,
    SSEType: 'KMS',
    ...(key !== AWS_MANAGED_KEY && { KMSMasterKeyId: key }),
  }
}

/** What switches point-in-time recovery on, for as long as the table says. */
export function recoveryRequest({ pointInTimeRecovery: recovery }: TableDefinition): {
  PointInTimeRecoveryEnabled: boolean
  RecoveryPeriodInDays?: number
} {
  return {
    PointInTimeRecoveryEnabled: true,
    ...(typeof recovery === 'object' && { RecoveryPeriodInDays: recovery.recoveryPeriodInDays }),
  }
}

/** The requests that give the table these replicas, one after the other. */
export function replicaRequests(
  { replicas = [], multiRegionConsistency, witness, encryption }: TableDefinition,
  TableName: string,
): UpdateTableRequest[] {
  const key = typeof encryption === 'object' && { KMSMasterKeyId: encryption.kmsKey }
  const updates = replicas.map((RegionName) => ({ Create: { RegionName, ...key } }))
  if (multiRegionConsistency !== 'strong') {
    return updates.map((update) => ({ TableName, ReplicaUpdates: [update] }))
  }
  const witnesses = witness !== undefined && [{ Create: { RegionName: witness } }]
  return [
    {
      TableName,
      ReplicaUpdates: updates,
      MultiRegionConsistency: 'STRONG',
      ...(witnesses && { GlobalTableWitnessUpdates: witnesses }),
    },
  ]
}

/** What is served each second at most, and at once; of the table or of an index. */
function unitsOf(
  bounds: TableDefinition['onDemandThroughput'],
  warm: TableDefinition['warmThroughput'],
): Pick<GlobalSecondaryIndex, 'OnDemandThroughput' | 'WarmThroughput'> {
  const OnDemandThroughput = withoutUndefined({
    MaxReadRequestUnits: bounds?.maxReadRequestUnits,
    MaxWriteRequestUnits: bounds?.maxWriteRequestUnits,
  })
  const WarmThroughput = withoutUndefined({
    ReadUnitsPerSecond: warm?.readUnitsPerSecond,
    WriteUnitsPerSecond: warm?.writeUnitsPerSecond,
  })
  return {
    ...(OnDemandThroughput && { OnDemandThroughput }),
    ...(WarmThroughput && { WarmThroughput }),
  }
}

function withoutUndefined(units: { readonly [name: string]: number | undefined }) {
  const given = Object.entries(units).filter(([, value]) => value !== undefined)
  return given.length > 0 ? Object.fromEntries(given) : undefined
}

function throughputOf({ readCapacityUnits, writeCapacityUnits }: CapacityDefinition) {
  return {
    ProvisionedThroughput: {
      ReadCapacityUnits: readCapacityUnits,
      WriteCapacityUnits: writeCapacityUnits,
    },
  }
}

function keySchema(index: Index): KeySchemaElement[] {
  return keyAttributes(index).map((AttributeName) => {
    return { AttributeName, KeyType: index.hash.includes(AttributeName) ? 'HASH' : 'RANGE' }
  })
}

/** Keys are always in an index, and DynamoDB refuses to list them again. */
function projection(index: Index, { primary }: Schema): Projection {
  const { project } = index
  if (project === 'all') return { ProjectionType: 'ALL' }
  if (project === 'keys') return { ProjectionType: 'KEYS_ONLY' }
  const keys = [...keyAttributes(primary), ...keyAttributes(index)]
  return {
    ProjectionType: 'INCLUDE',
    NonKeyAttributes: project.filter((name) => !keys.includes(name)),
  }
}
