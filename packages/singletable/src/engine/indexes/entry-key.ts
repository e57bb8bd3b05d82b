import type { Item } from '../../values/attribute-value.ts'
import { afterHash, encodeKeyValue, hashKey } from '../../values/key-encoding.ts'
import { getOwn } from '../../values/own.ts'
import type { Index, KeyAttribute, Table } from '../catalog/table.ts'

/**
 * Storage keys of index entries: prefix, hash of the partition key, partition key, sort key, and in
 * a secondary index the primary key behind it, which makes the order total: two entries never tie,
 * so a page can always continue after the last one.
 */

/** The part up to the partition key, shared by all entries of an item collection. */
export function partitionPrefix(index: Index, item: Item): string | undefined {
  const partition = encodeAttributes(index.partition, item)
  return partition === undefined ? undefined : index.prefix + hashKey(partition) + partition
}

/** The primary key's storage key; the item must have been checked to have the key attributes. */
export function primaryKey(table: Table, item: Item): string {
  const { prefix, partition, sort } = table.primary
  let key = ''
  for (const attribute of partition) key += encodeKeyValue(item[attribute.name]!)
  key = prefix + hashKey(key) + key
  for (const attribute of sort) key += encodeKeyValue(item[attribute.name]!)
  return key
}

/** What follows the keys of secondary indexes: the primary key's encoded attributes, taken from its
 * storage key. */
export function primaryTail(table: Table, storageKey: string): string {
  return afterHash(storageKey, table.primary.prefix.length)
}

/**
 * The storage key of the entry that the item with this primary tail has in a secondary index, or
 * undefined where the item is not in it (it is sparse).
 */
export function secondaryKey(index: Index, item: Item, tail: string): string | undefined {
  const partition = encodeAttributes(index.partition, item)
  if (partition === undefined) return undefined
  const sort = encodeAttributes(index.sort, item)
  if (sort === undefined) return undefined
  return index.prefix + hashKey(partition) + partition + sort + tail
}

/** The attributes' encoded values one after the other; undefined if one is missing or not of the
 * declared type. */
function encodeAttributes(attributes: readonly KeyAttribute[], item: Item): string | undefined {
  let encoded = ''
  for (const { name, type } of attributes) {
    const value = getOwn(item, name)
    if (value?.[type] === undefined) return undefined
    encoded += encodeKeyValue(value)
  }
  return encoded
}
