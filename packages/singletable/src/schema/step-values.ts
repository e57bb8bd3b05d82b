import { toldNames } from './compile-copies.ts'
import type { Model } from './model.ts'
import type { CheckPattern, WritePattern } from './pattern-definition.ts'

/**
 * The attributes whose current values a step of a transaction would need in every call: what is written with the item (copies, guards of unique
 * values, counters) depends on them, and a transaction can't read first.
 */
export function neededValues(
  { companions, attributes, version, ...model }: Model,
  step: WritePattern | CheckPattern,
): readonly string[] {
  if (!companions) return []
  const told = toldNames(model as Model)
  const named = (names: Iterable<string>): string[] => {
    const stored = new Set(names)
    return [...attributes.values()].flatMap((each) =>
      stored.has(each.stored) && !told.includes(each.name) ? each.name : [],
    )
  }
  if (step.op === 'delete') return named(companions.deciding)
  if (step.op === 'put') {
    // With a version, a put of a new item needs none.
    return version || (companions.fixed && companions.counted.length === 0)
      ? []
      : named(companions.touching)
  }
  if (step.op !== 'update') return []
  const storedOf = (names: readonly string[] = []): string[] =>
    names.map((name) => attributes.get(name)!.stored)
  const replaced = storedOf([...(step.set ?? []), ...(step.remove ?? [])])
  const changed = new Set([...replaced, ...storedOf(step.add)])
  const isNeeded = (stored: string): boolean =>
    companions.deciding.has(stored) || !replaced.includes(stored)
  return named([...companions.affectedBy(changed)].filter(isNeeded))
}
