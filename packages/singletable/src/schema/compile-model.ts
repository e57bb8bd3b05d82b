import type { KeyType } from '../values/attribute-value.ts'
import { checkName, checkOptions, MODEL_OPTIONS } from './check-options.ts'
import { compileAttributes } from './compile-attributes.ts'
import {
  collectTemplates,
  compileDerived,
  compileModelIndex,
  compileTemplates,
  compileWhen,
} from './compile-keys.ts'
import { createDecode } from './decode-item.ts'
import { createEncodeKey } from './encode-key.ts'
import { createDeriveKeys, createEncodeNew } from './encode-new.ts'
import { keyAttributes } from './index-keys.ts'
import type { Attribute, KeyPart, Model, ModelIndex, Schema } from './model.ts'
import { refuseSchema } from './refuse-schema.ts'
import type { ModelDefinition } from './schema-definition.ts'

/** A model ready for use. `useKey` is told the DynamoDB type of every key attribute that the model fills. */
export function compileModel(
  name: string,
  definition: ModelDefinition,
  schema: Schema,
  useKey: (keyAttribute: string, type: KeyType, where: string) => void,
): Model {
  const where = `schema, model "${name}"`
  checkName(name, where)
  checkOptions(definition, MODEL_OPTIONS, where)
  const { params } = schema
  const sources = collectTemplates(definition, schema, where)
  const attributes = compileAttributes(definition, params, where)
  const templates = compileTemplates(sources, attributes, params.separator, where)
  for (const keyName of keyAttributes(schema.primary).flatMap((key) => templates.get(key)!.names)) {
    const { definition: attribute } = attributes.get(keyName)!
    if (attribute.nulls || attribute.version || (params.timestamps && keyName === 'updatedAt')) {
      refuseSchema(where, `"${keyName}" can't be part of the primary key`, 'use another attribute')
    }
  }
  const byStored = storedAttributes(attributes, [...templates.keys(), params.typeField], where)
  const partOf = (key: string): KeyPart | undefined => {
    const template = templates.get(key)
    if (template !== undefined) {
      useKey(key, 'S', where)
      return { name: key, template }
    }
    const attribute = byStored.get(key)
    if (attribute === undefined) return undefined
    useKey(key, plainKeyType(attribute, where), where)
    return { name: key, attribute }
  }

  const conditions = definition.when ?? {}
  checkOptions(conditions, [...schema.indexes.keys()].slice(1), `${where}, when`)
  const indexes: ModelIndex[] = []
  for (const index of schema.indexes.values()) {
    const condition = Object.hasOwn(conditions, index.name) ? conditions[index.name] : undefined
    const place = `${where}, when "${index.name}"`
    const when = condition && compileWhen(condition, attributes, place)
    const compiled = compileModelIndex(index, partOf, when)
    if (compiled !== undefined) indexes.push(compiled)
    else if (when) refuseSchema(place, 'the model is not in this index', 'remove it')
  }
  const all = [...attributes.values()]
  const only = (role: 'version' | 'ttl'): Attribute | undefined => {
    const found = all.filter((attribute) => attribute.definition[role])
    if (found.length > 1) refuseSchema(where, `it has two attributes with ${role}`, 'keep one')
    return found[0]
  }
  const parts = {
    name,
    schema,
    attributes,
    primary: indexes[0]!,
    indexes,
    derived: compileDerived(templates, indexes, schema, where),
    createdAt: params.timestamps ? attributes.get('createdAt') : undefined,
    updatedAt: params.timestamps ? attributes.get('updatedAt') : undefined,
    version: only('version'),
    ttl: only('ttl'),
  }
  const decode = createDecode(parts)
  return {
    ...parts,
    encodeKey: createEncodeKey(parts),
    encodeNew: createEncodeNew(parts, decode),
    decode,
    deriveKeys: createDeriveKeys(parts),
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
        'its name is taken by a key attribute, by the type or by what another attribute is stored as',
        'choose another name, or store it under another with map',
      )
    }
    byStored.set(stored, attribute)
  }
  return byStored
}

/** An attribute that is a key as it is. */
function plainKeyType({ name, codec, definition }: Attribute, where: string): KeyType {
  const { tag } = codec
  if ((tag === 'S' || tag === 'N' || tag === 'B') && !definition.nulls) return tag
  return refuseSchema(
    `${where}, attribute "${name}"`,
    "it is stored as a key attribute of an index, and keys can't be of its type or null",
    "use String, Number, Date, BigInt, 'decimal' or Uint8Array without nulls, or a template",
  )
}
