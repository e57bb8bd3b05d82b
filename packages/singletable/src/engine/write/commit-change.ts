import { unitsToWrite } from '../../values/units.ts'
import type { ItemChange } from '../change/change.ts'
import type { EngineContext } from '../context/context.ts'
import { updateExpiryEntries } from '../expiry/expiry-entry.ts'
import { applyIndexChange } from '../indexes/apply-index-change.ts'
import { isReached } from '../indexes/backfill-index.ts'
import { type IndexChange, indexChanges } from '../indexes/index-changes.ts'
import { addStatistics } from '../storage/statistics.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { recordChange } from '../streams/record-change.ts'
import { resizeCollection } from './collection-size.ts'
import { saveForBackup } from './save-for-backup.ts'
import type { AppliedWrite } from './write.ts'

/** Writes one change: the item, its index entries, its stream record, and the figures kept about
 * them. `prepared` is what the change does to indexes, where that is known already. */
export function commitChange(
  context: EngineContext,
  transaction: StorageTransaction,
  change: ItemChange,
  prepared?: readonly IndexChange[],
): AppliedWrite {
  const { table, before, after, storageKey } = change
  const units = Math.max(unitsToWrite(before?.sizeBytes ?? 0), unitsToWrite(after?.sizeBytes ?? 0))
  if (before === after) return { change, indexChanges: [], units }

  const secondary = prepared ?? indexChanges(transaction, change)
  if (table.hasLocalIndexes) {
    const maxBytes = context.settings.itemCollectionMaxBytes
    resizeCollection(transaction, change, { indexChanges: secondary, maxBytes })
  }
  saveForBackup(transaction, table, change)
  if (after === undefined) transaction.remove(storageKey)
  else transaction.put(storageKey, after)
  addStatistics(transaction, table.record.id, 0, {
    items: (after === undefined ? 0 : 1) - (before === undefined ? 0 : 1),
    bytes: (after?.sizeBytes ?? 0) - (before?.sizeBytes ?? 0),
  })
  for (const indexChange of secondary) {
    if (!isReached(transaction, table, indexChange.index, storageKey)) continue
    if (indexChange.index.kind === 'global') {
      context.applyIndexChange(transaction, table.record, indexChange)
    } else {
      applyIndexChange(transaction, table.record, indexChange)
    }
  }
  if (table.record.timeToLive?.enabled === true) updateExpiryEntries(transaction, change)
  if (table.record.stream?.enabled === true) recordChange(context, transaction, change)
  return { change, indexChanges: secondary, units }
}
