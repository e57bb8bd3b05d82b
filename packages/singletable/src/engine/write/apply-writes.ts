import { type CancellationReason, ServiceError } from '../../wire/service-error.ts'
import { changesNothing, type ItemChange } from '../change/change.ts'
import type { EngineContext } from '../context/context.ts'
import { inTurns, LARGE_BYTES } from '../context/turns.ts'
import { type IndexChange, indexChangeSteps } from '../indexes/index-changes.ts'
import { EmptyKeyError } from '../messages/key-messages.ts'
import { resourceNotFound } from '../messages/resource-messages.ts'
import { transactionCanceled } from '../messages/write-messages.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { StoredItem } from '../storage/stored-item.ts'
import { commitChange } from './commit-change.ts'
import { changeSteps, prepareChange } from './prepare-change.ts'
import type { AppliedWrite, ItemWrite } from './write.ts'

export interface ApplyOptions {
  /** `batch`: independent writes. `transaction`: all or nothing, failures become the reasons of a
   * TransactionCanceledException. */
  readonly mode: 'batch' | 'transaction'
  /** Runs first in the same storage transaction; may throw to stop everything. */
  readonly before?: (transaction: StorageTransaction) => void
  /** Runs last in the same storage transaction: what must be stored together with the writes. */
  readonly after?: (transaction: StorageTransaction, applied: readonly AppliedWrite[]) => void
}

/*
 * The only code that changes items. Put, update, delete, batch, transaction, PartiQL and expiry all
 * come through here, so a limit or an index rule is written once. Everything of one call goes into
 * one storage transaction: items, index entries, stream records, figures and tokens are there
 * together or not at all.
 */

/** Carries out one write; its failure is the error. `before` runs first in the same storage
 * transaction, and may throw to stop it. */
export function applyWrite(
  context: EngineContext,
  write: ItemWrite,
  before?: (transaction: StorageTransaction) => void,
): Promise<AppliedWrite> {
  const applied = context.storage.transaction((transaction) => {
    before?.(transaction)
    const current = withCurrentTable(context, write)
    const stored = transaction.get(current.storageKey) as StoredItem | undefined
    if (context.nextTurn !== undefined && bytesOf(current, stored) >= LARGE_BYTES) return undefined
    return commitChange(context, transaction, prepareChange(current, stored))
  })
  if (context.nextTurn === undefined) return applied as Promise<AppliedWrite>
  return applied.then(
    (small) =>
      small ??
      applyInSteps(context, [write], {
        mode: 'batch',
        ...(before === undefined ? {} : { before }),
      }).then(([large]) => large!),
  )
}

/** Carries out several writes. */
export function applyWrites(
  context: EngineContext,
  writes: readonly ItemWrite[],
  options: ApplyOptions,
): Promise<AppliedWrite[]> {
  const applied = context.storage.transaction((transaction) => {
    options.before?.(transaction)
    const current = writes.map((write) => withCurrentTable(context, write))
    const stored: (StoredItem | undefined)[] = []
    let bytes = 0
    for (const write of current) {
      const before = transaction.get(write.storageKey) as StoredItem | undefined
      bytes += bytesOf(write, before)
      if (context.nextTurn !== undefined && bytes >= LARGE_BYTES) return undefined
      stored.push(before)
    }
    return commitAll(context, transaction, options, {
      count: writes.length,
      change: (position) => prepareChange(current[position]!, stored[position]),
    })
  })
  return applied.then((small) => small ?? applyInSteps(context, writes, options))
}

/** What a write has to go over. */
function bytesOf({ action }: ItemWrite, before: StoredItem | undefined): number {
  return (before?.sizeBytes ?? 0) + (action.kind === 'put' ? action.stored.sizeBytes : 0)
}

/** What is to be committed together, by position. */
interface Uncommitted {
  readonly count: number
  /** Throws what is wrong with the write. */
  change(position: number): ItemChange
  /** What the change does to indexes, where that is known already. */
  indexChanges?(position: number): readonly IndexChange[] | undefined
}

function commitAll(
  context: EngineContext,
  transaction: StorageTransaction,
  options: ApplyOptions,
  { count, change, indexChanges }: Uncommitted,
): AppliedWrite[] {
  const isTogether = options.mode === 'transaction'
  const changes = isTogether
    ? prepareTogether(count, change)
    : Array.from({ length: count }, (_, position) => change(position))
  const applied = changes.map((each, position) => {
    const commit = () => commitChange(context, transaction, each, indexChanges?.(position))
    return isTogether ? commitTogether(commit, { position, count }) : commit()
  })
  options.after?.(transaction, applied)
  return applied
}

/** How often others may change an item while a write of it is prepared, before the whole write is
 * made at once. */
const ATTEMPTS_MAX = 4

/**
 * Carries out writes of large items. Everything that goes over an item is done before the
 * transaction, in steps between which others have their turns. The transaction looks whether the
 * items are still the same, and if not all is done again; so it stays as atomic as a short one.
 */
export async function applyInSteps(
  context: EngineContext,
  writes: readonly ItemWrite[],
  options: ApplyOptions,
): Promise<AppliedWrite[]> {
  for (let attempt = 1; ; attempt++) {
    // Members of a batch come here together, and each would take the rest of this turn.
    await context.nextTurn?.()
    const prepared = await inTurns(context, prepareAll(context, writes))
    const applied = await context.storage.transaction((transaction) => {
      options.before?.(transaction)
      const isCurrent = prepared.every((each) => isStillSo(context, transaction, each))
      if (!isCurrent && attempt < ATTEMPTS_MAX) return undefined
      return commitAll(context, transaction, options, {
        count: writes.length,
        change(position) {
          if (!isCurrent) {
            const write = withCurrentTable(context, writes[position]!)
            return prepareChange(write, transaction.get(write.storageKey) as StoredItem | undefined)
          }
          const { outcome } = prepared[position]!
          if (outcome instanceof ServiceError) throw outcome
          return outcome
        },
        indexChanges: (position) => (isCurrent ? prepared[position]!.indexChanges : undefined),
      })
    })
    if (applied !== undefined) return applied
  }
}

/** A write with all that follows from the item it was prepared for. */
interface PreparedWrite {
  readonly write: ItemWrite
  readonly before: StoredItem | undefined
  readonly outcome: ItemChange | ServiceError
  readonly indexChanges: readonly IndexChange[] | undefined
}

const NONE: readonly IndexChange[] = []

function* prepareAll(
  context: EngineContext,
  writes: readonly ItemWrite[],
): Generator<void, PreparedWrite[]> {
  const prepared: PreparedWrite[] = []
  for (const write of writes) {
    prepared.push(yield* prepareWrite(context, withCurrentTable(context, write)))
  }
  return prepared
}

function* prepareWrite(context: EngineContext, write: ItemWrite): Generator<void, PreparedWrite> {
  const { storage } = context
  const before = storage.get(write.storageKey) as StoredItem | undefined
  try {
    if (write.action.kind === 'check') {
      // The many objects of an item are not kept until all others have been checked.
      const current = before instanceof StoredItem ? before.again() : before
      const change = yield* changeSteps(write, current)
      return { write, before, outcome: { ...change, before, after: before }, indexChanges: NONE }
    }
    yield
    let change = yield* changeSteps(write, before)
    yield
    if (change.after !== undefined) storage.prepare?.(change.after)
    yield
    const { secondary, record } = write.table
    const hasStream = record.stream?.enabled === true
    if (secondary.length > 0 || hasStream || record.timeToLive?.enabled === true) {
      // Kept with what is stored, for all that looks at it from here on.
      void before?.item
      yield
    }
    if (hasStream) {
      change = { ...change, isSame: changesNothing(change) }
      yield
    }
    const indexChanges = yield* indexChangeSteps(storage, change)
    for (const { after } of indexChanges) {
      if (after !== undefined) storage.prepare?.(after.stored)
      yield
    }
    return { write, before, outcome: change, indexChanges }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { write, before, outcome: error, indexChanges: undefined }
  }
}

function isStillSo(
  context: EngineContext,
  transaction: StorageTransaction,
  { write, before }: PreparedWrite,
): boolean {
  if (context.catalog.find(write.table.name) !== write.table) return false
  const now = transaction.get(write.storageKey) as StoredItem | undefined
  if (now === undefined || before === undefined) return now === before
  return now === before || (now instanceof StoredItem && now.isSurelySame(before))
}

/**
 * A storage may run transactions later than they were asked for. A table may have got another index
 * since, or be gone; its key stays as it is as long as it is the same table.
 */
function withCurrentTable(context: EngineContext, write: ItemWrite): ItemWrite {
  const table = context.catalog.find(write.table.name)
  if (table === write.table) return write
  if (table?.record.id !== write.table.record.id) throw resourceNotFound()
  return { ...write, table }
}

/**
 * All failed conditions are reported, each at its place. An invalid action stops the search: it
 * alone is named, as AWS does it.
 */
function prepareTogether(count: number, change: (position: number) => ItemChange): ItemChange[] {
  const changes: ItemChange[] = []
  const reasons: CancellationReason[] = Array.from({ length: count }, () => ({ Code: 'None' }))
  let failed = false
  for (let position = 0; position < count; position++) {
    try {
      changes.push(change(position))
    } catch (error) {
      if (!(error instanceof ServiceError) || error instanceof EmptyKeyError) throw error
      const reason = cancellationReason(error)
      if (reason.Code === 'ValidationError') {
        throw transactionCanceled(
          reasons.map((_, other) => (other === position ? reason : { Code: 'None' })),
        )
      }
      reasons[position] = reason
      failed = true
    }
  }
  if (failed) throw transactionCanceled(reasons)
  return changes
}

/** What only shows while a change is written, an item collection that grows too large, is a reason
 * like any other. */
function commitTogether(
  commit: () => AppliedWrite,
  { position, count }: { readonly position: number; readonly count: number },
): AppliedWrite {
  try {
    return commit()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw transactionCanceled(
      Array.from({ length: count }, (_, other) =>
        other === position ? cancellationReason(error) : { Code: 'None' },
      ),
    )
  }
}

const REASON_CODES = new Map([
  ['ConditionalCheckFailedException', 'ConditionalCheckFailed'],
  ['ItemCollectionSizeLimitExceededException', 'ItemCollectionSizeLimitExceeded'],
  ['DuplicateItemException', 'DuplicateItem'],
  ['ValidationException', 'ValidationError'],
])

/** An error of one action as it appears among the reasons of a cancelled transaction. */
export function cancellationReason(error: ServiceError): CancellationReason {
  const reason = { Code: REASON_CODES.get(error.name) ?? error.name, Message: error.message }
  return error.Item === undefined ? reason : { ...reason, Item: error.Item }
}
