import type { AttributeDefinition, IndexDefinition } from 'singletable/tools'
import {
  type AdoptedSchema,
  type Attributes,
  type Draft,
  defaultOf,
  finishSchema,
  keepRaw,
  type ModelDraft,
  type SchemaDraft,
} from './adopted-schema.ts'

/** What is read of an entity of ElectroDB. */
export interface ElectroEntity {
  readonly schema: unknown
}

interface ElectroAttribute {
  readonly type: string | readonly string[]
  readonly required?: boolean
  readonly default?: unknown
  readonly field?: string
  readonly hidden?: boolean
  readonly readOnly?: boolean
  readonly items?: ElectroAttribute | string
  readonly properties?: { readonly [name: string]: ElectroAttribute }
  readonly padding?: { readonly length: number; readonly char: string }
  readonly get?: unknown
  readonly set?: unknown
  readonly watch?: unknown
}

interface ElectroKey {
  /** Not in an index of type `composite`, whose keys are the attributes themselves. */
  readonly field?: string
  readonly composite: readonly string[]
}

interface ElectroIndex {
  readonly index?: string
  readonly projection?: string | readonly string[]
  /** What `projection` was called in older versions. */
  readonly project?: string
  readonly pk: ElectroKey
  readonly sk?: ElectroKey
  readonly condition?: unknown
}

interface ElectroSchema {
  readonly model: { readonly entity: string; readonly version: string }
  readonly attributes: { readonly [name: string]: ElectroAttribute }
  readonly indexes: { readonly [pattern: string]: ElectroIndex }
}

/** How a key of an index begins, and what is before each value. */
interface ElectroKeys {
  readonly prefixes: { readonly [index: string]: { readonly [key: string]: KeyForm | undefined } }
  readonly facets: {
    readonly labels: {
      readonly [index: string]: { readonly [key: string]: readonly Label[] | undefined }
    }
  }
}

interface KeyForm {
  readonly prefix: string
  readonly postfix?: string
  readonly casing: string
  readonly isCustom: boolean
}

interface Label {
  readonly name: string
  readonly label: string
}

/** Where ElectroDB keeps the name and the version of an entity. */
const TYPE_FIELD = '__edb_e__'
const VERSION_FIELD = '__edb_v__'

/**
 * A schema for the items of ElectroDB entities of one table.
 *
 * @param entities the entities, each made by `new Entity(…)`
 */
export function fromElectroDB(entities: ElectroEntity | readonly ElectroEntity[]): AdoptedSchema {
  const draft: SchemaDraft = {
    indexes: {},
    models: {},
    params: { typeField: TYPE_FIELD },
    notes: [],
  }
  for (const entity of [entities].flat() as readonly ElectroEntity[]) {
    // The schema has the shape that ElectroDB documents; what it makes of the keys is in `model`,
    // which its types don't have.
    const { schema, model } = entity as {
      readonly schema: ElectroSchema
      readonly model?: ElectroKeys
    }
    if (!model?.prefixes || !model.facets?.labels) {
      throw new TypeError('fromElectroDB() takes entities of ElectroDB 3, made by new Entity(…)')
    }
    addEntity(draft, schema, model)
  }
  return finishSchema(draft)
}

function addEntity(draft: SchemaDraft, schema: ElectroSchema, keys: ElectroKeys): void {
  const { entity, version } = schema.model
  const name = entity.charAt(0).toUpperCase() + entity.slice(1)
  const { notes } = draft
  const attributes: Attributes = {}
  for (const [each, attribute] of Object.entries(schema.attributes)) {
    attributes[each] = convert(attribute, `${name}.${each}`, notes)
  }
  attributes[VERSION_FIELD] = { type: String, enum: [version], default: version, hidden: true }
  const model: ModelDraft = { key: {}, index: {}, type: entity, attributes }
  draft.models[name] = model
  const primary = Object.values(schema.indexes).find(({ index }) => index === undefined)
  const inPrimary = [...(primary?.pk.composite ?? []), ...(primary?.sk?.composite ?? [])]
  const isOptional = (each: string): boolean => {
    const { required, default: supplied } = attributes[each] ?? {}
    return !required && supplied === undefined && !inPrimary.includes(each)
  }
  for (const [pattern, electroIndex] of Object.entries(schema.indexes)) {
    const { index, pk, sk, condition } = electroIndex
    const isPrimary = index === undefined
    const isLocal = !isPrimary && pk.field !== undefined && pk.field === primary?.pk.field
    const project = projectOf(electroIndex, draft.indexes[index ?? '']?.project)
    draft.indexes[index ?? 'primary'] = {
      ...(isLocal && { type: 'local' }),
      hash: pk.field ?? storedNames(pk, attributes),
      ...(sk && { sort: sk.field ?? storedNames(sk, attributes) }),
      ...(project && { project }),
    }
    if (Array.isArray(electroIndex.projection) && !electroIndex.projection.includes(TYPE_FIELD)) {
      notes.push(
        `${name}, ${pattern}: this library projects ${TYPE_FIELD} into index "${index}" as well, which your table does not do.`,
      )
    }
    const templates = isPrimary ? model.key : model.index
    for (const [role, key] of [
      ['pk', pk],
      ['sk', sk],
    ] as const) {
      // The attributes of a composite index are its keys; the hash of a local one is the table's.
      if (key?.field === undefined || (isLocal && role === 'pk')) continue
      const form = keys.prefixes[index ?? '']?.[role]
      const labels = keys.facets.labels[index ?? '']?.[role] ?? []
      if (form) templates[key.field] = templateOf(form, labels, attributes, notes, name)
      for (const each of key.composite) keepRaw(attributes, each)
      const folded = key.composite.filter(
        (each) => templates[key.field!]?.includes(`\${${each}:lower}`) && !holds(project, each),
      )
      if (folded.length > 0) {
        notes.push(
          `${name}, ${pattern}: index "${index}" has ${folded.join(', ')} only in lower case, so that no query can be sure of it; project it as well.`,
        )
      }
      // Of a key with several attributes, ElectroDB refuses items that have only some of them, and
      // with a condition those that lack any.
      const isEmpty = key.composite.length > 0 && key.composite.every(isOptional)
      if (isPrimary || condition || !isEmpty || model.shortKeys?.includes(index)) continue
      if (project !== undefined && project !== 'all') {
        notes.push(
          `${name}, ${pattern}: items without ${key.composite.join(', ')} are not in index "${index}", where ElectroDB puts them; shortKeys needs an index that holds whole items.`,
        )
        continue
      }
      model.shortKeys = [...(model.shortKeys ?? []), index]
      notes.push(
        `${name}, ${pattern}: items without ${key.composite.join(', ')} are in index "${index}", as ElectroDB puts them; those that lost a value by its remove() are not, until they are put again.`,
      )
    }
    if (condition) notes.push(`${name}, ${pattern}: write its condition as when in the model.`)
  }
}

function holds(project: IndexDefinition['project'], name: string): boolean {
  return project === undefined || project === 'all' || project.includes(name)
}

/** The names under which the attributes of a key are stored. */
function storedNames({ composite }: ElectroKey, attributes: Attributes): readonly string[] {
  return composite.map((each) => attributes[each]?.map ?? each)
}

/** What an index holds; of lists, what other entities list for it, too. */
function projectOf(
  { projection, project }: ElectroIndex,
  others: IndexDefinition['project'],
): IndexDefinition['project'] {
  const given = projection ?? project
  if (given === undefined) return others
  if (typeof given === 'string') return given.toLowerCase() === 'keys_only' ? 'keys' : 'all'
  const all = [...(Array.isArray(others) ? others : []), ...given]
  return [...new Set(all)].filter((each) => each !== TYPE_FIELD)
}

function templateOf(
  { prefix, postfix = '', casing, isCustom }: KeyForm,
  labels: readonly Label[],
  attributes: Attributes,
  notes: string[],
  model: string,
): string {
  if (casing === 'upper') {
    notes.push(`${model}: a key in capitals has no template here; write its values in capitals.`)
  }
  const cased = (text: string): string =>
    casing === 'none' ? text : casing === 'upper' ? text.toUpperCase() : text.toLowerCase()
  const parts = labels.map(({ name, label }) => {
    const attribute = attributes[name]
    const isFolded = casing !== 'none' && casing !== 'upper' && attribute?.type === String
    const before = isCustom ? label : `#${label}_`
    return `${cased(before)}\${${name}${isFolded ? ':lower' : ''}}`
  })
  return `${cased(prefix)}${parts.join('')}${cased(postfix)}`
}

const TYPES: { readonly [type: string]: AttributeDefinition['type'] } = {
  string: String,
  number: Number,
  boolean: Boolean,
  list: Array,
  set: Set,
  map: Object,
}

function convert(
  given: ElectroAttribute | string,
  at: string,
  notes: string[],
): Draft<AttributeDefinition> {
  const attribute: ElectroAttribute = typeof given === 'string' ? { type: given } : given
  const { type, field, items, properties, padding } = attribute
  const isEnum = typeof type !== 'string' && Array.isArray(type)
  const made: Draft<AttributeDefinition> = {
    type: isEnum ? String : (TYPES[String(type)] ?? 'any'),
    ...(isEnum && { enum: type }),
    ...(attribute.required && { required: true }),
    ...(attribute.hidden && { hidden: true }),
    ...(attribute.readOnly && { readonly: true }),
    ...(field && !at.endsWith(`.${field}`) && { map: field }),
    ...(items && { items: convert(items, `${at}[]`, notes) }),
    ...(properties && {
      schema: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [
          name,
          convert(each, `${at}.${name}`, notes),
        ]),
      ),
    }),
  }
  if (padding && type === 'number' && padding.char === '0') made.pad = padding.length
  else if (padding) notes.push(`${at}: its padding has no template here.`)
  if (attribute.default !== undefined) made.default = defaultOf(attribute.default, at, notes)
  if (attribute.get || attribute.set || attribute.watch) {
    notes.push(
      `${at}: get, set and watch are code; values are read and written as they are stored.`,
    )
  }
  return made
}
