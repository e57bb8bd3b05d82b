import type { Item } from '../../values/attribute-value.ts'
import { unitsToRead } from '../../values/units.ts'
import type {
  ReturnConsumedCapacity,
  TransactGetItemsResponse,
} from '../../wire/item-operations.ts'
import { CapacityByTable } from '../capacity/capacity-by-table.ts'
import { wantsCapacity } from '../capacity/consumed-capacity.ts'
import type { Table } from '../catalog/table.ts'
import type { EngineContext } from '../context/context.ts'
import { mapInSteps } from '../context/turns.ts'
import { TRANSACTION_MAX_BYTES } from '../limits/transaction-limits.ts'
import { validationError } from '../messages/request-messages.ts'
import { TRANSACTION_RESULT_TOO_LARGE } from '../messages/write-messages.ts'
import type { StoredItem } from '../storage/stored-item.ts'

/** One item that a transaction reads. */
export interface TransactRead {
  readonly table: Table
  readonly storageKey: string
  /** What the answer has of the item; undefined for nothing at all. */
  show(stored: StoredItem): Item | undefined
}

/** Reads the items of a transaction as they are at one time, and answers with them, one in a
 * step. */
export function* readTransaction(
  context: EngineContext,
  reads: readonly TransactRead[],
  wanted: ReturnConsumedCapacity | undefined,
): Generator<void, TransactGetItemsResponse> {
  const capacity = new CapacityByTable()
  let bytes = 0
  const found = reads.map(({ table, storageKey }) => {
    const stored = context.storage.get(storageKey) as StoredItem | undefined
    const sizeBytes = stored?.sizeBytes ?? 0
    bytes += sizeBytes
    capacity.of(table).addTable(unitsToRead(sizeBytes, 'transactional'))
    return stored
  })
  if (bytes > TRANSACTION_MAX_BYTES) throw validationError(TRANSACTION_RESULT_TOO_LARGE)
  const Responses = yield* mapInSteps(found, (stored, position) => {
    const item = stored && reads[position]!.show(stored)
    return item === undefined ? {} : { Item: item }
  })
  if (!wantsCapacity(wanted)) return { Responses }
  return { Responses, ConsumedCapacity: capacity.show(wanted, 'read') }
}
