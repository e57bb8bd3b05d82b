import { componentsOf } from '../schema/key-variables.ts'
import type { Model, ModelIndex } from '../schema/model.ts'
import { combine, operators } from './operators.ts'
import { rangeConditions } from './pattern-question.ts'
import { splitConjuncts } from './read/conjuncts.ts'
import { demandsOf } from './read/fan-out.ts'
import { InputValue } from './read/input-value.ts'
import { type KeyMatch, matchKey } from './read/key-condition.ts'
import { referencesOf } from './references.ts'
import type { Where } from './where.ts'

/** What a pattern asks of the keys of one model. */
export interface KeyQuestion {
  /** The attributes that are given, for equality. */
  readonly by: readonly string[]
  /** The attribute that the result is in the order of, or limited by. */
  readonly range?: string | undefined
}

/**
 * How far the keys of one index answer it: what the planner of a call makes of them, whatever the
 * values.
 */
export interface KeyAnswer {
  readonly use: ModelIndex
  /** What the partition key needs and is not given. */
  readonly missing: readonly string[]
  /** What is given and no key takes in. */
  readonly unserved: readonly string[]
  /** The attribute that the sort key is ordered by, behind what is fixed. */
  readonly next: string | undefined
  /**
   * Whether keys take the range in: `bucket` if they are in the order of its days or the like, and
   * a filter decides the rest. If not: another attribute comes before it or it has one value, keys
   * have only a part of it that has no order, or nothing of it.
   */
  readonly order: 'served' | 'bucket' | 'behind' | 'coarse' | 'absent'
}

/** Of each index that the model is in, in the order of the schema. */
export function keyAnswers(model: Model, question: KeyQuestion): readonly KeyAnswer[] {
  return model.indexes.map((use) => keyAnswer(model, use, question))
}

/** How the keys of an index answer a question, with names of inputs in place of values. */
export function keyAnswer(model: Model, use: ModelIndex, question: KeyQuestion): KeyAnswer {
  const { by, range } = question
  const references = referencesOf(model) as { readonly [name: string]: unknown }
  const given = by.map((name) => operators.eq(references[name], new InputValue(name)))
  const ranges = range === undefined ? [] : rangeConditions(references[range], range)
  const { match, missing, used } = takenIn(model, use, [...given, ...ranges])
  const next = match && nextName(match)
  const names = use.sort.flatMap(({ template, attribute }) => template?.names ?? attribute!.name)
  return {
    use,
    missing,
    unserved: match ? by.filter((_, at) => !used.includes(given[at]!)) : [],
    next,
    order: orderOf(),
  }

  function orderOf(): KeyAnswer['order'] {
    if (range === undefined) return 'served'
    if (ranges.some((each) => used.includes(each))) {
      const isBucket = componentsOf(use.sort).some(({ name, unit }) => name === range && unit)
      return isBucket && next === range ? 'bucket' : 'served'
    }
    if (by.includes(range)) return 'behind'
    if (!names.includes(range)) return 'absent'
    return next === range ? 'coarse' : 'behind'
  }
}

/** Of some conditions those that the keys of an index take in, and what its partition key lacks. */
export function takenIn(
  model: Model,
  use: ModelIndex,
  conditions: readonly Where[],
): {
  readonly match: KeyMatch | undefined
  readonly missing: readonly string[]
  readonly used: readonly Where[]
} {
  const where = conditions.length > 0 ? combine('AND', conditions) : undefined
  const conjuncts = splitConjuncts(where)
  const { missing } = demandsOf(use, conjuncts)
  const place = { model, text: `model "${model.name}"`, warn: undefined, now: () => undefined }
  const match = missing.length > 0 ? undefined : matchKey(use, conjuncts, place)
  const used = match ? [...match.times, ...match.parts.flatMap((part) => part.used)] : []
  return { match, missing, used }
}

/** The attribute of the first placeholder of the sort key that nothing fixes. */
function nextName({ use, parts }: KeyMatch): string | undefined {
  const own = parts.slice(use.hash.length)
  const open = own.findIndex(({ exact }) => !exact)
  const at = open < 0 ? own.length : open
  const { template, attribute } = use.sort[at] ?? {}
  const rest = template?.parts.slice(own[at]?.fixed ?? 0) ?? []
  return attribute?.name ?? rest.find((part) => typeof part !== 'string')?.name
}
