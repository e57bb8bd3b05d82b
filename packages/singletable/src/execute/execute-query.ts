import { InputError } from '../errors/input-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import type { QueryPlan } from '../plan/plan.ts'
import type { Item } from '../values/attribute-value.ts'
import type { ConsumedCapacity, QueryRequest, ScanRequest } from '../wire/item-operations.ts'
import { keyText } from './batch.ts'
import type { Call } from './call.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { type Output, type ReadPage, readPage, sendPage } from './read-page.ts'
import type { TableContext } from './table-context.ts'

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

/** Segments of a parallel scan that are read at the same time. */
const CONCURRENCY_MAX = 16
const SEGMENTS_MAX = 1_000_000

/** One page: up to `limit` results, or else what one request gives. A page without results is never the answer while there is more to read. */
export async function fetchPage(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  cursor: string | undefined,
): Promise<Page> {
  const start = await startOf(context, call, plan, cursor)
  const { limit, pageSize } = plan
  const wanted = pageSize === undefined ? (limit ?? 1) : 1
  return toPage(context, plan, await read(context, call, plan, start, limit, wanted))
}

/** All results, up to `limit`. */
export async function fetchAll(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  cursor: string | undefined,
): Promise<Output[]> {
  const start = await startOf(context, call, plan, cursor)
  const { outputs } = await read(context, call, plan, start, plan.limit, Number.POSITIVE_INFINITY)
  return outputs
}

export async function fetchFirst(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  cursor: string | undefined,
): Promise<Output | undefined> {
  const start = await startOf(context, call, plan, cursor)
  const { outputs } = await read(context, call, plan, start, 1, 1)
  return outputs[0]
}

/** Page after page, as they are asked for; together up to `limit` results, and none without. */
export async function* fetchPages(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  cursor: string | undefined,
): AsyncGenerator<Page, void, undefined> {
  for await (const results of readAll(context, call, plan, cursor)) {
    yield await toPage(context, plan, results)
  }
}

/** Result after result; a page is read when the one before it is used up. */
export async function* fetchEach(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  cursor: string | undefined,
): AsyncGenerator<Output, void, undefined> {
  for await (const { outputs } of readAll(context, call, plan, cursor)) yield* outputs
}

/** How many results there are, up to `limit`; DynamoDB counts, and sends no items. */
export async function fetchCount(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  cursor: string | undefined,
): Promise<number> {
  if (!plan.countable) return (await fetchAll(context, call, plan, cursor)).length
  const request = countRequest(plan.request)
  const limit = plan.limit ?? Number.POSITIVE_INFINITY
  let count = 0
  let next = await startOf(context, call, plan, cursor)
  do {
    const start = next
    const response = await sendPage(context, call, plan, request, start, limit - count)
    count += response.Count
    next = response.LastEvaluatedKey
    if (response.Count === 0) requireProgress(plan, call, start, next)
  } while (next !== undefined && count < limit)
  return Math.min(count, limit)
}

/** A scan in so many segments, several at a time; results come in the order of segments. */
export async function scanParallel(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  total: number,
): Promise<Output[]> {
  if (!(Number.isInteger(total) && total >= 1 && total <= SEGMENTS_MAX)) {
    throw new InputError(
      'INPUT_INVALID',
      {
        what: `"total" is no whole number from 1 to ${SEGMENTS_MAX}.`,
        where: call.place,
        fix: 'give the number of segments, such as 4 for each worker',
      },
      [{ path: ['total'], message: `is no whole number from 1 to ${SEGMENTS_MAX}` }],
    )
  }
  const limit = plan.limit ?? Number.POSITIVE_INFINITY
  const found: Output[][] = []
  let count = 0
  let segment = 0
  let failed = false
  const work = async (): Promise<void> => {
    while (segment < total) {
      const mine = segment++
      const request = { ...plan.request, Segment: mine, TotalSegments: total }
      const outputs: Output[] = []
      found[mine] = outputs
      let next: Item | undefined
      do {
        if (failed || count >= limit) return
        const page = await step(context, call, plan, request, next, limit)
        outputs.push(...page.outputs)
        count += page.outputs.length
        next = page.next
      } while (next !== undefined)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY_MAX, total) }, work))
  } finally {
    // What others are still waiting for is not followed by more.
    failed = true
  }
  const all = found.flat()
  return all.length > limit ? all.slice(0, limit) : all
}

async function startOf(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  cursor: string | undefined,
): Promise<Item | undefined> {
  return cursor === undefined ? undefined : decodeCursor(context, plan, cursor, call.place)
}

/** Results of one or more requests. */
interface Results {
  readonly outputs: Output[]
  next: Item | undefined
  scannedCount: number
  capacity: ConsumedCapacity | undefined
}

/** Reads until there are `wanted` results, and at most `limit`. */
async function read(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  start: Item | undefined,
  limit: number | undefined,
  wanted: number,
): Promise<Results> {
  const most = limit ?? Number.POSITIVE_INFINITY
  const results: Results = {
    outputs: [],
    next: start,
    scannedCount: 0,
    capacity: undefined,
  }
  const { outputs } = results
  do {
    const page = await step(context, call, plan, plan.request, results.next, most - outputs.length)
    for (const output of page.outputs) outputs.push(output)
    results.next = page.next
    results.scannedCount += page.scannedCount
    results.capacity = addCapacity(results.capacity, page.capacity)
  } while (results.next !== undefined && outputs.length < Math.min(wanted, most))
  return results
}

async function* readAll(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  cursor: string | undefined,
): AsyncGenerator<Results, void, undefined> {
  let next = await startOf(context, call, plan, cursor)
  let rest = plan.limit
  do {
    const results = await read(context, call, plan, next, rest, 1)
    if (results.outputs.length > 0) yield results
    next = results.next
    if (rest !== undefined) rest -= results.outputs.length
  } while (next !== undefined && rest !== 0)
}

async function step(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  request: QueryRequest | ScanRequest,
  start: Item | undefined,
  most: number,
): Promise<ReadPage> {
  const page = await readPage(context, call, plan, request, start, most)
  if (page.outputs.length === 0) requireProgress(plan, call, start, page.next)
  return page
}

/** Pages without results are no end, however many; but one that leads back to where it began would be read for ever. */
function requireProgress(
  { model }: QueryPlan,
  call: Call,
  start: Item | undefined,
  next: Item | undefined,
): void {
  const names = [...model.schema.primary.hash, ...model.schema.primary.sort]
  if (start === undefined || next === undefined) return
  if (keyText(start, names) !== keyText(next, names)) return
  throw new TransportError('SERVICE_FAILED', {
    what: 'The service answered with an empty page that leads back to itself.',
    where: call.place,
    fix: 'try again later; if it stays so, the endpoint does not behave as DynamoDB does',
  })
}

async function toPage(
  context: TableContext,
  plan: QueryPlan,
  { outputs, next, scannedCount, capacity }: Results,
): Promise<Page> {
  const cursor = next === undefined ? undefined : await encodeCursor(context, plan, next)
  return {
    items: outputs,
    cursor,
    lastEvaluatedKey: cursor,
    count: outputs.length,
    scannedCount,
    ...(capacity && { consumedCapacity: capacity }),
  }
}

/** Several requests together; of their parts only the sum is told. */
function addCapacity(
  sum: ConsumedCapacity | undefined,
  more: ConsumedCapacity | undefined,
): ConsumedCapacity | undefined {
  if (sum === undefined || more === undefined) return more ?? sum
  return { TableName: sum.TableName, CapacityUnits: sum.CapacityUnits + more.CapacityUnits }
}

/** The request that counts: without a projection, and without the names that only the projection uses. */
function countRequest(request: QueryRequest | ScanRequest): QueryRequest | ScanRequest {
  const { ProjectionExpression, ExpressionAttributeNames, ...rest } = request
  const counting: QueryRequest & ScanRequest = { ...rest, Select: 'COUNT' }
  const { KeyConditionExpression = '', FilterExpression = '' } = counting
  const used = `${KeyConditionExpression} ${FilterExpression}`.match(/#\w+/g)
  if (used !== null) {
    counting.ExpressionAttributeNames = Object.fromEntries(
      Object.entries(ExpressionAttributeNames ?? {}).filter(([name]) => used.includes(name)),
    )
  }
  return counting
}
