import { SingletableError } from '../errors/singletable-error.ts'
import { pause } from '../values/pause.ts'
import { nameOf } from '../wire/judge-failure.ts'
import type { ShardPosition } from './checkpoints.ts'
import type { BatchResponse } from './stream-handler.ts'
import {
  type PollerEnvironment,
  pauseAfterFailure,
  type RecordPage,
  type StreamReader,
} from './stream-reader.ts'
import { normaliseRecord, type StreamRecord } from './stream-record.ts'

/** A record that could not be handled. */
export interface HandlingFailure {
  readonly shardId: string
  readonly record: StreamRecord
  /** What the handler threw; `undefined` if it reported the record by `batchItemFailures`. */
  readonly error: unknown
  /** How often this record has failed now. */
  readonly attempt: number
}

/** Records of a shard that were deleted, after 24 hours, before they were handled. */
export interface StreamGap {
  readonly shardId: string
  /** The last record that was handled; `undefined` if none was. */
  readonly after: string | undefined
}

/** What reading one shard needs of the poller. */
export interface ShardPoller extends PollerEnvironment {
  readonly streamArn: string
  readonly reader: StreamReader
  readonly batchSize: number
  readonly idleMsMax: number
  handler(event: { readonly Records: readonly StreamRecord[] }): unknown
  onFailure(failure: HandlingFailure): Promise<'retry' | 'skip' | 'stop'>
  onGap(gap: StreamGap): unknown
  positionOf(shardId: string): ShardPosition
  /** Everything in the shard up to this time, in milliseconds since 1970, has been handled. */
  handledUntil(shardId: string, untilMs: number): void
  /** Remembers how far the shard is, and saves it. */
  advance(shardId: string, position: ShardPosition): Promise<void>
}

const IDLE_MS_FIRST = 50
/** A page can be empty although there is more, so that one alone says nothing about the end. */
const EMPTY_PAGES_AT_END = 2

/** Reads a shard from its position on and has its records handled, until the shard or the poller
 * ends. */
export async function pollShard(
  poller: ShardPoller,
  shardId: string,
  start?: 'LATEST',
): Promise<void> {
  const { signal, idleMsMax } = poller
  let iterator = start && (await openIterator(poller, shardId, start))
  let emptyPages = 0
  while (!signal.aborted) {
    iterator ??= await openIterator(poller, shardId)
    const askedMs = poller.environment.now()
    const page = iterator && (await readPage(poller, shardId, iterator))
    if (page === 'reopen') {
      iterator = undefined
      continue
    }
    if (!page) return
    const { since = 0 } = poller.positionOf(shardId)
    const records = page.records
      .map((record) => normaliseRecord(record, 'pollStream()'))
      .filter(({ dynamodb }) => dynamodb.ApproximateCreationDateTime >= since)
      .map((record) => ({ ...record, eventSourceARN: poller.streamArn }))
    if (!(await handleRecords(poller, shardId, records))) return
    if (page.next === undefined) {
      await poller.advance(shardId, { ...poller.positionOf(shardId), finished: true })
      return
    }
    iterator = page.next
    emptyPages = page.records.length === 0 ? emptyPages + 1 : 0
    const last = records.at(-1)
    if (last) {
      poller.handledUntil(shardId, last.dynamodb.ApproximateCreationDateTime * 1000)
    } else if (emptyPages >= EMPTY_PAGES_AT_END) poller.handledUntil(shardId, askedMs)
    if (poller.untilCaughtUp && emptyPages >= EMPTY_PAGES_AT_END) return
    if (emptyPages > 0) {
      const delayMs = IDLE_MS_FIRST * 2 ** Math.min(emptyPages - 1, 20)
      const pauseMs = Math.min(idleMsMax, delayMs)
      await pause(poller.environment, pauseMs, signal, poller.untilCaughtUp)
    }
  }
}

/** An iterator after the last handled record. If that record is gone, so may be others after it:
 * the gap is reported, and reading continues. */
async function openIterator(
  poller: ShardPoller,
  shardId: string,
  start?: 'LATEST',
): Promise<string | undefined> {
  const { reader, streamArn } = poller
  if (start) return reader.iterator(streamArn, shardId, { ShardIteratorType: start })
  const { after } = poller.positionOf(shardId)
  if (after !== undefined) {
    try {
      return await reader.iterator(streamArn, shardId, {
        ShardIteratorType: 'AFTER_SEQUENCE_NUMBER',
        SequenceNumber: after,
      })
    } catch (error) {
      if (!isTrimmed(error)) throw error
      await reportGap(poller, shardId)
    }
  }
  return reader.iterator(streamArn, shardId, { ShardIteratorType: 'TRIM_HORIZON' })
}

async function readPage(
  poller: ShardPoller,
  shardId: string,
  iterator: string,
): Promise<RecordPage | 'reopen' | undefined> {
  try {
    return await poller.reader.records(iterator, poller.batchSize)
  } catch (error) {
    if (nameOf(error) === 'ExpiredIteratorException') return 'reopen'
    if (!isTrimmed(error)) throw error
    await reportGap(poller, shardId)
    return 'reopen'
  }
}

function isTrimmed(error: unknown): boolean {
  return nameOf(error) === 'TrimmedDataAccessException'
}

/** After a gap reading starts at the oldest record there is. */
async function reportGap(poller: ShardPoller, shardId: string): Promise<void> {
  await poller.onGap({ shardId, after: poller.positionOf(shardId).after })
  await poller.advance(shardId, {})
}

/** Has records handled in order; the position moves on behind them. False if the poller stopped
 * before all were. */
async function handleRecords(
  poller: ShardPoller,
  shardId: string,
  records: readonly StreamRecord[],
): Promise<boolean> {
  let rest = records
  let size = rest.length
  let attempt = 0
  const moveOn = async (count: number): Promise<void> => {
    await poller.advance(shardId, { after: rest[count - 1]!.dynamodb.SequenceNumber })
    rest = rest.slice(count)
    attempt = 0
  }
  while (rest.length > 0) {
    if (poller.signal.aborted) return false
    const batch = rest.slice(0, size)
    const { handled, error, failed } = await handleBatch(poller, batch)
    if (handled > 0) await moveOn(handled)
    if (!failed) continue
    if (handled === 0 && error !== undefined && batch.length > 1) {
      // Which record it was is not known, so each is given alone.
      size = 1
      continue
    }
    attempt++
    const record = rest[0]!
    const decision = await poller.onFailure({ shardId, record, error, attempt })
    if (decision === 'stop') throw handlingFailed(shardId, record, error)
    if (decision === 'skip') await moveOn(1)
    else await pauseAfterFailure(poller, attempt)
  }
  return true
}

async function handleBatch(
  poller: ShardPoller,
  batch: readonly StreamRecord[],
): Promise<{ handled: number; failed: boolean; error?: unknown }> {
  try {
    const answer = (await poller.handler({ Records: batch })) as BatchResponse | undefined
    const failures = answer?.batchItemFailures ?? []
    if (failures.length === 0) return { handled: batch.length, failed: false }
    const failed = new Set(failures.map(({ itemIdentifier }) => itemIdentifier))
    const first = batch.findIndex(({ dynamodb }) => failed.has(dynamodb.SequenceNumber))
    // As Lambda has it: a failure of a record that is not there is one of the whole batch.
    return { handled: Math.max(0, first), failed: true }
  } catch (error) {
    return { handled: 0, failed: true, error: error ?? new Error('the handler threw nothing') }
  }
}

function handlingFailed(shardId: string, record: StreamRecord, cause: unknown): SingletableError {
  return new SingletableError(
    'STREAM_HANDLER_FAILED',
    {
      what: `The record ${record.dynamodb.SequenceNumber} could not be handled, and onFailure() said to stop.`,
      where: `pollStream(), shard ${shardId}`,
      fix: 'fix what error.cause says and start again: the checkpoint is before this record',
    },
    { cause },
  )
}
