import type { Path, Update } from '../../expression/tree.ts'
import { type AttributeValue, type Item, typeOf } from '../../values/attribute-value.ts'
import { setOwn } from '../../values/own.ts'
import type { AttributeValueUpdate, UpdateItemRequest } from '../../wire/item-operations.ts'
import { validateAttributeName } from '../attributes/attribute-name.ts'
import { normaliseValue } from '../attributes/normalise-value.ts'
import type { Table } from '../catalog/table.ts'
import { validateIndexKeys } from '../items/item-keys.ts'
import { LEGACY_ATTRIBUTES_MAX_COUNT } from '../limits/count-limits.ts'
import {
  addNotForType,
  deleteNotForType,
  tooManyAttributes,
  UPDATE_WITHOUT_VALUE,
} from '../messages/legacy-messages.ts'
import { validationError } from '../messages/request-messages.ts'

/**
 * The update that AttributeUpdates stands for. It says what an expression can't: ADD also appends
 * to a list. Each attribute is looked at on its own, in the order of the request.
 */
export function attributeUpdates(
  updates: NonNullable<UpdateItemRequest['AttributeUpdates']>,
): Update {
  const set: { path: Path; value: { kind: 'value'; value: AttributeValue } }[] = []
  const remove: Path[] = []
  const add: { path: Path; value: AttributeValue }[] = []
  const remainder: { path: Path; value: AttributeValue }[] = []
  const entries = Object.entries(updates)
  if (entries.length > LEGACY_ATTRIBUTES_MAX_COUNT) {
    throw validationError(tooManyAttributes(LEGACY_ATTRIBUTES_MAX_COUNT))
  }
  for (const [name, update] of entries) {
    validateAttributeName(name)
    const path: Path = [name]
    const action = update.Action ?? 'PUT'
    const value = updateValue(update)
    if (value === undefined) {
      if (action !== 'DELETE') throw validationError(UPDATE_WITHOUT_VALUE)
      remove.push(path)
    } else if (action === 'PUT') {
      set.push({ path, value: { kind: 'value', value } })
    } else if (action === 'ADD') {
      if (!isAddable(value)) throw validationError(addNotForType(typeOf(value)))
      add.push({ path, value })
    } else {
      if (!isSet(value)) throw validationError(deleteNotForType(typeOf(value)))
      remainder.push({ path, value })
    }
  }
  return { set, remove, add, delete: remainder }
}

/**
 * Refuses values that an index can't have as a key. AttributeUpdates shows its values before any
 * item is read, so AWS speaks of them as it does of a put, not as of an update expression.
 */
export function validateLegacyIndexKeys(table: Table, update: Update): void {
  const values: Record<string, AttributeValue> = {}
  for (const { path, value } of update.set) {
    if (value.kind === 'value') setOwn(values, path[0], value.value)
  }
  for (const { path, value } of update.add) setOwn(values, path[0], value)
  for (const { path, value } of update.delete) setOwn(values, path[0], value)
  const item: Item = values
  validateIndexKeys(table, item)
}

function updateValue({ Value: value }: AttributeValueUpdate): AttributeValue | undefined {
  return value === undefined ? undefined : normaliseValue(value)
}

function isAddable(value: AttributeValue): boolean {
  return value.N !== undefined || value.L !== undefined || isSet(value)
}

function isSet(value: AttributeValue): boolean {
  return value.SS !== undefined || value.NS !== undefined || value.BS !== undefined
}
