import type { InputIssue } from '../errors/input-error.ts'
import { PrintedPlaceholders } from '../expression/print.ts'
import { refuseInput } from '../schema/input-issues.ts'
import type { QueryRequest, ScanRequest } from '../wire/item-operations.ts'
import { chooseIndex, findIndex } from './choose-index.ts'
import { gapsOf } from './completeness.ts'
import { splitConjuncts } from './conjuncts.ts'
import { definedMembers } from './defined-members.ts'
import { encodeWhere } from './encode-where.ts'
import { refuseInconsistent, refuseUnreadable } from './filter-rules.ts'
import { combine, createWhere } from './operators.ts'
import type { QueryPlan } from './plan.ts'
import { type PlanContext, placeOf } from './plan-context.ts'
import { printSized } from './print-sized.ts'
import { createProjection, isProjected } from './projection.ts'
import { storedReference } from './references.ts'
import { modelsInReach } from './shared-partition.ts'
import type { QueryState } from './state.ts'
import type { Where } from './where.ts'

const SEGMENTS_MAX = 1_000_000

/** Decides how a query or a scan is carried out: the index, what its keys answer, and what is left to a filter. */
export function planQuery(state: QueryState, context: PlanContext): QueryPlan {
  const { model, verb, select, hydrate, forward, segment, consistentRead } = state
  const { tableName: TableName, warn } = context
  const text = placeOf(context, model, verb)
  checkNumbers(state, text)
  const place = { model, text, warn, now: () => context.environment.now() }
  const conjuncts = splitConjuncts(state.where)
  const choice = verb === 'query' ? chooseIndex(state, conjuncts, place) : undefined
  const match = choice?.match
  const { index } =
    match?.use ?? (state.index === undefined ? model.primary : findIndex(state.index, place))
  const filter = [...(choice?.filter ?? conjuncts.all)]
  if (match === undefined) {
    refuseInconsistent(state, index, text)
    refuseUnreadable(state, filter, index, text)
  }
  const others = match ? modelsInReach(model, match) : []
  const { typeField } = model.schema.params
  const asksType = match === undefined || others.length > 0
  const hasType = isProjected(index, typeField)
  if (asksType && hasType) {
    filter.push(createWhere('=', [storedReference(typeField), { S: model.name }]))
  }
  const ttl = state.includeExpired ? undefined : model.ttl?.stored
  // A filter of a query can't look at keys; items are looked at again after reading.
  const hidesExpired =
    ttl !== undefined &&
    isProjected(index, ttl) &&
    !(match && [...index.hash, ...index.sort].includes(ttl))
  const countable = !hydrate && (hasType || !asksType) && (ttl === undefined || hidesExpired)

  const placeholders = new PrintedPlaceholders()
  const printBeside = (where: Where): string => {
    const printed = printSized(encodeWhere(where, model, text), placeholders, text)
    return where.operator === 'OR' ? `(${printed})` : printed
  }
  const print = (conditions: readonly (Where | undefined)[]): string | undefined => {
    const all = conditions.filter((condition) => condition !== undefined)
    return all.length > 0 ? printBeside(combine('AND', all)) : undefined
  }
  const KeyConditionExpression = match && print(match.parts.map((part) => part.condition))
  let FilterExpression = print(filter)
  // The time to live makes another condition every second, so it is not part of what makes it this query.
  const fingerprint = JSON.stringify([
    [TableName, model.name, index.name, verb, forward, segment, context.pattern],
    [KeyConditionExpression, FilterExpression, placeholders.names(), placeholders.values()],
  ])
  if (hidesExpired) {
    const reference = storedReference(ttl)
    const now = { N: String(Math.floor(context.environment.now() / 1000)) }
    const isAlive = combine('OR', [
      createWhere('attribute_not_exists', [reference]),
      createWhere('>', [reference, now]),
    ])
    FilterExpression = `${FilterExpression === undefined ? '' : `${FilterExpression} AND `}${print([isAlive])}`
  }
  const counts = state.counts === true && countable
  // Where whole items are fetched afterwards, only keys are read of the index.
  const read =
    !counts && (hydrate || select)
      ? createProjection(state, hydrate ? [] : (select ?? []), index, placeholders)
      : undefined
  const whole =
    hydrate && select ? createProjection(state, select, model.schema.primary) : undefined
  const request = definedMembers<QueryRequest & ScanRequest>({
    TableName,
    IndexName: index.type === 'primary' ? undefined : index.name,
    KeyConditionExpression,
    ScanIndexForward: match && !forward ? false : undefined,
    FilterExpression,
    Select: counts ? 'COUNT' : undefined,
    ProjectionExpression: read?.request.ProjectionExpression,
    ExpressionAttributeNames: placeholders.names(),
    ExpressionAttributeValues: placeholders.values(),
    ConsistentRead: consistentRead || undefined,
    ReturnConsumedCapacity: state.capacity,
    Segment: segment?.segment,
    TotalSegments: segment?.total,
  })
  return {
    kind: 'query',
    model,
    state,
    index,
    match,
    others,
    gaps:
      choice?.gaps ?? gapsOf(model, model.indexes.find((use) => use.index === index)!, state.where),
    operation: match ? 'Query' : 'Scan',
    request,
    filtered: filter.length > 0,
    partial: (select && (whole ?? read)?.unasked) ?? false,
    projection: whole?.request,
    countable,
    fingerprint,
  }
}

export function checkNumbers(
  { limit, pageSize, segment, parallel }: QueryState,
  place: string,
): void {
  const most = Number.MAX_SAFE_INTEGER
  const issues: InputIssue[] = []
  const check = (name: string, value: unknown, from: number, to: number): void => {
    const isRight = Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to
    if (value === undefined || isRight) return
    issues.push({ path: [name], message: `is no whole number from ${from} to ${to}` })
  }
  check('limit', limit, 1, most)
  check('pageSize', pageSize, 1, most)
  check('parallel', parallel, 1, SEGMENTS_MAX)
  check('total', segment?.total, 1, SEGMENTS_MAX)
  check('segment', segment?.segment, 0, (segment?.total ?? 1) - 1)
  if (issues.length > 0) refuseInput(issues, place, 'give such numbers, or leave them out')
}
