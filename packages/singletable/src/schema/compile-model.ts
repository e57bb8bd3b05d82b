import type { KeyType } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { checkName, checkOptions, MODEL_OPTIONS } from './check-options.ts'
import { requireValue } from './codec-for.ts'
import { compileAttributes } from './compile-attributes.ts'
import { compileTemplates } from './compile-keys.ts'
import { createDecode } from './decode-item.ts'
import { createEncodeKey } from './encode-key.ts'
import { createEncodeNew } from './encode-new.ts'
import { keyAttributes } from './index-keys.ts'
import type { Attribute, DerivedKey, KeyPart, Model, ModelIndex, Schema, When } from './model.ts'
import { refuseSchema } from './refuse-schema.ts'
import type { ModelDefinition, WhenDefinition } from './schema-definition.ts'

/** A model ready for use. `useKey` is told the DynamoDB type of every key attribute that the model fills. */
export function compileModel(
  name: string,
  definition: ModelDefinition,
  schema: Schema,
  useKey: (keyAttribute: string, type: KeyType, where: string) => void,
  source?: Model,
): Model {
  const where = source
    ? `schema, model "${source.name}", copy "${name}"`
    : `schema, model "${name}"`
  checkName(name, where)
  checkOptions(definition, MODEL_OPTIONS, where)
  // A copy has the timestamps of its item, or none.
  const params = source ? { ...schema.params, timestamps: false } : schema.params
  const attributes = compileAttributes(definition, params, where)
  const templates = compileTemplates(definition, attributes, schema, where)
  const byStored = storedAttributes(attributes, [...templates.keys(), params.typeField], where)
  const partOf = (key: string): KeyPart[] => {
    const template = templates.get(key)
    const attribute = byStored.get(key)
    if (template) useKey(key, 'S', where)
    else if (attribute) useKey(key, plainKeyType(attribute, where), where)
    return template ? [{ name: key, template }] : attribute ? [{ name: key, attribute }] : []
  }

  const conditions = definition.when ?? {}
  checkOptions(conditions, [...schema.indexes.keys()].slice(1), `${where}, when`)
  const indexes: ModelIndex[] = []
  for (const index of schema.indexes.values()) {
    const place = `${where}, when "${index.name}"`
    const condition = getOwn<WhenDefinition>(conditions, index.name)
    const when = condition && compileWhen(condition, attributes, place)
    const hash = index.hash.flatMap(partOf)
    const sort = index.sort.flatMap(partOf)
    const parts = [...hash, ...sort]
    if (parts.length === keyAttributes(index).length) {
      const names = new Set(when?.keys())
      for (const { template, attribute } of parts) {
        for (const each of template?.names ?? [attribute!.name]) names.add(each)
      }
      indexes.push({ index, hash, sort, names: [...names], when })
    } else if (when) refuseSchema(place, 'the model is not in this index', 'remove it')
  }
  const [primary] = indexes as [ModelIndex]

  for (const keyName of primary.names) {
    const { nulls, version } = attributes.get(keyName)!.definition
    if (nulls || version || (params.timestamps && keyName === 'updatedAt')) {
      refuseSchema(where, `"${keyName}" can't be part of the primary key`, 'use another attribute')
    }
  }
  const only = (role: 'version' | 'ttl'): Attribute | undefined => {
    const found = [...attributes.values()].filter((attribute) => attribute.definition[role])
    if (found.length > 1) refuseSchema(where, `it has two attributes with ${role}`, 'keep one')
    return found[0]
  }
  const derived: DerivedKey[] = []
  for (const [key, template] of templates) {
    const uses = indexes.filter(({ index }) => keyAttributes(index).includes(key))
    if (uses.length === 0) {
      refuseSchema(
        `${where}, key attribute "${key}"`,
        'the model leaves another part of the index key empty',
        'give templates for all parts, or for none',
      )
    }
    if (!uses.includes(primary)) derived.push({ name: key, template, uses })
  }
  const timestamp = (role: string): Attribute | undefined =>
    params.timestamps ? attributes.get(role) : undefined
  const parts = {
    name,
    schema,
    attributes,
    primary,
    indexes,
    derived,
    createdAt: timestamp('createdAt'),
    updatedAt: timestamp('updatedAt'),
    version: only('version'),
    ttl: only('ttl'),
    source,
    companions: undefined,
  }
  const decode = createDecode(parts)
  return {
    ...parts,
    encodeKey: createEncodeKey(parts),
    encodeNew: createEncodeNew(parts, decode),
    decode,
  }
}

/** The attributes by the name they are stored under, which must not be that of another or of a rendered key attribute. */
function storedAttributes(
  attributes: ReadonlyMap<string, Attribute>,
  taken: readonly string[],
  where: string,
): ReadonlyMap<string, Attribute> {
  const byStored = new Map<string, Attribute>()
  for (const attribute of attributes.values()) {
    const { name, stored } = attribute
    if (byStored.has(stored) || taken.includes(stored) || taken.includes(name)) {
      refuseSchema(
        `${where}, attribute "${name}"`,
        'its name is taken by a key attribute, the type or another attribute',
        'choose another name, or store it under another by map',
      )
    }
    byStored.set(stored, attribute)
  }
  return byStored
}

/** An attribute that is a key as it is. */
function plainKeyType({ name, codec, definition }: Attribute, where: string): KeyType {
  const { tag } = codec
  if ((tag === 'S' || tag === 'N' || tag === 'B') && !definition.nulls && !codec.opaque) return tag
  return refuseSchema(
    `${where}, attribute "${name}"`,
    "it is a key attribute, and keys can't be of its type or null",
    "use String, Number, Date, BigInt, 'decimal' or Uint8Array without nulls",
  )
}

/** The conditions of `when`, each as the values that are allowed. */
export function compileWhen(
  definition: WhenDefinition,
  attributes: ReadonlyMap<string, Attribute>,
  where: string,
): When {
  const when = new Map<string, readonly unknown[]>()
  for (const [name, values] of Object.entries(definition)) {
    const attribute = attributes.get(name)
    if (attribute === undefined || attribute.codec.opaque) {
      return refuseSchema(
        where,
        `it asks for "${name}", which is no attribute${attribute ? ' to ask for' : ''}`,
        'name an attribute',
      )
    }
    const list = [values].flat()
    for (const value of list) requireValue(attribute.codec, value, `the value of "${name}"`, where)
    when.set(name, list)
  }
  return when
}
