import type { Update } from '../../expression/tree.ts'
import { ITEM_SIZE_MAX_BYTES } from '../../values/limits.ts'
import { getOwn } from '../../values/own.ts'
import { itemSizeBytes } from '../../values/size.ts'
import type { TransactUpdate, TransactWriteItem } from '../../wire/item-operations.ts'
import { normaliseItem } from '../attributes/normalise-value.ts'
import { tableNameOf } from '../context/arn.ts'
import type { EngineContext } from '../context/context.ts'
import { bindExpressions } from '../expressions/bind-expressions.ts'
import { primaryKey } from '../indexes/entry-key.ts'
import { validationError } from '../messages/request-messages.ts'
import { TRANSACT_ITEM_EMPTY, TRANSACT_ITEM_KINDS } from '../messages/transaction-messages.ts'
import { ITEM_TOO_LARGE } from '../messages/value-messages.ts'
import {
  names,
  returnValuesOnConditionCheckFailure,
  tableNameShape,
  values,
} from '../shapes/item-shapes.ts'
import { attributeMap, type StructureShape, structure, text } from '../shapes/shape.ts'
import { validateTableName } from '../shapes/table-name.ts'
import { StoredItem } from '../storage/stored-item.ts'
import type { UnplacedWrite } from '../write/write-to.ts'

const common = {
  TableName: { required: tableNameShape },
  ExpressionAttributeNames: names,
  ExpressionAttributeValues: values,
  ReturnValuesOnConditionCheckFailure: returnValuesOnConditionCheckFailure,
} as const

export const transactItemShape: StructureShape = structure({
  ConditionCheck: structure({
    ...common,
    Key: { required: attributeMap },
    ConditionExpression: { required: text() },
  }),
  Put: structure({ ...common, Item: { required: attributeMap }, ConditionExpression: text() }),
  Delete: structure({ ...common, Key: { required: attributeMap }, ConditionExpression: text() }),
  Update: structure({
    ...common,
    Key: { required: attributeMap },
    UpdateExpression: { required: text() },
    ConditionExpression: text(),
  }),
})

/** One action of a transaction, checked as far as possible without its table. */
export interface ReadAction extends UnplacedWrite {
  readonly tableName: string
  /** What the action adds to the size of the transaction. */
  readonly payloadBytes: number
}

export function readAction(context: EngineContext, item: TransactWriteItem): ReadAction {
  const kinds = [item.Put, item.Update, item.Delete, item.ConditionCheck].filter(
    (action) => action !== undefined,
  )
  const action = kinds[0]
  if (action === undefined) throw validationError(TRANSACT_ITEM_EMPTY)
  if (kinds.length > 1) throw validationError(TRANSACT_ITEM_KINDS)
  validateTableName(action.TableName)
  const bound = bindExpressions(
    context,
    action,
    item.Update === undefined
      ? ['ConditionExpression']
      : ['UpdateExpression', 'ConditionExpression'],
  )
  const { keyed, action: change } = readDraft(item, bound.update)
  const sizeBytes = change.kind === 'put' ? change.stored.sizeBytes : itemSizeBytes(keyed)
  const { ExpressionAttributeValues: values } = action as TransactUpdate
  // Member by member: a spread of what was read takes longer than all the rest.
  return {
    tableName: action.TableName,
    keyed,
    action: change,
    condition: bound.condition,
    returnOldOnFailure: action.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
    payloadBytes: sizeBytes + (values === undefined ? 0 : itemSizeBytes(values)),
  }
}

function readDraft(item: TransactWriteItem, update: Update | undefined): UnplacedWrite {
  if (item.Put !== undefined) {
    const put = normaliseItem(item.Put.Item)
    return { keyed: put, action: { kind: 'put', stored: new StoredItem(put, itemSizeBytes(put)) } }
  }
  if (item.Update !== undefined) {
    const none: Update = { set: [], remove: [], add: [], delete: [] }
    const action = { kind: 'update', update: update ?? none } as const
    return { keyed: normaliseItem(item.Update.Key), action }
  }
  if (item.Delete !== undefined) {
    return { keyed: normaliseItem(item.Delete.Key), action: { kind: 'delete' } }
  }
  return { keyed: normaliseItem(item.ConditionCheck!.Key), action: { kind: 'check' } }
}

/** Refuses a put that is too large for any table; AWS reports this after it has checked for the
 * same item twice. */
export function refuseOversizePuts(actions: readonly ReadAction[]): void {
  for (const { action } of actions) {
    if (action.kind === 'put' && action.stored.sizeBytes > ITEM_SIZE_MAX_BYTES) {
      throw validationError(ITEM_TOO_LARGE)
    }
  }
}

/** Identifies the item of an action, to find two actions on the same item; undefined if that is not
 * known yet. */
export function itemIdentity(
  context: EngineContext,
  { tableName, keyed }: ReadAction,
): string | undefined {
  const table = context.catalog.find(tableNameOf(tableName))
  if (table === undefined) return undefined
  for (const { name, type } of table.primary.keyAttributes) {
    if (getOwn(keyed, name)?.[type] === undefined) return undefined
  }
  return primaryKey(table, keyed)
}
