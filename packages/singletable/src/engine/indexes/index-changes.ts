import { equalItems, equalValues } from '../../values/compare.ts'
import { getOwn } from '../../values/own.ts'
import { unitsToWrite } from '../../values/units.ts'
import type { Index } from '../catalog/table.ts'
import type { ItemChange } from '../change/change.ts'
import type { StorageReader } from '../storage/storage.ts'
import { StoredItem } from '../storage/stored-item.ts'
import { primaryTail } from './entry-key.ts'
import { backfillEntry, type IndexEntry, indexEntry, projectEntry } from './index-entry.ts'

/** What a change of an item does to one secondary index. */
export interface IndexChange {
  readonly index: Index
  readonly before: IndexEntry | undefined
  readonly after: IndexEntry | undefined
  /** Write units the index is charged. */
  readonly units: number
}

const NONE: readonly IndexChange[] = []

/** The secondary indexes that a change touches; an index that holds only some attributes is left
 * out if none of them changes. */
export function indexChanges(reader: StorageReader, change: ItemChange): readonly IndexChange[] {
  const { table } = change
  if (table.secondary.length === 0) return NONE
  let changes = NONE
  const tail = primaryTail(table, change.storageKey)
  for (const index of table.secondary) {
    const indexChange = changeOf(reader, index, { change, tail })
    if (indexChange === undefined) continue
    // A list of exactly this length: one that is pushed to gets room for 17.
    changes = changes.length === 0 ? [indexChange] : [...changes, indexChange]
  }
  return changes
}

/** The same, one index in a step. */
export function* indexChangeSteps(
  reader: StorageReader,
  change: ItemChange,
): Generator<void, readonly IndexChange[]> {
  const changes: IndexChange[] = []
  const tail = primaryTail(change.table, change.storageKey)
  for (const index of change.table.secondary) {
    const indexChange = changeOf(reader, index, { change, tail })
    if (indexChange !== undefined) changes.push(indexChange)
    yield
  }
  return changes
}

function changeOf(
  reader: StorageReader,
  index: Index,
  { change, tail }: { readonly change: ItemChange; readonly tail: string },
): IndexChange | undefined {
  const after = change.after && entryOf(index, change.after, tail)
  const before =
    change.before !== undefined && staysInPlace(reader, index, change, after)
      ? after && { key: after.key, stored: projectEntry(index, change.before) }
      : change.before && entryOf(index, change.before, tail)
  if (before === undefined && after === undefined) return undefined
  const unitsBefore = before === undefined ? 0 : unitsToWrite(before.stored.sizeBytes)
  const unitsAfter = after === undefined ? 0 : unitsToWrite(after.stored.sizeBytes)
  if (before === undefined || before.key !== after?.key) {
    // A moved entry is charged twice: it is deleted in one place and put in another.
    return { index, before, after, units: unitsBefore + unitsAfter }
  }
  if (index.projected !== undefined && equalItems(before.stored.item, after.stored.item)) {
    return undefined
  }
  return { index, before, after, units: Math.max(unitsBefore, unitsAfter) }
}

/**
 * Most writes leave an item where it is in its indexes. Knowing so saves making its old place from
 * the old item. The quickest way to know is that the old item itself is in the new place, where it
 * can be only if that is its own: then nothing of it has to be looked at, and so be fetched from
 * far in a large memory.
 */
function staysInPlace(
  reader: StorageReader,
  index: Index,
  { before, after }: ItemChange,
  entryAfter: IndexEntry | undefined,
): boolean {
  if (before === undefined || after === undefined) return false
  if (entryAfter !== undefined && index.projected === undefined) {
    const there = reader.get(entryAfter.key) as StoredItem | undefined
    if (there instanceof StoredItem && there.isSurelySame(before)) return true
  }
  for (const { name } of index.keyAttributes) {
    const one = getOwn(before.item, name)
    const other = getOwn(after.item, name)
    if (one === other) continue
    if (one === undefined || other === undefined || !equalValues(one, other)) return false
  }
  return true
}

/** A global index made after the item may have left the item out, and does so until its key value
 * is fixed. */
export function entryOf(index: Index, stored: StoredItem, tail: string): IndexEntry | undefined {
  return index.kind === 'global'
    ? backfillEntry(index, stored, tail)
    : indexEntry(index, stored, tail)
}
