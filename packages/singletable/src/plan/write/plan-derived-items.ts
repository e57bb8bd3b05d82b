import type { Condition } from '../../expression/tree.ts'
import { keyFromItem } from '../../schema/index-keys.ts'
import type { Model } from '../../schema/model.ts'
import type { Item } from '../../values/attribute-value.ts'
import { canonicalText, sameValue } from '../../values/same-value.ts'
import type { DerivedRole, DerivedWrite, WritePlan } from '../plan.ts'
import { copiesOf } from './copies-of.ts'
import { guardCondition, guardOf } from './guard-of.ts'
import { planCount } from './plan-count.ts'
import { planWrite } from './plan-write.ts'
import type { Transition } from './transition.ts'

/**
 * All that follows from what a write makes of an item: copies, guards of unique values, counters of
 * parents.
 */
export function planDerivedItems(transition: Transition): readonly DerivedWrite[] {
  const { model } = transition
  const { copies, unique, counters } = model.derivedItems!
  return [
    ...copies.flatMap((copy) => {
      const { name } = copy.model
      const attributes = copy.each ? [copy.each.list.name] : []
      return planItems(transition, {
        model: copy.model,
        role: { kind: 'copy', name, attributes },
        itemsOf: (item) => copiesOf(copy, model, item, transition.place),
      })
    }),
    ...unique.flatMap((rule) =>
      planItems(transition, {
        model,
        role: { kind: 'unique', name: rule.name, attributes: rule.determinedBy },
        itemsOf: (item, owner) => guardOf(rule, transition, item, owner),
        conditionOf: (claims) => guardCondition(transition, claims),
      }),
    ),
    ...counters.flatMap((counter) => planCount(counter, transition)),
  ]
}

/** Items that follow from another by one rule. */
interface DerivedKind {
  readonly model: Model
  readonly role: Omit<DerivedRole, 'optional'>
  /** Those of an item under its key. */
  itemsOf(item: Item, key: Item): readonly Item[]
  conditionOf?(puts: boolean): Condition
}

/** Puts those that are new or differ, as wholes, and deletes those that are no longer. */
function planItems(
  { site, place, before, after, keys, whole }: Transition,
  { model, role, itemsOf, conditionOf }: DerivedKind,
): WritePlan[] {
  const byKey = (item: Item | undefined, owner: Item) => {
    const items = new Map<string, { readonly key: Item; readonly item: Item }>()
    for (const each of item ? itemsOf(item, owner) : []) {
      const key = keyFromItem(model.schema.primary, each)
      const text = canonicalText(key)!
      // Elements that differ in case alone can have one copy: that of the first.
      if (!items.has(text)) items.set(text, { key, item: each })
    }
    return items
  }
  const old = byKey(before, keys[0])
  const now = byKey(after, keys[1])
  const plan = (key: Item, item: Item | undefined): WritePlan =>
    planWrite({ model }, site, {
      action: item ? 'Put' : 'Delete',
      verb: item ? 'put' : 'delete',
      place,
      key,
      ...(item && { item }),
      version: undefined,
      ...(conditionOf && { condition: conditionOf(item !== undefined) }),
      // What is another's by now need not be deleted.
      role: { ...role, optional: conditionOf !== undefined && !item },
    })
  return [
    ...[...now]
      .filter(([text, { item }]) => whole || !sameValue(old.get(text)?.item, item))
      .map(([, { key, item }]) => plan(key, item)),
    ...[...old].filter(([text]) => !now.has(text)).map(([, { key }]) => plan(key, undefined)),
  ]
}
