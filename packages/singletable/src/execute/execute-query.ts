import type { ReadPlan } from '../plan/read/read-plan.ts'
import { refusePlan } from '../plan/refuse-plan.ts'
import { compileRead } from '../request/compile-read.ts'
import { keyFromItem } from '../schema/index-keys.ts'
import type { Item } from '../values/attribute-value.ts'
import type { ConsumedCapacity } from '../wire/item-operations.ts'
import type { Call } from './call.ts'
import {
  Before,
  decodeCursor,
  encodeCursor,
  type FanPosition,
  type Position,
  prepareCursors,
} from './cursor.ts'
import {
  type Output,
  type PartitionRequest,
  type ReadPage,
  readPage,
  requireProgress,
} from './read-page.ts'
import { readPartitions } from './read-partitions.ts'
import type { TableContext } from './table-context.ts'
import { keepUndecoded, type UndecodedItem } from './undecoded.ts'

export type { Output } from './read-page.ts'

/** Some results, and where to resume. */
export interface Page<TOutput = Output> {
  readonly items: TOutput[]
  /**
   * Give it to `cursor()` of the same query, or to a pattern that asks the same; `undefined` at the
   * end.
   */
  readonly cursor: string | undefined
  /** The cursor, under the name DynamoDB has for it. */
  readonly lastEvaluatedKey: string | undefined
  /**
   * Give it to `cursor()` of the same query and get the page before this one; `undefined` on the
   * first page, and for scans.
   */
  readonly previous: string | undefined
  readonly count: number
  /** Items read and paid for. */
  readonly scannedCount: number
  readonly consumedCapacity?: ConsumedCapacity
  /**
   * Items that were left out because they don't fit their model, of a read with
   * `onDecodeError: 'skip'` or `'raw'`.
   */
  readonly undecoded?: readonly UndecodedItem[]
  /**
   * The cursor of a page that starts behind this item: one of `items`, or its position there. Not
   * for queries of several partitions.
   */
  cursorOf(item: TOutput | number): string
}

/** Segments of a parallel scan that are read at the same time. */
const CONCURRENCY_MAX = 16

/**
 * One page: up to `limit` results, or else what one request gives. A page without results is never
 * the answer while there is more to read.
 */
export async function fetchPage(
  context: TableContext,
  call: Call,
  plan: ReadPlan,
  cursor: string | undefined,
): Promise<Page> {
  const { limit = 1, pageSize, forward } = plan.state
  const wanted = { count: pageSize === undefined ? limit : 1 }
  const waiting = prepareCursors(context)
  if (waiting) await waiting
  const from =
    cursor === undefined ? undefined : await decodeCursor(context, plan, cursor, call.place)
  const isBack = from instanceof Before
  // What is before a page is read towards the beginning, and given in the order of the query.
  const read = isBack ? { ...plan, state: { ...plan.state, forward: !forward } } : plan
  const sources: Item[] = []
  const found = await collect(context, call, read, isBack ? from.position : from, wanted, sources)
  const { items, count, scannedCount, next, before, consumedCapacity } = found
  if (isBack) {
    items.reverse()
    sources.reverse()
  }
  const encode = (position: Position | Before): string => encodeCursor(context, plan, position)
  // Behind a page before another one there is that one.
  const after = isBack
    ? encode(before ? before() : keyOf(plan, sources.at(-1)))
    : next && encode(next)
  const isFirst = isBack ? next === undefined : from === undefined
  const page = {
    __proto__: PAGE_METHODS,
    items,
    cursor: after,
    lastEvaluatedKey: after,
    // Made when it is asked for, as few programs do.
    get previous() {
      if (plan.operation !== 'Query' || isFirst) return undefined
      return encode(new Before(before ? (isBack ? next : before()) : keyOf(plan, sources[0])))
    },
    count,
    scannedCount,
    ...(consumedCapacity && { consumedCapacity }),
    ...(call.undecoded && { undecoded: call.undecoded }),
  }
  ORIGINS.set(page, { context, plan, items, sources, place: call.place })
  return keepUndecoded(page as unknown as Page, call.undecoded)
}

/** What the cursors of a page's items are made of. */
interface Origin {
  readonly context: TableContext
  readonly plan: ReadPlan
  /** What the caller was given; undefined where an item was left out of the page. */
  readonly items: readonly unknown[]
  /** What each of them was made of. */
  readonly sources: readonly Item[]
  readonly place: string
}

const ORIGINS = new WeakMap<object, Origin>()

/**
 * In the prototype, so that it is not a part of a page that is printed, compared or sent elsewhere.
 * Defining it on each page took some 10 µs.
 */
const PAGE_METHODS = {
  cursorOf(this: object, item: unknown): string {
    const { context, plan, items, sources, place } = ORIGINS.get(this)!
    const found = typeof item === 'number' ? items.filter((each) => each !== undefined)[item] : item
    const source = found === undefined ? undefined : sources[items.indexOf(found)]
    if (source === undefined || plan.fan) {
      refusePlan(
        'PLAN_INVALID',
        place,
        source
          ? 'A page of several partitions has no cursors for single items.'
          : 'The item is not on the page.',
        source
          ? 'use the cursor of the page, with a smaller limit'
          : 'give an item of the page as it is, or its position',
      )
    }
    return encodeCursor(context, plan, keyOf(plan, source))
  },
}

/** What pages have besides results. */
type PageMembers = Pick<Page<object>, 'cursor' | 'previous' | 'cursorOf'>

/** A page with other members, and the cursors of this one. */
export function derivePage<TMembers extends object>(
  page: Omit<PageMembers, 'cursorOf'>,
  members: TMembers,
  /** What is given in place of each item of the page. */
  items: Origin['items'] = ORIGINS.get(page)!.items,
): TMembers & PageMembers {
  const derived = {
    __proto__: PAGE_METHODS,
    ...members,
    cursor: page.cursor,
    get previous() {
      return page.previous
    },
  }
  ORIGINS.set(derived, { ...ORIGINS.get(page)!, items })
  return derived as unknown as TMembers & PageMembers
}

/** The key of an item of an index, after which a cursor resumes. */
export function keyOf({ index }: ReadPlan, item: Item | undefined): Item | undefined {
  return item && keyFromItem({ ...index, hash: index.keyNames }, item)
}

/** All results, up to `limit`. */
export async function fetchAll(
  context: TableContext,
  call: Call,
  plan: ReadPlan,
  cursor: string | undefined,
): Promise<Output[]> {
  const from = await startOf(context, call, plan, cursor)
  return keepUndecoded((await collect(context, call, plan, from)).items, call.undecoded)
}

/** How many results there are, up to `limit`; DynamoDB counts, and sends no items. */
export async function fetchCount(
  context: TableContext,
  call: Call,
  plan: ReadPlan,
  cursor: string | undefined,
): Promise<number> {
  const { count } = await collect(context, call, plan, await startOf(context, call, plan, cursor))
  return Math.min(count, plan.state.limit ?? count)
}

/** Result after result; a page is read when the one before it is used up. */
export async function* fetchEach(
  context: TableContext,
  call: Call,
  plan: ReadPlan,
  cursor: string | undefined,
): AsyncGenerator<Output, void, undefined> {
  const read = readPages(context, call, plan, await startOf(context, call, plan, cursor))
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
  return keepUndecoded(found.flat().slice(0, limit), call.undecoded)
}

interface Collected extends Pick<Page, 'items' | 'count' | 'scannedCount'> {
  readonly next: Position
  readonly before: ReadPage['before']
  readonly consumedCapacity: ConsumedCapacity | undefined
}

/**
 * Results of one request after the other, until there are no more or as many as are wanted, by all
 * who share that number.
 */
async function collect(
  context: TableContext,
  call: Call,
  plan: ReadPlan,
  from: Position,
  wanted: { count: number } = { count: Infinity },
  /** What the results were made of is added to it. */
  sources?: Item[],
): Promise<Collected> {
  let items: Output[] | undefined
  let count = 0
  let scannedCount = 0
  let next: Position
  let before: ReadPage['before']
  let capacity: ConsumedCapacity | undefined
  // All that a query without a limit reads will be asked for.
  const isWhole = wanted.count === Infinity && plan.state.limit === undefined
  const read = readPages(context, call, plan, from, isWhole)
  for (let page = await read(); page; page = page.next && (await read())) {
    if (items === undefined) items = page.outputs
    else for (const output of page.outputs) items.push(output)
    if (sources) for (const source of page.sources) sources.push(source)
    count += page.count
    scannedCount += page.scannedCount
    next = page.next
    before = page.before
    // Of several requests only the sum is reported.
    const more = page.capacity?.CapacityUnits ?? 0
    capacity = capacity
      ? { TableName: context.name, CapacityUnits: capacity.CapacityUnits + more }
      : page.capacity
    wanted.count -= page.count
    if (wanted.count <= 0) break
  }
  return { items: items ?? [], count, scannedCount, next, before, consumedCapacity: capacity }
}

/**
 * Where a cursor says that reading starts. One of a page before another is only good for that page.
 */
export async function startOf(
  context: TableContext,
  call: Call,
  plan: ReadPlan,
  cursor: string | undefined,
): Promise<Position> {
  if (cursor === undefined) return undefined
  const from = await decodeCursor(context, plan, cursor, call.place)
  if (!(from instanceof Before)) return from
  return refusePlan(
    'PLAN_INVALID',
    call.place,
    'The cursor is for a previous page, which ends where the other page begins.',
    'use executeWithPagination(), which gives that page',
  )
}

/**
 * Gives page after page, each when it is called for, and undefined after the last; together up to
 * `limit` results.
 */
export function readPages(
  context: TableContext,
  call: Call,
  plan: ReadPlan,
  from: Position,
  isWhole = false,
): () => Promise<ReadPage | undefined> {
  const { fan } = plan
  if (fan !== undefined) {
    const position = from as FanPosition | undefined
    const pages = readPartitions(context, call, { plan, fan, position, isWhole })
    return async () => (await pages.next()).value || undefined
  }
  let part: PartitionRequest = { key: plan.partition, request: compileRead(plan) }
  let rest = plan.state.limit ?? Infinity
  let start = from as Item | undefined
  let isRead = false
  return async () => {
    if (isRead) return undefined
    const page = await readPage(context, call, plan, part, start, rest)
    if (page.count === 0) requireProgress(context, call, start, page.next)
    part = { ...part, isFollowUp: true }
    start = page.next
    rest -= page.count
    isRead = start === undefined || rest <= 0
    return page
  }
}
