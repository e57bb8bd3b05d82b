import type { Attribute, Index, Model, Schema, UniqueRule } from 'singletable/tools'
import { didYouMean, isCounted, keyAttributes } from 'singletable/tools'
import { compareKeys, compareTemplates } from '../check/design/compare-templates.ts'
import { gainedFrom, lostTo, mergeChange, mergedInto, splitChange } from './diff-parts.ts'
import { MigrationError } from './migration-error.ts'
import { retypeText } from './retype-text.ts'
import type { SchemaChange } from './schema-change.ts'
import { askFor, call, quote } from './step-text.ts'
import { valueChanges, versionedValue } from './value-changes.ts'

export interface DiffOptions {
  /** What has another name now: `User` to `Person`, `User.mail` to `User.email`. */
  readonly renames: ReadonlyMap<string, string>
  /** Attributes and models that are really gone, though something new could be them. */
  readonly removals: ReadonlySet<string>
  /** Models whose items are split: `User` to `Address`, of which parts become items. */
  readonly splits?: readonly (readonly [model: string, part: string])[]
  /** Models that are gone, and whose items become part of others: `Address` to `User`. */
  readonly merges?: readonly (readonly [part: string, model: string])[]
}

interface Versions {
  readonly before: Schema
  readonly after: Schema
}

/**
 * All that differs between two versions of a schema. Throws for what only another table can have.
 */
export function diffSchemas(
  before: Schema,
  after: Schema,
  options: DiffOptions,
): readonly SchemaChange[] {
  requireSameTable(before, after)
  const { splits = [], merges = [] } = options
  requireNames(options, { before, after })
  requireModels('split', splits, { before, after })
  requireModels('merge', merges, { before: after, after: before })
  const changes: SchemaChange[] = []
  for (const old of ownModels(before)) {
    const name = options.renames.get(old.name) ?? old.name
    const now = after.models.get(name)
    if (now && !now.source) changes.push(...diffModel(old, now, options, { before, after }))
    else changes.push(removedModel(old, before, after, options))
    for (const [model, part] of splits) {
      if (now && model === old.name) changes.push(splitChange(old, now, after.models.get(part)!))
    }
  }
  for (const { name } of ownModels(after)) {
    const isKnown = before.models.has(name) || [...options.renames.values()].includes(name)
    if (!isKnown) changes.push({ class: 'none', what: `The model ${name} is new.`, steps: [] })
  }
  const { itemVersionField } = after.params
  if (itemVersionField !== before.params.itemVersionField) {
    changes.push({
      class: 'none',
      what: `The version of items is in "${itemVersionField}": they have none until a migration changes their model.`,
      steps: [],
    })
  }
  return [...changes, ...diffIndexes(before, after)]
}

function ownModels(schema: Schema): readonly Model[] {
  return [...schema.models.values()].filter(({ source }) => source === undefined)
}

/** Refuses names that are in no version of the schema: what is misspelled must not be deleted. */
function requireNames({ renames, removals }: DiffOptions, { before, after }: Versions): void {
  const old = namesIn(before)
  for (const name of removals) requireName(name, old, `--remove ${name}`)
  for (const [from, to] of renames) {
    const option = `--rename ${from}=${to}`
    requireName(from, old, option)
    const [model = '', attribute] = from.split('.')
    const target = attribute === undefined ? to : (renames.get(model) ?? model)
    requireName(
      attribute === undefined ? to : `${target}.${to.split('.').at(-1)}`,
      namesIn(after),
      option,
    )
  }
}

function requireName(name: string, known: ReadonlySet<string>, option: string): void {
  if (known.has(name)) return
  throw new MigrationError(
    `There is no ${name.includes('.') ? 'attribute' : 'model'} "${name}"${didYouMean(name, known)}.`,
    option,
    'name what the last migration left, and after = what the schema has now',
  )
}

/** `User`, `User.email` */
function namesIn(schema: Schema): ReadonlySet<string> {
  return new Set(
    ownModels(schema).flatMap(({ name, attributes }) => [
      name,
      ...[...attributes.keys()].map((each) => `${name}.${each}`),
    ]),
  )
}

/** Refuses names of models that the one version or the other does not have, or has too. */
function requireModels(
  option: 'split' | 'merge',
  pairs: readonly (readonly [string, string])[],
  { before, after }: Versions,
): void {
  for (const pair of pairs) {
    const [first, second] = option === 'split' ? pair : [pair[1], pair[0]]
    const isThere = before.models.has(first) && after.models.has(first)
    const isNew = after.models.has(second) && !before.models.has(second)
    if (isThere && isNew) continue
    throw new MigrationError(
      isThere
        ? `${second} is not a model that is ${option === 'split' ? 'new' : 'gone'}.`
        : `${first} is not a model of both versions of the schema.`,
      `--${option} ${pair.join('=')}`,
      option === 'split'
        ? 'pass --split User=Address if parts of User become items of the new model Address'
        : 'pass --merge Address=User if Address is gone and its items become parts of User',
    )
  }
}

function removedModel(
  old: Model,
  before: Schema,
  after: Schema,
  { removals, merges = [] }: DiffOptions,
): SchemaChange {
  const into = merges.find(([part]) => part === old.name)?.[1]
  if (into !== undefined) {
    return mergeChange(old, before.models.get(into)!, after.models.get(into)!)
  }
  const whole = mergedInto(old, before, after)
  if (whole && !removals.has(old.name)) {
    const gained = gainedFrom(before.models.get(whole.name)!, whole, old)
    throw new MigrationError(
      `The model ${old.name} is gone, and ${whole.name} has its ${gained.join(', ')} now. Its items may have become part of ${whole.name}.`,
      'schema, models',
      `pass --merge ${old.name}=${whole.name}, or --remove ${old.name} to delete its items`,
    )
  }
  const added = ownModels(after).filter(({ name }) => !before.models.has(name))
  if (added.length > 0 && !removals.has(old.name)) {
    throw new MigrationError(
      `The model ${old.name} is gone, and ${added.map(({ name }) => name).join(', ')} is new. It may have been renamed.`,
      'schema, models',
      `pass --rename ${old.name}=${added[0]?.name}, or --remove ${old.name} to delete its items`,
    )
  }
  return {
    class: 'contract',
    what: `The model ${old.name} is gone: all its items are deleted.`,
    steps: [call('deleteModel', old.name)],
    isLossy: true,
  }
}

function diffModel(
  old: Model,
  now: Model,
  options: DiffOptions,
  versions: Versions,
): readonly SchemaChange[] {
  const changes: SchemaChange[] = []
  if (old.name !== now.name) {
    changes.push({
      class: 'move',
      what: `${old.name} is called ${now.name}.`,
      steps: [call('renameModel', old.name, now.name)],
    })
  }
  if (old.name === now.name && (old.type !== now.type || (now.isShared && !old.isShared))) {
    changes.push({
      class: 'move',
      what: `Every item of ${now.name} has "${now.type}" as its type.`,
      steps: [call('renameModel', now.name, now.name)],
    })
  }
  changes.push(...diffAttributes(old, now, options, versions))
  const keyParts = [...now.primary.hash, ...now.primary.sort]
  const oldParts = [...old.primary.hash, ...old.primary.sort]
  const isMoved = keyParts.some(
    (part, at) => compareKeys({ part: oldParts[at]!, model: old }, { part, model: now }) !== 'same',
  )
  if (isMoved) {
    changes.push({
      class: 'move',
      what: `The primary key of ${now.name} has other templates: every item moves.`,
      steps: [call('rekey', now.name)],
    })
  }
  if (!isMoved && hasOtherIndexKeys(old, now)) {
    changes.push({
      class: 'expand',
      what: `The index keys of ${now.name} have other templates or conditions.${
        hasKeysInPlace(old, now)
          ? ' Patterns that read the index miss items until the migration has ended: a new index would avoid that.'
          : ''
      }`,
      steps: [call('indexKeys', now.name)],
    })
  }
  if (derivedText(old) !== derivedText(now)) {
    changes.push({
      class: 'expand',
      what: `${now.name} has other copies or unique values.${
        hasOtherUnique(old, now)
          ? ' Older programs do not see which values are taken: see migrate lint before both run.'
          : ''
      }`,
      steps: [call('derivedItems', now.name)],
    })
  }
  return changes
}

function diffAttributes(
  old: Model,
  now: Model,
  options: DiffOptions,
  { before, after }: Versions,
): readonly SchemaChange[] {
  const { renames, removals, splits = [] } = options
  const newModels = ownModels(after).filter(({ name }) => !before.models.has(name))
  const splitOff = new Set(
    splits
      .filter(([model]) => model === old.name)
      .flatMap(([, part]) => lostTo(old, now, after.models.get(part)!)),
  )
  const changes: SchemaChange[] = []
  const added = [...now.attributes.values()].filter(({ name }) => !old.attributes.has(name))
  const taken = new Set<string>()
  for (const attribute of old.attributes.values()) {
    const { name } = attribute
    const path = `${old.name}.${name}`
    const to = renames.get(path)?.split('.').at(-1)
    const target = now.attributes.get(to ?? name)
    if (to !== undefined && target) {
      taken.add(to)
      changes.push({
        class: 'expand',
        what: `${path} is called ${to}.`,
        steps: [call('renameAttribute', now.name, name, to)],
      })
      continue
    }
    if (target) {
      changes.push(...diffAttribute(now, attribute, target, { before, after, oldModel: old }))
      continue
    }
    if (splitOff.has(name)) continue
    const part = newModels.find((each) => lostTo(old, now, each).includes(name))
    if (part && !removals.has(path)) {
      throw new MigrationError(
        `${path} is gone, and the new model ${part.name} has ${lostTo(old, now, part).join(', ')}. Parts of ${old.name} may have become items of ${part.name}.`,
        `schema, model "${now.name}"`,
        `pass --split ${old.name}=${part.name}, or --remove ${path} to remove its values`,
      )
    }
    const candidate = added.find(
      (each) => !taken.has(each.name) && each.codec.tag === attribute.codec.tag,
    )
    if (candidate && !removals.has(path)) {
      throw new MigrationError(
        `${path} is gone, and ${now.name}.${candidate.name} is new and stored in the same way. It may have been renamed.`,
        `schema, model "${now.name}"`,
        `pass --rename ${path}=${candidate.name}, or --remove ${path} to remove its values`,
      )
    }
    changes.push(removedAttribute(now, path, name))
  }
  for (const attribute of added) {
    if (!taken.has(attribute.name)) changes.push(addedAttribute(now, attribute))
  }
  return changes
}

function addedAttribute(model: Model, attribute: Attribute): SchemaChange {
  const { name, definition, from, codec } = attribute
  const path = `${model.name}.${name}`
  if (isCounted(definition)) return countChange(model, name)
  if (from && !codec.unstored) return computedChange(model, name)
  if (definition.copyOf) return copyChange(path)
  if (!isAlwaysThere(model, attribute)) {
    return { class: 'none', what: `${path} is new and optional.`, steps: [] }
  }
  return valueChange(
    model,
    attribute,
    `is new and ${definition.required ? 'required' : 'in every item'}`,
  )
}

/** Whether reading gives it with every item, so that old ones need it too. */
function isAlwaysThere(model: Model, attribute: Attribute): boolean {
  const { name, definition, supply } = attribute
  return (
    definition.required === true ||
    definition.version === true ||
    supply !== undefined ||
    model.primary.names.includes(name) ||
    attribute === model.createdAt ||
    attribute === model.updatedAt
  )
}

function diffAttribute(
  model: Model,
  old: Attribute,
  now: Attribute,
  { before, after, oldModel }: Versions & { readonly oldModel: Model },
): readonly SchemaChange[] {
  const changes: SchemaChange[] = []
  const { name } = now
  const path = `${model.name}.${name}`
  const values = valueChanges(path, versionedValue(old, before), versionedValue(now, after))
  const form = values.find(({ effect }) => effect === 'form')
  if (form) {
    changes.push({
      class: 'move',
      what: `${form.what}.`,
      steps: [retypeText(model.name, [old, before], [now, after], form)],
    })
  } else if (old.stored !== now.stored) {
    changes.push({
      class: 'expand',
      what: `${path} was stored as "${old.stored}" and is stored as "${now.stored}".`,
      steps: [call('renameAttribute', model.name, old.name, name)],
    })
  }
  if (!form && values.length > 0) {
    changes.push({
      class: 'check',
      what: `${values.map(({ what }) => what).join(', ')}: values that do not fit are listed.`,
      steps: [call('checkAttribute', model.name, name)],
    })
  }
  const isOther = (...options: readonly (keyof Attribute['definition'])[]): boolean =>
    options.some(
      (each) => JSON.stringify(old.definition[each]) !== JSON.stringify(now.definition[each]),
    )
  if (isCounted(now.definition)) {
    if (isOther('counts', 'sums')) changes.push(countChange(model, name))
    return changes
  }
  if (now.from && !now.codec.unstored) {
    if (!old.from || isOther('from', 'stored')) changes.push(computedChange(model, name))
    return changes
  }
  if (now.codec.unstored && !old.codec.unstored) changes.push(removedAttribute(model, path, name))
  if (now.definition.copyOf && isOther('copyOf')) changes.push(copyChange(path))
  if (isAlwaysThere(model, now) && !isAlwaysThere(oldModel, old)) {
    changes.push(
      valueChange(model, now, `is ${now.definition.required ? 'required' : 'in every item'} now`),
    )
  }
  return changes
}

function removedAttribute(model: Model, path: string, name: string): SchemaChange {
  return {
    class: 'contract',
    what: `${path} is gone: its values are removed.`,
    steps: [call('removeAttribute', model.name, name)],
    isLossy: true,
  }
}

function valueChange(model: Model, attribute: Attribute, why: string): SchemaChange {
  const { name } = attribute
  return {
    class: 'expand',
    what: `${model.name}.${name} ${why}: items that lack it get a value.`,
    steps: [
      `addAttribute(${[quote(model.name), quote(name), ...initialValue(model, attribute)].join(', ')})`,
    ],
  }
}

function countChange(model: Model, name: string): SchemaChange {
  return {
    class: 'expand',
    what: `${model.name}.${name} counts or adds up items: existing ones are counted.`,
    steps: [call('countItems', model.name, name)],
  }
}

function computedChange(model: Model, name: string): SchemaChange {
  return {
    class: 'expand',
    what: `${model.name}.${name} is computed: existing items get it.`,
    steps: [call('deriveAttribute', model.name, name)],
  }
}

function copyChange(path: string): SchemaChange {
  return {
    class: 'none',
    what: `${path} repeats another attribute: propagate(table) gives it to existing items.`,
    steps: [],
  }
}

function hasOtherIndexKeys(old: Model, now: Model): boolean {
  const conditionsOf = ({ indexes }: Model): string =>
    JSON.stringify(
      indexes.map(({ index, when, isShort }) => [
        index.name,
        isShort,
        [...(when ?? [])].map(([a, b]) => [a, [...b]]),
      ]),
    )
  if (old.derived.length !== now.derived.length || conditionsOf(old) !== conditionsOf(now)) {
    return true
  }
  return (
    now.derived.some(({ name }) => !old.derived.some((each) => each.name === name)) ||
    hasKeysInPlace(old, now)
  )
}

/** Whether an index key that items have already gets another template. */
function hasKeysInPlace(old: Model, now: Model): boolean {
  return now.derived.some(({ name, template }) => {
    const known = old.derived.find((each) => each.name === name)?.template
    return (
      known !== undefined &&
      compareTemplates({ template: known, model: old }, { template, model: now }) !== 'same'
    )
  })
}

function hasOtherUnique({ derivedItems: old }: Model, { derivedItems: now }: Model): boolean {
  const textOf = (rules: readonly UniqueRule[] = []): string =>
    JSON.stringify(
      rules.map(({ name, determinedBy, ignoreCase }) => [name, determinedBy, ignoreCase]),
    )
  return now !== undefined && now.unique.length > 0 && textOf(old?.unique) !== textOf(now.unique)
}

/** What decides which items follow from an item, except for counters. */
function derivedText({ derivedItems }: Model): string {
  const { copies = [], unique = [] } = derivedItems ?? {}
  return JSON.stringify([
    copies.map(({ model, when, each }) => [
      model.name,
      [...model.primary.hash, ...model.primary.sort].map(({ template }) => template?.source),
      model.derived.map(({ name, template }) => [name, template.source]),
      [...(when ?? [])],
      each?.list.stored,
      [...model.attributes.values()].map(({ stored }) => stored),
    ]),
    unique.map(({ name, attributes, ignoreCase, prefix }) => [
      name,
      prefix,
      attributes.map((attribute) => attribute.stored),
      ignoreCase,
    ]),
  ])
}

/** Global indexes: new ones are made when items have their keys, and old ones go last. */
function diffIndexes(before: Schema, after: Schema): readonly SchemaChange[] {
  const created: SchemaChange[] = []
  const dropped: SchemaChange[] = []
  for (const index of after.indexes.values()) {
    if (index.type !== 'global') continue
    const old = before.indexes.get(index.name)
    if (old && printIndex(before, old) === printIndex(after, index)) continue
    const steps = [call('createIndex', index.name)]
    created.push(
      old
        ? {
            class: 'index',
            what: `The index "${index.name}" has other keys or another projection: it is deleted and created again, and can't be read in between.`,
            steps: [call('dropIndex', index.name), ...steps],
          }
        : { class: 'index', what: `The index "${index.name}" is new.`, steps },
    )
  }
  for (const { name, type } of before.indexes.values()) {
    if (type !== 'global' || after.indexes.has(name)) continue
    dropped.push({
      class: 'index',
      what: `The index "${name}" is gone.`,
      steps: [call('dropIndex', name)],
    })
  }
  return [...created, ...dropped]
}

function printIndex({ keyTypes }: Schema, index: Index): string {
  const { hash, project } = index
  const keys = keyAttributes(index).map((name) => [name, keyTypes.get(name)])
  return JSON.stringify([
    hash.length,
    keys,
    typeof project === 'string' ? project : [...project].sort(),
  ])
}

function requireSameTable(before: Schema, after: Schema): void {
  const shapeOf = (schema: Schema): string =>
    JSON.stringify([
      printIndex(schema, schema.primary),
      [...schema.indexes.values()]
        .filter(({ type }) => type === 'local')
        .map((index) => [index.name, printIndex(schema, index)]),
      schema.params.typeField,
    ])
  if (shapeOf(before) === shapeOf(after)) return
  throw new MigrationError(
    'The primary key, a local index or the type attribute of the table has changed, and no table can change these.',
    'schema, indexes',
    'make a new table, and move the items there: singletable cutover copy while the application runs, or export and load',
  )
}

/**
 * The default where it is a plain value; nothing where the schema makes one; otherwise code that asks
 * for one.
 */
function initialValue(model: Model, attribute: Attribute): readonly string[] {
  const { name, definition, supply } = attribute
  const value = definition.version ? 1 : (definition.const ?? definition.default)
  if (typeof value === 'string') return [quote(value)]
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  if (supply) return []
  const isTime = attribute === model.createdAt || attribute === model.updatedAt
  return [askFor(isTime ? `what ${name} of older items is, such as a Date` : `what ${name} is`)]
}
