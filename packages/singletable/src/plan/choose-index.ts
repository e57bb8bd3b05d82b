import { PlanError } from '../errors/plan-error.ts'
import type { ModelIndex } from '../schema/model.ts'
import { KeyComponentError } from '../template/key-component-error.ts'
import type { Conjuncts } from './conjuncts.ts'
import { demandsOf } from './fan-out.ts'
import { exclusionOf, type KeyMatch, matchKey } from './key-condition.ts'
import type { KeyPlace } from './key-range.ts'
import { refusePlan } from './refuse-plan.ts'

/**
 * The index that answers a query: the one the caller names, else the primary one, else the one whose sort key takes in most of the conditions; one of
 * which several partitions are read only if there is no other. None is a `PlanError`; a scan is never a way out.
 */
export function chooseIndex(
  conjuncts: Conjuncts,
  wanted: string | undefined,
  place: KeyPlace,
): KeyMatch {
  const { model } = place
  if (wanted !== undefined) {
    const use = findIndex(wanted, place)
    return matchKey(use, conjuncts, place) ?? refuse([use], conjuncts, place)
  }
  let best: KeyMatch | undefined
  let problem: unknown
  for (const use of model.indexes) {
    try {
      const match = matchKey(use, conjuncts, place)
      // An index that has all items of the model in one partition is read only if a condition narrows it, or the caller names it.
      if (match === undefined || !(match.fixed || match.sortCount > 0)) continue
      if (use === model.primary && !match.fan) return match
      if (best === undefined || isBetter(match, best)) best = match
    } catch (error) {
      // A value that can't stand in the keys of one index may do in those of another, as may a range.
      if (!(error instanceof KeyComponentError || error instanceof PlanError)) throw error
      problem ??= error
    }
  }
  if (best === undefined && problem !== undefined) throw problem
  return best ?? refuse(model.indexes, conjuncts, place)
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
export function needOf(use: ModelIndex, conjuncts: Conjuncts): string | undefined {
  const exclusion = exclusionOf(use, conjuncts)
  if (exclusion !== undefined) return exclusion
  const { missing, isNarrowed } = demandsOf(use, conjuncts)
  if (missing.length > 0) return `needs ${missing.join(', ')}`
  if (isNarrowed) return undefined
  const isOne = use.hash.every(({ template }) => !template?.enumerable)
  const all = isOne
    ? 'is one partition for all'
    : 'has all items in partitions that it can count up'
  return `${all}, so only useIndex() reads it whole`
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
    uses.map((use) => `${use.index.name} ${needOf(use, conjuncts)}`),
  )
}
