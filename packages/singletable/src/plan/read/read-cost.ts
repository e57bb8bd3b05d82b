import { BATCH_GET_KEYS_MAX, PAGE_SIZE_MAX_BYTES } from '../../values/limits.ts'
import { readFactor, unitsToRead } from '../../values/units.ts'
import type { FanOut } from './fan-out.ts'

/** What one call of a query finds, and how it is read. */
export interface QuerySize {
  /** Items that are read if every partition gives no more than is needed. */
  readonly items: number
  /** The mean size of what is read of each. */
  readonly bytes: number
  readonly consistent: boolean
  readonly fan: FanOut | undefined
  /** Results that are wanted, where no filter leaves items out. */
  readonly limit?: number | undefined
  /** Items of one bucket, with all its shards, if it is known. */
  readonly perPartition?: number | undefined
  /**
   * Whole items that are fetched by key afterwards, the size of each, and whether as consistently.
   */
  readonly fetched?:
    | { readonly items: number; readonly bytes: number; readonly consistent: boolean }
    | undefined
}

/** What one call costs. */
export interface QueryCost {
  readonly units: number
  /** Of that for items fetched by key. */
  readonly fetchUnits: number
  /** Steps of 4 KB that are read of the index. */
  readonly steps: number
  readonly requests: number
  /** Items that are read of the index, whether they are results or not. */
  readonly itemsRead: number
}

/**
 * Of each shard about as many items are read as a hash puts there, with room for chance; what is
 * missing is read later.
 */
export function shardShare(wanted: number, shards: number): number {
  return Math.min(wanted, Math.ceil((2 * wanted) / shards) + 1)
}

/** How many buckets of time are read, as far as it is known. */
export function bucketsOf(fan: FanOut | undefined): number {
  return fan ? Math.max(0, fan.last - fan.first + 1) : 1
}

/**
 * The one model of what a query costs: each page of each partition is rounded up for itself, and an
 * empty one costs a step as well.
 */
export function queryCost(size: QuerySize): QueryCost {
  const { items, bytes, consistent, fan, limit, perPartition, fetched } = size
  const shards = fan?.shards ?? 1
  const all = bucketsOf(fan)
  // Buckets are read one after the other until there are enough.
  const buckets =
    limit === undefined || !perPartition ? all : Math.min(all, Math.ceil(items / perPartition))
  const partitions = buckets * shards
  const most = limit === undefined || shards === 1 ? items : shards * shardShare(limit, shards)
  const itemsRead = Math.max(items, Math.min(most, perPartition ?? most))
  const pages = partitions === 0 ? NO_PAGES : pagesOf(itemsRead / partitions, bytes)
  const steps = partitions * pages.steps
  const fetchUnits = fetched
    ? fetched.items * unitsToRead(fetched.bytes, fetched.consistent ? 'strong' : 'eventual')
    : 0
  return {
    units: steps * readFactor(consistent ? 'strong' : 'eventual') + fetchUnits,
    fetchUnits,
    steps,
    requests:
      partitions * pages.count + (fetched ? Math.ceil(fetched.items / BATCH_GET_KEYS_MAX) : 0),
    itemsRead,
  }
}

const NO_PAGES = { count: 0, steps: 0 }

/**
 * Pages of this many items, and the steps of all of them: a page ends with the item that reaches
 * its size.
 */
function pagesOf(items: number, bytes: number): { readonly count: number; readonly steps: number } {
  const onPage = bytes > 0 ? Math.ceil(PAGE_SIZE_MAX_BYTES / bytes) : Infinity
  const full = Math.floor(items / onPage)
  if (full === 0) return { count: 1, steps: unitsToRead(items * bytes, 'strong') }
  const rest = items - full * onPage
  const last = rest > 0 ? 1 : 0
  return {
    count: full + last,
    steps:
      full * unitsToRead(onPage * bytes, 'strong') + last * unitsToRead(rest * bytes, 'strong'),
  }
}
