import type { Item } from '../values/attribute-value.ts'
import type { WriteItemResponse } from '../wire/item-operations.ts'
import type { OperationName } from '../wire/operations.ts'
import { type RequestTarget, requestTargets } from '../wire/request-targets.ts'

/** An item or a key that a request names, or an item that its answer shows. */
export interface SentItem extends RequestTarget {
  readonly item: Item
  readonly kind: 'read' | 'write'
}

const READS: readonly OperationName[] = ['GetItem', 'BatchGetItem', 'TransactGetItems']

/** The items and keys that a request names. Queries, scans and statements name none. */
export function sentItems(operation: OperationName, request: object): readonly SentItem[] {
  const kind = READS.includes(operation) ? 'read' : 'write'
  return requestTargets(request).flatMap(({ item, ...target }) =>
    item === undefined ? [] : [{ ...target, item, kind }],
  )
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
