import { getOwn } from '../values/own.ts'
import { checkName, checkOptions, entriesOf, requireObject } from './check-options.ts'
import { type CompileCopy, compileCopies, recoverableFromKey } from './compile-copies.ts'
import { compileCounter } from './compile-counter.ts'
import { storedNames } from './computed.ts'
import { isCounted } from './is-counted.ts'
import { requireAttribute } from './link-keys.ts'
import type { Counter, DerivedItems, DerivedRule, Model, Schema, UniqueRule } from './model.ts'
import type { Place } from './place.ts'
import { GUARD, reservedConflicts, reservedText } from './reserved-items.ts'
import type { ModelDefinition } from './schema-definition.ts'

/**
 * Adds to the models what else is written with their items. Models of copies are made by
 * `compileCopy`.
 */
export function compileDerivedItems(schema: Schema, place: Place, compileCopy: CompileCopy): void {
  const counters = new Map<Model, Counter[]>()
  const models = [...schema.models.values()]
  for (const parent of models) {
    for (const attribute of parent.attributes.values()) {
      if (!isCounted(attribute.definition)) continue
      const at = place.part('model', parent.name).part('attribute', attribute.name)
      const made = at.attempt(() => compileCounter(schema, parent, attribute, at))
      if (made) counters.set(made[0], [...(counters.get(made[0]) ?? []), made[1]])
    }
  }
  for (const model of models) {
    const definition = getOwn(schema.definition.models, model.name)!
    const at = place.part('model', model.name)
    const unique = compileUnique(model, definition, at)
    const copies = compileCopies(model, definition, { unique, place: at, compileCopy })
    const counted = [...model.attributes.values()].filter(({ definition }) => isCounted(definition))
    const own = counters.get(model) ?? []
    if (unique.length + copies.length + counted.length + own.length === 0) continue
    // This is where models get them: they need the models of all others.
    ;(model as { derivedItems: DerivedItems }).derivedItems = {
      copies,
      unique,
      counters: own,
      counted,
      ...dependencies(model, [...copies, ...own, ...unique]),
      fixed:
        unique.length + own.length === 0 &&
        copies.every(({ determinedBy }) =>
          determinedBy.every((name) => recoverableFromKey(model).includes(name)),
        ),
    }
  }
  if (models.every(({ derivedItems }) => !derivedItems?.unique.length)) return
  for (const { model, what, fix } of reservedConflicts(schema, GUARD)) {
    place.at('models', { model }).report(what, fix, { code: 'KEYS_MEET', rule: 'K01' })
  }
}

function dependencies(
  { attributes }: Model,
  rules: readonly DerivedRule[],
): Pick<DerivedItems, 'determinedBy' | 'dependsOn' | 'affectedBy'> {
  const storedOf = (names: readonly string[]): string[] =>
    names.flatMap((name) => storedNames(attributes, attributes.get(name)!))
  const each = rules.map(({ determinedBy, contains }) => {
    const names = [...determinedBy, ...contains]
    // What is computed follows from other attributes.
    const sources = names.flatMap((name) => attributes.get(name)!.from ?? [])
    return storedOf([...names, ...sources])
  })
  return {
    determinedBy: new Set(rules.flatMap(({ determinedBy }) => storedOf(determinedBy))),
    dependsOn: new Set(each.flat()),
    affectedBy: (changed) =>
      new Set(each.flatMap((names) => (names.some((name) => changed.has(name)) ? names : []))),
  }
}

function compileUnique(
  model: Model,
  definition: ModelDefinition,
  place: Place,
): readonly UniqueRule[] {
  const rules: (readonly [string, readonly string[], boolean])[] = []
  for (const { name, definition } of model.attributes.values()) {
    const { unique } = definition
    if (unique) rules.push([name, [name], unique === 'ignore-case'])
  }
  for (const [name, rule] of entriesOf(definition.unique, place.at('unique'))) {
    const at = place.at(`unique "${name}"`)
    at.attempt(() => {
      checkName(name, at)
      const isList = Array.isArray(rule)
      if (!isList) checkOptions(rule, 'attributes ignoreCase', at)
      // Only the list has no members of its own.
      const { attributes, ignoreCase = false } = isList
        ? { attributes: rule as readonly string[] }
        : (rule as { attributes: readonly string[]; ignoreCase?: boolean })
      if (rules.some(([other]) => other === name)) {
        at.refuse('there is an attribute of that name that is unique', 'choose another name')
      }
      requireObject(attributes, at)
      rules.push([name, [attributes].flat(), ignoreCase])
    })
  }
  return rules.flatMap(([name, names, ignoreCase]) => {
    const at = place.at(`unique "${name}"`, { attribute: names[0] })
    const rule = at.attempt((): UniqueRule => {
      const attributes = names.map((each) => requireAttribute(model, each, at))
      const wrong = attributes.find(
        ({ codec, definition }) => !/^(S|N|B|BOOL)$/.test(codec.tag ?? '') || isCounted(definition),
      )
      if (wrong || attributes.length === 0) {
        at.refuse(
          wrong ? `"${wrong.name}" is of a type that can't be unique` : 'it names no attributes',
          'use attributes that are strings, numbers, dates, booleans or bytes',
        )
      }
      const prefix =
        reservedText(model.schema, [GUARD.word, model.name, name]) ??
        at.refuse("its name can't be part of a key", 'change it')
      const determinedBy = attributes.map((attribute) => attribute.name)
      // A guard ends with its item.
      const contains = model.ttl ? [model.ttl.name] : []
      return { name, attributes, ignoreCase, prefix, determinedBy, contains }
    })
    return rule ?? []
  })
}
