import {
  type KeyPart,
  type KeyTemplate,
  readSchema,
  type SchemaDefinition,
} from 'singletable/tools'
import { writtenModels } from './written-model.ts'

/** How a model, or a copy of one, fills a key attribute of an index. */
export interface WrittenKey {
  /** The name of the model, or of the copy. */
  readonly model: string
  /** The model that a copy is of. */
  readonly copyOf: string | undefined
  readonly index: string
  readonly role: 'hash' | 'sort'
  /** The key attribute, such as `gsi1pk`. */
  readonly keyAttribute: string
  /** Undefined where an attribute of the model is the key as it is. */
  readonly template: KeyTemplate | undefined
  /** That attribute, by the name the model has for it. */
  readonly attribute: string | undefined
}

/** The keys of all models, in all indexes that they are in. */
export function writtenKeys(definition: SchemaDefinition): readonly WrittenKey[] {
  const { schema } = readSchema(definition)
  return writtenModels(definition).flatMap(({ name, source, copy }) =>
    (schema?.models.get(name)?.indexes ?? []).flatMap(({ index, hash, sort }) => {
      const keyOf =
        (role: WrittenKey['role']) =>
        (part: KeyPart): WrittenKey => ({
          model: name,
          copyOf: copy && source,
          index: index.name,
          role,
          keyAttribute: part.name,
          template: part.template,
          attribute: part.attribute?.name,
        })
      return [...hash.map(keyOf('hash')), ...sort.map(keyOf('sort'))]
    }),
  )
}

/** The attributes that a key is made of. */
export function namesInKey({ template, attribute }: WrittenKey): readonly string[] {
  return template?.names ?? (attribute === undefined ? [] : [attribute])
}
