import {
  type AttributeDefinition,
  type CopyDefinition,
  getOwn,
  type ModelDefinition,
  readSchema,
  type Schema,
  type SchemaDefinition,
} from 'singletable/tools'

/** A model or a copy with what its definition says. */
export interface WrittenModel {
  readonly name: string
  readonly definition: ModelDefinition
  /** The model that a copy is of; of a model its own name. */
  readonly source: string
  readonly copy: CopyDefinition | undefined
  /** By name, with the timestamps that the schema keeps. */
  readonly attributes: ReadonlyMap<string, AttributeDefinition>
}

const known = new WeakMap<Schema, readonly WrittenModel[]>()

/** All that a pattern can name as its entity, each model before its copies. */
export function writtenModels(definition: SchemaDefinition): readonly WrittenModel[] {
  // Read once: the library keeps what it has read.
  const { schema } = readSchema(definition)
  if (schema === undefined) return []
  const models = known.get(schema) ?? modelsOf(schema)
  known.set(schema, models)
  return models
}

function modelsOf({ definition, models }: Schema): readonly WrittenModel[] {
  const all = [...models.values()].flatMap((model): WrittenModel[] => {
    const { name, source = model } = model
    const owner = getOwn(definition.models, source.name)
    if (owner === undefined) return []
    return [
      {
        name,
        definition: owner,
        source: source.name,
        copy: model.source && getOwn(owner.copies ?? {}, name),
        attributes: new Map([...model.attributes].map(([each, made]) => [each, made.definition])),
      },
    ]
  })
  return all
    .filter(({ copy }) => copy === undefined)
    .flatMap((model) => all.filter(({ source }) => source === model.name))
}

export function writtenModel(schema: SchemaDefinition, name: string): WrittenModel | undefined {
  return writtenModels(schema).find((each) => each.name === name)
}

/** The placeholder that is no attribute. */
export function shardName({ definition }: WrittenModel): string | undefined {
  return definition.shard && (definition.shard.name ?? 'shard')
}
