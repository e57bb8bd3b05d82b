import type { RestoreTableFromBackupRequest } from '../../wire/backup-operations.ts'
import type {
  BillingMode,
  GlobalSecondaryIndex,
  LocalSecondaryIndex,
} from '../../wire/table-operations.ts'
import type { Billing, IndexRecord, TableRecord } from '../catalog/table-record.ts'
import {
  OVERRIDE_THROUGHPUT_MISSING,
  OVERRIDE_THROUGHPUT_NOT_PROVISIONED,
  OVERRIDE_THROUGHPUT_ON_DEMAND,
  overrideIndexThroughputMissing,
  overrideIndexThroughputOnDemand,
  overrideIndexUnknown,
} from '../messages/backup-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { throughputOf } from '../tables/index-record.ts'

/** The billing of the restored table: that of its source, unless the request says otherwise. */
export function restoredBilling(
  request: RestoreTableFromBackupRequest,
  source: TableRecord,
  nowMs: number,
): Billing {
  const { BillingModeOverride: asked, ProvisionedThroughputOverride: units } = request
  const mode = asked ?? source.billing.mode
  const named = asked !== undefined || source.billing.named
  if (mode === 'PAY_PER_REQUEST') {
    if (units !== undefined) {
      throw validationError(
        asked === undefined ? OVERRIDE_THROUGHPUT_NOT_PROVISIONED : OVERRIDE_THROUGHPUT_ON_DEMAND,
      )
    }
    return { mode, named, read: 0, write: 0, onDemandMs: nowMs }
  }
  if (units !== undefined) return { mode, named, ...throughputOf(units) }
  if (source.billing.mode === 'PAY_PER_REQUEST') throw validationError(OVERRIDE_THROUGHPUT_MISSING)
  return { mode, named, read: source.billing.read, write: source.billing.write }
}

/** The indexes of the restored table: all of its source, or those the request lists, which must be
 * among them. */
export function restoredIndexes(
  request: RestoreTableFromBackupRequest,
  source: TableRecord,
  mode: BillingMode,
): IndexRecord[] {
  const global = request.GlobalSecondaryIndexOverride
  const kept = [
    ...chosen(source, 'local', request.LocalSecondaryIndexOverride),
    ...chosen(source, 'global', global).map((index) =>
      withThroughput(
        index,
        global?.find((other) => other.IndexName === index.name),
        mode,
      ),
    ),
  ]
  return kept.map((index, position): IndexRecord => {
    const { transition: _ended, filling: _filled, contributorInsights: _left, ...rest } = index
    return { ...rest, id: position + 1 }
  })
}

function chosen(
  source: TableRecord,
  kind: IndexRecord['kind'],
  override: readonly LocalSecondaryIndex[] | undefined,
): IndexRecord[] {
  const indexes = source.indexes.filter((index) => index.kind === kind)
  if (override === undefined) return indexes
  for (const asked of override) {
    if (!indexes.some((index) => isSame(index, asked))) {
      throw validationError(overrideIndexUnknown(asked.IndexName))
    }
  }
  const names = new Set(override.map((index) => index.IndexName))
  return indexes.filter((index) => names.has(index.name))
}

function isSame(index: IndexRecord, asked: LocalSecondaryIndex): boolean {
  return (
    index.name === asked.IndexName &&
    index.projection.type === asked.Projection.ProjectionType &&
    index.keySchema.length === asked.KeySchema.length &&
    index.keySchema.every(
      (element, position) =>
        element.AttributeName === asked.KeySchema[position]?.AttributeName &&
        element.KeyType === asked.KeySchema[position]?.KeyType,
    )
  )
}

function withThroughput(
  index: IndexRecord,
  override: GlobalSecondaryIndex | undefined,
  mode: BillingMode,
): IndexRecord {
  const { throughput, onDemandThroughput: bounds, ...rest } = index
  const units = override?.ProvisionedThroughput
  if (mode === 'PAY_PER_REQUEST') {
    if (units !== undefined) throw validationError(overrideIndexThroughputOnDemand(index.name))
    return bounds === undefined ? rest : { ...rest, onDemandThroughput: bounds }
  }
  const kept = units === undefined ? throughput : throughputOf(units)
  if (kept === undefined) throw validationError(overrideIndexThroughputMissing(index.name))
  return { ...rest, throughput: kept }
}
