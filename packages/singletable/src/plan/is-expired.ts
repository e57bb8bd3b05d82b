import type { Model } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'
import type { UpdatePlan } from './plan.ts'
import type { PlanContext } from './plan-context.ts'

/** Whether an item's time to live is over: DynamoDB deletes it some time later, and until then it counts as absent in every call. */
export function isExpired(
  { ttl }: Model,
  item: Item,
  { environment }: Pick<PlanContext, 'environment'>,
): boolean {
  const seconds = ttl && item[ttl.stored]?.N
  return seconds !== undefined && Number(seconds) * 1000 <= environment.now()
}

/** Whether a write makes its item from what is there, so that one whose time to live is over is deleted before. */
export function buildsOnItem(plan: UpdatePlan): boolean {
  const { verb } = plan
  return verb === 'upsert' || (verb === 'put' && plan.kind === 'write' && plan.action === 'Update')
}
