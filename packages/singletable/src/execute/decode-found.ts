import { isExpired } from '../plan/is-expired.ts'
import type { GetPlan } from '../plan/plan.ts'
import { matchPart, typeIn } from '../schema/index-keys.ts'
import type { Model } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import type { TableContext } from './table-context.ts'

/** The output of an item fetched by key; `undefined` if there is none, or if its time to live is over. */
export function decodeFound(
  context: TableContext,
  plan: GetPlan,
  item: Item | undefined,
): Record<string, unknown> | undefined {
  if (item === undefined) return undefined
  const { model } = plan
  // The key is that of another model's item.
  const type = model.isShared ? typeIn(item, model.schema.params) : undefined
  if (type && type.S !== model.type) return undefined
  if (model.ttl !== undefined && !plan.includeExpired && isExpired(model, item, context)) {
    return undefined
  }
  return decodeItem(context, model, item, plan.partial)
}

/** The output of an item. A put will keep what it has besides, which the model does not declare. */
export function decodeItem(
  { undeclared }: TableContext,
  model: Model,
  item: Item,
  partial: boolean | readonly string[],
  key?: Item | undefined,
): Record<string, unknown> {
  if (partial === false && undeclared && !undeclared.has(model)) {
    for (const name in item) {
      if (model.storedNames.has(name)) continue
      undeclared.set(model, { name, isReported: false })
      break
    }
  }
  return model.decode(item, partial, key)
}

/** Whether an item's primary key is one that the model makes. */
export function hasKeyOf({ primary }: Model, item: Item): boolean {
  return [...primary.hash, ...primary.sort].every(
    (part) => matchPart(part, getOwn(item, part.name)) !== undefined,
  )
}
