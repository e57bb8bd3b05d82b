import type { StorageReader } from '../storage/storage.ts'
import { backupItems } from '../storage/storage-keys.ts'
import type { StoredItem } from '../storage/stored-item.ts'
import type { BackupRecord } from './backup-record.ts'

/** The items of a backup, in the order in which they were saved. */
export function backedUpItems(reader: StorageReader, backup: BackupRecord): StoredItem[] {
  const items: StoredItem[] = []
  reader.visit(backupItems(backup.id), (_key, value) => {
    items.push(value as StoredItem)
    return true
  })
  return items
}
