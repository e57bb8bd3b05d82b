import { isInIndex } from '../../schema/index-keys.ts'
import { refuseInput } from '../../schema/input-issues.ts'
import type { Counter } from '../../schema/model.ts'
import type { Item } from '../../values/attribute-value.ts'
import { subtractDecimals } from '../../values/decimal.ts'
import { getOwn } from '../../values/own.ts'
import { sameValue } from '../../values/same-value.ts'
import type { CountChange } from '../plan.ts'
import { valuesOf } from './item-values.ts'
import type { Transition } from './transition.ts'

/** Changes of the counts or sums of the parents that the item names before and after. */
export function planCount(counter: Counter, transition: Transition): CountChange[] {
  const { site, place, before, after } = transition
  const { parent, attribute } = counter
  const old = partIn(counter, transition, before)
  const now = partIn(counter, transition, after)
  const change = (key: Item, from: string, to: string, joins: boolean): CountChange[] => {
    const by = subtractDecimals(to, from)
    if (by === undefined) {
      const message = 'differs from the value before by a number with more than 38 digits'
      return refuseInput([{ path: [counter.sums!.name], message }], place)
    }
    // An item that joins a parent with an amount of 0 still makes sure that the parent exists.
    return by === '0' && !joins
      ? []
      : [{ ...site, kind: 'count', parent, attribute, key, by, joins, place }]
  }
  // A transaction can't write one item twice, so a change within one parent is one write of the
  // difference.
  if (old && now && sameValue(old.key, now.key))
    return change(now.key, old.amount, now.amount, false)
  return [
    ...(now ? change(now.key, '0', now.amount, true) : []),
    ...(old ? change(old.key, old.amount, '0', false) : []),
  ]
}

/** The parent that counts the item, and what it adds there. */
function partIn(
  { parent, links, when, sums }: Counter,
  { model, place }: Transition,
  item: Item | undefined,
): { readonly key: Item; readonly amount: string } | undefined {
  if (item === undefined) return undefined
  const names = [...links.values()]
  const values = valuesOf(model, item, [...names, ...(when?.keys() ?? [])])
  const amount = sums ? getOwn(item, sums.stored)?.N : '1'
  if (amount === undefined || !isInIndex({ names, when }, values)) return undefined
  const key = Object.fromEntries(Array.from(links, ([name, link]) => [name, values[link]]))
  return { key: parent.encodeKey(key, place), amount }
}
