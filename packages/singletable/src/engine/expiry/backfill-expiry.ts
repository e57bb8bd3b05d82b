import type { Item } from '../../values/attribute-value.ts'
import type { Table } from '../catalog/table.ts'
import { keyOf } from '../items/item-keys.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { expiryPrefix, prefixRange } from '../storage/storage-keys.ts'
import type { StoredItem } from '../storage/stored-item.ts'
import { expirySeconds, putExpiryEntry } from './expiry-entry.ts'

/** Makes the entries of the items a table has already; `table` is the table with its time to live
 * enabled. */
export function backfillExpiry(transaction: StorageTransaction, table: Table): void {
  const found: { storageKey: string; key: Item; seconds: number }[] = []
  transaction.visit(prefixRange(table.primary.prefix), (storageKey, value) => {
    const { item } = value as StoredItem
    const seconds = expirySeconds(table, item)
    if (seconds !== undefined) found.push({ storageKey, key: keyOf(table, item), seconds })
    return true
  })
  for (const item of found) putExpiryEntry(transaction, table, item)
}

export function removeExpiryEntries(transaction: StorageTransaction, table: Table): void {
  transaction.removeRange(prefixRange(expiryPrefix(table.record.id)))
}
