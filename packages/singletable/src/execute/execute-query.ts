import { TransportError } from '../errors/transport-error.ts'
import type { QueryPlan } from '../plan/plan.ts'
import { keyNamesOf } from '../plan/projection.ts'
import { keyFromItem } from '../schema/index-keys.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import type { ConsumedCapacity } from '../wire/item-operations.ts'
import { batchIncomplete, keyText } from './batch.ts'
import { fetchItems } from './batch-get.ts'
import type { Call } from './call.ts'
import { decodeCollected, memberOf } from './collect-items.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { hasKeyOf, isExpired } from './decode-found.ts'
import { READ, send } from './send.ts'
import type { TableContext } from './table-context.ts'

export type Output = Record<string, unknown>

/** Some results, and where to go on. */
export interface Page<TOutput = Output> {
  readonly items: TOutput[]
  /** Give it to `startFrom()` of the same query; `undefined` at the end. */
  readonly cursor: string | undefined
  /** The cursor, under the name DynamoDB has for it. */
  readonly lastEvaluatedKey: string | undefined
  readonly count: number
  /** Items read and paid for. */
  readonly scannedCount: number
  readonly consumedCapacity?: ConsumedCapacity
}

/** DynamoDB's Limit is a 32-bit number. */
const LIMIT_MAX = 2_147_483_647
/** Segments of a parallel scan that are read at the same time. */
const CONCURRENCY_MAX = 16

/** One page: up to `limit` results, or else what one request gives. A page without results is never the answer while there is more to read. */
export async function fetchPage(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  cursor: string | undefined,
): Promise<Page> {
  const { limit = 1, pageSize } = plan.state
  const wanted = { count: pageSize === undefined ? limit : 1 }
  const { next, ...results } = await collect(context, call, plan, cursor, wanted)
  const after = next && (await encodeCursor(context, plan, next))
  return { ...results, cursor: after, lastEvaluatedKey: after }
}

/** All results, up to `limit`. */
export async function fetchAll(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  cursor: string | undefined,
): Promise<Output[]> {
  return (await collect(context, call, plan, cursor)).items
}

/** How many results there are, up to `limit`; DynamoDB counts, and sends no items. */
export async function fetchCount(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  cursor: string | undefined,
): Promise<number> {
  const { count } = await collect(context, call, plan, cursor)
  return Math.min(count, plan.state.limit ?? count)
}

/** Result after result; a page is read when the one before it is used up. */
export async function* fetchEach(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  cursor: string | undefined,
): AsyncGenerator<Output, void, undefined> {
  for await (const { outputs } of readPages(context, call, plan, cursor)) yield* outputs
}

/** A scan in segments, several at a time; results come in the order of segments. */
export async function scanParallel(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
): Promise<Output[]> {
  const { limit = Infinity, parallel: TotalSegments = 1 } = plan.state
  const found: Output[][] = []
  const wanted = { count: limit }
  let segment = 0
  const work = async (): Promise<void> => {
    while (segment < TotalSegments && wanted.count > 0) {
      const Segment = segment++
      const part = { ...plan, request: { ...plan.request, Segment, TotalSegments } }
      found[Segment] = (await collect(context, call, part, undefined, wanted)).items
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY_MAX, TotalSegments) }, work))
  } finally {
    // What others are still waiting for is not followed by more.
    wanted.count = 0
  }
  return found.flat().slice(0, limit)
}

/** Results of one request after the other, until there are no more or as many as are wanted, by all who share that number. */
async function collect(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  cursor: string | undefined,
  wanted: { count: number } = { count: Infinity },
): Promise<Omit<Page, 'cursor' | 'lastEvaluatedKey'> & { readonly next: Item | undefined }> {
  const items: Output[] = []
  let count = 0
  let scannedCount = 0
  let next: Item | undefined
  let capacity: ConsumedCapacity | undefined
  for await (const page of readPages(context, call, plan, cursor)) {
    for (const output of page.outputs) items.push(output)
    count += page.count
    scannedCount += page.scannedCount
    next = page.next
    // Of several requests only the sum is told.
    const more = page.capacity?.CapacityUnits ?? 0
    capacity = capacity
      ? { TableName: context.name, CapacityUnits: capacity.CapacityUnits + more }
      : page.capacity
    wanted.count -= page.count
    if (wanted.count <= 0) break
  }
  return { items, count, scannedCount, next, ...(capacity && { consumedCapacity: capacity }) }
}

/** What one request gives. */
interface ReadPage {
  readonly outputs: readonly Output[]
  /** Of results; more than outputs where DynamoDB only counts. */
  readonly count: number
  /** Where to go on; nothing more if undefined. */
  readonly next: Item | undefined
  readonly scannedCount: number
  readonly capacity: ConsumedCapacity | undefined
}

/** Page after page, as they are asked for; together up to `limit` results. */
async function* readPages(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  cursor: string | undefined,
): AsyncGenerator<ReadPage, void, undefined> {
  let rest = plan.state.limit ?? Infinity
  let start =
    cursor === undefined ? undefined : await decodeCursor(context, plan, cursor, call.place)
  do {
    const page = await readPage(context, call, plan, start, rest)
    if (page.count === 0) requireProgress(context, call, start, page.next)
    yield page
    start = page.next
    rest -= page.count
  } while (start !== undefined && rest > 0)
}

/** Sends one request; without a filter it asks for no more items than are wanted. */
async function readPage(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  start: Item | undefined,
  most: number,
): Promise<ReadPage> {
  const { model, index, state, filtered, operation } = plan
  const request = { ...plan.request }
  const limit = Math.min(state.pageSize ?? LIMIT_MAX, filtered ? LIMIT_MAX : most)
  if (start !== undefined) request.ExclusiveStartKey = start
  if (limit < LIMIT_MAX) request.Limit = limit
  const response = await send(context, call, operation, request, READ)
  const items = response.Items ?? []
  const accepted: Item[] = []
  let next = response.LastEvaluatedKey
  for (const [position, item] of items.entries()) {
    if (!isResult(context, plan, item)) continue
    if (accepted.push(item) === most && position < items.length - 1) {
      next = keyFromItem({ ...index, hash: keyNamesOf(model, index) }, item)
      break
    }
  }
  const results = state.hydrate ? await fetchWhole(context, call, plan, accepted) : accepted
  const outputs = results.map((item) =>
    // Those of several models say which they are of.
    plan.members ? { ...decodeCollected(context, plan, item) } : model.decode(item, plan.partial),
  )
  return {
    outputs,
    count: request.Select ? response.Count : outputs.length,
    next,
    scannedCount: response.ScannedCount,
    capacity: response.ConsumedCapacity,
  }
}

/**
 * An index can hold items of other models between ours. An item without a type was written by other means, and its keys tell whether it is of
 * the model.
 */
function isResult(context: TableContext, plan: QueryPlan, item: Item): boolean {
  const { model, state, members } = plan
  if (members) return memberOf(context, plan, item) !== null
  const type = getOwn(item, model.schema.params.typeField)
  if (type !== undefined ? type.S !== model.name : !hasKeyOf(model, item)) return false
  return state.includeExpired || !isExpired(model, item, context)
}

/** Fetches the whole items that an index has only in part, in the same order. Those that are gone by now are left out. */
async function fetchWhole(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  items: readonly Item[],
): Promise<Item[]> {
  const { primary } = context.schema
  const requests = items.map((item) => ({
    TableName: context.name,
    Key: keyFromItem(primary, item),
    ...plan.projection,
  }))
  const { members, left, cause } = await fetchItems(context, call, requests)
  if (cause !== undefined) throw cause
  if (left.size > 0) {
    const remaining = [...left].map(({ key }) => key)
    throw batchIncomplete(call, { done: [], remaining, outputs: [] }, undefined)
  }
  return members.flatMap(({ found }) => (found && isResult(context, plan, found) ? [found] : []))
}

/** Pages without results are no end, however many; but one that leads back to where it began would be read for ever. */
function requireProgress(
  { schema: { primary } }: TableContext,
  call: Call,
  start: Item | undefined,
  next: Item | undefined,
): void {
  const names = [...primary.hash, ...primary.sort]
  if (start && next && keyText(start, names) === keyText(next, names)) {
    throw new TransportError('SERVICE_FAILED', {
      what: 'The service sent an empty page that leads back to itself.',
      where: call.place,
      fix: 'try again later; if it stays so, the endpoint is no DynamoDB',
    })
  }
}
