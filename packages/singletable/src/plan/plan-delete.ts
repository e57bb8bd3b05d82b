import type { UpdatePlan } from './plan.ts'
import { type PlanContext, placeOf } from './plan-context.ts'
import { planWrite } from './plan-write.ts'
import { stageWrite } from './stage-write.ts'
import type { DeleteState } from './state.ts'
import { encodeGiven } from './update-draft.ts'

/** Plans a delete: without a condition unless one is asked for, so deleting what is not there is no error. */
export function planDelete(state: DeleteState, context: PlanContext): UpdatePlan {
  const { model, version, mustExist: exists } = state
  const place = placeOf(context, model, 'delete')
  const key = model.encodeKey(state.key, place)
  const plan = model.companions ? stageWrite : planWrite
  return plan(state, context, {
    action: 'Delete',
    verb: 'delete',
    place,
    key,
    exists,
    version,
    ...(state.given && { known: encodeGiven(state.given, model, place) }),
  })
}
