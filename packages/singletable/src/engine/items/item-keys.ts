import { type AttributeValue, type Item, typeOf } from '../../values/attribute-value.ts'
import { PARTITION_KEY_MAX_BYTES, SORT_KEY_MAX_BYTES } from '../../values/limits.ts'
import { getOwn, setOwn } from '../../values/own.ts'
import type { Table } from '../catalog/table.ts'
import { keyExceeds } from '../indexes/key-size.ts'
import {
  EmptyKeyError,
  indexKeyEmpty,
  indexKeyTypeMismatch,
  KEY_MISMATCH,
  keyEmpty,
  keyMissing,
  keyTypeMismatch,
  PARTITION_KEY_TOO_LARGE,
  SORT_KEY_TOO_LARGE,
  UPDATED_INDEX_KEY_TOO_LARGE,
  UPDATED_INDEX_KEY_TYPE,
  updatedIndexKeyEmpty,
} from '../messages/key-messages.ts'
import { validationError } from '../messages/request-messages.ts'

/** Checks a `Key`: just the table's key attributes, of their types, not empty, not too large. */
export function validateKey(table: Table, key: Item): void {
  let count = 0
  for (const _name in key) count++
  if (count !== table.primary.keyAttributes.length) throw validationError(KEY_MISMATCH)
  validateBatchItemKeys(table, key)
}

/** Checks the key attributes inside a whole item. */
export function validateItemKeys(table: Table, item: Item): void {
  for (const { name, type } of table.primary.keyAttributes) {
    const value = getOwn(item, name)
    if (value === undefined) throw validationError(keyMissing(name))
    if (value[type] === undefined) {
      throw validationError(keyTypeMismatch(name, type, typeOf(value)))
    }
  }
  validateKeyContents(table, item)
}

/** In a batch a put whose key attributes are missing or of the wrong type is reported like a wrong
 * `Key`. */
export function validateBatchItemKeys(table: Table, item: Item): void {
  for (const { name, type } of table.primary.keyAttributes) {
    if (getOwn(item, name)?.[type] === undefined) throw validationError(KEY_MISMATCH)
  }
  validateKeyContents(table, item)
}

function validateKeyContents(table: Table, item: Item): void {
  const { partition, sort } = table.primary
  for (const { name } of table.primary.keyAttributes) {
    const empty = emptyType(item[name])
    if (empty !== undefined) throw new EmptyKeyError(keyEmpty(name, empty))
  }
  if (keyExceeds(partition, item, PARTITION_KEY_MAX_BYTES)) {
    throw validationError(PARTITION_KEY_TOO_LARGE)
  }
  if (keyExceeds(sort, item, SORT_KEY_MAX_BYTES)) throw validationError(SORT_KEY_TOO_LARGE)
}

/** Refuses an item whose index key attributes are there but can't be in the index. Missing ones are
 * fine: indexes are sparse. */
export function validateIndexKeys(table: Table, item: Item): void {
  for (const index of table.secondary) {
    for (const { name, type } of index.keyAttributes) {
      const value = getOwn(item, name)
      if (value === undefined) continue
      if (value[type] === undefined) {
        const actual = typeOf(value)
        throw validationError(
          indexKeyTypeMismatch({ name, expected: type, actual, index: index.name ?? '' }),
        )
      }
      const empty = emptyType(value)
      if (empty !== undefined) throw new EmptyKeyError(indexKeyEmpty(name, empty, index.name ?? ''))
    }
    if (keyExceeds(index.partition, item, PARTITION_KEY_MAX_BYTES)) {
      throw validationError(PARTITION_KEY_TOO_LARGE)
    }
    if (keyExceeds(index.sort, item, SORT_KEY_MAX_BYTES)) throw validationError(SORT_KEY_TOO_LARGE)
  }
}

/** The same for an updated item, where only what the update changed is looked at, and AWS speaks
 * of the update expression. */
export function validateUpdatedIndexKeys(
  table: Table,
  before: Item | undefined,
  after: Item,
): void {
  for (const index of table.secondary) {
    let changed = false
    for (const { name, type } of index.keyAttributes) {
      const value = getOwn(after, name)
      if (value === undefined || (before !== undefined && getOwn(before, name) === value)) continue
      changed = true
      if (value[type] === undefined) throw validationError(UPDATED_INDEX_KEY_TYPE)
      const empty = emptyType(value)
      if (empty !== undefined) throw new EmptyKeyError(updatedIndexKeyEmpty(empty))
    }
    if (
      changed &&
      (keyExceeds(index.partition, after, PARTITION_KEY_MAX_BYTES) ||
        keyExceeds(index.sort, after, SORT_KEY_MAX_BYTES))
    ) {
      throw validationError(UPDATED_INDEX_KEY_TOO_LARGE)
    }
  }
}

function emptyType(value: AttributeValue | undefined): 'string' | 'binary' | undefined {
  if (value?.S === '') return 'string'
  if (value?.B === '') return 'binary'
  return undefined
}

/** The key attributes of an item, as they are in `Key`. */
export function keyOf(table: Table, item: Item): Item {
  const key: Record<string, AttributeValue> = {}
  for (const name of table.keyNames) setOwn(key, name, item[name]!)
  return key
}
