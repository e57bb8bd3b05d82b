import { ServiceError } from '../../wire/service-error.ts'
import type { TableDescriptionResponse, UpdateTableRequest } from '../../wire/table-operations.ts'
import { compileTable, type Table, transitionStatus } from '../catalog/table.ts'
import type { IndexRecord, TableRecord } from '../catalog/table-record.ts'
import type { EngineContext } from '../context/context.ts'
import { inTurns } from '../context/turns.ts'
import { backfillIndex, clearIndex, entryDeriver } from '../indexes/backfill-index.ts'
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
import { lookAhead } from '../storage/look-ahead.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { prefixRange } from '../storage/storage-keys.ts'
import { closeStream } from '../streams/close-stream.ts'
import { openStream } from '../streams/open-stream.ts'
import { changeIndex } from '../tables/change-indexes.ts'
import { changeThroughput } from '../tables/change-throughput.ts'
import { describeTable } from '../tables/describe-table.ts'
import { encryptionOf } from '../tables/encryption-of.ts'
import { boundsOf, warmthOf } from '../tables/index-record.ts'
import { requireTableByName } from '../tables/require-table.ts'
import { validateOnDemandThroughput } from '../tables/table-throughput.ts'
import { validateTableUpdate } from '../tables/table-update.ts'
import { announced, transitionsOf } from '../tables/transition.ts'
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
    ...unsupportedInUpdateTable,
  }),
  check(shape, request) {
    validateTableName(request.TableName)
    if (request.TableName.length < TABLE_NAME_MIN_LENGTH) validateNewTableName(request.TableName)
    checkConstraints(shape, request)
  },
  async run(context, request) {
    validateTableUpdate(request)
    const ahead = await inTurns(context, entriesAhead(context, request))
    const { before, after } = await context.catalog.change((transaction) => {
      const table = requireTableByName(context, request.TableName)
      requireUnchanging(context, table.record, request)
      const changed = changeTable(context, transaction, request, { table, ahead })
      if (changed !== table.record) context.catalog.put(transaction, changed)
      return { before: table.record, after: changed }
    })
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
    .map((index): IndexRecord => ({ ...index, transition: announced('DELETING') }))
  return { ...after, indexes, indexesLeaving: left, transition: announced('UPDATING') }
}

function requireUnchanging(
  context: EngineContext,
  record: TableRecord,
  request: UpdateTableRequest,
): void {
  const nowMs = context.environment.now()
  const online = request.GlobalSecondaryIndexUpdates?.some(
    (update) => update.Create ?? update.Delete,
  )
  if (online === true) {
    for (const index of [...record.indexes, ...(record.indexesLeaving ?? [])]) {
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
  { table, ahead }: { readonly table: Table; readonly ahead: EntriesAhead },
): TableRecord {
  const begin = transitionsOf(context, table.name)
  let record = changeIndexes(context, request, table)
  record = changeFeatures(context, request, record)
  record = changeStream(context, transaction, request, record)
  if (record === table.record) return record
  record = { ...record, ...begin('UPDATING') }
  moveEntries(context, transaction, { before: table, after: compileTable(record), ahead })
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

/** By index, what gives the entries of items. */
type EntriesAhead = ReadonlyMap<number, ReturnType<typeof entryDeriver>>

/** The entries of new indexes, made in steps before the table is changed at once. */
function* entriesAhead(
  context: EngineContext,
  request: UpdateTableRequest,
): Generator<void, EntriesAhead> {
  const ahead = new Map<number, ReturnType<typeof entryDeriver>>()
  const table = context.nextTurn && context.catalog.find(request.TableName)
  if (table === undefined || !request.GlobalSecondaryIndexUpdates) return ahead
  let after: Table
  try {
    after = compileTable(changeIndexes(context, request, table))
  } catch (error) {
    // The change itself reports what is wrong with it.
    if (error instanceof ServiceError) return ahead
    throw error
  }
  for (const index of after.secondary) {
    if (table.secondary.some(({ id }) => id === index.id)) continue
    const derive = entryDeriver(after, index)
    const prepared: typeof derive = (key, stored) => {
      const entry = derive(key, stored)
      if (entry !== undefined) context.storage.prepare?.(entry.stored)
      return entry
    }
    const range = prefixRange(table.primary.prefix)
    ahead.set(index.id, yield* lookAhead(context.storage, range, prepared))
  }
  return ahead
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

/** Fills new indexes and empties deleted ones, in the same storage transaction that changes the
 * table. */
function moveEntries(
  context: EngineContext,
  transaction: StorageTransaction,
  { before, after, ahead }: { before: Table; after: Table; ahead: EntriesAhead },
): void {
  const old = new Set(before.secondary.map((index) => index.id))
  for (const index of after.secondary) {
    if (old.delete(index.id)) continue
    backfillIndex(transaction, { table: after, index }, ahead.get(index.id))
  }
  for (const index of before.secondary) {
    if (old.has(index.id)) clearIndex(context.pendingDeletes, transaction, { table: before, index })
  }
}
