import { componentsOf } from '../../schema/key-variables.ts'
import type { Model } from '../../schema/model.ts'
import type { Reference } from '../reference.ts'
import type { Where } from '../where.ts'
import { type Asked, chooseIndex, findIndex, type IndexChoice } from './choose-index.ts'
import { commonRange } from './common-range.ts'
import { gapsOf } from './completeness.ts'
import { refuseInconsistent, refuseUnreadable } from './filter-rules.ts'
import type { KeyMatch } from './key-condition.ts'
import { modelsInReach } from './shared-partition.ts'

/**
 * How a question is answered, before any value is encoded: so it is the same for a call and for a
 * pattern, whose values are names of inputs.
 */
export interface Decision extends Omit<IndexChoice, 'matches'> {
  /** In the order of the members; none for a scan. */
  readonly matches: readonly KeyMatch[]
  /** What is asked of the sort keys of each member. */
  readonly conditions: readonly (readonly Where[])[]
  /** What is asked of all sort keys that are read. */
  readonly sort: readonly Where[]
  /** Other models whose items can be among those read. */
  readonly others: readonly Model[]
  /**
   * Nearly everything that is read is a result: nothing is left to a filter but the case of strings
   * that the key has in lower case.
   */
  readonly limits: boolean
}

export function decideRead(asked: Asked): Decision {
  if (asked.state.verb === 'scan') return scanOf(asked)
  const { index, matches, rest, gaps } = chooseIndex(asked)
  const conditions = matches.map(sortConditions)
  const sort = commonRange(conditions)
  const models = asked.members.map(({ model }) => model)
  const others = modelsInReach(models, matches[0], sort, asked.isPattern)
  const limits = others.length === 0 && matches.every((match, at) => isCaseOf(match, rest[at]!))
  return { index, matches, rest, gaps, conditions, sort, others, limits }
}

/** Whether the conditions only compare what the key has, but for its case. */
function isCaseOf({ use: { hash, sort } }: KeyMatch, rest: readonly Where[]): boolean {
  const folded = componentsOf([...hash, ...sort]).filter(({ folds }) => folds)
  return rest.every(
    ({ operator, operands: [left] }) =>
      operator === '=' && folded.some(({ name }) => name === (left as Reference).name),
  )
}

/** What is asked of sort keys. */
function sortConditions({ use, parts }: KeyMatch): readonly Where[] {
  const all: Where[] = []
  for (let at = use.hash.length; at < parts.length; at++) {
    const { condition } = parts[at]!
    if (condition !== undefined) all.push(condition)
  }
  return all
}

/** What has to have one of no values. */
export function readNothing({ state, members, place }: Asked): Decision {
  const [{ model }] = members
  const { index } =
    state.index === undefined ? model.primary : findIndex(state.index, model, place.text)
  return {
    index,
    matches: [],
    rest: [[]],
    gaps: [],
    conditions: [],
    sort: [],
    others: [],
    limits: true,
  }
}

/** A scan asks nothing of keys. */
function scanOf({ state, members, place }: Asked): Decision {
  const [{ model, conjuncts }] = members
  const use = state.index === undefined ? model.primary : findIndex(state.index, model, place.text)
  refuseInconsistent(state, use.index, place.text)
  refuseUnreadable(state, conjuncts.all, use.index, place.text)
  return {
    index: use.index,
    matches: [],
    rest: [conjuncts.all],
    gaps: gapsOf(model, use, state.where),
    conditions: [],
    sort: [],
    others: [],
    limits: false,
  }
}
