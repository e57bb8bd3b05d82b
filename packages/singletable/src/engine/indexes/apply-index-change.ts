import type { TableRecord } from '../catalog/table-record.ts'
import { addStatistics } from '../storage/statistics.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import type { IndexChange } from './index-changes.ts'

/** Takes the old entry out of an index and puts the new one in. */
export function applyIndexChange(
  transaction: StorageTransaction,
  table: TableRecord,
  { index, before, after }: IndexChange,
): void {
  if (before !== undefined && before.key !== after?.key) transaction.remove(before.key)
  if (after !== undefined) transaction.put(after.key, after.stored)
  addStatistics(transaction, table.id, index.id, {
    items: (after === undefined ? 0 : 1) - (before === undefined ? 0 : 1),
    bytes: (after?.stored.sizeBytes ?? 0) - (before?.stored.sizeBytes ?? 0),
  })
}
