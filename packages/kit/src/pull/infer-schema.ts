import {
  compileSchema,
  DefinitionError,
  GUARD,
  type Item,
  modelOf,
  type Schema,
  type SchemaDefinition,
  SEQUENCE,
} from 'singletable/tools'
import {
  type AdoptedSchema,
  finishSchema,
  type ModelDraft,
  type SchemaDraft,
} from '../adopt/adopted-schema.ts'
import type { IndexShape, TableShape } from '../infra/table-shape.ts'
import { countOf } from '../text/counts.ts'
import { inferAttribute } from './infer-attribute.ts'
import { inferSeparator, inferTemplate, keyShape } from './infer-template.ts'

/** Usual names of the attribute that contains the type of an item. */
const TYPE_FIELDS = ['_type', 'type', 'entityType', 'entity', '_et', '__edb_e__', '__typename']
const OWN_TYPES: readonly string[] = [GUARD.type, SEQUENCE.type]
const STREAMS = {
  KEYS_ONLY: 'keys',
  NEW_IMAGE: 'new',
  OLD_IMAGE: 'old',
  NEW_AND_OLD_IMAGES: 'new-and-old',
} as const

/**
 * A first schema from a table and some of its items, with a model for each type or form of key. A
 * note reports what can't be inferred.
 */
export function inferSchema(shape: TableShape, sampled: readonly Item[]): AdoptedSchema {
  // The library writes these itself, for unique values and sequences.
  const items = sampled.filter((item) => !OWN_TYPES.includes(item._type?.S ?? ''))
  const typeField = TYPE_FIELDS.find(
    (name) => items.filter((item) => item[name]?.S).length * 2 > items.length,
  )
  const keys = items.flatMap((item) =>
    [shape.hash, shape.sort ?? ''].flatMap((name) => item[name]?.S ?? []),
  )
  const separator = inferSeparator(keys)
  const draft: SchemaDraft & { readonly table: object } = {
    indexes: indexesOf(shape),
    models: {},
    params: { ...(typeField && { typeField }), ...(separator !== '#' && { separator }) },
    notes: [
      `Inferred from ${countOf(items.length, 'item')} of the table "${shape.name}". Review names and types.`,
    ],
    table: settingsOf(shape),
  }
  if (typeField === undefined && items.length > 0) {
    draft.notes.push(
      'No attribute contains the type of an item: models are distinguished by their keys.',
    )
  }
  for (const [name, group] of groupItems(items, shape, typeField, separator)) {
    const notes: string[] = []
    const model = inferModel(group, shape, { typeField, separator }, notes, name)
    const isUsable = model !== undefined && tryModel(draft, shape, { name, model, group })
    if (isUsable) draft.notes.push(...notes)
    else {
      const [item = {}] = group
      const key = [shape.hash, shape.sort ?? ''].flatMap((each) => Object.values(item[each] ?? {}))
      draft.notes.push(
        `${countOf(group.length, 'item')} such as ${JSON.stringify(key)} could not be described: write a model for them.`,
      )
    }
  }
  return finishSchema(withProjections(draft, shape))
}

/**
 * Indexes that hold some attributes hold those that the models have. The library itself adds the
 * type and the time to live.
 */
function withProjections(draft: SchemaDraft, { global, local }: TableShape): SchemaDraft {
  const known = new Set(Object.values(draft.models).flatMap((each) => Object.keys(each.attributes)))
  const projected = [...global, ...local].flatMap(({ name, projection }) => {
    if (typeof projection === 'string') return []
    const held = projection.filter((each) => known.has(each))
    const index = { ...draft.indexes[name], project: held.length > 0 ? held : 'keys' }
    return [[name, index] as const]
  })
  // The draft's type has only the usual form of an index.
  return { ...draft, indexes: { ...draft.indexes, ...Object.fromEntries(projected) } as never }
}

interface Words {
  readonly typeField: string | undefined
  readonly separator: string
}

function inferModel(
  group: readonly Item[],
  shape: TableShape,
  { typeField, separator }: Words,
  notes: string[],
  modelName: string,
): ModelDraft | undefined {
  const keyNames = new Set(shape.keys.map(({ name }) => name))
  const primary = [shape.hash, ...(shape.sort === undefined ? [] : [shape.sort])]
  const reserved = new Set([...keyNames, ...(typeField === undefined ? [] : [typeField])])
  const draft: ModelDraft = { key: {}, index: {}, attributes: {} }
  const keyOnly: string[] = []
  for (const { name, type } of shape.keys) {
    const having = group.filter((item) => item[name] !== undefined)
    const template =
      type === 'S' && having.length > 0
        ? inferTemplate(name, having, separator, reserved)
        : undefined
    const isPlain = template === undefined || template.text === `\${${template.keyOnly[0]}}`
    if (isPlain) {
      if (primary.includes(name) && template === undefined && type === 'S') return undefined
      // The key is an attribute without a template.
      reserved.delete(name)
      continue
    }
    const place = primary.includes(name) ? draft.key : draft.index
    place[name] = template.text
    keyOnly.push(...template.keyOnly)
  }
  const names = new Set(group.flatMap((item) => Object.keys(item)))
  for (const name of names) {
    if (reserved.has(name)) continue
    const values = group.flatMap((item) => item[name] ?? [])
    const definition =
      name === shape.ttl ? { type: Date, ttl: true as const } : inferAttribute(values)
    draft.attributes[name] = {
      ...definition,
      ...(values.length === group.length && { required: true }),
    }
  }
  for (const name of new Set(keyOnly)) {
    draft.attributes[name] = { type: String, required: true }
    notes.push(`${modelName}.${name} is only part of the key in the sampled items.`)
  }
  return draft
}

/** Adds the model if the library accepts it and it decodes the items that it was inferred from. */
function tryModel(
  draft: SchemaDraft,
  shape: TableShape,
  {
    name,
    model,
    group,
  }: { readonly name: string; readonly model: ModelDraft; readonly group: readonly Item[] },
): boolean {
  draft.models[name] = { ...model, type: name }
  try {
    const { definition } = finishSchema(withProjections(draft, shape))
    const schema = compileSchema(definition)
    if (group.every((item) => decodes(schema, item, name))) return true
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error
  }
  delete draft.models[name]
  return false
}

function decodes(schema: Schema, item: Item, name: string): boolean {
  try {
    const model = modelOf({ schema }, item)
    return model?.name === name && model.decode(item, true) !== undefined
  } catch {
    return false
  }
}

function groupItems(
  items: readonly Item[],
  { hash, sort = '' }: TableShape,
  typeField: string | undefined,
  separator: string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const shape = [hash, sort].map((name) => keyShape(item[name]?.S ?? '*', separator)).join(' ')
    const key = (typeField && item[typeField]?.S) ?? shape
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  const named = new Map<string, readonly Item[]>()
  for (const [key, group] of [...groups].sort(([, a], [, b]) => b.length - a.length)) {
    const isTyped = typeField !== undefined && group[0]?.[typeField]?.S === key
    const words = key.split(/[^A-Za-z]+/).filter((word) => word !== '')
    const base = isTyped ? key : pascal(words.at(-1) ?? 'Item')
    const first = isTyped ? key : pascal([...new Set(words)].join('_') || 'Item')
    const name = named.has(base) ? first : base
    named.set(named.has(name) ? `${name}${named.size}` : name, group)
  }
  return named
}

function pascal(word: string): string {
  return word
    .toLowerCase()
    .split(/[_-]/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('')
}

function indexesOf(shape: TableShape): SchemaDraft['indexes'] {
  const keyOf = ({ hash, sort }: Pick<IndexShape, 'hash' | 'sort'>) => ({
    hash: single(hash),
    ...(sort.length > 0 && { sort: single(sort) }),
  })
  const project = ({ projection }: IndexShape) =>
    projection === 'ALL' ? {} : { project: projection === 'KEYS_ONLY' ? 'keys' : [...projection] }
  const entries = [
    ['primary', keyOf({ hash: [shape.hash], sort: shape.sort === undefined ? [] : [shape.sort] })],
    ...shape.global.map((index) => [index.name, { ...keyOf(index), ...project(index) }]),
    ...shape.local.map((index) => [
      index.name,
      { ...keyOf(index), type: 'local', ...project(index) },
    ]),
  ]
  return Object.fromEntries(entries)
}

function single(names: readonly string[]): string {
  // Several attributes are a list in the schema too; the type of the draft has only the usual form.
  return (names.length === 1 ? names[0] : [...names]) as string
}

function settingsOf({
  stream,
  capacity,
  pointInTimeRecovery,
  deletionProtection,
  infrequentAccess,
  tags,
}: TableShape): NonNullable<SchemaDefinition['table']> {
  return {
    ...(capacity && {
      billing: { readCapacityUnits: capacity.read, writeCapacityUnits: capacity.write },
    }),
    ...(stream && { stream: STREAMS[stream] }),
    ...(!pointInTimeRecovery && { pointInTimeRecovery }),
    ...(!deletionProtection && { deletionProtection }),
    ...(infrequentAccess && { tableClass: 'infrequent-access' as const }),
    ...(tags.size > 0 && { tags: Object.fromEntries(tags) }),
  }
}
