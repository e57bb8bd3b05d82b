import type { Index, Table } from '../catalog/table.ts'
import type { PendingDeletes } from '../storage/pending-deletes.ts'
import { addStatistics } from '../storage/statistics.ts'
import type { StorageKey, StorageReader, StorageTransaction } from '../storage/storage.ts'
import { filledKey, prefixRange, statisticsKey } from '../storage/storage-keys.ts'
import type { StoredItem } from '../storage/stored-item.ts'
import { primaryTail } from './entry-key.ts'
import { backfillEntry } from './index-entry.ts'

/** The last key of what a table or an index was filled from. */
export interface Filled {
  readonly after: StorageKey
}

/** Puts some items of a table into a new index; those that a write would be refused for are left
 * out. */
export function backfillIndex(
  transaction: StorageTransaction,
  { table, index }: { readonly table: Table; readonly index: Index },
  items: Iterable<readonly [StorageKey, StoredItem]>,
): void {
  let count = 0
  let bytes = 0
  for (const [key, stored] of items) {
    const entry = backfillEntry(index, stored, primaryTail(table, key))
    if (entry === undefined) continue
    transaction.put(entry.key, entry.stored)
    count++
    bytes += entry.stored.sizeBytes
  }
  addStatistics(transaction, table.record.id, index.id, { items: count, bytes })
}

/** Whether the index has what it needs of the item under the key: an index that is being filled has
 * nothing yet of those that it comes to later, as they are then. */
export function isReached(
  reader: StorageReader,
  { record }: Table,
  index: Index,
  storageKey: StorageKey,
): boolean {
  if (!index.record?.filling) return true
  const filled = reader.get(filledKey(record.id, index.id)) as Filled | undefined
  return filled !== undefined && storageKey <= filled.after
}

/** Takes all entries of a secondary index away, with the figures kept about them. */
export function clearIndex(
  pendingDeletes: PendingDeletes,
  transaction: StorageTransaction,
  { table, index }: { readonly table: Table; readonly index: Index },
): void {
  pendingDeletes.remove(transaction, [prefixRange(index.prefix)])
  transaction.remove(statisticsKey(table.record.id, index.id))
  transaction.remove(filledKey(table.record.id, index.id))
}
