import { PlanError } from '../errors/plan-error.ts'
import type { Index } from '../schema/model.ts'
import { isWhere } from './operators.ts'
import { isProjected } from './projection.ts'
import { toOperand } from './references.ts'
import type { QueryState } from './state.ts'
import type { Where } from './where.ts'

/** Refuses a filter that DynamoDB would refuse: in a query it can't look at the keys of the index it reads. */
export function refuseKeysInFilter(filter: readonly Where[], index: Index, place: string): void {
  const keys = [...index.hash, ...index.sort]
  const found = filter.flatMap(attributesOf).filter((name) => keys.includes(name))
  if (found.length === 0) return
  throw new PlanError('PLAN_INVALID', {
    what: `The condition on ${quoted(found)} can't be part of the key condition, and a filter can't look at the keys of index "${index.name}".`,
    where: place,
    fix: 'compare the partition key by op.eq(), and the sort key by one of eq, lt, lte, gt, gte, between and beginsWith outside of or() and not(); gte and lte may stand together',
  })
}

/** Refuses an index that lacks what is filtered by, or what is asked for. */
export function refuseUncovered(
  { model, select, hydrate, includeExpired }: QueryState,
  filter: readonly Where[],
  index: Index,
  place: string,
): void {
  if (index.project === 'all') return
  const refuse = (names: readonly string[], use: string, fix: string): void => {
    const missing = new Set(names.filter((name) => !isProjected(model, index, name)))
    if (missing.size === 0) return
    throw new PlanError('PLAN_PROJECTION', {
      what: `Index "${index.name}" does not have ${quoted([...missing])}, which ${use}.`,
      where: place,
      fix,
    })
  }
  refuse(
    filter.flatMap(attributesOf),
    'the filter looks at',
    'project it in the index, or filter after reading',
  )
  if (hydrate) return
  const asked = select
    ? select.map(({ path }) => path[0])
    : [...model.attributes.values()].map(({ stored }) => stored)
  if (model.ttl !== undefined && !includeExpired) asked.push(model.ttl.stored)
  refuse(
    asked,
    select ? 'the call needs' : `${model.name} has`,
    'select() what the index has, add hydrate() to fetch whole items, or project more in the index',
  )
}

/** The attributes a condition looks at. */
function attributesOf(operand: unknown): string[] {
  if (isWhere(operand)) return operand.operands.flatMap(attributesOf)
  const reference = toOperand(operand, '')
  return reference ? [reference.path[0]] : []
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' and ')
}
