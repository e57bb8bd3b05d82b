import { setTimeout as pause } from 'node:timers/promises'
import { type Item, keyAttributes, keyFromItem, sameValue } from 'singletable/tools'
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
    counts = addCounts(counts, done)
    cursor = page.LastEvaluatedKey
    // Only now: what is noted as done must be in the table.
    const isOwn = await segments.save(segment, cursor, counts)
    options.onSegment(segment.number, counts)
    if (!isOwn) return false
    if (cursor === undefined) return true
  }
}

/** Migrates the items of a page; undefined if it was interrupted. */
async function migratePage(
  options: PassOptions,
  items: readonly Item[],
): Promise<Counts | undefined> {
  const { signal, versions } = options
  let counts: Counts = { ...NO_COUNTS, read: items.length }
  const waiting = gathered(options, items)
  const work = async (): Promise<void> => {
    for (let group = waiting.shift(); group; group = waiting.shift()) {
      for (const item of group) {
        if (signal.aborted) return
        const { changed, conflicts, problem } = await migrateItem(options, item)
        const key = printKey(keyFromItem(versions.after.primary, item))
        counts = addCounts(counts, {
          read: 0,
          changed: changed ? 1 : 0,
          conflicts,
          problems: problem === undefined ? 0 : 1,
          examples: problem === undefined ? [] : [`${key} ${problem}`],
        })
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_ITEMS }, work))
  return signal.aborted ? undefined : counts
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
