import type { Item } from '../../values/attribute-value.ts'
import { ITEM_SIZE_MAX_BYTES } from '../../values/limits.ts'
import { getOwn } from '../../values/own.ts'
import type { Index, Table } from '../catalog/table.ts'
import { projectEntry } from '../indexes/index-entry.ts'
import { validationError } from '../messages/request-messages.ts'
import { ITEM_TOO_LARGE, UPDATED_ITEM_TOO_LARGE } from '../messages/value-messages.ts'
import type { StoredItem } from '../storage/stored-item.ts'

/** Refuses an item to be put that is too large for its table. That it is too large for any table is
 * reported before its table is looked up. */
export function validateItemSize(table: Table, stored: StoredItem): void {
  if (!fits(table, stored)) throw validationError(ITEM_TOO_LARGE)
}

/** The same for an updated item, of which AWS speaks in other words. */
export function validateUpdatedItemSize(table: Table, stored: StoredItem): void {
  if (!fits(table, stored)) throw validationError(UPDATED_ITEM_TOO_LARGE)
}

/** An item counts together with its entries in all local indexes. (AWS Developer Guide, quotas.) */
function fits(table: Table, stored: StoredItem): boolean {
  let bytes = stored.sizeBytes
  if (table.hasLocalIndexes) {
    for (const index of table.secondary) {
      if (index.kind === 'local' && isIn(index, stored.item)) {
        bytes += projectEntry(index, stored).sizeBytes
      }
    }
  }
  return bytes <= ITEM_SIZE_MAX_BYTES
}

function isIn(index: Index, item: Item): boolean {
  return index.sort.every(({ name, type }) => getOwn(item, name)?.[type] !== undefined)
}
