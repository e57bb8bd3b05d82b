import type { Item } from '../values/attribute-value.ts'
import type {
  KeysAndAttributes,
  TransactWriteItem,
  WriteItemResponse,
  WriteRequest,
} from '../wire/item-operations.ts'
import type { OperationName } from '../wire/operations.ts'

/** An item or a key that a request names, or an item that its answer shows. */
export interface SentItem {
  readonly table: string
  /** A whole item, or the primary key alone. */
  readonly item: Item
  readonly isWhole: boolean
  readonly kind: 'read' | 'write'
}

/** The members of requests that name items, as far as a request has them. */
interface NamingRequest {
  readonly TableName?: string
  readonly Key?: Item
  readonly Item?: Item
  readonly RequestItems?: Readonly<Record<string, KeysAndAttributes | readonly WriteRequest[]>>
  readonly TransactItems?: readonly (TransactWriteItem & {
    readonly Get?: { readonly TableName: string; readonly Key: Item }
  })[]
}

const READS: readonly OperationName[] = ['GetItem', 'BatchGetItem', 'TransactGetItems']

/** The items and keys that stand in a request. Queries, scans and statements name none. */
export function sentItems(operation: OperationName, request: object): readonly SentItem[] {
  const kind = READS.includes(operation) ? 'read' : 'write'
  const found: SentItem[] = []
  const add = (table: string | undefined, item: Item | undefined, isWhole: boolean): void => {
    if (table !== undefined && item) found.push({ table, item, isWhole, kind })
  }
  // All requests on items have some of these members.
  const { TableName, Key, Item, RequestItems, TransactItems } = request as NamingRequest
  add(TableName, Key, false)
  add(TableName, Item, true)
  for (const [table, asked] of Object.entries(RequestItems ?? {})) {
    if ('Keys' in asked) for (const key of asked.Keys) add(table, key, false)
    else {
      for (const { PutRequest, DeleteRequest } of asked as readonly WriteRequest[]) {
        add(table, PutRequest?.Item, true)
        add(table, DeleteRequest?.Key, false)
      }
    }
  }
  for (const { Get, Put, Update, Delete, ConditionCheck } of TransactItems ?? []) {
    add(Put?.TableName, Put?.Item, true)
    for (const each of [Get, Update, Delete, ConditionCheck]) {
      add(each?.TableName, each?.Key, false)
    }
  }
  return found
}

/** The whole item after an update that gives it back. */
export function updatedItem(
  operation: OperationName,
  request: object,
  response: unknown,
): SentItem | undefined {
  const { TableName: table, ReturnValues } = request as {
    readonly TableName?: string
    readonly ReturnValues?: string
  }
  const { Attributes: item } = response as WriteItemResponse
  return operation === 'UpdateItem' && ReturnValues === 'ALL_NEW' && table && item
    ? { table, item, isWhole: true, kind: 'write' }
    : undefined
}
