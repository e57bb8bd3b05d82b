import type { WritePlan } from '../plan.ts'
import { type PlanContext, placeOf, siteOf } from '../plan-context.ts'
import type { CheckState } from '../state.ts'
import { planWrite } from './plan-write.ts'

/**
 * Plans a condition check of a transaction. One that says nothing more asks that the item exists.
 */
export function planCheck(state: CheckState, context: PlanContext): WritePlan {
  const { model, version, where } = state
  const place = placeOf(context, model, 'check')
  const key = model.encodeKey(state.key, place)
  const exists = version === undefined && where === undefined
  const action = 'ConditionCheck'
  return planWrite(state, siteOf(context), { action, verb: 'check', place, key, exists, version })
}
