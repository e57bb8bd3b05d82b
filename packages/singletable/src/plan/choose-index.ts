import type { ModelIndex } from '../schema/model.ts'
import { KeyComponentError } from '../template/key-component-error.ts'
import type { Conjuncts } from './conjuncts.ts'
import { exclusionOf, type KeyMatch, matchKey, missingNames } from './key-condition.ts'
import type { KeyPlace } from './key-range.ts'
import { refusePlan } from './refuse-plan.ts'

/**
 * The index that answers a query: the one the caller names, else the primary one, else the one whose sort key takes in most of the conditions.
 * None is a `PlanError`; a scan is never a way out.
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
      if (use === model.primary) return match
      if (best === undefined || match.sortCount > best.sortCount) best = match
    } catch (error) {
      // A value that can't stand in the keys of one index may do in those of another.
      if (!(error instanceof KeyComponentError)) throw error
      problem ??= error
    }
  }
  if (best === undefined && problem !== undefined) throw problem
  return best ?? refuse(model.indexes, conjuncts, place)
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
  const missing = missingNames(use, conjuncts)
  if (missing.length > 0) return `needs ${missing.join(', ')}`
  return use.hash.every(({ template }) => template?.names.length === 0)
    ? 'is one partition for all, so only useIndex() reads it whole'
    : undefined
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
