import { PlanError } from '../errors/plan-error.ts'
import { EXPRESSION_SIZE_MAX_BYTES } from '../expression/limits.ts'
import { PrintedPlaceholders, printCondition, printProjection } from '../expression/print.ts'
import type { Condition } from '../expression/tree.ts'
import type { Index, Model } from '../schema/model.ts'
import type { QueryRequest, ScanRequest } from '../wire/item-operations.ts'
import { chooseIndex, findIndex } from './choose-index.ts'
import { compileWhere } from './compile-where.ts'
import { type Conjuncts, splitConjuncts } from './conjuncts.ts'
import { explainQuery, type QueryDecision } from './explain-query.ts'
import { refuseKeysInFilter, refuseUncovered } from './filter-rules.ts'
import type { KeyMatch } from './key-condition.ts'
import type { Explanation, QueryPlan, RequestProjection } from './plan.ts'
import { type PlanContext, placeOf } from './plan-context.ts'
import {
  createProjection,
  internalNames,
  isProjected,
  projectionPaths,
  unaskedNames,
} from './projection.ts'
import { refuseInput } from './refuse-input.ts'
import { modelsInReach } from './shared-partition.ts'
import type { QueryState } from './state.ts'

const SEGMENTS_MAX = 1_000_000

/** Decides how a query or a scan is carried out: the index, what its keys answer, and what is left to a filter. */
export function planQuery(state: QueryState, context: PlanContext): QueryPlan {
  const { model, verb, select, hydrate, includeExpired } = state
  const text = placeOf(context, model, verb)
  checkNumbers(state, text)
  const place = { model, text, warn: context.warn }
  const conjuncts = splitConjuncts(state.where)
  const match = verb === 'query' ? chooseIndex(conjuncts, state.index, place) : undefined
  const { index } =
    match?.use ?? (state.index === undefined ? model.primary : findIndex(state.index, place))
  if (state.consistentRead && index.type === 'global') {
    throw new PlanError('PLAN_INVALID', {
      what: `Index "${index.name}" can't be read consistently: no global index can.`,
      where: text,
      fix: 'leave consistentRead() out, or query the primary index or a local one',
    })
  }
  const others = match === undefined ? [] : modelsInReach(model, match)
  const filter = planFilter({ state, match, index, conjuncts, others }, text)
  const condition = filter.hidesExpired
    ? both(filter.condition, isNotExpired(model, context.environment.now()))
    : filter.condition
  const request: QueryRequest & ScanRequest = { TableName: context.tableName }
  const placeholders = new PrintedPlaceholders()
  if (index.type !== 'primary') request.IndexName = index.name
  if (match !== undefined) {
    request.KeyConditionExpression = printCondition(match.condition, placeholders)
    if (!state.forward) request.ScanIndexForward = false
  }
  if (condition !== undefined) {
    request.FilterExpression = printWithinLimit(condition, placeholders, text)
  }
  if (select !== undefined || hydrate) {
    const internal = internalNames(model, index, includeExpired)
    const paths = projectionPaths(hydrate ? [] : (select ?? []), internal)
    request.ProjectionExpression = printProjection(paths, placeholders)
  }
  const names = placeholders.names()
  const values = placeholders.values()
  if (names !== undefined) request.ExpressionAttributeNames = names
  if (values !== undefined) request.ExpressionAttributeValues = values
  if (state.consistentRead) request.ConsistentRead = true
  if (state.capacity !== undefined) request.ReturnConsumedCapacity = state.capacity
  if (state.segment !== undefined) {
    request.Segment = state.segment.segment
    request.TotalSegments = state.segment.total
  }
  const projection =
    hydrate && select !== undefined
      ? createProjection(select, internalNames(model, model.schema.primary, includeExpired))
      : undefined
  return new PlannedQuery(
    { state, match, request, conjuncts, others },
    { index, filter, projection },
  )
}

/** A class, because the two members that are seldom asked for cost more than all the rest, and getters of a literal cost no less. */
class PlannedQuery implements QueryPlan {
  readonly kind = 'query'
  readonly model: Model
  readonly index: Index
  readonly operation: 'Query' | 'Scan'
  readonly request: QueryRequest | ScanRequest
  readonly filtered: boolean
  readonly partial: QueryPlan['partial']
  readonly hydrate: boolean
  readonly projection: RequestProjection | undefined
  readonly countable: boolean
  readonly limit: number | undefined
  readonly pageSize: number | undefined
  readonly includeExpired: boolean
  readonly #decision: QueryDecision
  readonly #filter: Condition | undefined

  constructor(
    decision: QueryDecision,
    parts: {
      readonly index: Index
      readonly filter: Filter
      readonly projection: RequestProjection | undefined
    },
  ) {
    const { state, match, request } = decision
    const { filter } = parts
    this.model = state.model
    this.index = parts.index
    this.operation = match === undefined ? 'Scan' : 'Query'
    this.request = request
    this.filtered = filter.condition !== undefined
    this.partial =
      state.select !== undefined &&
      unaskedNames(
        state.model,
        state.select,
        internalNames(
          state.model,
          state.hydrate ? state.model.schema.primary : parts.index,
          state.includeExpired,
        ),
      )
    this.hydrate = state.hydrate
    this.projection = parts.projection
    this.countable = filter.complete && !state.hydrate
    this.limit = state.limit
    this.pageSize = state.pageSize
    this.includeExpired = state.includeExpired
    this.#decision = decision
    this.#filter = filter.condition
  }

  get fingerprint(): string {
    const { state, match, request } = this.#decision
    const { verb, forward, segment } = state
    const placeholders = new PrintedPlaceholders()
    const keys = match && printCondition(match.condition, placeholders)
    const filter = this.#filter && printCondition(this.#filter, placeholders)
    const which = [request.TableName, this.model.name, this.index.name, verb, forward, segment]
    return JSON.stringify([which, keys, filter, placeholders.names(), placeholders.values()])
  }

  get explanation(): Explanation {
    return explainQuery(this.#decision)
  }
}

interface Filter {
  /** Without the time to live, which is another condition every second. */
  readonly condition: Condition | undefined
  readonly hidesExpired: boolean
  /** Nothing is left to look at after reading. */
  readonly complete: boolean
}

/** What the keys don't answer: conditions of the caller's, the model where others can come along, and the time to live. */
function planFilter(
  {
    state,
    match,
    index,
    conjuncts,
    others,
  }: {
    readonly state: QueryState
    readonly match: KeyMatch | undefined
    readonly index: Index
    readonly conjuncts: Conjuncts
    readonly others: readonly Model[]
  },
  place: string,
): Filter {
  const { model } = state
  let condition: Condition | undefined
  const rest =
    match === undefined
      ? conjuncts.all
      : conjuncts.all.filter((conjunct) => !match.absorbed.has(conjunct))
  if (rest.length > 0) {
    const conditions = rest.map(({ where }) => where)
    condition = compileWhere({ kind: 'and', conditions }, model, place)
    if (match !== undefined) refuseKeysInFilter(condition, index, place)
  }
  refuseUncovered(state, condition, index, place)

  const { typeField } = model.schema.params
  const asksType = match === undefined || others.length > 0
  const hasType = isProjected(index, typeField)
  if (asksType && hasType) condition = both(condition, isOfModel(model, typeField))
  const expires = model.ttl !== undefined && !state.includeExpired
  // A filter of a query can't look at keys; items are looked at again after reading.
  const hidesExpired =
    expires &&
    isProjected(index, model.ttl.stored) &&
    !(match !== undefined && isKey(index, model.ttl.stored))
  const complete = (hasType || !asksType) && hidesExpired === expires
  return { condition, hidesExpired, complete }
}

function both(left: Condition | undefined, right: Condition): Condition {
  return left === undefined ? right : { kind: 'and', left, right }
}

function isOfModel({ name }: Model, typeField: string): Condition {
  return {
    kind: 'compare',
    operator: '=',
    left: { kind: 'path', path: [typeField] },
    right: { kind: 'value', value: { S: name } },
  }
}

function isNotExpired({ ttl }: Model, nowMs: number): Condition {
  const path = [ttl?.stored ?? ''] as const
  return {
    kind: 'or',
    left: { kind: 'exists', path, negated: true },
    right: {
      kind: 'compare',
      operator: '>',
      left: { kind: 'path', path },
      right: { kind: 'value', value: { N: String(Math.floor(nowMs / 1000)) } },
    },
  }
}

function isKey({ hash, sort }: Index, name: string): boolean {
  return hash.includes(name) || sort.includes(name)
}

function printWithinLimit(
  condition: Condition,
  placeholders: PrintedPlaceholders,
  place: string,
): string {
  const expression = printCondition(condition, placeholders)
  if (expression.length <= EXPRESSION_SIZE_MAX_BYTES) return expression
  return refuseInput(
    [
      {
        path: [],
        message: `the filter takes ${expression.length} bytes as an expression, and ${EXPRESSION_SIZE_MAX_BYTES} are allowed`,
      },
    ],
    place,
    'split the call, or use in() for many values',
  )
}

function checkNumbers({ limit, pageSize, segment }: QueryState, place: string): void {
  const issues: { path: string[]; message: string }[] = []
  const check = (name: string, value: unknown, from: number, to: number): void => {
    if (Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to) return
    const most = to === Number.MAX_SAFE_INTEGER ? ' on' : ` to ${to}`
    issues.push({ path: [name], message: `is no whole number from ${from}${most}` })
  }
  if (limit !== undefined) check('limit', limit, 1, Number.MAX_SAFE_INTEGER)
  if (pageSize !== undefined) check('pageSize', pageSize, 1, Number.MAX_SAFE_INTEGER)
  if (segment !== undefined) {
    check('total', segment.total, 1, SEGMENTS_MAX)
    check('segment', segment.segment, 0, Math.max(0, segment.total - 1))
  }
  if (issues.length > 0) refuseInput(issues, place, 'give such numbers, or leave them out')
}
