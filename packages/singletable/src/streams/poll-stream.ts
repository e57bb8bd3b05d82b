import { contextOf } from '../builder/context-of.ts'
import { SingletableError } from '../errors/singletable-error.ts'
import { systemEnvironment } from '../values/environment.ts'
import { pause } from '../values/pause.ts'
import { nameOf } from '../wire/judge-failure.ts'
import type { ShardDescription } from '../wire/stream-operations.ts'
import type { Transport } from '../wire/transport.ts'
import { CheckpointWriter } from './checkpoint-writer.ts'
import { memoryCheckpoints } from './checkpoints.ts'
import { checkPollOptions, type FailureDecision, type PollOptions } from './poll-options.ts'
import { type HandlingFailure, pollShard, type ShardPoller, type StreamGap } from './poll-shard.ts'
import { connectSource, StreamReader, type StreamShards } from './stream-reader.ts'

/** Why a poller ended by itself: it was stopped, has read all there is, or the stream was switched
 * off. */
export interface PollResult {
  readonly reason: 'stopped' | 'caught-up' | 'ended'
}

const PLACE = 'pollStream()'
const BATCH_SIZE = 100
const IDLE_MS_MAX = 1000
const DESCRIBE_MS = 30_000
const DESCRIBE_MS_SOON = 500
/** Clocks differ, and the time of a record is in whole seconds; this much earlier than its start a
 * poller from `latest` resumes. */
const LATEST_MARGIN_SECONDS = 5

/**
 * Reads a stream and has its records handled: every record at least once, and those of one item in
 * order, across restarts and the splitting of shards. Runs until it is stopped. One poller for a
 * stream at a time.
 */
export async function pollStream(options: PollOptions): Promise<PollResult> {
  const {
    table,
    handler,
    checkpoints = memoryCheckpoints(),
    signal,
    onError = () => {},
  } = checkPollOptions(options, PLACE)
  const context = typeof table === 'object' ? contextOf(table, PLACE) : undefined
  const environment = options.environment ?? context?.environment ?? systemEnvironment
  const transport: Transport =
    options.source === undefined && context
      ? context.transport
      : connectSource(options.source, PLACE)
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  const untilCaughtUp = options.until === 'caught-up'
  const shared = { environment, signal: controller.signal, untilCaughtUp, onError }
  const reader = new StreamReader(transport, shared)
  try {
    const streamArn = await findStream(options, reader)
    if (streamArn === undefined) {
      if (controller.signal.aborted) return { reason: 'stopped' }
      throw notFound(options)
    }
    const writer = new CheckpointWriter(checkpoints, streamArn, shared)
    const poller: ShardPoller = {
      ...shared,
      streamArn,
      reader,
      batchSize: options.batchSize ?? BATCH_SIZE,
      idleMsMax: options.idleMsMax ?? IDLE_MS_MAX,
      handler,
      onFailure: async (failure) => (options.onFailure ?? retry)(failure),
      onGap: options.onGap ?? warnOfGap,
      handledUntil: () => {},
      positionOf: (shardId) => writer.positions.get(shardId) ?? {},
      advance(shardId, position) {
        writer.positions.set(shardId, position)
        return writer.save()
      },
    }
    return await pollShards(poller, writer, options, stop)
  } catch (error) {
    throw nameOf(error) === 'ResourceNotFoundException' ? notFound(options, error) : error
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** Reads all shards, each after its parent. */
async function pollShards(
  shared: ShardPoller,
  writer: CheckpointWriter,
  { from = 'trim-horizon', onCaughtUp }: PollOptions,
  stop: () => void,
): Promise<PollResult> {
  const { positions } = writer
  const handled = new Map<string, number>()
  // Between the end of a shard and the start of its children, nobody knows what those hold.
  let ended = 0
  let endedWithChildren: number | undefined
  const poller: ShardPoller = {
    ...shared,
    handledUntil(shardId, untilMs) {
      handled.set(shardId, untilMs)
      const all = [...running.keys()].map((each) => handled.get(each))
      if (ended !== endedWithChildren || all.includes(undefined)) return
      onCaughtUp?.(new Date(Math.min(...(all as number[]))))
    },
  }
  let resumes = await writer.load()
  const running = new Map<string, Promise<void>>()
  const caughtUp = new Set<string>()
  let failure: { readonly error: unknown } | undefined
  let wake = (): void => {}
  try {
    while (!poller.signal.aborted) {
      const endedBefore = ended
      const stream = await poller.reader.describe(poller.streamArn)
      if (stream === undefined) break
      const atLatest = resumes ? new Set<string>() : begin(poller, positions, stream, from)
      if (resumes) await forgetTrimmed(poller, writer, stream)
      else await writer.save()
      resumes = true
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      for (const { ShardId } of readable(stream, positions)) {
        if (running.has(ShardId) || caughtUp.has(ShardId)) continue
        const polled = pollShard(poller, ShardId, atLatest.has(ShardId) ? 'LATEST' : undefined)
          .then(() => void (poller.untilCaughtUp && caughtUp.add(ShardId)))
          .catch((error: unknown) => {
            failure ??= { error }
            stop()
          })
          .finally(() => {
            running.delete(ShardId)
            ended++
            wake()
          })
        running.set(ShardId, polled)
      }
      endedWithChildren = endedBefore
      if (running.size === 0) {
        if (stream.closed) return { reason: 'ended' }
        if (poller.untilCaughtUp) return { reason: 'caught-up' }
      }
      await Promise.race([
        woken,
        pause(
          poller.environment,
          running.size === 0 || ended !== endedBefore ? DESCRIBE_MS_SOON : DESCRIBE_MS,
          poller.signal,
          false,
        ),
      ])
    }
  } finally {
    stop()
    await Promise.all(running.values())
  }
  if (failure !== undefined) throw failure.error
  return { reason: 'stopped' }
}

/** Gives each shard its first position; the result names those to be read from their end on. */
function begin(
  { environment }: ShardPoller,
  positions: CheckpointWriter['positions'],
  { shards }: StreamShards,
  from: NonNullable<PollOptions['from']>,
): ReadonlySet<string> {
  const atLatest = new Set<string>()
  for (const { ShardId, SequenceNumberRange } of shards) {
    if (from === 'trim-horizon') positions.set(ShardId, {})
    else if (from !== 'latest') positions.set(ShardId, { since: Math.floor(from.getTime() / 1000) })
    else if (SequenceNumberRange?.EndingSequenceNumber) positions.set(ShardId, { finished: true })
    else {
      // Should the poller end before its first record, the next one can't ask for what is the
      // newest now; the time says it.
      const since = Math.floor(environment.now() / 1000) - LATEST_MARGIN_SECONDS
      positions.set(ShardId, { since })
      atLatest.add(ShardId)
    }
  }
  return atLatest
}

/** Shards vanish 24 hours after they were closed; one that was not finished leaves a gap. */
async function forgetTrimmed(
  poller: ShardPoller,
  { positions }: CheckpointWriter,
  { shards }: StreamShards,
): Promise<void> {
  const known = new Set(shards.map(({ ShardId }) => ShardId))
  for (const [shardId, { finished, after }] of positions) {
    if (known.has(shardId)) continue
    positions.delete(shardId)
    if (!finished) await poller.onGap({ shardId, after })
  }
}

/** Shards that are not finished and whose parent is, or is gone. */
function readable(
  { shards }: StreamShards,
  positions: CheckpointWriter['positions'],
): readonly ShardDescription[] {
  const open = new Set(
    shards.filter(({ ShardId }) => !positions.get(ShardId)?.finished).map(({ ShardId }) => ShardId),
  )
  return shards.filter(
    ({ ShardId, ParentShardId }) => open.has(ShardId) && !open.has(ParentShardId ?? ''),
  )
}

async function findStream(
  { streamArn, table }: PollOptions,
  reader: StreamReader,
): Promise<string | undefined> {
  if (streamArn !== undefined) return streamArn
  const name = typeof table === 'object' ? table.name : table
  return reader.findStream(String(name))
}

function notFound({ streamArn, table }: PollOptions, cause?: unknown): SingletableError {
  const name = typeof table === 'object' ? table.name : table
  return new SingletableError(
    'STREAM_NOT_FOUND',
    {
      what: streamArn ? `There is no stream "${streamArn}".` : `Table "${name}" has no stream.`,
      where: PLACE,
      fix: "give the table one, by table: { stream: 'new-and-old' } in its schema or by UpdateTable; check region and account",
    },
    { cause },
  )
}

function retry({ shardId, record, error }: HandlingFailure): FailureDecision {
  if (error !== undefined) {
    const { SequenceNumber } = record.dynamodb
    console.error(`singletable: the record ${SequenceNumber} of ${shardId} is tried again:`, error)
  }
  return 'retry'
}

function warnOfGap({ shardId, after }: StreamGap): void {
  console.warn(
    `singletable: records of ${shardId}${after ? ` after ${after}` : ''} may have been deleted before they were handled`,
  )
}
