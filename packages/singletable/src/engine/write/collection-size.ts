import type { Item } from '../../values/attribute-value.ts'
import type { Table } from '../catalog/table.ts'
import type { ItemChange } from '../change/change.ts'
import { partitionPrefix } from '../indexes/entry-key.ts'
import type { IndexChange } from '../indexes/index-changes.ts'
import { collectionTooLarge } from '../messages/write-messages.ts'
import type { StorageReader, StorageTransaction } from '../storage/storage.ts'
import { collectionKey } from '../storage/storage-keys.ts'

interface CollectionSize {
  readonly bytes: number
}

/**
 * On a table with local indexes: adds a change to the size of its item collection. One that would
 * grow beyond the limit is refused; one that is beyond it already may still shrink.
 */
export function resizeCollection(
  transaction: StorageTransaction,
  change: ItemChange,
  {
    indexChanges,
    maxBytes,
  }: { readonly indexChanges: readonly IndexChange[]; readonly maxBytes: number },
): void {
  let delta = (change.after?.sizeBytes ?? 0) - (change.before?.sizeBytes ?? 0)
  for (const { index, before, after } of indexChanges) {
    if (index.kind !== 'local') continue
    delta += (after?.stored.sizeBytes ?? 0) - (before?.stored.sizeBytes ?? 0)
  }
  const key = storageKeyOf(change.table, change.keyed)
  const bytes = ((transaction.get(key) as CollectionSize | undefined)?.bytes ?? 0) + delta
  if (delta > 0 && bytes > maxBytes) throw collectionTooLarge()
  if (bytes === 0) transaction.remove(key)
  else transaction.put(key, { bytes })
}

/** Bytes of the item collection that this key belongs to, local index entries included. */
export function collectionBytes(reader: StorageReader, table: Table, key: Item): number {
  return (reader.get(storageKeyOf(table, key)) as CollectionSize | undefined)?.bytes ?? 0
}

function storageKeyOf(table: Table, key: Item): string {
  return collectionKey(table.record.id, partitionPrefix(table.primary, key) ?? '')
}
