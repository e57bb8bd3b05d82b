import {
  getOwn,
  type IndexDefinition,
  type KeyDefinition,
  type ModelDefinition,
  type SchemaDefinition,
} from 'singletable/tools'
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
}

/** The keys that a schema writes; a model without a key attribute of an index is not in that index, and has none here. */
export function writtenKeys(definition: SchemaDefinition): readonly WrittenKey[] {
  return Object.entries(definition.models ?? {}).flatMap(([name, model]) => [
    ...keysOf(definition, name, undefined, model, model.index),
    ...Object.entries(model.copies ?? {}).flatMap(([copy, parts]) =>
      keysOf(
        definition,
        copy,
        name,
        { ...model, ...parts, attributes: model.attributes },
        parts.index,
      ),
    ),
  ])
}

function keysOf(
  definition: SchemaDefinition,
  model: string,
  copyOf: string | undefined,
  { key, attributes }: Pick<ModelDefinition, 'key' | 'attributes'>,
  index: ModelDefinition['index'],
): readonly WrittenKey[] {
  const templateOf = (name: string): string | undefined =>
    text(getOwn(key ?? {}, name)) ??
    text(getOwn(index ?? {}, name)) ??
    // A copy has the keys it declares and no others.
    (copyOf === undefined ? getOwn(attributes ?? {}, name)?.value : undefined)
  return Object.entries(definition.indexes ?? {}).flatMap(([indexName, one]) => {
    const keys = roles(one, definition.indexes.primary).map(
      ([role, keyAttribute]): WrittenKey | undefined => {
        const source = templateOf(keyAttribute)
        if (source === undefined && getOwn(attributes ?? {}, keyAttribute) === undefined)
          return undefined
        const template = source === undefined ? undefined : readTemplate(source)
        return { model, copyOf, index: indexName, role, keyAttribute, template }
      },
    )
    // An item is in an index when it has all of its keys.
    return keys.every((each) => each !== undefined) ? keys : []
  })
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
