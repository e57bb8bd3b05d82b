import { setTimeout as pause } from 'node:timers/promises'
import { type Item, keyAttributes, sameValue } from 'singletable/tools'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { addCounts, type Counts, NO_COUNTS } from './counts.ts'
import { countsOfFailures, type Failure, type FailureLog } from './failures.ts'
import { type ItemContext, migrateItem } from './migrate-item.ts'
import type { LeasedSegment, Segments } from './segments.ts'

export interface PassOptions extends ItemContext {
  readonly segments: Segments
  readonly total: number
  /** When aborted, the page under way is finished and noted, and nothing more is started. */
  readonly signal: AbortSignal
  /** Called before each page; throws, or aborts the signal, when this process may not continue. */
  requireLock(): void | Promise<void>
  onProgress(counts: Counts): void
  readonly failures?: FailureLog | undefined
}

/** Items of a page that are written at the same time. */
const CONCURRENT_ITEMS = 16
/** Each write waits for its answer, which a durable table gives to all that wait at once. */
const CONCURRENT_SEGMENTS = 8
const PAGE_ITEMS = 200
const POLL_MS = 200

/**
 * Goes over the table once, with whoever else works on the same pass. Each page is written before
 * it is noted, so that nothing is left out whenever a worker dies. False if it was interrupted.
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
  const { transport, tableName, segments, signal, total } = options
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
      ...(cursor && { ExclusiveStartKey: cursor }),
    })
    const done = await migratePage(options, page.Items ?? [])
    // A page that was interrupted is not noted, and done again.
    if (done === undefined) return false
    counts = addCounts(counts, done.counts)
    cursor = page.LastEvaluatedKey
    // Only now: what is noted as done must be in the table.
    const isOwn = await segments.save(segment, cursor, counts)
    options.onSegment(segment.number, counts)
    // Whoever has the segment now does the page again.
    if (!isOwn) return false
    for (const failure of done.failures) options.failures?.add(failure)
    if (cursor === undefined) return true
  }
}

/** Migrates the items of a page; undefined if it was interrupted. */
async function migratePage(
  options: PassOptions,
  items: readonly Item[],
): Promise<{ counts: Counts; failures: readonly Failure[] } | undefined> {
  const { signal } = options
  const failures: Failure[] = []
  let counts: Counts = { ...NO_COUNTS, read: items.length }
  const waiting = gathered(options, items)
  const work = async (): Promise<void> => {
    for (let group = waiting.shift(); group; group = waiting.shift()) {
      for (const item of group) {
        if (signal.aborted) return
        const { changed, conflicts, failure } = await migrateItem(options, item)
        counts = addCounts(counts, { ...NO_COUNTS, changed: changed ? 1 : 0, conflicts })
        if (failure) failures.push(failure)
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_ITEMS }, work))
  if (signal.aborted) return undefined
  return { counts: addCounts(counts, countsOfFailures(failures)), failures }
}

/**
 * What is worked on in turn. Items of one partition are often merged into the same item, and would
 * meet each other there.
 */
function gathered({ versions }: PassOptions, items: readonly Item[]): (readonly Item[])[] {
  const { steps, after } = versions
  const isMerged = steps.some(({ kind }) => kind === 'mergeModel')
  const [hash = ''] = keyAttributes(after.primary)
  const groups: Item[][] = []
  for (const item of items) {
    const last = groups.at(-1)
    if (isMerged && last && sameValue(last[0]?.[hash], item[hash])) last.push(item)
    else groups.push([item])
  }
  return groups
}
