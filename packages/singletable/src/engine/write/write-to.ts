import type { Table } from '../catalog/table.ts'
import { primaryKey } from '../indexes/entry-key.ts'
import { validateIndexKeys, validateItemKeys, validateKey } from '../items/item-keys.ts'
import { validateItemSize } from '../items/item-size.ts'
import { validateConditionPaths } from '../items/key-paths.ts'
import { validateUpdate } from '../items/validate-update.ts'
import { validateLegacyIndexKeys } from '../legacy/legacy-updates.ts'
import type { ItemWrite } from './write.ts'

/** A write as a request says it, before its table was looked at. */
export type UnplacedWrite = Omit<ItemWrite, 'table' | 'storageKey' | 'origin'>

/** Checks a write against its table. `validateKeys` is for the key attributes of an item that is
 * put. */
export function writeTo(
  table: Table,
  draft: UnplacedWrite,
  validateKeys: typeof validateItemKeys = validateItemKeys,
): ItemWrite {
  const { keyed, action, condition, returnOldOnFailure = false, mustBeNew = false } = draft
  if (action.kind === 'put') {
    validateKeys(table, keyed)
    validateIndexKeys(table, keyed)
    validateItemSize(table, action.stored)
  } else {
    validateKey(table, keyed)
    if (action.kind === 'update') {
      validateUpdate(table, action.update)
      if (action.isLegacy === true) validateLegacyIndexKeys(table, action.update)
    }
  }
  validateConditionPaths(table, condition)
  const storageKey = primaryKey(table, keyed)
  return { table, keyed, storageKey, action, condition, returnOldOnFailure, mustBeNew }
}
