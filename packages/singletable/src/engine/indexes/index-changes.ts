import { equalItems } from '../../values/compare.ts'
import { writeUnits } from '../capacity/units.ts'
import type { Index } from '../catalog/table.ts'
import type { Change } from '../write/change.ts'
import { backfillEntry, type IndexEntry, indexEntry } from './index-entry.ts'

/** What a change of an item does to one secondary index. */
export interface IndexChange {
  readonly index: Index
  readonly before: IndexEntry | undefined
  readonly after: IndexEntry | undefined
  /** Write units the index is charged. */
  readonly units: number
}

/** The secondary indexes that a change touches; an index whose entry stays as it was is left out. */
export function indexChanges(change: Change): IndexChange[] {
  const changes: IndexChange[] = []
  for (const index of change.table.secondary) {
    // A global index made after the item may have left the item out, and does so until its key value is mended.
    const entryOf = index.kind === 'global' ? backfillEntry : indexEntry
    const before = change.before && entryOf(change.table, index, change.before)
    const after = change.after && entryOf(change.table, index, change.after)
    if (before === undefined && after === undefined) continue
    if (before !== undefined && after !== undefined && before.key === after.key) {
      if (index.projected !== undefined && equalItems(before.stored.item, after.stored.item))
        continue
      const units = Math.max(
        writeUnits(before.stored.sizeBytes),
        writeUnits(after.stored.sizeBytes),
      )
      changes.push({ index, before, after, units })
      continue
    }
    // A moved entry is charged twice: it is deleted in one place and put in another.
    const units =
      (before === undefined ? 0 : writeUnits(before.stored.sizeBytes)) +
      (after === undefined ? 0 : writeUnits(after.stored.sizeBytes))
    changes.push({ index, before, after, units })
  }
  return changes
}
