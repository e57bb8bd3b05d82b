import { toldNames } from './compile-copies.ts'
import { primaryTemplates } from './index-keys.ts'
import { isLasting } from './is-lasting.ts'
import type { Model } from './model.ts'
import type { CheckPattern, WritePattern } from './pattern-definition.ts'

/**
 * The attributes whose current values a step of a transaction would need in every call: index keys, and what is written with the item (copies,
 * guards of unique values, counters), depend on them, and a transaction can't read first.
 */
export function neededValues(model: Model, step: WritePattern | CheckPattern): readonly string[] {
  const { companions, attributes, version } = model
  const stored = new Set<string>()
  const needs = (names: Iterable<string>): void => {
    for (const name of names) stored.add(name)
  }
  if (step.op === 'delete') needs(companions?.deciding ?? [])
  if (step.op === 'put' && companions) {
    // With a version, a put of a new item needs none.
    const isAlone = version || (companions.fixed && companions.counted.length === 0)
    if (!isAlone) needs(companions.touching)
  }
  if (step.op === 'update') {
    const storedOf = (names: readonly string[] = []): string[] =>
      names.map((name) => attributes.get(name)!.stored)
    const replaced = storedOf([...(step.set ?? []), ...(step.remove ?? [])])
    const changed = new Set([...replaced, ...storedOf(step.add)])
    const isNeeded = (name: string): boolean =>
      companions!.deciding.has(name) || !replaced.includes(name)
    if (companions) needs([...companions.affectedBy(changed)].filter(isNeeded))
    needs(storedOf(neededForKeys(model, step)))
  }
  const told = toldNames(model)
  return [...attributes.values()].flatMap((each) =>
    stored.has(each.stored) && !told.includes(each.name) ? each.name : [],
  )
}

/** What the index keys that an update changes are made of, besides. Where a value that is set decides whether the item is in the index, nothing is certain. */
function neededForKeys(
  model: Model,
  { set = [], remove = [], add = [] }: Extract<WritePattern, { op: 'update' }>,
): readonly string[] {
  const lossy = primaryTemplates(model.primary).flatMap(({ template }) =>
    template.parts.filter((part) => typeof part === 'object' && part.lossy),
  )
  const changed: readonly string[] = [...set, ...remove, ...add]
  return model.derived.flatMap(({ template, uses }) => {
    if (!uses.some(({ names }) => names.some((name) => changed.includes(name)))) return []
    // The key has it in the same form, such as small letters.
    const isInKey = (name: string): boolean =>
      template.parts.every(
        (part) =>
          typeof part === 'string' ||
          part.name !== name ||
          lossy.some(
            (other) => typeof other === 'object' && other.name === name && other.unit === part.unit,
          ),
      )
    const needed = uses.flatMap(({ names, when }) => {
      if (names.some((name) => remove.includes(name) || (when?.has(name) && set.includes(name)))) {
        return []
      }
      const open = names.filter(
        (name) =>
          !set.includes(name) &&
          (when?.has(name) ||
            (template.names.includes(name)
              ? !isInKey(name)
              : !isLasting(model, model.attributes.get(name)!))),
      )
      return [open]
    })
    return needed.every((open) => open.length > 0) ? needed.flat() : []
  })
}
