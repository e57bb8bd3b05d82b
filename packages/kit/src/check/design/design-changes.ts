import {
  getOwn,
  type Index,
  type Item,
  keyAttributes,
  type Model,
  matchPart,
  type Schema,
} from 'singletable/tools'
import type { Design } from './design.ts'
import { countItems } from './quote-item.ts'
import { type SampledItem, sampledItems } from './sampled-items.ts'

/** A model, or a copy, that was there before. */
export interface KeptModel {
  readonly before: Model
  readonly now: Model
}

/** Those that can be used in both designs. */
export function keptModels({ before, schema }: Design): readonly KeptModel[] {
  return [...(schema?.models.values() ?? [])].flatMap((now) => {
    const old = before?.schema?.models.get(now.name)
    return old ? [{ before: old, now }] : []
  })
}

/** A change of an index that DynamoDB knows of. */
export interface IndexDifference {
  readonly name: string
  readonly type: 'global' | 'local'
  /** An index that changes is deleted and created. */
  readonly kind: 'create' | 'delete' | 'replace'
}

/** In the order of the schema, those that are deleted last. */
export function indexDifferences({ before, schema }: Design): readonly IndexDifference[] {
  const old = before?.schema
  if (old === undefined || schema === undefined) return []
  const changes: IndexDifference[] = []
  for (const index of schema.indexes.values()) {
    const { name, type } = index
    if (type === 'primary') continue
    const known = old.indexes.get(name)
    if (known?.type !== type) changes.push({ name, type, kind: 'create' })
    else if (printIndex(old, known) !== printIndex(schema, index)) {
      changes.push({ name, type, kind: 'replace' })
    }
  }
  for (const { name, type } of old.indexes.values()) {
    if (type === 'primary' || schema.indexes.get(name)?.type === type) continue
    changes.push({ name, type, kind: 'delete' })
  }
  return changes
}

/** All that can't be changed of an index once it is there. */
function printIndex({ keyTypes }: Schema, index: Index): string {
  const { hash, project } = index
  const keys = keyAttributes(index).map((name) => [name, keyTypes.get(name)])
  const projected = typeof project === 'string' ? project : [...project].sort()
  return JSON.stringify([hash.length, keys, projected])
}

/** The items that a change is about, for its message. */
export interface Affected {
  /** `Existing Post items`, or `3 Post items (of 200 sampled)`, with the verb. */
  readonly text: string
}

/**
 * Items of a model that a change leaves behind, by what a sample shows of them; undefined if the
 * sample is the whole table and has none. Without a sample there may be any number.
 */
export function affectedItems(
  design: Design,
  model: string,
  [one, several]: readonly [string, string],
  isLeft: (sampled: SampledItem) => boolean,
): Affected | undefined {
  const { sample } = design
  const everything = { text: `Existing ${model} items ${several}` }
  if (sample === undefined) return everything
  const left = sampledItems(design).filter((each) => isOf(design, model, each) && isLeft(each))
  if (left.length > 0) {
    return { text: countItems(design, left.length, `${model} item`, [one, several]) }
  }
  return sample.isWhole ? undefined : everything
}

/** Keys that have changed say nothing about an item of before, so its type counts, or else the keys
 * of before. */
function isOf({ before, schema }: Design, name: string, { item, model }: SampledItem): boolean {
  const type = schema && getOwn(item, schema.params.typeField)
  if (type !== undefined) return type.S === (schema?.models.get(name)?.type ?? name)
  const old = before?.schema?.models.get(name)
  return model?.name === name || (old !== undefined && hasKeysOf(old, item))
}

/** Whether the primary key is one that the model makes. */
export function hasKeysOf({ primary }: Model, item: Item): boolean {
  return [...primary.hash, ...primary.sort].every(
    (part) => matchPart(part, getOwn(item, part.name)) !== undefined,
  )
}
