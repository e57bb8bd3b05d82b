import { setTimeout as pause } from 'node:timers/promises'
import { type Item, keyFromItem } from 'singletable/tools'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { addCounts, type Counts, NO_COUNTS } from './counts.ts'
import { type ItemContext, migrateItem, printKey } from './migrate-item.ts'
import type { LeasedSegment, Segments } from './segments.ts'

export interface PassOptions extends ItemContext {
  readonly segments: Segments
  readonly total: number
  /** When aborted, the page under way is finished and noted, and nothing more is started. */
  readonly signal: AbortSignal
  /** Called before each page; throws, or aborts the signal, when this process may not continue. */
  requireLock(): void | Promise<void>
  onProgress(counts: Counts): void
}

/** Items of a page that are written at the same time. */
const CONCURRENT_ITEMS = 16
/** Each write waits for its answer, which a durable table gives to all that wait at once. */
const CONCURRENT_SEGMENTS = 8
const PAGE_ITEMS = 200
const POLL_MS = 200

/**
 * Goes over the table once, with whoever else works on the same pass. Each page is written before it
 * is noted, so that nothing is left out whenever a worker dies. False if it was interrupted.
 */
export async function runPass(options: PassOptions): Promise<boolean> {
  const failed = new AbortController()
  const signal = AbortSignal.any([options.signal, failed.signal])
  const seen = new Map<number, Counts>()
  const onSegment = (number: number, counts: Counts): void => {
    seen.set(number, counts)
    options.onProgress([...seen.values()].reduce(addCounts))
  }
  const outcomes = await Promise.allSettled(
    Array.from({ length: CONCURRENT_SEGMENTS }, () =>
      runSegments({ ...options, signal, onSegment }).catch((error) => {
        failed.abort()
        throw error
      }),
    ),
  )
  const failure = outcomes.find(({ status }) => status === 'rejected')
  if (failure?.status === 'rejected') throw failure.reason
  return !signal.aborted
}

interface SegmentOptions extends PassOptions {
  onSegment(number: number, counts: Counts): void
}

/** Takes one segment after the other, until none is left. */
async function runSegments(options: SegmentOptions): Promise<void> {
  const { segments, signal } = options
  while (!signal.aborted) {
    const segment = await segments.lease()
    if (segment === undefined) return
    if (segment === 'busy') {
      await options.requireLock()
      await pause(POLL_MS)
      continue
    }
    if (!(await runSegment(options, segment))) await segments.giveUp(segment)
  }
}

async function runSegment(options: SegmentOptions, segment: LeasedSegment): Promise<boolean> {
  const { transport, tableName, rate, segments, signal, total } = options
  let { cursor, counts } = segment
  for (;;) {
    await options.requireLock()
    if (signal.aborted) return false
    const page = await sendPatiently(transport, 'Scan', {
      TableName: tableName,
      Segment: segment.number,
      TotalSegments: total,
      Limit: PAGE_ITEMS,
      ConsistentRead: true,
      ReturnConsumedCapacity: 'TOTAL',
      ...(cursor && { ExclusiveStartKey: cursor }),
    })
    await rate.spend(page.ConsumedCapacity?.CapacityUnits)
    counts = addCounts(counts, await migratePage(options, page.Items ?? []))
    cursor = page.LastEvaluatedKey
    // Only now: what is noted as done must be in the table.
    const isOwn = await segments.save(segment, cursor, counts)
    options.onSegment(segment.number, counts)
    if (!isOwn) return false
    if (cursor === undefined) return true
  }
}

async function migratePage(options: PassOptions, items: readonly Item[]): Promise<Counts> {
  let counts: Counts = { ...NO_COUNTS, read: items.length }
  const waiting = [...items]
  const work = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      const { changed, conflicts, problem } = await migrateItem(options, item)
      counts = addCounts(counts, {
        read: 0,
        changed: changed ? 1 : 0,
        conflicts,
        problems: problem === undefined ? 0 : 1,
        examples:
          problem === undefined
            ? []
            : [`${printKey(keyFromItem(options.versions.after.primary, item))} ${problem}`],
      })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_ITEMS }, work))
  return counts
}
