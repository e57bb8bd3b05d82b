import type { GetPlan } from '../plan/plan.ts'
import type { UniquePlan } from '../plan/plan-unique.ts'
import { isPartition } from '../plan/scope.ts'
import { guardText } from '../plan/write/guard-of.ts'
import { compileGet } from '../request/compile-read.ts'
import { OWNER } from '../schema/reserved-items.ts'
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
  { guard, whole, rule, text }: UniquePlan,
): Promise<Record<string, unknown> | undefined> {
  const { schema, scope } = context
  const read = async (plan: GetPlan): Promise<Item | undefined> =>
    (await send(context, call, 'GetItem', compileGet(plan), READ)).Item
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const key = (await read(guard))?.[OWNER]?.M
    if (key === undefined) return undefined
    // To a tenant, the items of another one are not there.
    const isInside =
      !scope || isPartition({ schema, scope }, schema.primary, (name) => getOwn(key, name))
    if (!isInside) return undefined
    const item = await read({ ...whole, key })
    const at = { model: whole.model, place: call.place }
    if (item !== undefined && guardText(rule, at, item) === text) {
      return decodeFound(context, whole, item)
    }
  }
  return undefined
}
