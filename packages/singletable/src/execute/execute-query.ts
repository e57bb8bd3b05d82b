import type { ReadPlan } from '../plan/read/read-plan.ts'
import { compileRead } from '../request/compile-read.ts'
import type { Item } from '../values/attribute-value.ts'
import type { ConsumedCapacity } from '../wire/item-operations.ts'
import type { Call } from './call.ts'
import { decodeCursor, decodePosition, encodeCursor, type Position } from './cursor.ts'
import { type Output, type ReadPage, readPage, requireProgress } from './read-page.ts'
import { readPartitions } from './read-partitions.ts'
import type { TableContext } from './table-context.ts'

export type { Output } from './read-page.ts'

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

/** One page: up to `limit` results, or else what one request gives. A page without results is never the answer while there is more to read. */
export async function fetchPage(
  context: TableContext,
  call: Call,
  plan: ReadPlan,
  cursor: string | undefined,
): Promise<Page> {
  const { limit = 1, pageSize } = plan.state
  const wanted = { count: pageSize === undefined ? limit : 1 }
  const { items, count, scannedCount, next, consumedCapacity } = await collect(
    context,
    call,
    plan,
    cursor,
    wanted,
  )
  const made = next && encodeCursor(context, plan, next)
  const after = typeof made === 'object' ? await made : made
  const page = { items, cursor: after, lastEvaluatedKey: after, count, scannedCount }
  return consumedCapacity ? { ...page, consumedCapacity } : page
}

/** All results, up to `limit`. */
export async function fetchAll(
  context: TableContext,
  call: Call,
  plan: ReadPlan,
  cursor: string | undefined,
): Promise<Output[]> {
  return (await collect(context, call, plan, cursor)).items
}

/** How many results there are, up to `limit`; DynamoDB counts, and sends no items. */
export async function fetchCount(
  context: TableContext,
  call: Call,
  plan: ReadPlan,
  cursor: string | undefined,
): Promise<number> {
  const { count } = await collect(context, call, plan, cursor)
  return Math.min(count, plan.state.limit ?? count)
}

/** Result after result; a page is read when the one before it is used up. */
export async function* fetchEach(
  context: TableContext,
  call: Call,
  plan: ReadPlan,
  cursor: string | undefined,
): AsyncGenerator<Output, void, undefined> {
  const read = readPages(context, call, plan, cursor)
  for (let page = await read(); page; page = await read()) yield* page.outputs
}

/** A scan in segments, several at a time; results come in the order of segments. */
export async function scanParallel(
  context: TableContext,
  call: Call,
  plan: ReadPlan,
): Promise<Output[]> {
  const { limit = Infinity, parallel: TotalSegments = 1 } = plan.state
  const found: Output[][] = []
  const wanted = { count: limit }
  let segment = 0
  const work = async (): Promise<void> => {
    while (segment < TotalSegments && wanted.count > 0) {
      const Segment = segment++
      const state = { ...plan.state, segment: { segment: Segment, total: TotalSegments } }
      const part = { ...plan, state }
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

interface Collected extends Pick<Page, 'items' | 'count' | 'scannedCount'> {
  readonly next: Position | undefined
  readonly consumedCapacity: ConsumedCapacity | undefined
}

/** Results of one request after the other, until there are no more or as many as are wanted, by all who share that number. */
async function collect(
  context: TableContext,
  call: Call,
  plan: ReadPlan,
  cursor: string | undefined,
  wanted: { count: number } = { count: Infinity },
): Promise<Collected> {
  let items: Output[] | undefined
  let count = 0
  let scannedCount = 0
  let next: Position | undefined
  let capacity: ConsumedCapacity | undefined
  // All that a query without a limit reads will be asked for.
  const isWhole = wanted.count === Infinity && plan.state.limit === undefined
  const read = readPages(context, call, plan, cursor, isWhole)
  for (let page = await read(); page; page = page.next && (await read())) {
    if (items === undefined) items = page.outputs
    else for (const output of page.outputs) items.push(output)
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
  return { items: items ?? [], count, scannedCount, next, consumedCapacity: capacity }
}

/** Gives page after page, each when it is called for, and undefined after the last; together up to `limit` results. */
function readPages(
  context: TableContext,
  call: Call,
  plan: ReadPlan,
  cursor: string | undefined,
  isWhole = false,
): () => Promise<ReadPage | undefined> {
  const { fan } = plan
  if (fan !== undefined) {
    let pages: AsyncGenerator<ReadPage, void, undefined> | undefined
    return async () => {
      if (pages === undefined) {
        const position =
          cursor === undefined ? undefined : await decodePosition(context, plan, cursor, call.place)
        pages = readPartitions(context, call, { plan, fan, position, isWhole })
      }
      return (await pages.next()).value || undefined
    }
  }
  const part = { key: plan.partition, request: compileRead(plan) }
  let rest = plan.state.limit ?? Infinity
  let start: Item | undefined
  let from = cursor
  let isRead = false
  return async () => {
    if (isRead) return undefined
    if (from !== undefined) start = await decodeCursor(context, plan, from, call.place)
    from = undefined
    const page = await readPage(context, call, plan, part, start, rest)
    if (page.count === 0) requireProgress(context, call, start, page.next)
    start = page.next
    rest -= page.count
    isRead = start === undefined || rest <= 0
    return page
  }
}
