import type { ErrorCode } from '../../errors/codes.ts'
import { storedNames } from '../../schema/computed.ts'
import type { Index } from '../../schema/model.ts'
import { isWhere } from '../operators.ts'
import { attributesInKeys, isProjected, readPaths } from '../projection.ts'
import type { Reference } from '../reference.ts'
import { toOperand } from '../references.ts'
import { refuseIgnoreCase, refusePlan, refuseUnstored } from '../refuse-plan.ts'
import type { QueryState } from '../state.ts'
import type { Where } from '../where.ts'

/**
 * Refuses an index that lacks what is filtered by or asked for, and a filter that DynamoDB would
 * refuse: in a query it can't look at the keys of the index it reads.
 */
export function refuseUnreadable(
  { model, verb, select, hydrate, includeExpired }: QueryState,
  filter: readonly Where[],
  index: Index,
  place: string,
): void {
  if (filter.length === 0 && (hydrate || index.project === 'all')) return
  const refuse = (
    code: ErrorCode,
    has: string,
    names: string[],
    why: string,
    fix: string,
  ): void => {
    if (names.length === 0) return
    const quoted = [...new Set(names)].map((name) => `"${name}"`).join(' and ')
    refusePlan(code, place, `Index "${index.name}" ${has} ${quoted}, ${why}.`, fix)
  }
  const isMissing = (name: string): boolean => !isProjected(index, name)
  for (const condition of filter) refuseUnanswered(condition, place)
  const filtered = filter.flatMap(attributesOf)
  refuse(
    'PLAN_INVALID',
    'has the key',
    filtered.filter((name) => verb === 'query' && [...index.hash, ...index.sort].includes(name)),
    'which can be neither in a filter nor in the key condition in this form',
    'compare a partition key with eq, and a sort key once with eq, lt, lte, gt, gte, between or beginsWith, or with gte and lte, outside of or() and not()',
  )
  refuse(
    'PLAN_PROJECTION',
    'does not have',
    filtered.filter(isMissing),
    'which the filter needs',
    'project it in the index, or filter after reading',
  )
  if (hydrate || index.project === 'all') return
  const asked = select
    ? readPaths(model, select).map(([name]) => name)
    : [...model.attributes.values()].flatMap((each) => storedNames(model.attributes, each))
  // Of a list that a key is made of, DynamoDB has no element to give.
  const inParts = select?.flatMap(({ path }) => (path.length > 1 ? path[0] : [])) ?? []
  const inKeys = attributesInKeys(model, index)
    .map(({ stored }) => stored)
    .filter((name) => !inParts.includes(name))
  // Without it nothing would show that an item has expired, and it would be returned.
  if (model.ttl && !includeExpired) asked.push(model.ttl.stored)
  refuse(
    'PLAN_PROJECTION',
    'does not have',
    asked.filter((name) => isMissing(name) && !inKeys.includes(name)),
    `which ${select ? 'the call needs' : `${model.name} has`}`,
    `take what it has with useIndex('${index.name}') or select(), fetch whole items with hydrate(), or project more in the index`,
  )
}

/** Refuses what no filter can decide. */
function refuseUnanswered({ operator, operands }: Where, place: string): void {
  if (operator === 'ignore_case') refuseIgnoreCase((operands[0] as Reference).name, place)
  for (const operand of operands) {
    if (isWhere(operand)) refuseUnanswered(operand, place)
    else refuseUnstored(toOperand(operand, place), place)
  }
}

/** The attributes a condition looks at. */
export function attributesOf(operand: unknown): string[] {
  if (isWhere(operand)) return operand.operands.flatMap(attributesOf)
  const reference = toOperand(operand, '')
  return reference ? [reference.path[0]] : []
}

/** Only the table itself and its local indexes can be read consistently. */
export function refuseInconsistent(
  { consistentRead }: Pick<QueryState, 'consistentRead'>,
  { name, type }: Index,
  place: string,
): void {
  if (!consistentRead || type !== 'global') return
  refusePlan(
    'PLAN_INVALID',
    place,
    `Index "${name}" can't be read consistently: no global index can.`,
    'leave consistentRead() out, or query the primary index or a local one',
  )
}
