import type { AttributeValue } from '../../values/attribute-value.ts'
import { PARTITION_KEY_MAX_BYTES, SORT_KEY_MAX_BYTES } from '../../values/limits.ts'
import { getOwn, setOwn } from '../../values/own.ts'
import { itemSizeBytes } from '../../values/size.ts'
import type { Index } from '../catalog/table.ts'
import { StoredItem } from '../storage/stored-item.ts'
import { secondaryKey } from './entry-key.ts'
import { keyExceeds } from './key-size.ts'

export interface IndexEntry {
  readonly key: string
  readonly stored: StoredItem
}

/** The entry, in a secondary index, of the item with this primary tail, or undefined where the item
 * is not in it. */
export function indexEntry(index: Index, stored: StoredItem, tail: string): IndexEntry | undefined {
  const key = secondaryKey(index, stored.item, tail)
  if (key === undefined) return undefined
  return { key, stored: projectEntry(index, stored) }
}

/**
 * Like `indexEntry`, for items that were written before the index was there: what a write would be
 * refused for (an empty or oversize key value) is left out here.
 */
export function backfillEntry(
  index: Index,
  stored: StoredItem,
  tail: string,
): IndexEntry | undefined {
  const { item } = stored
  for (const { name, type } of index.keyAttributes) {
    if (getOwn(item, name)?.[type] === '') return undefined
  }
  if (keyExceeds(index.partition, item, PARTITION_KEY_MAX_BYTES)) return undefined
  if (keyExceeds(index.sort, item, SORT_KEY_MAX_BYTES)) return undefined
  return indexEntry(index, stored, tail)
}

/** What the index holds of an item that is in it. */
export function projectEntry(index: Index, stored: StoredItem): StoredItem {
  if (index.projected === undefined) return stored
  const item: Record<string, AttributeValue> = {}
  for (const name of index.projected) {
    const value = getOwn(stored.item, name)
    if (value !== undefined) setOwn(item, name, value)
  }
  return new StoredItem(item, itemSizeBytes(item))
}
