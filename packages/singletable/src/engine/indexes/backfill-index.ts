import type { Index, Table } from '../catalog/table.ts'
import type { Derive } from '../storage/look-ahead.ts'
import type { PendingDeletes } from '../storage/pending-deletes.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { prefixRange, statisticsKey } from '../storage/storage-keys.ts'
import type { StoredItem } from '../storage/stored-item.ts'
import { primaryTail } from './entry-key.ts'
import { backfillEntry, type IndexEntry } from './index-entry.ts'

/** The entry of an item in a new index; an item that a write would be refused for has none. */
export function entryDeriver(table: Table, index: Index): Derive<IndexEntry | undefined> {
  return (key, stored) => backfillEntry(index, stored, primaryTail(table, key))
}

/** Fills a new index from the items of its table. */
export function backfillIndex(
  transaction: StorageTransaction,
  { table, index }: { readonly table: Table; readonly index: Index },
  derive: Derive<IndexEntry | undefined> = entryDeriver(table, index),
): void {
  // Entries are collected first: a range is not visited while keys are put.
  const entries: IndexEntry[] = []
  transaction.visit(prefixRange(table.primary.prefix), (key, value) => {
    const entry = derive(key, value as StoredItem)
    if (entry !== undefined) entries.push(entry)
    return true
  })
  let bytes = 0
  for (const { key, stored } of entries) {
    transaction.put(key, stored)
    bytes += stored.sizeBytes
  }
  transaction.put(statisticsKey(table.record.id, index.id), { items: entries.length, bytes })
}

/** Takes all entries of a secondary index away, with the figures kept about them. */
export function clearIndex(
  pendingDeletes: PendingDeletes,
  transaction: StorageTransaction,
  { table, index }: { readonly table: Table; readonly index: Index },
): void {
  pendingDeletes.remove(transaction, [prefixRange(index.prefix)])
  transaction.remove(statisticsKey(table.record.id, index.id))
}
