import {
  applyUpdate,
  UpdateError,
  type UpdateOptions,
} from '../../expression/evaluate/apply-update.ts'
import { evaluateCondition } from '../../expression/evaluate/evaluate-condition.ts'
import type { Update } from '../../expression/tree.ts'
import type { Item } from '../../values/attribute-value.ts'
import { itemSizeBytes } from '../../values/size.ts'
import type { Change } from '../change/change.ts'
import { validateUpdatedIndexKeys } from '../items/item-keys.ts'
import { validateUpdatedItemSize } from '../items/item-size.ts'
import { UPDATE_TYPE_MISMATCH } from '../messages/legacy-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { updateMessage } from '../messages/update-messages.ts'
import { conditionFailed, duplicateItem } from '../messages/write-messages.ts'
import type { StorageReader } from '../storage/storage.ts'
import { handOut, StoredItem } from '../storage/stored-item.ts'
import type { Write, WriteAction } from './write.ts'

type UpdateAction = Extract<WriteAction, { readonly kind: 'update' }>

/** Reads the item as it is, checks the condition and works out the item as it will be; throws what the caller is to be told. */
export function prepareChange(reader: StorageReader, write: Write): Change {
  const before = reader.get(write.storageKey) as StoredItem | undefined
  if (write.mustBeNew === true && before !== undefined) throw duplicateItem()
  if (write.condition !== undefined && !evaluateCondition(write.condition, before?.item)) {
    throw conditionFailed(write.returnOldOnFailure === true ? before && handOut(before) : undefined)
  }
  return {
    table: write.table,
    keyed: write.keyed,
    storageKey: write.storageKey,
    before,
    after: itemAfter(write, before),
    update: write.action.kind === 'update' ? write.action.update : undefined,
    origin: write.origin ?? 'request',
  }
}

function itemAfter(write: Write, before: StoredItem | undefined): StoredItem | undefined {
  const { action } = write
  switch (action.kind) {
    case 'put':
      return action.stored
    case 'delete':
      return undefined
    case 'check':
      return before
    case 'update':
      return updatedItem(write, action, before)
  }
}

function updatedItem(
  write: Write,
  action: UpdateAction,
  before: StoredItem | undefined,
): StoredItem | undefined {
  const { update } = action
  const item = applyOrRefuse(action, before?.item ?? write.keyed, { exists: before !== undefined })
  // Taking away from an item that isn't there makes no item.
  if (before === undefined && onlyTakesAway(update)) return undefined
  validateUpdatedIndexKeys(write.table, before?.item, item)
  const updated = new StoredItem(item, itemSizeBytes(item))
  validateUpdatedItemSize(write.table, updated)
  return updated
}

function applyOrRefuse(action: UpdateAction, item: Item, options: UpdateOptions): Item {
  try {
    return applyUpdate(action.update, item, options)
  } catch (error) {
    if (!(error instanceof UpdateError)) throw error
    throw validationError(
      action.isLegacy === true && error.problem === 'operand-type'
        ? UPDATE_TYPE_MISMATCH
        : updateMessage(error.problem),
    )
  }
}

function onlyTakesAway(update: Update): boolean {
  return (
    update.set.length === 0 &&
    update.add.length === 0 &&
    update.remove.length + update.delete.length > 0
  )
}
