import type {
  GlobalSecondaryIndexDescription,
  KeySchemaElement,
  LocalSecondaryIndexDescription,
  OnDemandThroughput as OnDemandThroughputShape,
  Projection,
  ProvisionedThroughputDescription,
  SSEDescription,
  TableDescription,
  TableStatus,
  WarmThroughputDescription,
} from '../../wire/table-operations.ts'
import { transitionStatus } from '../catalog/table.ts'
import type {
  IndexRecord,
  OnDemandThroughput,
  TableRecord,
  Throughput,
  WarmThroughput,
} from '../catalog/table-record.ts'
import type { EngineContext } from '../context/context.ts'
import { readStatistics } from '../storage/statistics.ts'

/** What a new on-demand table or index can serve at once. (AWS Developer Guide, warm
 * throughput.) */
const WARM_ON_DEMAND: WarmThroughput = { read: 12_000, write: 4_000 }
const DAY_MS = 86_400_000

/** The table as DescribeTable shows it now. Sizes and counts are exact; on AWS they are some hours
 * old. */
export function describeTable(context: EngineContext, record: TableRecord): TableDescription {
  const nowMs = context.environment.now()
  const status = transitionStatus(record, nowMs) as TableStatus
  const { items, bytes } = readStatistics(context.storage, record.id, 0)
  const description: TableDescription = {
    TableName: record.name,
    TableArn: record.arn,
    TableId: record.uuid,
    TableStatus: status,
    ProvisionedThroughput: describeThroughput(record.billing, nowMs),
    TableSizeBytes: bytes,
    ItemCount: items,
    DeletionProtectionEnabled: record.deletionProtection,
  }
  describeBilling(description, record)
  describeFeatures(description, record, nowMs)
  if (status === 'DELETING') return description

  description.CreationDateTime = seconds(record.createdMs)
  description.KeySchema = describeKeySchema(record.keySchema)
  description.AttributeDefinitions = record.attributeDefinitions.map((definition) => ({
    ...definition,
  }))
  description.WarmThroughput = describeWarmThroughput(record.billing, record, status)
  const local = record.indexes.filter((index) => index.kind === 'local')
  if (local.length > 0) {
    description.LocalSecondaryIndexes = local.map((index) => describeIndex(context, record, index))
  }
  const leaving = (record.indexesLeaving ?? []).filter(
    (index) => transitionStatus(index, nowMs) === 'DELETING',
  )
  const global = record.indexes.filter((index) => index.kind === 'global').concat(leaving)
  if (global.length > 0) {
    description.GlobalSecondaryIndexes = global.map((index) =>
      describeGlobalIndex(context, record, index),
    )
  }
  return description
}

function describeBilling(description: TableDescription, { billing }: TableRecord): void {
  if (!billing.named && billing.mode === 'PROVISIONED') return
  const since =
    billing.onDemandMs === undefined
      ? {}
      : { LastUpdateToPayPerRequestDateTime: seconds(billing.onDemandMs) }
  description.BillingModeSummary = { BillingMode: billing.mode, ...since }
  description.TableThroughputModeSummary = { TableThroughputMode: billing.mode, ...since }
}

function describeFeatures(description: TableDescription, record: TableRecord, nowMs: number): void {
  const { stream, encryption, tableClass, onDemandThroughput, restored, replicas } = record
  if (stream !== undefined) {
    if (stream.enabled) {
      description.StreamSpecification = { StreamEnabled: true, StreamViewType: stream.viewType }
    }
    description.LatestStreamLabel = stream.label
    description.LatestStreamArn = stream.arn
  }
  if (encryption !== undefined) description.SSEDescription = describeEncryption(encryption)
  if (tableClass !== undefined) {
    description.TableClassSummary = {
      TableClass: tableClass.name,
      LastUpdateDateTime: seconds(tableClass.updatedMs),
    }
  }
  if (onDemandThroughput !== undefined) {
    description.OnDemandThroughput = describeOnDemandThroughput(onDemandThroughput)
  }
  if (replicas !== undefined) {
    description.GlobalTableVersion = '2019.11.21'
    description.Replicas = replicas.regions.map((RegionName) => {
      return { RegionName, ReplicaStatus: 'ACTIVE' }
    })
    if (replicas.witnesses.length > 0) {
      description.GlobalTableWitnesses = replicas.witnesses.map((RegionName) => {
        return { RegionName, WitnessStatus: 'ACTIVE' }
      })
    }
    description.MultiRegionConsistency = replicas.consistency
  }
  if (restored !== undefined) {
    description.RestoreSummary = {
      ...(restored.backupArn === undefined ? {} : { SourceBackupArn: restored.backupArn }),
      SourceTableArn: restored.sourceArn,
      RestoreDateTime: seconds(restored.ms),
      RestoreInProgress: transitionStatus(record, nowMs) === 'CREATING',
    }
  }
}

function describeIndex(
  context: EngineContext,
  record: TableRecord,
  index: IndexRecord,
): LocalSecondaryIndexDescription {
  const { items, bytes } = readStatistics(context.storage, record.id, index.id)
  return {
    IndexName: index.name,
    KeySchema: describeKeySchema(index.keySchema),
    Projection: describeProjection(index),
    IndexSizeBytes: bytes,
    ItemCount: items,
    IndexArn: `${record.arn}/index/${index.name}`,
  }
}

function describeGlobalIndex(
  context: EngineContext,
  record: TableRecord,
  index: IndexRecord,
): GlobalSecondaryIndexDescription {
  const nowMs = context.environment.now()
  const status = transitionStatus(
    // The indexes of a table that is being made are made with it.
    record.filling ||
      (!index.transition && !index.filling && record.transition?.status === 'CREATING')
      ? record
      : index,
    nowMs,
  ) as TableStatus
  const throughput = index.throughput ?? { read: 0, write: 0 }
  const description: GlobalSecondaryIndexDescription = {
    ...describeIndex(context, record, index),
    IndexStatus: status,
    ProvisionedThroughput: describeThroughput(throughput, nowMs),
    WarmThroughput: describeWarmThroughput(
      { ...throughput, mode: record.billing.mode },
      index,
      status,
    ),
  }
  const isOwn = index.transition !== undefined || index.filling
  if (status === 'CREATING' && isOwn) description.Backfilling = true
  if (index.onDemandThroughput !== undefined) {
    description.OnDemandThroughput = describeOnDemandThroughput(index.onDemandThroughput)
  }
  return description
}

/** A copy: an answer belongs to the caller, the record to the engine. */
export function describeKeySchema(keySchema: readonly KeySchemaElement[]): KeySchemaElement[] {
  return keySchema.map((element) => ({ ...element }))
}

export function describeProjection({ projection }: IndexRecord): Projection {
  return projection.attributes === undefined
    ? { ProjectionType: projection.type }
    : { ProjectionType: projection.type, NonKeyAttributes: [...projection.attributes] }
}

export function describeEncryption(
  encryption: NonNullable<TableRecord['encryption']>,
): SSEDescription {
  return {
    Status: 'ENABLED',
    SSEType: encryption.type,
    ...(encryption.keyArn === undefined ? {} : { KMSMasterKeyArn: encryption.keyArn }),
  }
}

export function describeOnDemandThroughput(bounds: OnDemandThroughput): OnDemandThroughputShape {
  return { MaxReadRequestUnits: bounds.read, MaxWriteRequestUnits: bounds.write }
}

function describeThroughput(
  throughput: Throughput,
  nowMs: number,
): ProvisionedThroughputDescription {
  const { read, write, decreasedMs, increasedMs } = throughput
  // Only the last decrease is kept, so a second one on the same day (UTC) is not counted.
  const decreasedToday =
    decreasedMs !== undefined && Math.floor(decreasedMs / DAY_MS) === Math.floor(nowMs / DAY_MS)
  return {
    ...(increasedMs === undefined ? {} : { LastIncreaseDateTime: seconds(increasedMs) }),
    ...(decreasedMs === undefined ? {} : { LastDecreaseDateTime: seconds(decreasedMs) }),
    NumberOfDecreasesToday: decreasedToday ? 1 : 0,
    ReadCapacityUnits: read,
    WriteCapacityUnits: write,
  }
}

function describeWarmThroughput(
  billing: { readonly mode: string; readonly read: number; readonly write: number },
  { warmThroughput: warmed }: { readonly warmThroughput?: WarmThroughput },
  status: TableStatus,
): WarmThroughputDescription {
  const least = billing.mode === 'PAY_PER_REQUEST' ? WARM_ON_DEMAND : billing
  return {
    ReadUnitsPerSecond: Math.max(least.read, warmed?.read ?? 0),
    WriteUnitsPerSecond: Math.max(least.write, warmed?.write ?? 0),
    Status: status,
  }
}

/** AWS reports times in seconds, with a fraction. */
export function seconds(ms: number): number {
  return ms / 1000
}
