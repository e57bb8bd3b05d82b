import type { Item } from '../../values/attribute-value.ts'
import { getOwn } from '../../values/own.ts'
import type { Index, Table } from '../catalog/table.ts'
import { primaryKey, primaryTail, secondaryKey } from '../indexes/entry-key.ts'
import { keyEmpty } from '../messages/key-messages.ts'
import { startKeyEmpty } from '../messages/query-messages.ts'
import { validationError } from '../messages/request-messages.ts'

/**
 * The storage key that an ExclusiveStartKey stands for, or undefined if it hasn't just the key
 * attributes of table and index with their types; an empty value is refused here. The entry need
 * not exist: a page can start behind an item that was deleted meanwhile.
 */
export function startKey(table: Table, index: Index, key: Item): string | undefined {
  const { primary } = table
  const names = new Set<string>()
  for (const attributes of [primary.keyAttributes, index.keyAttributes]) {
    for (const { name, type } of attributes) {
      if (getOwn(key, name)?.[type] === undefined) return undefined
      names.add(name)
    }
  }
  if (Object.keys(key).length !== names.size) return undefined
  for (const name of names) {
    const { S: text, B: bytes } = key[name]!
    if (text === '' || bytes === '') {
      throw validationError(startKeyEmpty(keyEmpty(name, text === '' ? 'string' : 'binary')))
    }
  }
  return index.kind === 'primary'
    ? primaryKey(table, key)
    : secondaryKey(index, key, primaryTail(table, primaryKey(table, key)))
}
