import type {
  AttributeDefinition,
  CopyDefinition,
  ModelDefinition,
  SchemaDefinition,
} from 'singletable/tools'
import { readTemplate } from './written-template.ts'

/** A model or a copy, as the schema says it. */
export interface WrittenModel {
  readonly name: string
  readonly definition: ModelDefinition
  /** The model that a copy is of; of a model its own name. */
  readonly source: string
  readonly copy: CopyDefinition | undefined
  /** By name, with the timestamps that the schema keeps. */
  readonly attributes: ReadonlyMap<string, AttributeDefinition>
}

const known = new WeakMap<SchemaDefinition, readonly WrittenModel[]>()

/** All that a pattern can name as its entity. Read once: many rules ask for each model. */
export function writtenModels(schema: SchemaDefinition): readonly WrittenModel[] {
  const models = known.get(schema) ?? readModels(schema)
  known.set(schema, models)
  return models
}

function readModels(schema: SchemaDefinition): readonly WrittenModel[] {
  return Object.entries(schema.models ?? {}).flatMap(([name, definition]) => {
    const attributes = attributesOf(schema, definition)
    const model = { name, definition, source: name, copy: undefined, attributes }
    const copies = Object.entries(definition.copies ?? {}).map(
      ([copyName, copy]): WrittenModel => ({
        ...model,
        name: copyName,
        copy,
        attributes: copiedAttributes(definition, copy, attributes),
      }),
    )
    return [model, ...copies]
  })
}

export function writtenModel(schema: SchemaDefinition, name: string): WrittenModel | undefined {
  return writtenModels(schema).find((each) => each.name === name)
}

/** Those that every item has: all of them but the key attributes with templates. */
function attributesOf(
  { params }: SchemaDefinition,
  { attributes = {} }: ModelDefinition,
): ReadonlyMap<string, AttributeDefinition> {
  const timestamps = params?.timestamps ? ['createdAt', 'updatedAt'] : []
  return new Map<string, AttributeDefinition>([
    ...timestamps.map((name) => [name, { type: Date }] as const),
    ...Object.entries(attributes).filter(([, { value }]) => value === undefined),
  ])
}

/** What a copy has: what it chooses, what makes its keys and the item's, and the time to live. */
function copiedAttributes(
  { key, shard }: ModelDefinition,
  copy: CopyDefinition,
  attributes: WrittenModel['attributes'],
): WrittenModel['attributes'] {
  const inKeys = [key, copy.key, copy.index].flatMap((keys) =>
    Object.values(keys ?? {}).flatMap(
      (each) => readTemplate(typeof each === 'object' ? each.value : each).names,
    ),
  )
  const chosen = copy.attributes ?? [...attributes.keys()]
  const wanted = new Set([...chosen, ...inKeys, ...(shard?.by ?? [])])
  return new Map(
    [...attributes].filter(([name, { ttl, counts }]) => !counts && (wanted.has(name) || ttl)),
  )
}

/** The placeholder that is no attribute. */
export function shardName({ definition }: WrittenModel): string | undefined {
  return definition.shard && (definition.shard.name ?? 'shard')
}
