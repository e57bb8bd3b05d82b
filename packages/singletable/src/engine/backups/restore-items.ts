import type { Table } from '../catalog/table.ts'
import { backfillIndex } from '../indexes/backfill-index.ts'
import { primaryKey } from '../indexes/entry-key.ts'
import { backfillEntry } from '../indexes/index-entry.ts'
import { addStatistics } from '../storage/statistics.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { backupItems } from '../storage/storage-keys.ts'
import { keyOf } from '../validation/item-keys.ts'
import type { StoredItem } from '../write/change.ts'
import { growCollection } from '../write/collection-size.ts'
import type { BackupRecord } from './backup-record.ts'

/**
 * Fills a new table with the items of a backup. The table has neither stream nor time to live, which a restore leaves out, so the
 * items need no more than their entries and the figures kept about them.
 */
export function restoreItems(
  transaction: StorageTransaction,
  table: Table,
  backup: BackupRecord,
): void {
  // Items are collected first: a range is not visited while keys are put.
  const items: StoredItem[] = []
  transaction.visit(backupItems(backup.id), (_key, value) => {
    items.push(value as StoredItem)
    return true
  })
  let bytes = 0
  for (const stored of items) {
    transaction.put(primaryKey(table, stored.item), stored)
    bytes += stored.sizeBytes
    if (table.hasLocalIndexes) addToCollection(transaction, table, stored)
  }
  addStatistics(transaction, table.record.id, 0, { items: items.length, bytes })
  for (const index of table.secondary) backfillIndex(transaction, table, index)
}

function addToCollection(transaction: StorageTransaction, table: Table, stored: StoredItem): void {
  const change = {
    table,
    key: keyOf(table, stored.item),
    storageKey: primaryKey(table, stored.item),
    before: undefined,
    after: stored,
    origin: 'request',
  } as const
  const indexChanges = table.secondary.map((index) => ({
    index,
    before: undefined,
    after: backfillEntry(table, index, stored),
    units: 0,
  }))
  growCollection(transaction, change, indexChanges)
}
