import { getOwn } from '../values/own.ts'
import { checkName, checkOptions, entriesOf, requireObject } from './check-options.ts'
import { type CompileCopy, compileCopies, toldNames } from './compile-copies.ts'
import { compileWhen } from './compile-model.ts'
import { linkKeys, requireAttribute, requireModel } from './link-keys.ts'
import type { Attribute, DerivedItems, Copy, Counter, Model, Schema, UniqueRule } from './model.ts'
import type { Place } from './place.ts'
import { GUARD, reservedConflicts, reservedText } from './reserved-items.ts'
import type { CountsDefinition, ModelDefinition } from './schema-definition.ts'

/** Tells the models what else is written with their items. Models of copies are made by `compileCopy`. */
export function compileDerivedItems(schema: Schema, place: Place, compileCopy: CompileCopy): void {
  const counters = new Map<Model, Counter[]>()
  const models = [...schema.models.values()]
  for (const parent of models) {
    for (const attribute of parent.attributes.values()) {
      const { counts } = attribute.definition
      if (counts === undefined) continue
      const at = place.part('model', parent.name).part('attribute', attribute.name).at('counts')
      const made = at.attempt(() => compileCounter(schema, parent, attribute, counts, at))
      if (made) counters.set(made[0], [...(counters.get(made[0]) ?? []), made[1]])
    }
  }
  for (const model of models) {
    const definition = getOwn(schema.definition.models, model.name)!
    const at = place.part('model', model.name)
    const unique = compileUnique(model, definition, at)
    const copies = compileCopies(model, definition, { unique, place: at, compileCopy })
    const counted = [...model.attributes.values()].filter((each) => each.definition.counts)
    const own = counters.get(model) ?? []
    if (unique.length + copies.length + counted.length + own.length === 0) continue
    // This is where models get them: they need the models of all others.
    ;(model as { derivedItems: DerivedItems }).derivedItems = {
      copies,
      unique,
      counters: own,
      counted,
      ...dependencies(model, copies, unique, own),
      fixed:
        unique.length + own.length === 0 &&
        copies.every(({ model: copy, when }) => {
          const told = toldNames(model)
          return [...copy.primary.names, ...(when?.keys() ?? [])].every((name) =>
            told.includes(name),
          )
        }),
    }
  }
  if (models.every(({ derivedItems }) => !derivedItems?.unique.length)) return
  for (const { model, what, fix } of reservedConflicts(schema, GUARD)) {
    place.at('models', { model }).report(what, fix, { code: 'KEYS_MEET', rule: 'K01' })
  }
}

function dependencies(
  { attributes, ttl }: Model,
  copies: readonly Copy[],
  unique: readonly UniqueRule[],
  counters: readonly Counter[],
): Pick<DerivedItems, 'determinedBy' | 'dependsOn' | 'affectedBy'> {
  const storedOf = (names: Iterable<string>): string[] =>
    Array.from(names, (name) => attributes.get(name)!.stored)
  // What is computed follows from other attributes.
  const sourcesOf = (names: readonly string[]): string[] =>
    storedOf(
      [...attributes.values()].flatMap(({ stored, from = [] }) =>
        names.includes(stored) ? from : [],
      ),
    )
  // A guard ends with its item.
  const ends = ttl ? [ttl.stored] : []
  const each = [
    ...copies.map(({ model: copy, when, stored }) => ({
      determinedBy: storedOf([...copy.primary.names, ...(when?.keys() ?? [])]),
      others: stored,
    })),
    ...counters.map(({ links, when }) => ({
      determinedBy: storedOf([...links.values(), ...(when?.keys() ?? [])]),
      others: [],
    })),
    ...unique.map((rule) => ({
      determinedBy: rule.attributes.map(({ stored }) => stored),
      others: ends,
    })),
  ].map(({ determinedBy, others }) => {
    const names = [...determinedBy, ...others]
    return { determinedBy, dependsOn: [...names, ...sourcesOf(names)] }
  })
  return {
    determinedBy: new Set(each.flatMap(({ determinedBy }) => determinedBy)),
    dependsOn: new Set(each.flatMap(({ dependsOn }) => dependsOn)),
    affectedBy: (changed) =>
      new Set(
        each.flatMap(({ dependsOn }) =>
          dependsOn.some((name) => changed.has(name)) ? dependsOn : [],
        ),
      ),
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
        ({ codec, definition }) => !/^(S|N|B|BOOL)$/.test(codec.tag ?? '') || definition.counts,
      )
      if (wrong || attributes.length === 0) {
        at.refuse(
          wrong ? `"${wrong.name}" is of a type that can't be unique` : 'it names no attributes',
          'use attributes that are texts, numbers, dates, booleans or bytes',
        )
      }
      const prefix =
        reservedText(model.schema, [GUARD.word, model.name, name]) ??
        at.refuse("its name can't be part of a key", 'change it')
      return { name, attributes, ignoreCase, prefix }
    })
    return rule ?? []
  })
}

/** The counter, and the model whose items it counts. */
function compileCounter(
  schema: Schema,
  parent: Model,
  attribute: Attribute,
  counts: string | CountsDefinition,
  place: Place,
): [Model, Counter] {
  const definition = typeof counts === 'string' ? { model: counts } : counts
  checkOptions(definition, 'model by when', place)
  const { by, when } = definition
  const child = requireModel(schema, definition.model, place)
  const { type, default: supplied, required, version, ttl, generate } = attribute.definition
  if (type !== Number || supplied !== undefined || required || version || ttl || generate) {
    place.refuse('a counter is a Number that starts at 0', 'write { type: Number, counts }')
  }
  const isKey = parent.indexes.some(
    ({ hash, sort, when }) =>
      when?.has(attribute.name) ||
      [...hash, ...sort].some(({ template }) => template?.names.includes(attribute.name)),
  )
  if (isKey) {
    place.refuse(
      'a counter changes without its item, so no template or condition can have it',
      'name it as the sort attribute of an index, as it is',
    )
  }
  const links = linkKeys(parent, child, by, place)
  return [
    child,
    {
      parent,
      attribute,
      links,
      when: when === undefined ? undefined : compileWhen(when, child.attributes, place),
    },
  ]
}
