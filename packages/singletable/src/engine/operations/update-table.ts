import type { TableDescriptionResponse, UpdateTableRequest } from '../../wire/table-operations.ts'
import { type Table, transitionStatus } from '../catalog/table.ts'
import type { IndexRecord, TableRecord } from '../catalog/table-record.ts'
import type { EngineContext } from '../context/context.ts'
import { clearIndex } from '../indexes/backfill-index.ts'
import { TABLE_NAME_MIN_LENGTH } from '../limits/table-limits.ts'
import { validationError } from '../messages/request-messages.ts'
import {
  oneIndexAtATime,
  SSE_ALREADY_DEFAULT,
  streamAlreadyDisabled,
  streamAlreadyEnabled,
  tableInTransition,
} from '../messages/table-messages.ts'
import { checkConstraints } from '../shapes/check-constraints.ts'
import { validateNewTableName } from '../shapes/new-table-name.ts'
import { boolean, list, structure, text } from '../shapes/shape.ts'
import { validateTableName } from '../shapes/table-name.ts'
import {
  attributeDefinitions,
  billingMode,
  encryptionSpecification,
  globalIndex,
  indexName,
  onDemandThroughput,
  provisionedThroughput,
  streamSpecification,
  tableClass,
  warmThroughput,
} from '../shapes/table-shapes.ts'
import { unsupportedInUpdateTable } from '../shapes/unsupported-members.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { closeStream } from '../streams/close-stream.ts'
import { openStream } from '../streams/open-stream.ts'
import { changeIndex } from '../tables/change-indexes.ts'
import { changeReplicas, replicaMembers } from '../tables/change-replicas.ts'
import { changeThroughput } from '../tables/change-throughput.ts'
import { describeTable } from '../tables/describe-table.ts'
import { encryptionOf } from '../tables/encryption-of.ts'
import { boundsOf, warmthOf } from '../tables/index-record.ts'
import { requireTableByName } from '../tables/require-table.ts'
import { validateOnDemandThroughput } from '../tables/table-throughput.ts'
import { validateTableUpdate } from '../tables/table-update.ts'
import { announced, transitionsOf } from '../tables/transition.ts'
import { fillTable, finishFilling } from './fill-table.ts'
import type { Operation } from './operation.ts'

export const updateTable: Operation<UpdateTableRequest, TableDescriptionResponse> = {
  shape: structure({
    TableName: text(),
    AttributeDefinitions: attributeDefinitions,
    BillingMode: billingMode,
    ProvisionedThroughput: provisionedThroughput,
    GlobalSecondaryIndexUpdates: list(
      structure({
        Update: structure({
          IndexName: { required: indexName },
          ProvisionedThroughput: provisionedThroughput,
          OnDemandThroughput: onDemandThroughput,
          WarmThroughput: warmThroughput,
        }),
        Create: globalIndex,
        Delete: structure({ IndexName: { required: indexName } }),
      }),
    ),
    StreamSpecification: streamSpecification,
    SSESpecification: encryptionSpecification,
    TableClass: tableClass,
    DeletionProtectionEnabled: boolean,
    OnDemandThroughput: onDemandThroughput,
    WarmThroughput: warmThroughput,
    ...replicaMembers,
    ...unsupportedInUpdateTable,
  }),
  check(shape, request) {
    validateTableName(request.TableName)
    if (request.TableName.length < TABLE_NAME_MIN_LENGTH) validateNewTableName(request.TableName)
    checkConstraints(shape, request)
  },
  async run(context, request) {
    validateTableUpdate(request)
    const isNew = request.GlobalSecondaryIndexUpdates?.some(({ Create }) => Create)
    const { before, after } = await context.catalog.change((transaction) => {
      const table = requireTableByName(context, request.TableName)
      requireUnchanging(context, table.record, request)
      const changed = changeTable(context, transaction, request, table)
      if (changed !== table.record) context.catalog.put(transaction, changed)
      if (isNew) fillTable(context, transaction, table.name)
      return { before: table.record, after: changed }
    })
    if (isNew) await finishFilling(context, after.name)
    return { TableDescription: describeTable(context, announce(before, after)) }
  },
}

/** AWS answers with the change under way, even where it is over at once. */
function announce(before: TableRecord, after: TableRecord): TableRecord {
  if (before === after) return after
  const known = new Map(before.indexes.map((index) => [index.id, index]))
  const indexes = after.indexes.map((index): IndexRecord => {
    const old = known.get(index.id)
    if (old === index) return index
    return { ...index, transition: announced(old === undefined ? 'CREATING' : 'UPDATING') }
  })
  const left = before.indexes
    .filter((index) => !after.indexes.some((other) => other.id === index.id))
    .map(
      ({ filling: _stopped, ...index }): IndexRecord => ({
        ...index,
        transition: announced('DELETING'),
      }),
    )
  return { ...after, indexes, indexesLeaving: left, transition: announced('UPDATING') }
}

function requireUnchanging(
  context: EngineContext,
  record: TableRecord,
  request: UpdateTableRequest,
): void {
  const nowMs = context.environment.now()
  const updates = request.GlobalSecondaryIndexUpdates ?? []
  if (updates.some((update) => update.Create ?? update.Delete)) {
    for (const index of [...record.indexes, ...(record.indexesLeaving ?? [])]) {
      // An index may be deleted while it is being filled. (AWS API reference, DescribeTable.)
      if (index.filling && updates.every(({ Delete }) => Delete?.IndexName === index.name)) continue
      const status = transitionStatus(index, nowMs)
      if (status === 'CREATING' || status === 'DELETING') throw oneIndexAtATime()
    }
  }
  const status = transitionStatus(record, nowMs)
  if (status !== 'ACTIVE') throw tableInTransition(record.name, status)
}

function changeTable(
  context: EngineContext,
  transaction: StorageTransaction,
  request: UpdateTableRequest,
  table: Table,
): TableRecord {
  const begin = transitionsOf(context, table.name)
  let record = changeIndexes(context, request, table)
  record = changeReplicas(changeFeatures(context, request, record), request)
  record = changeStream(context, transaction, request, record)
  if (record === table.record) return record
  record = { ...record, ...begin('UPDATING') }
  clearIndexes(context, transaction, { table, record })
  return record
}

function changeIndexes(
  context: EngineContext,
  request: UpdateTableRequest,
  table: Table,
): TableRecord {
  const nowMs = context.environment.now()
  const begin = transitionsOf(context, table.name)
  const definitions = request.AttributeDefinitions
  let record = changeThroughput(table.record, request, nowMs)
  for (const update of request.GlobalSecondaryIndexUpdates ?? []) {
    record = changeIndex(record, update, { definitions, nowMs, begin })
  }
  return record
}

function changeFeatures(
  context: EngineContext,
  request: UpdateTableRequest,
  record: TableRecord,
): TableRecord {
  const { OnDemandThroughput: bounds, WarmThroughput: warm, SSESpecification: encryption } = request
  const { mode } = record.billing
  validateOnDemandThroughput(bounds, { mode, mayRemove: true })
  let changed = record
  if (bounds !== undefined) {
    changed = { ...changed, onDemandThroughput: boundsOf(bounds, record.onDemandThroughput) }
  }
  if (warm !== undefined) {
    changed = { ...changed, warmThroughput: warmthOf(warm, record.warmThroughput) }
  }
  if (request.TableClass !== undefined) {
    const updatedMs = context.environment.now()
    changed = { ...changed, tableClass: { name: request.TableClass, updatedMs } }
  }
  if (request.DeletionProtectionEnabled !== undefined) {
    changed = { ...changed, deletionProtection: request.DeletionProtectionEnabled }
  }
  if (encryption !== undefined) {
    const { encryption: current, ...rest } = changed
    if (current === undefined && encryption.Enabled !== true) {
      throw validationError(SSE_ALREADY_DEFAULT)
    }
    changed = { ...rest, ...encryptionOf(context, encryption) }
  }
  return changed
}

function changeStream(
  context: EngineContext,
  transaction: StorageTransaction,
  { StreamSpecification: specification }: UpdateTableRequest,
  record: TableRecord,
): TableRecord {
  if (specification === undefined) return record
  const { stream } = record
  const viewType = specification.StreamViewType
  if (viewType === undefined) {
    if (stream?.enabled !== true) throw validationError(streamAlreadyDisabled(record.name))
    return { ...record, stream: closeStream(context, transaction, stream) }
  }
  if (stream?.enabled === true) throw validationError(streamAlreadyEnabled(record.name))
  return { ...record, stream: openStream(context, transaction, record, viewType) }
}

/** Empties deleted indexes, in the same storage transaction that changes the table. */
function clearIndexes(
  context: EngineContext,
  transaction: StorageTransaction,
  { table, record }: { table: Table; record: TableRecord },
): void {
  for (const index of table.secondary) {
    if (record.indexes.some(({ id }) => id === index.id)) continue
    clearIndex(context.pendingDeletes, transaction, { table, index })
  }
}
