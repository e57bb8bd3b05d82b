import { PlanError } from '../errors/plan-error.ts'
import type { ModelIndex } from '../schema/model.ts'
import { KeyComponentError } from '../template/key-component-error.ts'
import type { Conjuncts } from './conjuncts.ts'
import { type KeyMatch, matchKey, missingNames } from './key-condition.ts'
import type { KeyPlace } from './key-head.ts'

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
    const match = tryIndex(use)
    if (match === undefined || !serves(match)) continue
    if (use === model.primary) return match
    if (best === undefined || match.sortCount > best.sortCount) best = match
  }
  if (best !== undefined) return best
  if (problem !== undefined) throw problem
  return refuse(model.indexes, conjuncts, place)

  /** A value that can't stand in the keys of one index may do in those of another. */
  function tryIndex(use: ModelIndex): KeyMatch | undefined {
    try {
      return matchKey(use, conjuncts, place)
    } catch (error) {
      if (!(error instanceof KeyComponentError)) throw error
      problem ??= error
      return undefined
    }
  }
}

export function findIndex(name: string, { model, text }: KeyPlace): ModelIndex {
  const found = model.indexes.find(({ index }) => index.name === name)
  if (found !== undefined) return found
  throw new PlanError('PLAN_NO_INDEX', {
    what: `${model.name} is in no index "${name}".`,
    where: text,
    tried: model.indexes.map(({ index }) => index.name).join(' · '),
    fix: 'name one of these, or give the model templates for the keys of that index',
  })
}

/** Why an index was not chosen, for explanations. */
export function reasonAgainst(use: ModelIndex, conjuncts: Conjuncts, chosen: KeyMatch): string {
  const missing = missingNames(use, conjuncts)
  if (missing.length > 0) return `needs ${missing.join(', ')}`
  if (isStatic(use)) return NAMED_ONLY
  return `could serve; ${chosen.use.index.name} was preferred`
}

const NAMED_ONLY = 'is one partition for all, so only useIndex() reads it whole'

/** An index that has all items of the model in one partition is read only if a condition narrows it, or the caller names it. */
function serves({ fixed, sortCount }: KeyMatch): boolean {
  return fixed || sortCount > 0
}

function isStatic({ hash }: ModelIndex): boolean {
  return hash.every(({ template }) => template?.names.length === 0)
}

function refuse(
  uses: readonly ModelIndex[],
  conjuncts: Conjuncts,
  { model, text }: KeyPlace,
): never {
  const names = [...conjuncts.equal.keys(), ...conjuncts.ranges.keys()]
  const tried = uses.map((use) => {
    const missing = missingNames(use, conjuncts)
    const reason = missing.length === 0 ? NAMED_ONLY : `needs ${missing.join(', ')}`
    return `${use.index.name} ${reason}`
  })
  const needed = new Set(uses.flatMap((use) => missingNames(use, conjuncts)))
  const isList = conjuncts.all.some(
    ({ where }) =>
      where.kind === 'in' && where.left.kind === 'reference' && needed.has(where.left.name),
  )
  const quoted = [...new Set(names)].map((name) => `"${name}"`).join(' and ')
  const alone =
    names.length === 0 ? 'without a condition that a key can answer' : `by ${quoted} alone`
  const by = uses.length === 1 ? ` in index "${uses[0]?.index.name}"` : ''
  throw new PlanError('PLAN_NO_INDEX', {
    what: `${model.name} cannot be queried ${alone}${by}.`,
    where: text,
    tried: tried.join(' · '),
    fix: isList
      ? 'run one query for each value of in(): a query reads one partition'
      : 'give what an index needs by op.eq(), add an index whose partition key template uses only what is given, or use scan() if the table is small',
  })
}
