import type { Item } from '../values/attribute-value.ts'

/** A table that a request names, with the key or item that it names there. */
export interface RequestTarget {
  /** As written: a name or an ARN. */
  readonly table: string
  /** A whole item, or the primary key alone; undefined where the request names no item, as in a
   * query. */
  readonly item?: Item
  /** Whether `item` is all of an item that is written. */
  readonly isWhole: boolean
}

/**
 * The tables and items that a request names, in its order: one target for each item of a batch or
 * transaction. PartiQL statements give none, because tables and keys are in their text, which only
 * a parser can read. Requests need not be valid: what is malformed is left out.
 */
export function requestTargets(request: unknown): readonly RequestTarget[] {
  const { RequestItems, TransactItems } = membersOf(request)
  const targets: RequestTarget[] = []
  addTarget(targets, membersOf(request).TableName, request)
  for (const [table, content] of Object.entries(membersOf(RequestItems))) {
    const parts = batchParts(content)
    for (const part of parts) addTarget(targets, table, part)
    if (parts.length === 0) addTarget(targets, table, {})
  }
  if (Array.isArray(TransactItems)) {
    for (const action of TransactItems.flatMap((each) => Object.values(membersOf(each)))) {
      addTarget(targets, membersOf(action).TableName, action)
    }
  }
  return targets
}

/** The items of one table in a batch, each with a member `Key` or `Item`: writes come as a list of
 * puts and deletes, reads as a list of keys. */
function batchParts(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content.flatMap((each) => Object.values(membersOf(each)))
  const { Keys } = membersOf(content)
  return Array.isArray(Keys) ? Keys.map((Key) => ({ Key })) : []
}

function addTarget(targets: RequestTarget[], table: unknown, part: unknown): void {
  if (typeof table !== 'string') return
  const { Key, Item } = membersOf(part)
  const item = Key ?? Item
  const isWhole = Key === undefined && Item !== undefined
  // Who looks at values of a request that was not validated has to expect any.
  if (isObject(item)) targets.push({ table, item: item as Item, isWhole })
  else targets.push({ table, isWhole: false })
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
