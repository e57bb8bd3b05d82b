import type { Table } from '../catalog/table.ts'
import type { EngineContext } from '../context/context.ts'
import { primaryKey } from '../indexes/entry-key.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import type { StoredItem } from '../storage/stored-item.ts'
import { commitChange } from './commit-change.ts'

/** Fills a new table with items that were checked when they were first written. */
export function restoreItems(
  context: EngineContext,
  transaction: StorageTransaction,
  { table, items }: { readonly table: Table; readonly items: readonly StoredItem[] },
): void {
  for (const stored of items) {
    commitChange(context, transaction, {
      table,
      keyed: stored.item,
      storageKey: primaryKey(table, stored.item),
      before: undefined,
      after: stored,
      update: undefined,
      origin: 'request',
    })
  }
}
