import type { Table } from '../catalog/table.ts'
import type { Filled } from '../indexes/backfill-index.ts'
import type { StorageKey, StorageTransaction } from '../storage/storage.ts'
import { backupFilledKey, backupItemKey } from '../storage/storage-keys.ts'
import type { StoredItem } from '../storage/stored-item.ts'

/** Stands for an item that was not there when the backup was asked for. */
const ABSENT = {}

/** Whether it is an item of the backup, and does not stand for one that was not there. */
export function isBackedUp(value: object): value is StoredItem {
  return 'sizeBytes' in value
}

/** Keeps what is there before the first change of an item that a backup has not reached yet. */
export function saveForBackup(
  transaction: StorageTransaction,
  { record, primary }: Table,
  { storageKey, before }: { readonly storageKey: StorageKey; readonly before: object | undefined },
): void {
  if (record.backingUp === undefined) return
  const filled = transaction.get(backupFilledKey(record.id)) as Filled | undefined
  if (filled && storageKey <= filled.after) return
  const key = backupItemKey(record.backingUp, storageKey.slice(primary.prefix.length))
  if (transaction.get(key) === undefined) transaction.put(key, before ?? ABSENT)
}
