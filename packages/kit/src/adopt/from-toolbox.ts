import type { AttributeDefinition } from 'singletable/tools'
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

interface ToolboxAttribute {
  readonly type: string
  readonly props?: {
    readonly savedAs?: string
    readonly required?: 'never' | 'atLeastOnce' | 'always'
    readonly hidden?: boolean
    readonly key?: boolean
    readonly enum?: readonly (string | number)[]
    readonly putDefault?: unknown
    readonly keyDefault?: unknown
    readonly updateDefault?: unknown
    readonly transform?: { readonly prefix?: string; readonly delimiter?: string }
  }
  readonly elements?: ToolboxAttribute
  readonly attributes?: { readonly [name: string]: ToolboxAttribute }
}

interface ToolboxKey {
  readonly name: string
  readonly type: string
}

interface ToolboxTable {
  readonly partitionKey: ToolboxKey
  readonly sortKey?: ToolboxKey
  readonly entityAttributeSavedAs?: string
  readonly indexes?: {
    readonly [name: string]: {
      readonly type: 'global' | 'local'
      readonly partitionKey?: ToolboxKey
      readonly sortKey?: ToolboxKey
    }
  }
}

/** What is read of an entity of DynamoDB-Toolbox. */
export interface ToolboxEntity {
  readonly entityName: string
  readonly table: unknown
  readonly schema: unknown
  readonly computeKey?: unknown
  readonly timestamps?: unknown
}

/** A schema for the items of DynamoDB-Toolbox entities of one table. */
export function fromToolbox(entities: ToolboxEntity | readonly ToolboxEntity[]): AdoptedSchema {
  const list = [entities].flat() as readonly ToolboxEntity[]
  // This and the schema have the shapes that Toolbox documents.
  const table = list[0]?.table as ToolboxTable
  const { partitionKey, sortKey, entityAttributeSavedAs = '_et', indexes = {} } = table
  const draft: SchemaDraft = {
    indexes: { primary: { hash: partitionKey.name, ...(sortKey && { sort: sortKey.name }) } },
    models: {},
    params: { typeField: entityAttributeSavedAs },
    notes: [],
  }
  for (const [name, index] of Object.entries(indexes)) {
    const isLocal = index.type === 'local'
    draft.indexes[name] = {
      hash: isLocal ? partitionKey.name : (index.partitionKey?.name ?? ''),
      ...(index.sortKey && { sort: index.sortKey.name }),
      ...(isLocal && { type: 'local' }),
    }
  }
  for (const entity of list) addEntity(draft, entity, table)
  return finishSchema(draft)
}

function addEntity(draft: SchemaDraft, entity: ToolboxEntity, table: ToolboxTable): void {
  const { entityName, computeKey } = entity
  const { attributes: given } = entity.schema as {
    readonly attributes: { readonly [name: string]: ToolboxAttribute }
  }
  const attributes: Attributes = {}
  const model: ModelDraft = { key: {}, index: {}, attributes }
  draft.models[entityName] = model
  const stamps = new Map([
    ['_ct', 'createdAt'],
    ['_md', 'updatedAt'],
  ])
  for (const [name, attribute] of Object.entries(given)) {
    const { savedAs } = attribute.props ?? {}
    if (savedAs === draft.params.typeField) continue
    const stamp = stamps.get(savedAs ?? '')
    if (stamp && entity.timestamps) {
      draft.params.timestamps = true
      const isFirst = stamp === 'createdAt'
      attributes[stamp] = { type: Date, map: savedAs!, ...(isFirst && { readonly: true }) }
      if (name !== stamp) draft.notes.push(`${entityName}.${name} is called ${stamp} here.`)
    } else attributes[name] = convert(attribute, `${entityName}.${name}`, draft.notes)
  }
  const computed = typeof computeKey === 'function' ? probeKey(computeKey, given) : undefined
  for (const key of [table.partitionKey.name, table.sortKey?.name]) {
    if (key === undefined) continue
    const native = Object.entries(given).find(
      ([name, { props }]) => (props?.savedAs ?? name) === key,
    )
    const template = computed?.[key] ?? (native && nativeKey(native, attributes, draft, entityName))
    if (template === undefined) {
      draft.notes.push(`${entityName}: the template of ${key} can't be seen; write it by hand.`)
    } else model.key[key] = template
    for (const [, name = ''] of (template ?? '').matchAll(/\$\{([^}:]+)/g)) {
      if (attributes[name]?.map !== key && name !== key) keepRaw(attributes, name)
    }
  }
}

/** An attribute that is the key: as it is, or behind a prefix that is in the key alone. */
function nativeKey(
  [name, { props }]: readonly [string, ToolboxAttribute],
  attributes: Attributes,
  draft: SchemaDraft,
  entity: string,
): string {
  const { transform } = props ?? {}
  if (transform?.prefix === undefined) return `\${${name}}`
  const { map: _, ...rest } = attributes[name]!
  attributes[name] = rest
  draft.notes.push(
    `${entity}.${name} is in the key alone; what is written here has it as an attribute, too.`,
  )
  return `${transform.prefix}${transform.delimiter ?? '#'}\${${name}}`
}

/** Elements are always there. */
function elementOf(
  elements: ToolboxAttribute,
  at: string,
  notes: string[],
): Draft<AttributeDefinition> {
  const { required: _, ...element } = convert(elements, `${at}[]`, notes)
  return element
}

const MARK = '\u0001'

/** The templates of the keys that a function makes, seen by calling it with marks in place of
 * values; none where it changes them. */
function probeKey(
  computeKey: CallableFunction,
  given: { readonly [name: string]: ToolboxAttribute },
): { readonly [key: string]: string | undefined } {
  const values: { [name: string]: unknown } = {}
  const marks = new Map<string, string>()
  for (const [at, [name, { type, props }]] of Object.entries(given).entries()) {
    if (!props?.key) continue
    const text = type === 'number' ? String(987_650_000 + at) : `${MARK}M${at}${MARK}`
    values[name] = type === 'number' ? Number(text) : text
    marks.set(text, `\${${name}}`)
    if (type === 'string') marks.set(text.toLowerCase(), `\${${name}:lower}`)
  }
  let keys: { readonly [key: string]: unknown }
  try {
    keys = computeKey(values)
  } catch {
    return {}
  }
  return Object.fromEntries(
    Object.entries(keys).map(([key, made]) => {
      let text = String(made)
      for (const [mark, placeholder] of marks) text = text.replaceAll(mark, () => placeholder)
      return [key, text.includes(MARK) ? undefined : text]
    }),
  )
}

const TYPES: { readonly [type: string]: AttributeDefinition['type'] } = {
  string: String,
  number: Number,
  boolean: Boolean,
  binary: Uint8Array,
  list: Array,
  set: Set,
  map: Object,
}

function convert(
  { type, props = {}, elements, attributes }: ToolboxAttribute,
  at: string,
  notes: string[],
): Draft<AttributeDefinition> {
  const { savedAs, required, hidden, key, putDefault, keyDefault, updateDefault, transform } = props
  const supplied = putDefault ?? keyDefault
  const made: Draft<AttributeDefinition> = {
    type: TYPES[type] ?? 'any',
    ...(props.enum && { enum: props.enum }),
    ...((required ?? 'atLeastOnce') !== 'never' && supplied === undefined && { required: true }),
    ...(hidden && { hidden: true }),
    ...(savedAs && { map: savedAs }),
    ...(elements && { items: elementOf(elements, at, notes) }),
    ...(attributes && {
      schema: Object.fromEntries(
        Object.entries(attributes).map(([name, each]) => [
          name,
          convert(each, `${at}.${name}`, notes),
        ]),
      ),
    }),
  }
  if (supplied !== undefined) made.default = defaultOf(supplied, at, notes)
  if (updateDefault !== undefined)
    notes.push(`${at}: its value on updates has no counterpart here.`)
  if (transform && !key)
    notes.push(`${at}: its transform is code; values are read as they are stored.`)
  return made
}
