import type { Condition } from '../expression/tree.ts'
import { cutAt, type FanOut, partitionKey } from '../plan/read/fan-out.ts'
import { shardShare } from '../plan/read/read-cost.ts'
import type { ReadPlan } from '../plan/read/read-plan.ts'
import { compileRead } from '../request/compile-read.ts'
import { keyFromItem } from '../schema/index-keys.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { compareValues } from '../values/compare.ts'
import { getOwn } from '../values/own.ts'
import type { ConsumedCapacity } from '../wire/item-operations.ts'
import type { Call } from './call.ts'
import { FanPosition } from './cursor.ts'
import {
  fetchWhole,
  type PartitionRequest,
  type ReadPage,
  readItems,
  requireProgress,
  toOutputs,
} from './read-page.ts'
import type { TableContext } from './table-context.ts'

/** Partitions that are read at the same time. */
const CONCURRENCY_MAX = 16

/** A query of several partitions. */
export interface Fan {
  readonly plan: ReadPlan
  readonly fan: FanOut
  /** Where it resumes. */
  readonly position: FanPosition | undefined
  /** All of it will be asked for, so it can be read before that. */
  readonly isWhole: boolean
}

/** What was read of a partition, and is not given yet. */
interface Shard {
  part: PartitionRequest
  items: readonly Item[]
  /** How many of the items were given. */
  given: number
  /** Where the items begin, and where more of them do. */
  from: Item | undefined
  next: Item | undefined
  /** There are no more than these items. */
  isRead: boolean
}

/**
 * Results of several partitions in one order: buckets of time one after the other, and in each of
 * them the shards merged by their sort keys. A bucket is read when the one before it is used up;
 * the more of them were empty, the more are read at the same time.
 */
export async function* readPartitions(
  context: TableContext,
  call: Call,
  { plan, fan, position, isWhole }: Fan,
): AsyncGenerator<ReadPage, void, undefined> {
  const { state, index } = plan
  const { forward, limit = Infinity, pageSize = Infinity } = state
  const step = forward ? 1 : -1
  const [start, end] = forward ? [fan.first, fan.last] : [fan.last, fan.first]
  const most = Math.max(1, Math.floor(CONCURRENCY_MAX / fan.shards))
  const read = new Map<number, Shard[]>()
  let bucket = position?.bucket ?? start
  let ahead = isWhole ? most : 1
  let isEmpty = true
  let rest = limit
  let before: ReadPage['before']

  while (rest > 0 && (end - bucket) * step >= 0) {
    const wanted = Math.min(rest, pageSize)
    const shards = shardsOf(bucket)
    const due = shards.filter(isDue)
    let scannedCount = 0
    let counted = 0
    let capacity: ConsumedCapacity | undefined
    for (let further = 1; due.length > 0 && further < ahead; further++) {
      const number = bucket + further * step
      if ((end - number) * step >= 0) due.push(...shardsOf(number).filter(isUnread))
    }
    const share = shardShare(wanted, fan.shards)
    await inParallel(due, async (shard) => {
      do {
        const { part, next: from } = shard
        const found = await readItems(context, call, plan, part, from, share)
        const { accepted: items, next } = found
        if (items.length === 0) requireProgress(context, call, from, next)
        Object.assign(shard, { items, given: 0, from, next, isRead: next === undefined })
        shard.part = { ...part, isFollowUp: true }
        scannedCount += found.scannedCount
        if (plan.counts) counted += found.count
        const units = found.capacity?.CapacityUnits
        if (units !== undefined) {
          capacity = {
            TableName: context.name,
            CapacityUnits: (capacity?.CapacityUnits ?? 0) + units,
          }
        }
      } while (isDue(shard))
    })
    if (before === undefined) {
      const [at, heads] = [bucket, shards.map((shard) => shard.items[shard.given])]
      before = () =>
        new FanPosition(
          at,
          heads.map((item) => item && keyIn(item)),
        )
    }
    const items = merge(shards, wanted)
    if (items.length > 0) isEmpty = false
    const found = state.hydrate
      ? await fetchWhole(context, call, plan, items)
      : { results: items, sources: items }
    const { outputs, sources } = toOutputs(context, call, plan, found)
    const count = counted + outputs.length
    let next: FanPosition | undefined
    if (shards.every((shard) => shard.isRead && shard.given === shard.items.length)) {
      read.delete(bucket)
      bucket += step
      if (!isWhole) ahead = isEmpty ? Math.min(2 * ahead, most) : 1
      isEmpty = true
      if ((end - bucket) * step >= 0) next = new FanPosition(bucket, [])
    } else next = new FanPosition(bucket, shards.map(positionOf))
    rest -= count
    yield { outputs, sources, count, next, before, scannedCount, capacity }
  }

  function shardsOf(number: number): Shard[] {
    let shards = read.get(number)
    if (shards === undefined) {
      const starts = number === position?.bucket ? position.starts : []
      shards = Array.from({ length: fan.shards }, (_, shard) => ({
        part: partOf(plan, partitionKey(fan, number, shard), cutAt(fan, number)),
        items: [],
        given: 0,
        from: undefined,
        next: starts[shard] ?? undefined,
        isRead: starts[shard] === null,
      }))
      read.set(number, shards)
    }
    return shards
  }

  /** Takes items in order, as long as every shard that has more has one to compare with. */
  function merge(shards: readonly Shard[], wanted: number): Item[] {
    const items: Item[] = []
    while (items.length < wanted && !shards.some(isDue)) {
      let least: Shard | undefined
      for (const shard of shards) {
        if (shard.given < shard.items.length && (!least || compare(shard, least) < 0)) least = shard
      }
      if (least === undefined) break
      items.push(least.items[least.given++]!)
    }
    return items
  }

  /** Of the next items of two shards. Equal ones come in the order of shards. */
  function compare(a: Shard, b: Shard): number {
    for (const name of index.sort) {
      const valueA = getOwn(a.items[a.given]!, name)
      const valueB = getOwn(b.items[b.given]!, name)
      const order = valueA && valueB ? (compareValues(valueA, valueB) ?? 0) : 0
      if (order !== 0) return order * step
    }
    // The later one of two is compared with the earlier one.
    return step
  }

  function keyIn(item: Item): Item {
    return keyFromItem({ ...index, hash: index.keyNames }, item)
  }

  function positionOf({ items, given, from, next, isRead }: Shard): Item | undefined | null {
    const last = items[given - 1]
    if (given === items.length) return isRead ? null : next
    return last ? keyIn(last) : from
  }
}

/** All that is known of it was given, and there may be more. */
function isDue({ items, given, isRead }: Shard): boolean {
  return !isRead && given === items.length
}

function isUnread({ items, next, isRead }: Shard): boolean {
  return !isRead && items.length === 0 && next === undefined
}

/** The request for one of the partitions. */
function partOf(
  plan: ReadPlan,
  values: readonly (AttributeValue | undefined)[],
  sort: Condition | undefined,
): PartitionRequest {
  const key: { [name: string]: AttributeValue } = { ...plan.partition }
  for (const [at, value] of values.entries()) if (value) key[plan.index.hash[at]!] = value
  return { key, request: compileRead(sort ? { ...plan, sort } : plan, key) }
}

/** Works on all, on several at a time; after the first failure, starts nothing new. */
async function inParallel<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  let position = 0
  const next = async (): Promise<void> => {
    while (position < all.length) {
      try {
        await work(all[position++]!)
      } catch (error) {
        position = all.length
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY_MAX, all.length) }, next))
}
