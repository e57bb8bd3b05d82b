import { keyFromItem } from '../schema/index-keys.ts'
import type { UpdatePlan } from './plan.ts'
import { type PlanContext, placeOf } from './plan-context.ts'
import { planWrite } from './plan-write.ts'
import { stageWrite } from './stage-write.ts'
import type { PutState } from './state.ts'

/** Plans a put or a create: the whole item, and the condition it is written on. */
export function planPut(state: PutState, context: PlanContext): UpdatePlan {
  const { model, verb, returning } = state
  const place = placeOf(context, model, verb)
  const { item, output, version } = model.encodeNew(state.input, context.environment, place)
  const creates = verb === 'create'
  const plan = model.companions ? stageWrite : planWrite
  return plan(state, context, {
    action: 'Put',
    verb,
    place,
    key: keyFromItem(model.schema.primary, item),
    item,
    // Without a version nothing is known that could be replaced.
    absent: creates || (model.version !== undefined && version === undefined),
    version: creates ? undefined : version,
    output: returning === 'NEW' ? output : undefined,
  })
}
