import { type CancellationReason, ServiceError } from '../../wire/service-error.ts'
import type { Change } from '../change/change.ts'
import type { EngineContext } from '../context/context.ts'
import { EmptyKeyError } from '../messages/key-messages.ts'
import { resourceNotFound } from '../messages/resource-messages.ts'
import { transactionCanceled } from '../messages/write-messages.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { commitChange } from './commit-change.ts'
import { prepareChange } from './prepare-change.ts'
import type { AppliedWrite, Write } from './write.ts'

export interface ApplyOptions {
  /** `batch`: independent writes. `transaction`: all or nothing, failures become the reasons of a TransactionCanceledException. */
  readonly mode: 'batch' | 'transaction'
  /** Runs first in the same storage transaction; may throw to stop everything. */
  readonly before?: (transaction: StorageTransaction) => void
  /** Runs last in the same storage transaction: what must be stored together with the writes. */
  readonly after?: (transaction: StorageTransaction, applied: readonly AppliedWrite[]) => void
}

/*
 * The only code that changes items. Put, update, delete, batch, transaction, PartiQL and expiry all come through here, so a limit or an
 * index rule is written once. Everything of one call goes into one storage transaction: items, index entries, stream records, figures
 * and tokens are there together or not at all.
 */

/** Carries out one write; its failure is the error. `before` runs first in the same storage transaction, and may throw to stop it. */
export function applyWrite(
  context: EngineContext,
  write: Write,
  before?: (transaction: StorageTransaction) => void,
): Promise<AppliedWrite> {
  return context.storage.transaction((transaction) => {
    before?.(transaction)
    const change = prepareChange(transaction, withCurrentTable(context, write))
    return commitChange(context, transaction, change)
  })
}

/** Carries out several writes. */
export function applyWrites(
  context: EngineContext,
  writes: readonly Write[],
  options: ApplyOptions,
): Promise<AppliedWrite[]> {
  return context.storage.transaction((transaction) => {
    options.before?.(transaction)
    const current = writes.map((write) => withCurrentTable(context, write))
    const changes =
      options.mode === 'transaction'
        ? prepareTogether(transaction, current)
        : current.map((write) => prepareChange(transaction, write))
    const applied = changes.map((change, position) =>
      options.mode === 'transaction'
        ? commitTogether(context, transaction, { change, position, count: writes.length })
        : commitChange(context, transaction, change),
    )
    options.after?.(transaction, applied)
    return applied
  })
}

/**
 * A storage may run transactions later than they were asked for. A table may have got another index since, or be gone; its key stays as
 * it is as long as it is the same table.
 */
function withCurrentTable(context: EngineContext, write: Write): Write {
  const table = context.catalog.find(write.table.name)
  if (table === write.table) return write
  if (table?.record.id !== write.table.record.id) throw resourceNotFound()
  return { ...write, table }
}

/**
 * All failed conditions are reported, each at its place. An invalid action stops the search: it alone is named, as AWS does it.
 */
function prepareTogether(transaction: StorageTransaction, writes: readonly Write[]): Change[] {
  const changes: Change[] = []
  const reasons: CancellationReason[] = writes.map(() => ({ Code: 'None' }))
  let failed = false
  for (const [position, write] of writes.entries()) {
    try {
      changes.push(prepareChange(transaction, write))
    } catch (error) {
      if (!(error instanceof ServiceError) || error instanceof EmptyKeyError) throw error
      const reason = cancellationReason(error)
      if (reason.Code === 'ValidationError') {
        throw transactionCanceled(
          writes.map((_, other) => (other === position ? reason : { Code: 'None' })),
        )
      }
      reasons[position] = reason
      failed = true
    }
  }
  if (failed) throw transactionCanceled(reasons)
  return changes
}

/** What only shows while a change is written, an item collection that grows too large, is a reason like any other. */
function commitTogether(
  context: EngineContext,
  transaction: StorageTransaction,
  {
    change,
    position,
    count,
  }: { readonly change: Change; readonly position: number; readonly count: number },
): AppliedWrite {
  try {
    return commitChange(context, transaction, change)
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

/** An error of one action as it stands among the reasons of a cancelled transaction. */
export function cancellationReason(error: ServiceError): CancellationReason {
  const reason = { Code: REASON_CODES.get(error.name) ?? error.name, Message: error.message }
  return error.Item === undefined ? reason : { ...reason, Item: error.Item }
}
