import type { Model } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'
import type { PlanContext } from './plan-context.ts'

/**
 * Whether an item's time to live is over: DynamoDB deletes it some time later, and until then it
 * counts as absent in every call.
 */
export function isExpired(
  model: Model,
  item: Item,
  { environment }: Pick<PlanContext, 'environment'>,
): boolean {
  return model.ttl !== undefined && isExpiredAt(model, item, environment.now())
}

export function isExpiredAt({ ttl }: Model, item: Item, now: number): boolean {
  const seconds = ttl && item[ttl.stored]?.N
  return seconds !== undefined && Number(seconds) * 1000 <= now
}
