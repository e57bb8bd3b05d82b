import {
  type AttributeDefinition,
  type CopyDefinition,
  getOwn,
  type KeyPart,
  type KeyTemplate,
  type ModelDefinition,
  type Schema,
  type WhenDefinition,
} from 'singletable/tools'

/** A model or a copy, with what its definition says. */
export interface DesignModel {
  readonly name: string
  /** Of a copy, that of the model it is of. */
  readonly definition: ModelDefinition
  /** The model that a copy is of; of a model its own name. */
  readonly source: string
  readonly copy: CopyDefinition | undefined
  /** By name, with the timestamps that the schema keeps. */
  readonly attributes: ReadonlyMap<string, AttributeDefinition>
  /** In the order of the schema, the primary index first. */
  readonly uses: readonly IndexUse[]
}

/** An index as a model, or a copy of one, is in it. */
export interface IndexUse {
  /** The name of the model, or of the copy. */
  readonly model: string
  readonly index: string
  readonly hash: readonly ModelKey[]
  readonly sort: readonly ModelKey[]
  /** Of the model; of a copy, that of the model it is of. */
  readonly definition: ModelDefinition
  readonly isCopy: boolean
  /** The items are in it only while these hold. */
  readonly when: WhenDefinition | undefined
}

/** How a model, or a copy of one, fills a key attribute of an index. */
export interface ModelKey {
  /** The name of the model, or of the copy. */
  readonly model: string
  readonly index: string
  readonly role: 'hash' | 'sort'
  /** The key attribute, such as `gsi1pk`. */
  readonly keyAttribute: string
  /** Undefined where an attribute of the model is the key as it is. */
  readonly template: KeyTemplate | undefined
  /** That attribute, by the name the model has for it. */
  readonly attribute: string | undefined
}

/** All that a pattern can name as its entity, each model before its copies. */
export function designModels({ definition, models }: Schema): readonly DesignModel[] {
  const all = [...models.values()].flatMap((model): DesignModel[] => {
    const { name, source = model } = model
    const owner = getOwn(definition.models, source.name)
    if (owner === undefined) return []
    const copy = model.source && getOwn(owner.copies ?? {}, name)
    const uses = model.indexes.map(({ index: { name: index }, hash, sort }): IndexUse => {
      const keysOf = (role: ModelKey['role'], parts: readonly KeyPart[]): readonly ModelKey[] =>
        parts.map(({ name: keyAttribute, template, attribute }) => ({
          model: name,
          index,
          role,
          keyAttribute,
          template,
          attribute: attribute?.name,
        }))
      return {
        model: name,
        index,
        hash: keysOf('hash', hash),
        sort: keysOf('sort', sort),
        definition: owner,
        isCopy: model.source !== undefined,
        when: model.source ? copy?.when : getOwn(owner.when ?? {}, index),
      }
    })
    const attributes = new Map([...model.attributes].map(([each, made]) => [each, made.definition]))
    return [{ name, definition: owner, source: source.name, copy, attributes, uses }]
  })
  return all
    .filter(({ copy }) => copy === undefined)
    .flatMap((model) => all.filter(({ source }) => source === model.name))
}

/** The attributes that a key is made of. */
export function namesInKey({ template, attribute }: ModelKey): readonly string[] {
  return template?.names ?? (attribute === undefined ? [] : [attribute])
}

/** The placeholder that is not an attribute. */
export function shardName({ definition }: DesignModel): string | undefined {
  return definition.shard && (definition.shard.name ?? 'shard')
}

/** The partition key as it is written: `USER#${username}`; an attribute that is a key as it is is
 * shown in braces. */
export function printPartition({ hash }: Pick<IndexUse, 'hash'>): string {
  return hash
    .map(({ template, keyAttribute }) => template?.source ?? `\${${keyAttribute}}`)
    .join(' + ')
}
