import { TransportError } from '../errors/transport-error.ts'
import { isExpired } from '../plan/is-expired.ts'
import type { ReadPlan } from '../plan/read/read-plan.ts'
import type { ReadRequest } from '../request/compile-read.ts'
import { printPaths } from '../request/print-paths.ts'
import { keyFromItem, typeIn } from '../schema/index-keys.ts'
import type { Item } from '../values/attribute-value.ts'
import type { ConsumedCapacity } from '../wire/item-operations.ts'
import { batchIncomplete, keyText } from './batch.ts'
import { fetchItems } from './batch-get.ts'
import type { Call } from './call.ts'
import { decodeCollected, memberOf } from './collect-items.ts'
import type { FanPosition, Position } from './cursor.ts'
import { decodeItem, hasKeyOf, withKeyValues } from './decode-found.ts'
import { READ, send } from './send.ts'
import type { TableContext } from './table-context.ts'
import { decodeOrSkip } from './undecoded.ts'

export type Output = Record<string, unknown>

/** DynamoDB's Limit is a 32-bit number. */
const LIMIT_MAX = 2_147_483_647

/** What one request gives. */
export interface ReadPage {
  readonly outputs: Output[]
  /** The items of the index that the outputs were made of. */
  readonly sources: readonly Item[]
  /** Of results; more than outputs where DynamoDB only counts. */
  readonly count: number
  /** Where to resume; `undefined` if there is nothing more. */
  readonly next: Position
  /**
   * Of the first page of several partitions: where what is before it begins, in the other
   * direction.
   */
  readonly before?: (() => FanPosition) | undefined
  readonly scannedCount: number
  readonly capacity: ConsumedCapacity | undefined
}

/** A partition of a query, and the request that reads it; of a scan everything. */
export interface PartitionRequest {
  readonly key: Item
  readonly request: ReadRequest
  /** A request of this call came before, and gave less than is wanted. */
  readonly isFollowUp?: boolean
}

/** What one request finds, as it is stored. */
export interface FoundItems {
  readonly accepted: readonly Item[]
  /** What DynamoDB counts: also what it does not send. */
  readonly count: number
  readonly next: Item | undefined
  readonly scannedCount: number
  readonly capacity: ConsumedCapacity | undefined
}

/** Sends one request; where few items are left out it asks for no more than are wanted. */
export async function readPage(
  context: TableContext,
  call: Call,
  plan: ReadPlan,
  part: PartitionRequest,
  start: Item | undefined,
  most: number,
): Promise<ReadPage & { readonly next: Item | undefined }> {
  const { accepted, count, next, scannedCount, capacity } = await readItems(
    context,
    call,
    plan,
    part,
    start,
    most,
  )
  const found = plan.state.hydrate
    ? await fetchWhole(context, call, plan, accepted)
    : { results: accepted, sources: accepted }
  const { outputs, sources } = toOutputs(context, call, plan, found)
  return {
    outputs,
    sources,
    count: plan.counts ? count : outputs.length,
    next,
    scannedCount,
    capacity,
  }
}

/** Sends one request of the plan, and gives at most this many of the items that are results. */
export async function readItems(
  context: TableContext,
  call: Call,
  plan: ReadPlan,
  { key, request: compiled, isFollowUp }: PartitionRequest,
  start: Item | undefined,
  most: number,
): Promise<FoundItems> {
  const { index, state, filter, limits, operation } = plan
  const request = { ...compiled }
  // If the filter left out more than was expected, a few items at a time would never end.
  const isLimited = filter === undefined || (limits && !isFollowUp)
  const limit = Math.min(state.pageSize ?? LIMIT_MAX, isLimited ? most : LIMIT_MAX)
  if (start !== undefined) request.ExclusiveStartKey = start
  if (limit < LIMIT_MAX) request.Limit = limit
  const response = await send(context, call, operation, request, READ, { index, key })
  const items = response.Items ?? []
  const accepted: Item[] = []
  let next = response.LastEvaluatedKey
  for (let position = 0; position < items.length; position++) {
    const item = items[position]!
    if (!isResult(context, plan, item)) continue
    if (accepted.push(item) === most && position < items.length - 1) {
      next = keyFromItem({ ...index, hash: index.keyNames }, item)
      break
    }
  }
  const { Count: count, ScannedCount: scannedCount, ConsumedCapacity: capacity } = response
  return { accepted, count, next, scannedCount, capacity }
}

/** What is given of items, and the items of the index that this is made of. */
export function toOutputs(
  context: TableContext,
  call: Call,
  plan: ReadPlan,
  { results, sources }: Whole,
): { readonly outputs: Output[]; readonly sources: readonly Item[] } {
  const { model, state, partial } = plan
  const decode = (item: Item): Output =>
    // Those of several models say which they are of.
    state.members
      ? { ...decodeCollected(context, plan, item) }
      : decodeItem(context, model, withKeyValues(plan.members[0]!, item, plan.index), partial)
  if (!call.undecoded) return { outputs: results.map(decode), sources }
  const outputs: Output[] = []
  const decoded = sources.filter((_, at) => {
    const output = decodeOrSkip(call, results[at]!, decode)
    return output && outputs.push(output)
  })
  return { outputs, sources: decoded }
}

/**
 * An index can hold items of other models between ours. An item without a type was written by other
 * means, and its keys show whether it is of the model.
 */
function isResult(context: TableContext, plan: ReadPlan, item: Item): boolean {
  const { model, state } = plan
  if (state.members) return memberOf(context, plan, item) !== null
  const type = typeIn(item, model.schema.params)
  if (type !== undefined ? type.S !== model.type : model.isShared || !hasKeyOf(model, item))
    return false
  return state.includeExpired || !isExpired(model, item, context)
}

/** Whole items, and those of the index that they were found by. */
interface Whole {
  readonly results: readonly Item[]
  readonly sources: readonly Item[]
}

/**
 * Fetches the whole items that an index has only in part, in the same order, and says which are
 * left: those that are gone by now are left out.
 */
export async function fetchWhole(
  context: TableContext,
  call: Call,
  plan: ReadPlan,
  items: readonly Item[],
): Promise<Whole> {
  const { primary } = context.schema
  const projection = plan.whole && printPaths(plan.whole)
  const requests = items.map((item) => ({
    TableName: context.name,
    Key: keyFromItem(primary, item),
    ...projection,
  }))
  const { members, left, cause } = await fetchItems(context, call, requests)
  if (cause !== undefined) throw cause
  if (left.size > 0) {
    const remaining = [...left].map(({ key }) => key)
    throw batchIncomplete(call, { done: [], remaining, outputs: [] }, undefined)
  }
  const results: Item[] = []
  const sources: Item[] = []
  for (const [at, { found }] of members.entries()) {
    if (found === undefined || !isResult(context, plan, found)) continue
    results.push(found)
    sources.push(items[at]!)
  }
  return { results, sources }
}

/**
 * Pages without results are not the end, however many there are; but one that leads back to where
 * it began would be read for ever.
 */
export function requireProgress(
  { schema: { primary } }: TableContext,
  call: Call,
  start: Item | undefined,
  next: Item | undefined,
): void {
  const names = [...primary.hash, ...primary.sort]
  if (start && next && keyText(start, names) === keyText(next, names)) {
    throw new TransportError('SERVICE_FAILED', {
      what: 'The service sent an empty page whose cursor leads back to the same page.',
      where: call.place,
      fix: 'try again later; if it happens again, the endpoint does not behave like DynamoDB',
    })
  }
}
