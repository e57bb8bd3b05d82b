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

interface OneTableField {
  readonly type?: unknown
  readonly value?: unknown
  readonly required?: boolean
  readonly default?: unknown
  readonly generate?: unknown
  readonly enum?: readonly string[]
  readonly nulls?: boolean
  readonly hidden?: boolean
  readonly map?: string
  readonly ttl?: boolean
  readonly unique?: boolean
  readonly crypt?: boolean
  readonly validate?: unknown
  readonly items?: OneTableField
  readonly schema?: { readonly [name: string]: OneTableField }
}

/** What is read of a schema of OneTable. */
export interface OneTableSchema {
  readonly indexes: {
    readonly [name: string]: { readonly hash?: string; readonly sort?: string | undefined }
  }
  readonly models: { readonly [name: string]: { readonly [field: string]: unknown } }
  readonly params?: {
    readonly typeField?: string
    readonly isoDates?: boolean
    readonly timestamps?: boolean | 'create' | 'update'
    readonly createdField?: string
    readonly updatedField?: string
    readonly [name: string]: unknown
  }
}

/** A schema for the items of a OneTable schema. */
export function fromOneTable({ indexes, models, params = {} }: OneTableSchema): AdoptedSchema {
  const { typeField = '_type', isoDates = false, timestamps = false } = params
  const draft: SchemaDraft = {
    indexes: {},
    models: {},
    params: { typeField, isoDates, ...(timestamps === true && { timestamps }) },
    notes: [],
  }
  if (typeof timestamps === 'string') {
    draft.notes.push(
      `params.timestamps: '${timestamps}' keeps one of two times; declare it by hand.`,
    )
  }
  const primaryHash = indexes.primary?.hash ?? 'pk'
  for (const [name, { hash = primaryHash, sort, ...rest }] of Object.entries(indexes)) {
    draft.indexes[name] = {
      hash,
      ...(sort && { sort }),
      ...('type' in rest && rest.type === 'local' && { type: 'local' }),
    }
  }
  const keyNames = new Set(Object.values(draft.indexes).flatMap(({ hash, sort }) => [hash, sort]))
  const primary = draft.indexes.primary
  for (const [name, fields] of Object.entries(models)) {
    // This is the shape that OneTable documents for fields.
    const all = Object.entries(fields as { readonly [field: string]: OneTableField })
    const attributes: Attributes = {}
    const model: ModelDraft = { key: {}, index: {}, attributes }
    for (const [field, given] of all) {
      if (field === typeField) continue
      const isTemplate = typeof given.value === 'string'
      if (!isTemplate || !keyNames.has(field)) {
        attributes[field] = convert(given, `${name}.${field}`, draft.notes)
      }
      if (isTemplate && !keyNames.has(field)) {
        draft.notes.push(
          `${name}.${field}: its value is a template of an attribute that is not a key.`,
        )
      }
    }
    if (timestamps === true) {
      const stamp = (role: string, stored: string): void => {
        if (attributes[stored] || stored === role) return
        attributes[role] = {
          type: Date,
          map: stored,
          ...(role === 'createdAt' && { readonly: true }),
        }
      }
      stamp('createdAt', params.createdField ?? 'created')
      stamp('updatedAt', params.updatedField ?? 'updated')
    }
    for (const [field, { value }] of all) {
      const isPrimary = field === primary?.hash || field === primary?.sort
      const templates = isPrimary ? model.key : model.index
      if (!keyNames.has(field)) continue
      if (typeof value === 'string') templates[field] = templateOf(value, attributes)
      // A field that is a key as it is.
      else if (isPrimary) templates[field] = `\${${field}}`
    }
    draft.models[name] = model
  }
  return finishSchema(draft)
}

/** `${n:5:0}` has five digits. */
function templateOf(value: string, attributes: Attributes): string {
  return value.replaceAll(/\$\{([^}]*)\}/g, (_, body: string) => {
    const [name = '', length, pad] = body.split(':')
    if (length !== undefined && pad === '0') return `\${${name}:pad(${length})}`
    keepRaw(attributes, name)
    return `\${${name}}`
  })
}

const TYPES = new Map<unknown, AttributeDefinition['type']>([
  ...[String, Number, Boolean, Date, Array, Object, Set].flatMap(
    (type) =>
      [
        [type, type],
        [type.name.toLowerCase(), type],
      ] as const,
  ),
  [Uint8Array, Uint8Array],
  ['binary', Uint8Array],
])

const GENERATORS: readonly unknown[] = ['ulid', 'uuid']

function convert(given: OneTableField, at: string, notes: string[]): Draft<AttributeDefinition> {
  const { type, generate, items, schema, validate } = given
  const made: Draft<AttributeDefinition> = {
    type: TYPES.get(type) ?? 'any',
    ...(given.enum && { enum: given.enum }),
    ...(given.required && { required: true }),
    ...(given.nulls && { nulls: true }),
    ...(given.hidden && { hidden: true }),
    ...(given.ttl && { ttl: true }),
    ...(given.map && { map: given.map }),
    ...(validate instanceof RegExp && { validate }),
    ...(items && { items: convert(items, `${at}[]`, notes) }),
    ...(schema && {
      schema: Object.fromEntries(
        Object.entries(schema).map(([name, each]) => [name, convert(each, `${at}.${name}`, notes)]),
      ),
    }),
  }
  if (GENERATORS.includes(generate)) made.generate = generate as 'ulid' | 'uuid'
  else if (generate) notes.push(`${at}: generate "${String(generate)}" has no counterpart here.`)
  if (given.default !== undefined) made.default = defaultOf(given.default, at, notes)
  if (given.crypt) notes.push(`${at}: it is encrypted by OneTable; use a codec to read it.`)
  if (given.unique) {
    notes.push(
      `${at}: OneTable stores guards of unique values under its own keys, which this library does not read.`,
    )
  }
  return made
}
