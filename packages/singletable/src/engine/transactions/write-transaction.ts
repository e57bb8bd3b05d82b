import { unitsToRead } from '../../values/units.ts'
import type { ConsumedCapacity, ReturnConsumedCapacity } from '../../wire/item-operations.ts'
import { CapacityByTable } from '../capacity/capacity-by-table.ts'
import { wantsCapacity } from '../capacity/consumed-capacity.ts'
import type { EngineContext } from '../context/context.ts'
import { TRANSACTION_MAX_BYTES } from '../limits/transaction-limits.ts'
import { validationError } from '../messages/request-messages.ts'
import { transactionTooLarge } from '../messages/write-messages.ts'
import { applyWrites } from '../write/apply-writes.ts'
import type { AppliedWrite, ItemWrite } from '../write/write.ts'
import { executeOnce, type TokenNamespace } from './idempotency.ts'

export interface WriteTransaction {
  readonly namespace: TokenNamespace
  readonly token: string | undefined
  /** The actions as they came: a token may be used again only for the same. */
  readonly request: readonly unknown[]
  readonly payloadBytes: number
  /** Makes the writes, against the tables as they are now; not called for a repeated call. */
  readonly writes: () => readonly ItemWrite[]
}

export interface WrittenTransaction {
  /** Empty for a repeated call, which does nothing. */
  readonly applied: readonly AppliedWrite[]
  capacity(wanted: ReturnConsumedCapacity | undefined): ConsumedCapacity[] | undefined
}

/** What is remembered with a token: enough to answer a repeated call. */
interface Outcome {
  readonly writes: readonly { readonly table: string; readonly sizeBytes: number }[]
}

/** Carries out the writes of a transaction, all or none, and at most once per token. */
export async function writeTransaction(
  context: EngineContext,
  { namespace, token, request, payloadBytes, writes }: WriteTransaction,
): Promise<WrittenTransaction> {
  if (payloadBytes > TRANSACTION_MAX_BYTES) {
    throw validationError(transactionTooLarge(payloadBytes))
  }
  let applied: readonly AppliedWrite[] | undefined
  const outcome = await executeOnce<Outcome>(context, {
    namespace,
    token,
    request,
    async execute(remember) {
      let remembered: Outcome = { writes: [] }
      applied = await applyWrites(context, writes(), {
        mode: 'transaction',
        after(transaction, results) {
          remembered = outcomeOf(results)
          remember(transaction, remembered)
        },
      })
      return remembered
    },
  })
  return {
    applied: applied ?? [],
    capacity(wanted) {
      if (!wantsCapacity(wanted)) return undefined
      return applied === undefined
        ? replayedCapacity(context, outcome).show(wanted, 'read')
        : writtenCapacity(applied).show(wanted, 'write')
    },
  }
}

function outcomeOf(applied: readonly AppliedWrite[]): Outcome {
  return {
    writes: applied.map(({ change }) => ({
      table: change.table.name,
      sizeBytes: (change.after ?? change.before)?.sizeBytes ?? 0,
    })),
  }
}

function writtenCapacity(applied: readonly AppliedWrite[]): CapacityByTable {
  const capacity = new CapacityByTable()
  for (const write of applied) capacity.of(write.change.table).addWrite(write, 2)
  return capacity
}

/** A repeated call only reads, and is charged for that. */
function replayedCapacity(context: EngineContext, outcome: Outcome): CapacityByTable {
  const capacity = new CapacityByTable()
  for (const { table: name, sizeBytes } of outcome.writes) {
    const table = context.catalog.find(name)
    if (table !== undefined) capacity.of(table).addTable(unitsToRead(sizeBytes, 'transactional'))
  }
  return capacity
}
