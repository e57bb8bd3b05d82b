import type { Condition, Update } from '../../expression/tree.ts'
import type { Item } from '../../values/attribute-value.ts'
import { ITEM_SIZE_MAX_BYTES } from '../../values/limits.ts'
import { getOwn } from '../../values/own.ts'
import { itemSizeBytes } from '../../values/size.ts'
import type { TransactUpdate, TransactWriteItem } from '../../wire/item-operations.ts'
import { normaliseItem } from '../attributes/normalise-value.ts'
import type { Table } from '../catalog/table.ts'
import { tableNameOf } from '../context/arn.ts'
import type { EngineContext } from '../context/context.ts'
import { bindExpressions } from '../expressions/bind-expressions.ts'
import { primaryKey } from '../indexes/entry-key.ts'
import { validateIndexKeys, validateItemKeys, validateKey } from '../items/item-keys.ts'
import { validateConditionPaths } from '../items/key-paths.ts'
import { validateUpdate } from '../items/validate-update.ts'
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
import type { Write } from '../write/write.ts'

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

type ActionContents =
  | { readonly kind: 'put'; readonly stored: StoredItem }
  | { readonly kind: 'update'; readonly key: Item; readonly update: Update }
  | { readonly kind: 'delete' | 'check'; readonly key: Item }

/** One action of a transaction, checked as far as possible without its table. */
export interface ReadAction {
  readonly tableName: string
  readonly contents: ActionContents
  readonly condition: Condition | undefined
  readonly returnOldOnFailure: boolean
  /** What the action adds to the size of the transaction. */
  readonly payloadBytes: number
  /** Tells whether two actions speak of the same item; undefined if that can't be told yet. */
  identity(context: EngineContext): string | undefined
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
  const contents = readContents(item, bound.update)
  return {
    tableName: action.TableName,
    contents,
    condition: bound.condition,
    returnOldOnFailure: action.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
    payloadBytes: payloadBytes(contents, action as TransactUpdate),
    identity(current) {
      return itemIdentity(current, action.TableName, contents)
    },
  }
}

function readContents(item: TransactWriteItem, update: Update | undefined): ActionContents {
  if (item.Put !== undefined) {
    const put = normaliseItem(item.Put.Item)
    return { kind: 'put', stored: new StoredItem(put, itemSizeBytes(put)) }
  }
  if (item.Update !== undefined) {
    const none: Update = { set: [], remove: [], add: [], delete: [] }
    return { kind: 'update', key: normaliseItem(item.Update.Key), update: update ?? none }
  }
  if (item.Delete !== undefined) return { kind: 'delete', key: normaliseItem(item.Delete.Key) }
  return { kind: 'check', key: normaliseItem(item.ConditionCheck!.Key) }
}

/** Refuses a put that is too large for any table; AWS tells this after it has looked for the same item twice. */
export function refuseOversizePuts(actions: readonly ReadAction[]): void {
  for (const { contents } of actions) {
    if (contents.kind === 'put' && contents.stored.sizeBytes > ITEM_SIZE_MAX_BYTES) {
      throw validationError(ITEM_TOO_LARGE)
    }
  }
}

function payloadBytes(contents: ActionContents, action: TransactUpdate): number {
  const own = contents.kind === 'put' ? contents.stored.sizeBytes : itemSizeBytes(contents.key)
  const values = action.ExpressionAttributeValues
  return own + (values === undefined ? 0 : itemSizeBytes(values))
}

function itemIdentity(
  context: EngineContext,
  tableName: string,
  contents: ActionContents,
): string | undefined {
  const table = context.catalog.find(tableNameOf(tableName))
  if (table === undefined) return undefined
  const source = contents.kind === 'put' ? contents.stored.item : contents.key
  for (const { name, type } of table.primary.keyAttributes) {
    if (getOwn(source, name)?.[type] === undefined) return undefined
  }
  return primaryKey(table, source)
}

/** The rest of the checks, which need the table. */
export function toWrite(table: Table, action: ReadAction): Write {
  const { contents } = action
  const source = contents.kind === 'put' ? contents.stored.item : contents.key
  if (contents.kind === 'put') {
    validateItemKeys(table, source)
    validateIndexKeys(table, source)
  } else {
    validateKey(table, source)
    if (contents.kind === 'update') validateUpdate(table, contents.update)
  }
  validateConditionPaths(table, action.condition)
  return {
    table,
    keyed: source,
    storageKey: primaryKey(table, source),
    action: contents,
    condition: action.condition,
    returnOldOnFailure: action.returnOldOnFailure,
  }
}
