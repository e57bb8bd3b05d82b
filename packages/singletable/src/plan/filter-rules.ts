import { PlanError } from '../errors/plan-error.ts'
import type { Condition, Operand } from '../expression/tree.ts'
import type { Index } from '../schema/model.ts'
import { keyNamesOf } from './projection.ts'
import type { QueryState } from './state.ts'

/** Refuses a filter that DynamoDB would refuse: in a query it can't look at the keys of the index it reads. */
export function refuseKeysInFilter(filter: Condition, index: Index, place: string): void {
  const keys = [...index.hash, ...index.sort]
  const found = attributesOf(filter).filter((name) => keys.includes(name))
  if (found.length === 0) return
  throw new PlanError('PLAN_INVALID', {
    what: `The condition on ${quoted(found)} can't be part of the key condition, and a filter can't look at the keys of index "${index.name}".`,
    where: place,
    fix: 'compare the partition key by op.eq(), and the sort key by one of eq, lt, lte, gt, gte, between and beginsWith outside of or() and not(); gte and lte may stand together',
  })
}

/** Refuses an index that lacks what is filtered by, or what is asked for. */
export function refuseUncovered(
  state: QueryState,
  filter: Condition | undefined,
  index: Index,
  place: string,
): void {
  const { project } = index
  if (project === 'all') return
  const { model, select, hydrate, includeExpired } = state
  const has = new Set(keyNamesOf(model, index))
  if (project !== 'keys') for (const name of project) has.add(name)
  const refuse = (names: Iterable<string>, use: string, fix: string): void => {
    const missing = [...new Set(names)].filter((name) => !has.has(name))
    if (missing.length === 0) return
    throw new PlanError('PLAN_PROJECTION', {
      what: `Index "${index.name}" does not have ${quoted(missing)}, ${use}.`,
      where: place,
      fix,
    })
  }
  if (filter !== undefined) {
    refuse(
      attributesOf(filter),
      'which the filter looks at',
      'project it in the index, or filter after reading',
    )
  }
  if (hydrate) return
  const asked =
    select === undefined
      ? [...model.attributes.values()].map(({ stored }) => stored)
      : select.map(({ path }) => path[0])
  if (model.ttl !== undefined && !includeExpired) asked.push(model.ttl.stored)
  refuse(
    asked,
    `which ${select === undefined ? `${model.name} has` : 'the call needs'}`,
    'select() what the index has, add hydrate() to fetch whole items, or project more in the index',
  )
}

/** The attributes a condition looks at. Its depth is bounded, as it was compiled. */
function attributesOf(condition: Condition): string[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return [...attributesOf(condition.left), ...attributesOf(condition.right)]
    case 'not':
      return attributesOf(condition.condition)
    case 'compare':
      return attributesOfOperands(condition.left, condition.right)
    case 'between':
      return attributesOfOperands(condition.operand, condition.low, condition.high)
    case 'in':
      return attributesOfOperands(condition.operand, ...condition.list)
    case 'exists':
      return [condition.path[0]]
    case 'attribute_type':
      return attributesOfOperands(condition.operand)
    case 'begins_with':
      return attributesOfOperands(condition.operand, condition.prefix)
    case 'contains':
      return attributesOfOperands(condition.operand, condition.search)
  }
}

function attributesOfOperands(...operands: readonly Operand[]): string[] {
  return operands.flatMap((operand) => {
    if (operand.kind === 'size') return attributesOfOperands(operand.operand)
    return operand.kind === 'path' ? [operand.path[0]] : []
  })
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' and ')
}
