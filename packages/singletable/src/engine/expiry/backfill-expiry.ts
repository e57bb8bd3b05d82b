import type { Table } from '../catalog/table.ts'
import { keyOf } from '../items/item-keys.ts'
import type { StorageKey, StorageTransaction } from '../storage/storage.ts'
import type { StoredItem } from '../storage/stored-item.ts'
import { expirySeconds, putExpiryEntry } from './expiry-entry.ts'

/** Makes the entries of some items that a table has already. */
export function backfillExpiry(
  transaction: StorageTransaction,
  table: Table,
  items: Iterable<readonly [StorageKey, StoredItem]>,
): void {
  for (const [storageKey, { item }] of items) {
    const seconds = expirySeconds(table, item)
    if (seconds === undefined) continue
    putExpiryEntry(transaction, table, { storageKey, key: keyOf(table, item), seconds })
  }
}
