import { isPartition } from '../plan/scope.ts'
import { guardText } from '../plan/write/guard-of.ts'
import type { Model, UniqueRule } from '../schema/model.ts'
import { GUARD, OWNER, reservedKey } from '../schema/reserved-items.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import type { Call } from './call.ts'
import { decodeFound } from './decode-found.ts'
import { READ, send } from './send.ts'
import type { TableContext } from './table-context.ts'

/**
 * Between two reads the value can pass to another item; more often than this it is not followed.
 */
const ATTEMPTS_MAX = 3

/** The item that has these unique values: the guard says which it is, and a second read gets it. */
export async function executeGetByUnique(
  context: TableContext,
  call: Call,
  model: Model,
  rule: UniqueRule,
  values: Item,
): Promise<Record<string, unknown> | undefined> {
  const { name: tableName, schema, scope } = context
  const at = { model, place: call.place }
  // Every value is there.
  const text = guardText(rule, at, values)!
  const read = async (key: Item): Promise<Item | undefined> => {
    const request = { TableName: tableName, Key: key, ConsistentRead: true }
    return (await send(context, call, 'GetItem', request, READ)).Item
  }
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const key = (await read(reservedKey(schema, GUARD, text)))?.[OWNER]?.M
    if (key === undefined) return undefined
    // To a tenant, the items of another one are not there.
    const isInside =
      !scope || isPartition({ schema, scope }, schema.primary, (name) => getOwn(key, name))
    if (!isInside) return undefined
    const item = await read(key)
    if (item === undefined || guardText(rule, at, item) !== text) continue
    return decodeFound(context, { model, partial: false, includeExpired: false }, item)
  }
  return undefined
}
