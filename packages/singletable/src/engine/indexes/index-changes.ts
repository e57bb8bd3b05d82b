import type { Item } from '../../values/attribute-value.ts'
import { equalItems, equalValues } from '../../values/compare.ts'
import { getOwn } from '../../values/own.ts'
import { writeUnits } from '../capacity/units.ts'
import type { Index, Table } from '../catalog/table.ts'
import type { Change, StoredItem } from '../write/change.ts'
import { backfillEntry, type IndexEntry, indexEntry, projectEntry } from './index-entry.ts'

/** What a change of an item does to one secondary index. */
export interface IndexChange {
  readonly index: Index
  readonly before: IndexEntry | undefined
  readonly after: IndexEntry | undefined
  /** Write units the index is charged. */
  readonly units: number
}

/** The secondary indexes that a change touches; an index that holds only some attributes is left out if none of them changes. */
export function indexChanges(change: Change): IndexChange[] {
  const changes: IndexChange[] = []
  const { table, before, after } = change
  for (const index of table.secondary) {
    const indexChange =
      before !== undefined && after !== undefined && equalKeys(index, before.item, after.item)
        ? replacedEntry(table, index, { before, after })
        : movedEntry(table, index, change)
    if (indexChange !== undefined) changes.push(indexChange)
  }
  return changes
}

/** Most writes leave an item where it is in its indexes. Comparing its key then saves making its old place from it. */
function equalKeys(index: Index, before: Item, after: Item): boolean {
  for (const { name } of index.keyAttributes) {
    const one = getOwn(before, name)
    const other = getOwn(after, name)
    if (one === other) continue
    if (one === undefined || other === undefined || !equalValues(one, other)) return false
  }
  return true
}

function replacedEntry(
  table: Table,
  index: Index,
  items: { readonly before: StoredItem; readonly after: StoredItem },
): IndexChange | undefined {
  const after = entryOf(table, index, items.after)
  if (after === undefined) return undefined
  const before: IndexEntry = { key: after.key, stored: projectEntry(index, items.before) }
  if (index.projected !== undefined && equalItems(before.stored.item, after.stored.item)) {
    return undefined
  }
  const units = Math.max(writeUnits(before.stored.sizeBytes), writeUnits(after.stored.sizeBytes))
  return { index, before, after, units }
}

function movedEntry(table: Table, index: Index, change: Change): IndexChange | undefined {
  const before = change.before && entryOf(table, index, change.before)
  const after = change.after && entryOf(table, index, change.after)
  if (before === undefined && after === undefined) return undefined
  // A moved entry is charged twice: it is deleted in one place and put in another.
  const units =
    (before === undefined ? 0 : writeUnits(before.stored.sizeBytes)) +
    (after === undefined ? 0 : writeUnits(after.stored.sizeBytes))
  return { index, before, after, units }
}

/** A global index made after the item may have left the item out, and does so until its key value is mended. */
function entryOf(table: Table, index: Index, stored: StoredItem): IndexEntry | undefined {
  return index.kind === 'global'
    ? backfillEntry(table, index, stored)
    : indexEntry(table, index, stored)
}
