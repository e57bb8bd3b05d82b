import type { Placeholder } from 'singletable/tools'
import type { Design } from './design.ts'
import { type DesignModel, type ModelKey, shardName } from './design-model.ts'

/** What is asked of one model. */
export interface Question {
  /** The attributes that are given, for equality. */
  readonly by: readonly string[]
  /** The attribute that the result is in the order of, or limited by. */
  readonly range?: string | undefined
}

/** How far the keys of one index answer a question. */
export interface IndexAnswer {
  readonly index: string
  readonly hash: readonly ModelKey[]
  readonly sort: readonly ModelKey[]
  /** What the partition key needs and is not given. */
  readonly missing: readonly string[]
  /** What is given and no key answers. */
  readonly unserved: readonly string[]
  /** The attribute that the sort key is ordered by, behind what is fixed. */
  readonly next: string | undefined
  /** Whether the keys are in the order of the range: another attribute stands before it or it has one value, only a part of it is there, or nothing of it. */
  readonly order: 'served' | 'behind' | 'coarse' | 'absent'
}

/** Units of the time buckets that a template can have. */
const UNITS = ['year', 'month', 'day', 'hour', 'minute']

/** Of each index that the model is in, in the order of the schema. */
export function indexAnswers(
  { keys }: Design,
  model: DesignModel,
  question: Question,
): readonly IndexAnswer[] {
  const own = keys.filter((key) => key.model === model.name)
  return [...new Set(own.map(({ index }) => index))].map((index) => {
    const inIndex = own.filter((key) => key.index === index)
    return answerOf(index, inIndex, model, question)
  })
}

function answerOf(
  index: string,
  keys: readonly ModelKey[],
  model: DesignModel,
  { by, range }: Question,
): IndexAnswer {
  const hash = keys.filter(({ role }) => role === 'hash')
  const sort = keys.filter(({ role }) => role === 'sort')
  const partition = placeholders(hash, model)
  const ordered = placeholders(sort, model)
  // A range of times counts up the buckets that a partition key has of it.
  const isBucketed =
    range !== undefined &&
    !by.includes(range) &&
    partition.some(({ name }) => name === range) &&
    partition.every((each) => each.name !== range || isBucket(each))
  const missing = unique(partition).filter(
    (name) => !by.includes(name) && !(isBucketed && name === range),
  )
  const next = ordered.find(({ name }) => !by.includes(name))?.name
  const reached = next === undefined ? ordered : ordered.slice(0, position(ordered, next))
  const served = [...partition, ...reached].map(({ name }) => name)
  return {
    index,
    hash,
    sort,
    missing,
    unserved: by.filter((name) => !served.includes(name)),
    next,
    order: isBucketed ? 'served' : orderOf(ordered, next, { by, range }, model),
  }
}

function orderOf(
  ordered: readonly Placeholder[],
  next: string | undefined,
  { by, range }: Question,
  { attributes }: DesignModel,
): IndexAnswer['order'] {
  if (range === undefined) return 'served'
  if (by.includes(range)) return 'behind'
  const uses = ordered.filter(({ name }) => name === range)
  if (uses.length === 0) return 'absent'
  if (next !== range) return 'behind'
  const isCoarse = uses.some(({ modifiers }) => modifiers.some(isLossy))
  return isCoarse || attributes.get(range)?.type === Array ? 'coarse' : 'served'
}

/** The placeholders that stand for attributes; an attribute that is a key as it is stands for itself. */
export function placeholders(
  keys: readonly ModelKey[],
  model: DesignModel,
): readonly Placeholder[] {
  return keys
    .flatMap(({ template, attribute = '' }): readonly (string | Placeholder)[] =>
      template ? template.parts : [{ name: attribute, modifiers: [] }],
    )
    .filter((part) => typeof part !== 'string')
    .filter(({ name }) => name !== shardName(model))
}

/** The attributes that the primary key is made of. */
export function primaryNames({ keys }: Design, model: DesignModel): readonly string[] {
  const own = keys.filter((key) => key.model === model.name && key.index === 'primary')
  return [...new Set(placeholders(own, model).map(({ name }) => name))]
}

export function isBucket({ modifiers }: Placeholder): boolean {
  return modifiers.some((modifier) => UNITS.includes(modifier))
}

function isLossy(modifier: string): boolean {
  return modifier === 'lower' || UNITS.includes(modifier)
}

function unique(parts: readonly Placeholder[]): readonly string[] {
  return [...new Set(parts.map(({ name }) => name))]
}

function position(parts: readonly Placeholder[], name: string): number {
  return parts.findIndex((part) => part.name === name)
}
