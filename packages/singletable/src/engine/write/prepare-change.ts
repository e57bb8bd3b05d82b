import {
  applyUpdate,
  UpdateError,
  type UpdateOptions,
} from '../../expression/evaluate/apply-update.ts'
import { conditionSteps, evaluateCondition } from '../../expression/evaluate/evaluate-condition.ts'
import type { Update } from '../../expression/tree.ts'
import type { Item } from '../../values/attribute-value.ts'
import { ITEM_SIZE_MAX_BYTES } from '../../values/limits.ts'
import { itemSizeUpTo } from '../../values/size.ts'
import type { ServiceError } from '../../wire/service-error.ts'
import type { ItemChange } from '../change/change.ts'
import { validateUpdatedIndexKeys } from '../items/item-keys.ts'
import { validateUpdatedItemSize } from '../items/item-size.ts'
import { UPDATE_TYPE_MISMATCH } from '../messages/legacy-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { updateMessage } from '../messages/update-messages.ts'
import { conditionFailed, duplicateItem } from '../messages/write-messages.ts'
import { copyForCaller, StoredItem } from '../storage/stored-item.ts'
import type { ItemWrite, WriteAction } from './write.ts'

type UpdateAction = Extract<WriteAction, { readonly kind: 'update' }>

/** Checks the condition on the item as it is, and works out the item as it will be; throws the
 * error that the caller gets. */
export function prepareChange(write: ItemWrite, before: StoredItem | undefined): ItemChange {
  if (write.mustBeNew === true && before !== undefined) throw duplicateItem()
  if (write.condition !== undefined && !evaluateCondition(write.condition, before?.item)) {
    throw refusedBy(write, before)
  }
  return changeTo(write, before, itemAfter(write, before))
}

/** The same in steps, each of which takes no longer than to go once over an item. */
export function* changeSteps(
  write: ItemWrite,
  before: StoredItem | undefined,
): Generator<void, ItemChange> {
  if (write.mustBeNew === true && before !== undefined) throw duplicateItem()
  if (write.condition !== undefined) {
    const item = before?.item
    yield
    if (!(yield* conditionSteps(write.condition, item))) {
      const refusal = refusedBy(write, before)
      yield
      throw refusal
    }
  }
  const { action } = write
  if (action.kind !== 'update') return changeTo(write, before, itemAfter(write, before))
  const item = before?.item ?? write.keyed
  yield
  const updated = applyOrRefuse(action, item, { exists: before !== undefined })
  yield
  return changeTo(write, before, storedUpdate(write, action.update, before, updated))
}

function refusedBy(write: ItemWrite, before: StoredItem | undefined): ServiceError {
  return conditionFailed(
    write.returnOldOnFailure === true ? before && copyForCaller(before) : undefined,
  )
}

function changeTo(
  write: ItemWrite,
  before: StoredItem | undefined,
  after: StoredItem | undefined,
): ItemChange {
  return {
    table: write.table,
    keyed: write.keyed,
    storageKey: write.storageKey,
    before,
    after,
    update: write.action.kind === 'update' ? write.action.update : undefined,
    origin: write.origin ?? 'request',
  }
}

function itemAfter(write: ItemWrite, before: StoredItem | undefined): StoredItem | undefined {
  const { action } = write
  switch (action.kind) {
    case 'put':
      return action.stored
    case 'delete':
      return undefined
    case 'check':
      return before
    case 'update': {
      const item = before?.item ?? write.keyed
      const updated = applyOrRefuse(action, item, { exists: before !== undefined })
      return storedUpdate(write, action.update, before, updated)
    }
  }
}

function storedUpdate(
  write: ItemWrite,
  update: Update,
  before: StoredItem | undefined,
  item: Item,
): StoredItem | undefined {
  // Taking away from an item that isn't there makes no item.
  if (before === undefined && onlyTakesAway(update)) return undefined
  validateUpdatedIndexKeys(write.table, before?.item, item)
  const updated = new StoredItem(item, itemSizeUpTo(item, ITEM_SIZE_MAX_BYTES))
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
