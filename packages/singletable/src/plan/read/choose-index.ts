import { PlanError } from '../../errors/plan-error.ts'
import { kindOfValue } from '../../errors/show-value.ts'
import type { Index, KeyPart, Model, ModelIndex } from '../../schema/model.ts'
import { inCall, KeyComponentError } from '../../template/key-component-error.ts'
import { sameValue } from '../../values/same-value.ts'
import { isProjected } from '../projection.ts'
import type { Reference } from '../reference.ts'
import { refusePlan } from '../refuse-plan.ts'
import type { QueryState } from '../state.ts'
import type { Where } from '../where.ts'
import { describeGaps, type Gap, gapsOf } from './completeness.ts'
import type { Conjuncts } from './conjuncts.ts'
import { demandsOf } from './fan-out.ts'
import { refuseInconsistent, refuseUnreadable } from './filter-rules.ts'
import { exclusionOf, type KeyMatch, keyValues, matchKey } from './key-condition.ts'
import type { KeyPlace } from './key-range.ts'
import { canMeet } from './shared-partition.ts'

/** What is asked, taken apart: of one model, or of several at once. */
export interface Asked {
  readonly state: QueryState
  readonly members: readonly [AskedModel, ...(readonly AskedModel[])]
  /**
   * It asks by names of inputs, which have no values yet: what a pattern asks whenever it is
   * called.
   */
  readonly isPattern?: boolean
  /** For messages and keys. */
  readonly place: Omit<KeyPlace, 'model'>
}

export interface AskedModel {
  readonly model: Model
  readonly conjuncts: Conjuncts
}

/** How an index answers it. */
export interface IndexChoice {
  readonly index: Index
  /** In the order of the members. */
  readonly matches: readonly [KeyMatch, ...KeyMatch[]]
  /** What the keys leave to a filter, in the same order. */
  readonly rest: readonly (readonly Where[])[]
  /** Matching items that are not in the index; only one that the caller names may have such. */
  readonly gaps: readonly Gap[]
}

/**
 * The index that answers a question: the one the caller names; else, of those that have every
 * matching item, the primary one, or the one whose sort key takes in most of the conditions; one of
 * which several partitions are read only if there is no other. None is a `PlanError`; a scan is
 * never a way out, nor is an index that can lack matching items.
 */
export function chooseIndex(asked: Asked): IndexChoice {
  const { state, members, place } = asked
  if (state.index !== undefined) {
    const [index] = members.map(({ model }) => findIndex(state.index!, model, place.text).index)
    const choice = answerOf(asked, index!)
    return typeof choice === 'string' ? refuse(asked, [index!]) : choice
  }
  const { indexes, primary } = members[0].model
  let best: IndexChoice | undefined
  let incomplete: IndexChoice | undefined
  let problem: unknown
  for (const { index } of indexes) {
    try {
      const choice = answerOf(asked, index)
      if (typeof choice === 'string') continue
      // Remembered for the message only: it would leave out matching items without a word.
      if (choice.gaps.length > 0) incomplete ??= choice
      else if (index === primary.index && !choice.matches[0].fan) return choice
      else if (best === undefined || isBetter(choice, best)) best = choice
    } catch (error) {
      problem ??= passOver(error)
    }
  }
  if (best !== undefined) return best
  if (incomplete !== undefined) refuseIncomplete(asked, incomplete)
  if (problem !== undefined) throw inCall(problem, place.text)
  return refuse(
    asked,
    indexes.map(({ index }) => index),
  )
}

/** Why each of some indexes can't answer it, or was not chosen. */
export function reasonsAgainst(
  asked: Asked,
  indexes: Iterable<Index>,
  chosen?: Index,
): readonly { readonly index: string; readonly reason: string }[] {
  return [...indexes]
    .filter((index) => index !== chosen)
    .map((index) => {
      const reason = reasonAgainst(asked, index)
      return { index: index.name, reason: reason ?? `could serve; ${chosen?.name} was preferred` }
    })
}

function reasonAgainst(asked: Asked, index: Index): string | undefined {
  try {
    const choice = answerOf(asked, index)
    if (typeof choice === 'string') return choice
    return choice.gaps.length > 0 ? `may lack ${describeGaps(choice.gaps)}` : undefined
  } catch (error) {
    passOver(error)
    return 'could not answer all of it'
  }
}

/** What the keys or the items of one index can't answer, those of another may. */
function passOver(error: unknown): unknown {
  if (error instanceof KeyComponentError || error instanceof PlanError) return error
  throw error
}

/** How the keys of an index answer for each model; or why they don't. */
function answerOf(asked: Asked, index: Index): IndexChoice | string {
  const { state, members, place, isPattern } = asked
  const matches: KeyMatch[] = []
  for (const { model, conjuncts } of members) {
    const name = members.length > 1 ? `${model.name} ` : ''
    const use = useOf(model, index)
    if (use === undefined) return `${model.name} is not in it`
    const match = matchKey(use, conjuncts, { ...place, model })
    // An index that has all items of the model in one partition is read only if a condition narrows
    // it, or the caller names it.
    const isNarrowed = match?.fixed || (members.length === 1 && match && match.sortCount > 0)
    if (!match || !(isNarrowed || state.index !== undefined)) {
      return name + (needOf(use, conjuncts) ?? 'is spread over several partitions')
    }
    const [first] = matches
    if (first !== undefined && !isOnePartition(first, match, isPattern)) {
      return `${name}is in another partition than ${members[0].model.name}`
    }
    matches.push(match)
  }
  const { text } = place
  // What is wrong with a pattern is reported when the schema is read.
  if (!isPattern) refuseInconsistent(state, index, text)
  const rest = members.map(({ model, conjuncts }, at) => {
    const filter = filterOf(conjuncts, matches[at]!)
    const own = state.members ? { ...state, model, select: state.members[at]!.select } : state
    if (!isPattern) refuseUnreadable(own, filter, index, text)
    return filter
  })
  const { typeField } = members[0].model.schema.params
  if (members.length > 1 && !isPattern && !isProjected(index, typeField)) {
    refusePlan(
      'PLAN_PROJECTION',
      text,
      `Index "${index.name}" does not have "${typeField}", which distinguishes the models.`,
      "let the index project 'all' or a list of attributes: both include it",
    )
  }
  const gaps = members.flatMap(({ model, conjuncts }, at) => {
    const own = gapsOf(model, matches[at]!.use, conjuncts.where)
    return members.length > 1 ? own.map((gap) => ({ ...gap, model: model.name })) : own
  })
  // There is one for each member.
  return { index, matches: matches as [KeyMatch], rest, gaps }
}

/**
 * Whether two models are asked for in the same partition, or in the same shards; of a pattern,
 * whether they can be.
 */
function isOnePartition(one: KeyMatch, other: KeyMatch, isPattern: boolean | undefined): boolean {
  if (!sameValue(one.fan, other.fan)) return false
  if (isPattern) return other.use.hash.every((part, at) => canMeet(one.use.hash[at], part))
  const values = keyValues(one)
  return keyValues(other).every((value, at) => sameValue(value, values[at]))
}

function useOf({ indexes }: Model, index: Index): ModelIndex | undefined {
  return indexes.find((use) => use.index === index)
}

/**
 * The conditions that the keys do not answer in full. What a key of the index is made of, every
 * item in it has.
 */
function filterOf({ all }: Conjuncts, { use, parts }: KeyMatch): Where[] {
  return all.filter((conjunct) => {
    if (parts.some(({ absorbed }) => absorbed.includes(conjunct))) return false
    if (conjunct.operator !== 'attribute_exists') return true
    if (use.isShort) return true
    const { name, path } = conjunct.operands[0] as Reference
    const isOf = ({ name: key, template, attribute }: KeyPart): boolean =>
      key === name || (template?.names ?? [attribute!.name]).includes(name)
    return path.length > 1 || !(use.hash.some(isOf) || use.sort.some(isOf))
  })
}

/**
 * Indexes are tried in their order, the primary one first. How many partitions are read does not
 * count: it changes with the clock, and the order with it.
 */
function isBetter({ matches }: IndexChoice, than: IndexChoice): boolean {
  const isFan = (all: IndexChoice['matches']): boolean => all[0].fan !== undefined
  const count = (all: IndexChoice['matches']): number =>
    all.reduce((sum, { sortCount }) => sum + sortCount, 0)
  if (isFan(matches) !== isFan(than.matches)) return isFan(than.matches)
  return than.index.type !== 'primary' && count(matches) > count(than.matches)
}

export function findIndex(name: string, model: Model, text: string): ModelIndex {
  return (
    model.indexes.find(({ index }) => index.name === name) ??
    refusePlan(
      'PLAN_NO_INDEX',
      text,
      typeof name === 'string'
        ? `${model.name} is not in index "${name}".`
        : `The name of an index was expected, not ${kindOfValue(name)}.`,
      'name one of these, or give the model templates for the keys of that index',
      model.indexes.map(({ index }) => index.name),
    )
  )
}

/** What keeps the keys of an index from answering unasked. */
function needOf(use: ModelIndex, conjuncts: Conjuncts): string | undefined {
  const exclusion = exclusionOf(use, conjuncts)
  if (exclusion !== undefined) return exclusion
  const { missing, isNarrowed } = demandsOf(use, conjuncts)
  if (missing.length > 0) return `needs ${missing.join(', ')}`
  if (isNarrowed) return undefined
  const isOne = use.hash.every(({ template }) => !template?.enumerable)
  const all = isOne
    ? 'has one partition for all items'
    : 'has all items in partitions that can be enumerated'
  return `${all}, so it is read whole only with useIndex()`
}

function refuseIncomplete(asked: Asked, { index, gaps }: IndexChoice): never {
  const { members, place } = asked
  const { name } = index
  const condition = gaps.map(({ attribute, allowed }) =>
    allowed ? `op.in(attr.${attribute}, …)` : `op.exists(attr.${attribute})`,
  )
  const narrower =
    members.length > 1 ? '' : `ask only for what it holds, with ${condition.join(' and ')}; `
  return refusePlan(
    'PLAN_INCOMPLETE',
    place.text,
    `Index "${name}" can answer the query, but ${describeGaps(gaps)} are not in it and could match.`,
    `${narrower}read it as it is with useIndex('${name}'); make the attribute required; or add an index that has all items`,
    triedOf(
      asked,
      members[0].model.indexes.map((use) => use.index),
    ),
  )
}

function refuse(asked: Asked, indexes: readonly Index[]): never {
  const { members, place } = asked
  const [{ model, conjuncts }] = members
  const where = indexes.length === 1 ? ` in index "${indexes[0]?.name}"` : ''
  const tried = triedOf(asked, indexes)
  if (members.length > 1) {
    return refusePlan(
      'PLAN_NO_INDEX',
      place.text,
      `No index has ${members.map((each) => each.model.name).join(' and ')} together in the partition that is given.`,
      'give all attributes of a partition key that the models share, or query them one by one',
      tried,
    )
  }
  const names = new Set(conjuncts.usable.map(({ operands }) => `"${operands[0].name}"`))
  const by = names.size
    ? `by ${[...names].join(' and ')} alone`
    : 'without a condition that a key can answer'
  return refusePlan(
    'PLAN_NO_INDEX',
    place.text,
    `${model.name} cannot be queried ${by}${where}.`,
    'give what an index needs with op.eq() or op.in(); add an index whose partition key needs only what is given; or use scan() if the table is small',
    tried,
  )
}

function triedOf(asked: Asked, indexes: readonly Index[]): readonly string[] {
  const between = asked.members.length > 1 ? ': ' : ' '
  return reasonsAgainst(asked, indexes).map(({ index, reason }) => index + between + reason)
}
