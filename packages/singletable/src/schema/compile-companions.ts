import { getOwn } from '../values/own.ts'
import { checkName, checkOptions, requireObject } from './check-options.ts'
import { type CompileCopy, compileCopies, toldNames } from './compile-copies.ts'
import { compileWhen } from './compile-model.ts'
import { didYouMean } from './did-you-mean.ts'
import type { Attribute, Companions, Copy, Counter, Model, Schema, UniqueRule } from './model.ts'
import { refuseSchema } from './refuse-schema.ts'
import { GUARD, refuseReserved, reservedText } from './reserved-items.ts'
import type { CountsDefinition, ModelDefinition } from './schema-definition.ts'

/** Tells the models what else is written with their items. Models of copies are made by `compileCopy`. */
export function compileCompanions(schema: Schema, compileCopy: CompileCopy): void {
  const counters = new Map<Model, Counter[]>()
  const models = [...schema.models.values()]
  for (const parent of models) {
    for (const attribute of parent.attributes.values()) {
      const { counts } = attribute.definition
      if (counts === undefined) continue
      const [child, counter] = compileCounter(schema, parent, attribute, counts)
      counters.set(child, [...(counters.get(child) ?? []), counter])
    }
  }
  for (const model of models) {
    const definition = getOwn(schema.definition.models, model.name)!
    const unique = compileUnique(model, definition)
    const copies = compileCopies(model, definition, unique, compileCopy)
    const counted = [...model.attributes.values()].filter((each) => each.definition.counts)
    const own = counters.get(model) ?? []
    if (unique.length + copies.length + counted.length + own.length === 0) continue
    // This is where models get them: they need the models of all others.
    ;(model as { companions: Companions }).companions = {
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
  if (models.some(({ companions }) => companions?.unique.length)) refuseReserved(schema, GUARD)
}

function dependencies(
  model: Model,
  copies: readonly Copy[],
  unique: readonly UniqueRule[],
  counters: readonly Counter[],
): Pick<Companions, 'deciding' | 'touching'> {
  const { attributes, ttl } = model
  const names = [
    ...copies.flatMap(({ model: copy, when }) => [...copy.primary.names, ...(when?.keys() ?? [])]),
    ...counters.flatMap(({ links, when }) => [...links.values(), ...(when?.keys() ?? [])]),
    ...unique.flatMap((rule) => rule.attributes.map(({ name }) => name)),
  ]
  const deciding = new Set(names.map((name) => attributes.get(name)!.stored))
  const touching = new Set([...deciding, ...copies.flatMap(({ stored }) => stored)])
  // A guard ends with its item.
  if (ttl && unique.length > 0) touching.add(ttl.stored)
  return { deciding, touching }
}

function compileUnique(model: Model, definition: ModelDefinition): readonly UniqueRule[] {
  const rules: (readonly [string, readonly string[], boolean])[] = []
  for (const { name, definition } of model.attributes.values()) {
    const { unique } = definition
    if (unique) rules.push([name, [name], unique === 'ignore-case'])
  }
  for (const [name, rule] of Object.entries(definition.unique ?? {})) {
    const where = `schema, model "${model.name}", unique "${name}"`
    checkName(name, where)
    const isList = Array.isArray(rule)
    if (!isList) checkOptions(rule, 'attributes ignoreCase', where)
    // Only the list has no members of its own.
    const { attributes, ignoreCase = false } = isList
      ? { attributes: rule as readonly string[] }
      : (rule as { attributes: readonly string[]; ignoreCase?: boolean })
    if (rules.some(([other]) => other === name)) {
      refuseSchema(
        where,
        'there is an attribute of that name that is unique',
        'choose another name',
      )
    }
    requireObject(attributes, where)
    rules.push([name, attributes, ignoreCase])
  }
  return rules.map(([name, names, ignoreCase]) => {
    const where = `schema, model "${model.name}", unique "${name}"`
    const attributes = names.map((each) => requireAttribute(model, each, where))
    const wrong = attributes.find(
      ({ codec, definition }) => !/^(S|N|B|BOOL)$/.test(codec.tag ?? '') || definition.counts,
    )
    if (wrong || attributes.length === 0) {
      refuseSchema(
        where,
        wrong ? `"${wrong.name}" is of a type that can't be unique` : 'it names no attributes',
        'use attributes that are texts, numbers, dates, booleans or bytes',
      )
    }
    const prefix = reservedText(model.schema, [GUARD.word, model.name, name])
    if (prefix === undefined) refuseSchema(where, "its name can't be part of a key", 'change it')
    return { name, attributes, ignoreCase, prefix: prefix! }
  })
}

/** The counter, and the model whose items it counts. */
function compileCounter(
  schema: Schema,
  parent: Model,
  attribute: Attribute,
  counts: string | CountsDefinition,
): [Model, Counter] {
  const where = `schema, model "${parent.name}", attribute "${attribute.name}", counts`
  const definition = typeof counts === 'string' ? { model: counts } : counts
  checkOptions(definition, 'model by when', where)
  const { by = {}, when } = definition
  const child = schema.models.get(definition.model)
  if (child === undefined) {
    const hint = didYouMean(String(definition.model), schema.models.keys())
    return refuseSchema(where, `there is no model "${definition.model}"${hint}`, 'name a model')
  }
  const { type, default: supplied, required, version, ttl, generate } = attribute.definition
  if (type !== Number || supplied !== undefined || required || version || ttl || generate) {
    refuseSchema(where, 'a counter is a Number that starts at 0', 'write { type: Number, counts }')
  }
  const isKey = parent.indexes.some(
    ({ hash, sort, when }) =>
      when?.has(attribute.name) ||
      [...hash, ...sort].some(({ template }) => template?.names.includes(attribute.name)),
  )
  if (isKey) {
    refuseSchema(
      where,
      'a counter changes without its item, so no template or condition can have it',
      'name it as the sort attribute of an index, as it is',
    )
  }
  checkOptions(by, parent.primary.names, `${where}, by`)
  const links = new Map<string, string>()
  for (const name of parent.primary.names) {
    const link = requireAttribute(child, getOwn(by, name) ?? name, `${where}, by "${name}"`)
    const types = [link, parent.attributes.get(name)!].map((each) => each.definition.type)
    if (types[0] !== types[1]) {
      refuseSchema(
        where,
        `"${link.name}" of "${child.name}" is of another type than "${name}"`,
        'use one type',
      )
    }
    links.set(name, link.name)
  }
  return [
    child,
    { parent, attribute, links, when: when && compileWhen(when, child.attributes, where) },
  ]
}

function requireAttribute(model: Model, name: string, where: string): Attribute {
  const attribute = model.attributes.get(name)
  if (attribute && !attribute.codec.opaque) return attribute
  return refuseSchema(
    where,
    attribute
      ? `"${name}" is stored by a codec`
      : `"${name}" is no attribute of "${model.name}"${didYouMean(String(name), model.attributes.keys())}`,
    'name an attribute of it',
  )
}
