import type { Item } from '../../values/attribute-value.ts'
import { getOwn } from '../../values/own.ts'
import type { Table } from '../catalog/table.ts'
import type { ItemChange } from '../change/change.ts'
import { keyOf } from '../items/item-keys.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { expiryKey } from '../storage/storage-keys.ts'

/**
 * For each item that will expire there is an entry ordered by the time, so that the sweeper finds
 * what is due without reading the table. Entries exist only while the table's time to live is
 * enabled.
 */
export interface ExpiryEntry {
  readonly expirySeconds: number
  /** The item's primary key attributes. */
  readonly key: Item
}

/** The last second an entry's storage key can hold, some nine million years from now. */
export const EXPIRY_MAX_SECONDS: number = 2 ** 48 - 2

const MINUS = 0x2d

/**
 * The second at which the item expires, whatever the clock says; undefined if it never does,
 * because the attribute is missing, is not a number at the top level, or lies before 1970 or beyond
 * all bounds.
 */
export function expirySeconds(table: Table, item: Item): number | undefined {
  const { timeToLive } = table.record
  if (timeToLive === undefined || !timeToLive.enabled) return undefined
  const text = getOwn(item, timeToLive.attribute)?.N
  if (text === undefined || text.charCodeAt(0) === MINUS) return undefined
  // Stored numbers are plain decimals; what is before the point is the floor, which a double would
  // round for long fractions.
  const point = text.indexOf('.')
  const seconds = Number(point < 0 ? text : text.slice(0, point))
  return seconds <= EXPIRY_MAX_SECONDS ? seconds : undefined
}

/** Keeps the entries in step with a change of an item. */
export function updateExpiryEntries(transaction: StorageTransaction, change: ItemChange): void {
  const { table, before, after } = change
  const from = before && expirySeconds(table, before.item)
  const to = after && expirySeconds(table, after.item)
  if (from === to) return
  if (from !== undefined) transaction.remove(entryKey(table, from, change.storageKey))
  if (to !== undefined) {
    const key = keyOf(table, change.keyed)
    putExpiryEntry(transaction, table, {
      storageKey: change.storageKey,
      key,
      seconds: to,
    })
  }
}

export function putExpiryEntry(
  transaction: StorageTransaction,
  table: Table,
  item: { readonly storageKey: string; readonly key: Item; readonly seconds: number },
): void {
  const entry: ExpiryEntry = { expirySeconds: item.seconds, key: item.key }
  transaction.put(entryKey(table, item.seconds, item.storageKey), entry)
}

/** The prefix is the same for all items of a table, so the entry's key does without it. */
function entryKey(table: Table, seconds: number, storageKey: string): string {
  return expiryKey(table.record.id, seconds, storageKey.slice(table.primary.prefix.length))
}
