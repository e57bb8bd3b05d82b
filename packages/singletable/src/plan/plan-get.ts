import { readableValue } from '../expression/print.ts'
import type { Explanation, GetPlan } from './plan.ts'
import { type PlanContext, placeOf } from './plan-context.ts'
import { projectedPaths } from './projection.ts'
import { readUnits } from './read/explain-read.ts'
import type { GetState } from './state.ts'

/** One item by its primary key. */
export function planGet(state: GetState, context: PlanContext): GetPlan {
  const { model, select, consistentRead, capacity, includeExpired } = state
  // Reads accept a key with its prefix whether or not anyone is warned.
  const { tableName, warn = () => {} } = context
  const { paths: projection, unasked: partial = false } = select
    ? projectedPaths(state, select, model.schema.primary)
    : {}
  const key = model.encodeKey(state.key, placeOf(context, model, 'get'), warn)
  return {
    kind: 'get',
    model,
    tableName,
    key,
    consistentRead,
    capacity,
    projection,
    partial,
    includeExpired,
  }
}

export function explainGet(state: GetState, context: PlanContext): Explanation {
  const plan = planGet(state, context)
  return explainKey(plan, plan.projection)
}

/** How items are read by key; `projection` is that of the item that is given. */
export function explainKey(
  { model, key, consistentRead }: GetPlan,
  projection: GetPlan['projection'],
): Explanation {
  return {
    operation: 'GetItem',
    entity: model.name,
    index: 'primary',
    refused: [],
    keyCondition: Object.entries(key)
      .map(([name, value]) => `${name} = ${readableValue(value)}`)
      .join(' AND '),
    requests: '1',
    capacity: `${readUnits(consistentRead)} of the item`,
    notes: projection ? ['select() saves traffic, not read units: the whole item is paid for'] : [],
  }
}
