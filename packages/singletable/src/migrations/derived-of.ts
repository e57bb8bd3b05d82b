import type { DerivedWrite } from '../plan/plan.ts'
import type { WriteSite } from '../plan/plan-context.ts'
import { planDerivedItems } from '../plan/write/plan-derived-items.ts'
import { keyFromItem } from '../schema/index-keys.ts'
import type { Model } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'

/**
 * All that follows from an item: its copies, the guards of its unique values, and where it is
 * counted. An item that moves owns the guards of its old key.
 */
export function derivedOf(
  model: Model,
  item: Item,
  site: WriteSite,
  oldKey?: Item,
): readonly DerivedWrite[] {
  if (!model.derivedItems) return []
  const key = keyFromItem(model.schema.primary, item)
  return planDerivedItems({
    site,
    model,
    place: `migration, entity "${model.name}"`,
    keys: [oldKey ?? key, key],
    before: undefined,
    after: item,
    whole: true,
  })
}
