import type { UniqueRule } from '../schema/model.ts'
import { GUARD, reservedKey } from '../schema/reserved-items.ts'
import type { Item } from '../values/attribute-value.ts'
import type { Explanation, GetPlan } from './plan.ts'
import { type PlanContext, placeOf } from './plan-context.ts'
import { explainKey } from './plan-get.ts'
import { projectedPaths } from './projection.ts'
import { referencesOf, toReference } from './references.ts'
import type { ReadState } from './state.ts'
import { guardText } from './write/guard-of.ts'

export interface UniqueState extends ReadState {
  readonly rule: UniqueRule
  /** The values, as they are stored. */
  readonly item: Item
}

/** Two reads: of the guard, which has the key of the item, and of the item. */
export interface UniquePlan {
  readonly guard: GetPlan
  /** Without its key, which is known after the first read. */
  readonly whole: Omit<GetPlan, 'key'>
  readonly rule: UniqueRule
  /** What the guard's key says. */
  readonly text: string
}

export function planUnique(state: UniqueState, context: PlanContext): UniquePlan {
  const { model, rule, item, select, capacity, includeExpired } = state
  const { tableName } = context
  // Every value is there.
  const text = guardText(rule, { model, place: placeOf(context, model, 'getByUnique') }, item)!
  const plan = { kind: 'get', model, tableName, consistentRead: true, capacity } as const
  // Whether the item still has the values is decided by what is read.
  const lacking = rule.attributes.filter(
    ({ stored }) => !select?.some(({ path }) => path[0] === stored),
  )
  // References have the names of all attributes.
  const references = referencesOf(model) as { readonly [name: string]: unknown }
  const { paths: projection, unasked } = select
    ? projectedPaths(
        state,
        [...select, ...lacking.map(({ name }) => toReference(references[name])!)],
        model.schema.primary,
      )
    : {}
  const partial = unasked ? [...unasked, ...lacking.map(({ name }) => name)] : false
  const key = reservedKey(model.schema, GUARD, text)
  return {
    guard: { ...plan, key, projection: undefined, partial: false, includeExpired: true },
    whole: { ...plan, projection, partial, includeExpired },
    rule,
    text,
  }
}

export function explainUnique(state: UniqueState, context: PlanContext): Explanation {
  const { guard, whole } = planUnique(state, context)
  return {
    ...explainKey(guard, whole.projection),
    requests: '2, the second to the key that the first gives',
    capacity: '1 read unit, and 1 per 4 KB of the item',
  }
}
