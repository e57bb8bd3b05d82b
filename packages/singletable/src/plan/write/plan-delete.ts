import { keyFromItem } from '../../schema/index-keys.ts'
import type { Model } from '../../schema/model.ts'
import type { Item } from '../../values/attribute-value.ts'
import { type PlanContext, placeOf, siteOf } from '../plan-context.ts'
import type { DeleteState } from '../state.ts'
import { planWrite } from './plan-write.ts'
import { stageWrite } from './stage-write.ts'
import type { UpdatePlan } from './staged-plan.ts'
import { encodeGiven } from './update-draft.ts'
import { knownValues } from './write-condition.ts'

/**
 * Plans a delete: without a condition unless one is asked for, so deleting what is not there is no
 * error.
 */
export function planDelete(state: DeleteState, context: PlanContext): UpdatePlan {
  const { model, version, mustExist: exists } = state
  const place = placeOf(context, model, 'delete')
  const key = model.encodeKey(state.key, place)
  const plan = model.derivedItems ? stageWrite : planWrite
  return plan(state, siteOf(context), {
    action: 'Delete',
    verb: 'delete',
    place,
    key,
    exists,
    version,
    ...(state.given && { given: encodeGiven(state.given, model, place) }),
  })
}

/**
 * Plans the deletion of an item whose time to live is over, if it is still there, with all that
 * follows from it.
 */
export function planExpiry(model: Model, item: Item, context: PlanContext): UpdatePlan {
  const plan = model.derivedItems ? stageWrite : planWrite
  return plan({ model }, siteOf(context), {
    action: 'Delete',
    verb: 'delete',
    place: placeOf(context, model, 'delete'),
    key: keyFromItem(model.schema.primary, item),
    version: undefined,
    known: knownValues([model.ttl!.stored], item),
  })
}
