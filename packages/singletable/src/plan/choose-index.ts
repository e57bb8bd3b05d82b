import { PlanError } from '../errors/plan-error.ts'
import type { KeyPart, Model, ModelIndex } from '../schema/model.ts'
import { KeyComponentError } from '../template/key-component-error.ts'
import { describeGaps, type Gap, gapsOf } from './completeness.ts'
import type { Conjuncts } from './conjuncts.ts'
import { demandsOf } from './fan-out.ts'
import { refuseInconsistent, refuseUnreadable } from './filter-rules.ts'
import { exclusionOf, type KeyMatch, matchKey } from './key-condition.ts'
import type { KeyPlace } from './key-range.ts'
import type { Reference } from './reference.ts'
import { refusePlan } from './refuse-plan.ts'
import type { QueryState } from './state.ts'
import type { Where } from './where.ts'

/** How an index answers a query. */
export interface IndexChoice {
  readonly match: KeyMatch
  /** What the keys leave to a filter. */
  readonly filter: readonly Where[]
  /** Matching items that are not in the index; only one that the caller names may have such. */
  readonly gaps: readonly Gap[]
}

/**
 * The index that answers a query: the one the caller names; else, of those that have every matching item, the primary one, or the one whose sort key
 * takes in most of the conditions; one of which several partitions are read only if there is no other. None is a `PlanError`; a scan is never a way
 * out, nor is an index that can lack matching items.
 */
export function chooseIndex(state: QueryState, conjuncts: Conjuncts, place: KeyPlace): IndexChoice {
  const { model } = place
  const choiceOf = (match: KeyMatch): IndexChoice => {
    const { use } = match
    refuseInconsistent(state, use.index, place.text)
    const filter = filterOf(conjuncts, match)
    refuseUnreadable(state, filter, use.index, place.text)
    return { match, filter, gaps: gapsOf(model, use, conjuncts.where) }
  }
  if (state.index !== undefined) {
    const use = findIndex(state.index, place)
    return choiceOf(matchKey(use, conjuncts, place) ?? refuse([use], conjuncts, place))
  }
  let best: IndexChoice | undefined
  let incomplete: IndexChoice | undefined
  let problem: unknown
  for (const use of model.indexes) {
    try {
      const match = matchKey(use, conjuncts, place)
      // An index that has all items of the model in one partition is read only if a condition narrows it, or the caller names it.
      if (match === undefined || !(match.fixed || match.sortCount > 0)) continue
      const choice = choiceOf(match)
      if (choice.gaps.length > 0) incomplete ??= choice
      else if (use === model.primary && !match.fan) return choice
      else if (best === undefined || isBetter(match, best.match)) best = choice
    } catch (error) {
      // What the keys or the items of one index can't answer, those of another may.
      if (!(error instanceof KeyComponentError || error instanceof PlanError)) throw error
      problem ??= error
    }
  }
  if (best !== undefined) return best
  if (incomplete !== undefined) refuseIncomplete(incomplete, conjuncts, place)
  if (problem !== undefined) throw problem
  return refuse(model.indexes, conjuncts, place)
}

/** The conditions that the keys do not answer in full. What a key of the index is made of, every item in it has. */
export function filterOf({ all }: Conjuncts, { use, parts }: KeyMatch): Where[] {
  return all.filter((conjunct) => {
    if (parts.some(({ absorbed }) => absorbed.includes(conjunct))) return false
    if (conjunct.operator !== 'attribute_exists') return true
    const { name, path } = conjunct.operands[0] as Reference
    const isOf = ({ name: key, template, attribute }: KeyPart): boolean =>
      key === name || (template?.names ?? [attribute!.name]).includes(name)
    return path.length > 1 || !(use.hash.some(isOf) || use.sort.some(isOf))
  })
}

/** Indexes are tried in their order, the primary one first. How many partitions are read does not count: it changes with the clock, and the order with it. */
function isBetter(match: KeyMatch, than: KeyMatch): boolean {
  if (!match.fan !== !than.fan) return !match.fan
  return than.use.index.type !== 'primary' && match.sortCount > than.sortCount
}

export function findIndex(name: string, { model, text }: KeyPlace): ModelIndex {
  return (
    model.indexes.find(({ index }) => index.name === name) ??
    refusePlan(
      'PLAN_NO_INDEX',
      text,
      `${model.name} is in no index "${name}".`,
      'name one of these, or give the model templates for the keys of that index',
      model.indexes.map(({ index }) => index.name),
    )
  )
}

/** What keeps an index from answering a query unasked. */
export function needOf(model: Model, use: ModelIndex, conjuncts: Conjuncts): string | undefined {
  const exclusion = exclusionOf(use, conjuncts)
  if (exclusion !== undefined) return exclusion
  const { missing, isNarrowed } = demandsOf(use, conjuncts)
  if (missing.length > 0) return `needs ${missing.join(', ')}`
  if (isNarrowed) {
    const gaps = gapsOf(model, use, conjuncts.where)
    return gaps.length > 0 ? `can lack ${describeGaps(gaps)}` : undefined
  }
  const isOne = use.hash.every(({ template }) => !template?.enumerable)
  const all = isOne
    ? 'is one partition for all'
    : 'has all items in partitions that it can count up'
  return `${all}, so only useIndex() reads it whole`
}

function refuseIncomplete(
  { match, gaps }: IndexChoice,
  conjuncts: Conjuncts,
  { model, text }: KeyPlace,
): never {
  const { name } = match.use.index
  const condition = gaps.map(({ attribute, allowed }) =>
    allowed ? `op.in(attr.${attribute}, …)` : `op.exists(attr.${attribute})`,
  )
  return refusePlan(
    'PLAN_INCOMPLETE',
    text,
    `Index "${name}" can answer the query, but ${describeGaps(gaps)} are not in it and could match.`,
    `ask only for what it holds, by ${condition.join(' and ')}; read it as it is by useIndex('${name}'); make the attribute required; or add an index that has all items`,
    model.indexes.map((use) => `${use.index.name} ${needOf(model, use, conjuncts)}`),
  )
}

function refuse(
  uses: readonly ModelIndex[],
  conjuncts: Conjuncts,
  { model, text }: KeyPlace,
): never {
  const names = new Set(conjuncts.usable.map(({ operands }) => `"${operands[0].name}"`))
  const by = names.size
    ? `by ${[...names].join(' and ')} alone`
    : 'without a condition that a key can answer'
  const where = uses.length === 1 ? ` in index "${uses[0]?.index.name}"` : ''
  return refusePlan(
    'PLAN_NO_INDEX',
    text,
    `${model.name} cannot be queried ${by}${where}.`,
    'give what an index needs by op.eq(), in one query for each value of in(); add an index whose partition key needs only what is given; or use scan() if the table is small',
    uses.map((use) => `${use.index.name} ${needOf(model, use, conjuncts)}`),
  )
}
