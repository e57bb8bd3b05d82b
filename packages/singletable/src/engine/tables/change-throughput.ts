import type { ProvisionedThroughput, UpdateTableRequest } from '../../wire/table-operations.ts'
import type { Billing, IndexRecord, TableRecord, Throughput } from '../catalog/table-record.ts'
import { validationError } from '../messages/request-messages.ts'
import {
  indexThroughputMissingInUpdate,
  THROUGHPUT_MISSING_IN_UPDATE,
  THROUGHPUT_ON_DEMAND,
  throughputUnchanged,
} from '../messages/table-messages.ts'
import { throughputOf } from './index-record.ts'

/** The record with the billing mode and the units that a request asks for. Units of indexes are
 * changed by their own updates. */
export function changeThroughput(
  record: TableRecord,
  request: UpdateTableRequest,
  nowMs: number,
): TableRecord {
  const { BillingMode: asked, ProvisionedThroughput: units } = request
  const { billing } = record
  const mode = asked ?? billing.mode
  if (mode === 'PAY_PER_REQUEST') {
    if (units !== undefined) throw validationError(THROUGHPUT_ON_DEMAND)
    return billing.mode === mode ? record : toOnDemand(record, nowMs)
  }
  if (units === undefined) {
    if (asked === undefined) return record
    throw validationError(THROUGHPUT_MISSING_IN_UPDATE)
  }
  if (billing.mode === 'PAY_PER_REQUEST') return toProvisioned(record, request, units)
  if (billing.read === units.ReadCapacityUnits && billing.write === units.WriteCapacityUnits) {
    throw validationError(throughputUnchanged(billing))
  }
  return { ...record, billing: { ...billing, ...changedThroughput(billing, units, nowMs) } }
}

/** The new units, with the times AWS keeps of the last change up and down. */
export function changedThroughput(
  current: Throughput,
  units: ProvisionedThroughput,
  nowMs: number,
): Throughput {
  const { read, write } = throughputOf(units)
  const times: { increasedMs?: number; decreasedMs?: number } = {}
  if (read > current.read || write > current.write) times.increasedMs = nowMs
  if (read < current.read || write < current.write) times.decreasedMs = nowMs
  return { ...current, read, write, ...times }
}

function toOnDemand(record: TableRecord, nowMs: number): TableRecord {
  const billing: Billing = {
    ...record.billing,
    mode: 'PAY_PER_REQUEST',
    named: true,
    read: 0,
    write: 0,
    onDemandMs: nowMs,
  }
  const indexes = record.indexes.map((index): IndexRecord => {
    const { throughput: _units, ...rest } = index
    return rest
  })
  return { ...record, billing, indexes }
}

/** Every global index needs units of its own with the table's. */
function toProvisioned(
  record: TableRecord,
  request: UpdateTableRequest,
  units: ProvisionedThroughput,
): TableRecord {
  const given = new Set<string>()
  for (const { Update: update } of request.GlobalSecondaryIndexUpdates ?? []) {
    if (update?.ProvisionedThroughput !== undefined) given.add(update.IndexName)
  }
  for (const { kind, name } of record.indexes) {
    if (kind === 'global' && !given.has(name)) {
      throw validationError(indexThroughputMissingInUpdate(name))
    }
  }
  const { onDemandThroughput: _bounds, ...rest } = record
  return {
    ...rest,
    billing: { ...record.billing, mode: 'PROVISIONED', named: true, ...throughputOf(units) },
    indexes: record.indexes.map((index): IndexRecord => {
      const { onDemandThroughput: _indexBounds, ...indexRest } = index
      return indexRest
    }),
  }
}
