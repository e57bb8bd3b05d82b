import { recoverableFromKey } from './compile-copies.ts'
import type { Model } from './model.ts'
import type { AskedPattern } from './pattern-definition.ts'

/**
 * The attributes whose current values a step of a transaction would need in every call: what is
 * written with the item (copies, guards of unique values, counters) depends on them, and a
 * transaction can't read first. What index keys need is reported by rule I09 of
 * `singletable check`.
 */
export function neededValues(model: Model, step: AskedPattern): readonly string[] {
  const { derivedItems, attributes, version } = model
  const stored = new Set<string>()
  const needs = (names: Iterable<string>): void => {
    for (const name of names) stored.add(name)
  }
  if (step.op === 'delete' || (step.op === 'update' && step.creates))
    needs(derivedItems?.determinedBy ?? [])
  if (step.op === 'put' && derivedItems) {
    // With a version, a put of a new item needs none.
    const isAlone = version || (derivedItems.fixed && derivedItems.counted.length === 0)
    if (!isAlone) needs(derivedItems.dependsOn)
  }
  if (step.op === 'update') {
    const storedOf = (names: readonly string[] = []): string[] =>
      names.map((name) => attributes.get(name)!.stored)
    const replaced = storedOf([...(step.set ?? []), ...(step.remove ?? [])])
    const changed = new Set([...replaced, ...storedOf(step.add)])
    const isNeeded = (name: string): boolean =>
      derivedItems!.determinedBy.has(name) || !replaced.includes(name)
    if (derivedItems) needs([...derivedItems.affectedBy(changed)].filter(isNeeded))
  }
  const { given = [] } = step as { readonly given?: readonly string[] }
  const known = [...recoverableFromKey(model), ...given]
  return [...attributes.values()].flatMap((each) =>
    stored.has(each.stored) && !known.includes(each.name) ? each.name : [],
  )
}
