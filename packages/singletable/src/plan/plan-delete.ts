import type { WritePlan } from './plan.ts'
import { type PlanContext, placeOf } from './plan-context.ts'
import { planWrite } from './plan-write.ts'
import type { DeleteState } from './state.ts'

/** Plans a delete: without a condition unless one is asked for, so deleting what is not there is no error. */
export function planDelete(state: DeleteState, context: PlanContext): WritePlan {
  const { model, version, mustExist: exists } = state
  const place = placeOf(context, model, 'delete')
  const key = model.encodeKey(state.key, place)
  return planWrite(state, context, {
    action: 'Delete',
    verb: 'delete',
    place,
    key,
    exists,
    version,
  })
}
