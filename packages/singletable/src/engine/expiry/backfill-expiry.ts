import type { Item } from '../../values/attribute-value.ts'
import type { Table } from '../catalog/table.ts'
import { keyOf } from '../items/item-keys.ts'
import type { Derive } from '../storage/look-ahead.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { expiryPrefix, prefixRange } from '../storage/storage-keys.ts'
import type { StoredItem } from '../storage/stored-item.ts'
import { expirySeconds, putExpiryEntry } from './expiry-entry.ts'

/** An item that will expire. */
interface Expiring {
  readonly storageKey: string
  readonly key: Item
  readonly seconds: number
}

/** What makes the entry of an item; `table` is the table with its time to live enabled. */
export function expiryDeriver(table: Table): Derive<Expiring | undefined> {
  return (storageKey, { item }) => {
    const seconds = expirySeconds(table, item)
    return seconds === undefined ? undefined : { storageKey, key: keyOf(table, item), seconds }
  }
}

/** Makes the entries of the items a table has already. */
export function backfillExpiry(
  transaction: StorageTransaction,
  table: Table,
  derive: Derive<Expiring | undefined> = expiryDeriver(table),
): void {
  const found: Expiring[] = []
  transaction.visit(prefixRange(table.primary.prefix), (storageKey, value) => {
    const expiring = derive(storageKey, value as StoredItem)
    if (expiring !== undefined) found.push(expiring)
    return true
  })
  for (const item of found) putExpiryEntry(transaction, table, item)
}

export function removeExpiryEntries(transaction: StorageTransaction, table: Table): void {
  transaction.removeRange(prefixRange(expiryPrefix(table.record.id)))
}
