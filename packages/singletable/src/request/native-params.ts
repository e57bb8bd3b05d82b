import type { InputIssue } from '../errors/input-error.ts'
import { printPlace } from '../errors/print-place.ts'
import type { GetPlan, WritePlan } from '../plan/plan.ts'
import type { ReadPlan } from '../plan/read/read-plan.ts'
import { gatherWrites } from '../plan/write/gather-writes.ts'
import { anyCodec } from '../schema/codecs/any-codec.ts'
import { placeIssues, refuseInput } from '../schema/input-issues.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { Decimal } from '../values/decimal-number.ts'
import { setOwn } from '../values/own.ts'
import { compileGet, compileRead } from './compile-read.ts'
import { compileWrite } from './compile-write.ts'

/** The plans that are one request. */
export type SinglePlan = WritePlan | GetPlan | ReadPlan

// A registered symbol is the same in every installed copy of the package.
const PLAN = Symbol.for('singletable.plan')

/** The members of requests that hold attribute values by name. */
const ITEM_MEMBERS = ['Item', 'Key', 'ExpressionAttributeValues', 'ExclusiveStartKey'] as const

const ANY = anyCodec(1)

/**
 * The request in the form that the SDK's DocumentClient takes: plain JavaScript values. It is
 * frozen and remembers its plan, so that one of our transactions loses nothing of it; a changed
 * copy is taken for what it says.
 */
export function nativeParams(plan: SinglePlan, more?: object): Readonly<Record<string, unknown>> {
  const params: Record<string, unknown> = { ...requestOf(plan), ...more }
  for (const member of ITEM_MEMBERS) {
    const item = params[member]
    // A request has attribute values under these names.
    if (item !== undefined) params[member] = nativeValue({ M: item as Item }, plan)
  }
  Object.defineProperty(params, PLAN, { value: plan })
  return Object.freeze(params)
}

function requestOf(plan: SinglePlan): object {
  if (plan.kind === 'write') return compileWrite(plan)
  return plan.kind === 'get' ? compileGet(plan) : compileRead(plan)
}

/** The request of a transaction with all that follows from the writes, in the same form. */
export function transactionParams(
  plans: readonly WritePlan[],
  ClientRequestToken: string | undefined,
): TransactionParams {
  const TransactItems = gatherWrites(plans).writes.map((plan) => {
    const { ReturnValues, ReturnConsumedCapacity, ...params } = nativeParams(plan)
    return { [plan.action]: params }
  })
  return ClientRequestToken === undefined
    ? { TransactItems }
    : { TransactItems, ClientRequestToken }
}

/** What `dbParams()` types in more detail. */
export interface TransactionParams {
  // biome-ignore lint/suspicious/noExplicitAny: a plan of each action has the members of its request; the builders' types say so.
  readonly TransactItems: any[]
  readonly ClientRequestToken?: string
}

/**
 * The first request of a query or a scan: DynamoDB's Limit counts items before the filter, so a
 * limit of results is one only where the filter leaves out few.
 */
export function pageParams(plan: ReadPlan): Readonly<Record<string, unknown>> {
  const { limit = Infinity, pageSize = Infinity } = plan.state
  const Limit = plan.limits ? Math.min(limit, pageSize) : pageSize
  return nativeParams(plan, Number.isFinite(Limit) ? { Limit } : undefined)
}

/** The plan that `nativeParams` was made from; `undefined` for other params. */
export function planFromParams(params: object): SinglePlan | undefined {
  // Only nativeParams puts something under the symbol.
  return (params as { readonly [PLAN]?: SinglePlan })[PLAN]
}

/** The wire form of params made for the DocumentClient by anyone. */
export function marshalParams(params: object, place: string): Readonly<Record<string, unknown>> {
  const request: Record<string, unknown> = { ...params }
  const issues: InputIssue[] = []
  for (const member of ITEM_MEMBERS) {
    const values = request[member]
    if (values === undefined) continue
    const from = issues.length
    // Only an object of the caller's becomes a map; all else adds an issue.
    const encoded = ANY.encode(values, issues)
    if (encoded.M === undefined && issues.length === from) {
      issues.push({ path: [], message: 'is not a plain object' })
    }
    placeIssues(issues, from, member)
    request[member] = encoded.M
  }
  if (issues.length > 0) refuseInput(issues, place, "give values of JavaScript's plain types")
  return request
}

function nativeValue(value: AttributeValue, plan: SinglePlan): unknown {
  if (value.L !== undefined) {
    return Object.freeze(value.L.map((element) => nativeValue(element, plan)))
  }
  if (value.M !== undefined) {
    const native: Record<string, unknown> = {}
    for (const [name, member] of Object.entries(value.M)) {
      setOwn(native, name, nativeValue(member, plan))
    }
    return Object.freeze(native)
  }
  const native = ANY.decode(value)
  for (const each of native instanceof Set ? native : [native]) {
    if (each instanceof Decimal) {
      refuseInput(
        `${each.text} has more digits than a number of JavaScript holds`,
        printPlace({ entity: plan.model.name, verb: 'dbParams' }),
        'send it with execute() or in a transaction, which keep all digits',
      )
    }
  }
  return native
}
