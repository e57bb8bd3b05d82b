import {
  getOwn,
  type IndexDefinition,
  type KeyDefinition,
  type SchemaDefinition,
} from 'singletable/tools'
import { type WrittenModel, writtenModels } from './written-model.ts'
import { readTemplate, type WrittenTemplate } from './written-template.ts'

/** How a model, or a copy of one, fills a key attribute of an index, as the schema says it. */
export interface WrittenKey {
  /** The name of the model, or of the copy. */
  readonly model: string
  /** The model that a copy is of. */
  readonly copyOf: string | undefined
  readonly index: string
  readonly role: 'hash' | 'sort'
  /** The key attribute, such as `gsi1pk`. */
  readonly keyAttribute: string
  /** Undefined where an attribute of the model stands in the key as it is. */
  readonly template: WrittenTemplate | undefined
  /** That attribute, by the name the model has for it. */
  readonly attribute: string | undefined
}

/** The keys that a schema writes; a model without a key attribute of an index is not in that index, and has none here. */
export function writtenKeys(definition: SchemaDefinition): readonly WrittenKey[] {
  return writtenModels(definition).flatMap((model) => keysOf(definition, model))
}

function keysOf(
  { indexes }: SchemaDefinition,
  { name, source, copy, definition, attributes }: WrittenModel,
): readonly WrittenKey[] {
  const { key, index } = copy ?? definition
  const templateOf = (keyAttribute: string): string | undefined =>
    text(getOwn(key ?? {}, keyAttribute)) ??
    text(getOwn(index ?? {}, keyAttribute)) ??
    // A copy has the keys it declares and no others.
    (copy === undefined ? getOwn(definition.attributes ?? {}, keyAttribute)?.value : undefined)
  // An attribute is a key as it is under the name that it is stored by.
  const byStored = new Map([...attributes].map(([each, { map }]) => [map ?? each, each]))
  return Object.entries(indexes ?? {}).flatMap(([indexName, one]) => {
    const keys = roles(one, indexes.primary).map(([role, keyAttribute]): WrittenKey | undefined => {
      const written = templateOf(keyAttribute)
      const attribute = written === undefined ? byStored.get(keyAttribute) : undefined
      if (written === undefined && attribute === undefined) return undefined
      const template = written === undefined ? undefined : readTemplate(written)
      const copyOf = copy && source
      return { model: name, copyOf, index: indexName, role, keyAttribute, template, attribute }
    })
    // An item is in an index when it has all of its keys.
    return keys.every((each) => each !== undefined) ? keys : []
  })
}

/** The attributes that a key is made of. */
export function namesInKey({ template, attribute }: WrittenKey): readonly string[] {
  return template?.names ?? (attribute === undefined ? [] : [attribute])
}

/** The key attributes of an index; an LSI shares the partition key of the table. */
function roles(
  { type, hash, sort }: IndexDefinition,
  primary: IndexDefinition,
): readonly (readonly ['hash' | 'sort', string])[] {
  const hashes = [type === 'local' ? primary.hash : hash].flat()
  return [
    ...hashes.map((name) => ['hash', name] as const),
    ...(sort === undefined ? [] : [sort].flat()).map((name) => ['sort', name] as const),
  ]
}

function text(definition: KeyDefinition | undefined): string | undefined {
  return typeof definition === 'object' ? definition.value : definition
}
