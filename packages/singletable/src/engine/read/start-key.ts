import type { Item } from '../../values/attribute-value.ts'
import { getOwn } from '../../values/own.ts'
import type { Index, Table } from '../catalog/table.ts'
import { primaryKey, secondaryKey } from '../indexes/entry-key.ts'

/**
 * The storage key that an ExclusiveStartKey stands for, or undefined if it hasn't just the key attributes of table and index with their
 * types. The entry need not exist: a page can start behind an item that was deleted meanwhile.
 */
export function startKey(table: Table, index: Index, key: Item): string | undefined {
  const { primary } = table
  const names = new Set<string>()
  for (const attributes of [primary.partition, primary.sort, index.partition, index.sort]) {
    for (const { name, type } of attributes) {
      const content = getOwn(key, name)?.[type]
      if (content === undefined || content === '') return undefined
      names.add(name)
    }
  }
  if (Object.keys(key).length !== names.size) return undefined
  return index.kind === 'primary' ? primaryKey(table, key) : secondaryKey(table, index, key)
}
