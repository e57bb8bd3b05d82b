import type { EngineContext } from '../context/context.ts'
import { STREAM_RETENTION_MS } from '../limits/stream-limits.ts'
import type { StorageReader, StorageTransaction } from '../storage/storage.ts'
import { streamKey, streamRecordKey, streamRecords } from '../storage/storage-keys.ts'
import { requireStream } from './require-stream.ts'
import type { StoredStreamRecord } from './stream-record.ts'
import { headKey, readStream, readStreams, type StreamState, writeStream } from './stream-state.ts'

/** Removes what is older than 24 hours from the storage, if there is anything; readers then need
 * not look at the clock. */
export async function trimBeforeReading(
  context: EngineContext,
  streams: readonly StreamState[],
): Promise<void> {
  const horizonMs = context.environment.now() - STREAM_RETENTION_MS
  const due = streams.filter((stream) => isDue(context.storage, stream, horizonMs))
  if (due.length === 0) return
  await context.storage.transaction((transaction) => {
    for (const stream of due) trimStream(context, transaction, stream.id)
  })
}

/** The stream of that ARN, without what is older than 24 hours. */
export async function requireTrimmedStream(
  context: EngineContext,
  arn: string,
): Promise<StreamState> {
  await trimBeforeReading(context, [requireStream(context.storage, arn)])
  return requireStream(context.storage, arn)
}

/** Trims every stream. */
export function trimStreams(context: EngineContext, transaction: StorageTransaction): void {
  for (const stream of readStreams(transaction)) trimStream(context, transaction, stream.id)
}

/** Removes the stream's old records and the closed shards that held them; a stream closed that long
 * ago goes as a whole. */
export function trimStream(
  context: EngineContext,
  transaction: StorageTransaction,
  streamId: number,
): void {
  const stream = readStream(transaction, streamId)
  const horizonMs = context.environment.now() - STREAM_RETENTION_MS
  if (stream === undefined || !isDue(transaction, stream, horizonMs)) return
  if (isOld(stream.closedMs, horizonMs)) {
    context.pendingDeletes.remove(transaction, [streamRecords(streamId)])
    transaction.remove(headKey(streamId))
    transaction.remove(streamKey(streamId))
    return
  }
  const trimmed = lastOldSequence(transaction, stream, horizonMs)
  transaction.removeRange({
    start: streamRecords(streamId).start,
    end: streamRecordKey(streamId, trimmed + 1),
  })
  writeStream(transaction, {
    ...stream,
    trimmed,
    shards: stream.shards.filter((shard) => !isOld(shard.closedMs, horizonMs)),
  })
}

function isDue(reader: StorageReader, stream: StreamState, horizonMs: number): boolean {
  if (isOld(stream.closedMs, horizonMs) || isOld(stream.shards[0]?.closedMs, horizonMs)) return true
  let due = false
  reader.visit(streamRecords(stream.id), (_key, value) => {
    due = isOld((value as StoredStreamRecord).createdMs, horizonMs)
    return false
  })
  return due
}

function isOld(timeMs: number | undefined, horizonMs: number): boolean {
  return timeMs !== undefined && timeMs < horizonMs
}

/** Everything up to the last old record, and up to the end of each shard that vanishes, is
 * trimmed. */
function lastOldSequence(reader: StorageReader, stream: StreamState, horizonMs: number): number {
  let last = stream.trimmed
  for (const shard of stream.shards) {
    if (isOld(shard.closedMs, horizonMs)) last = Math.max(last, shard.lastSequence ?? 0)
  }
  reader.visit(streamRecords(stream.id), (_key, value) => {
    const { sequence, createdMs } = value as StoredStreamRecord
    if (!isOld(createdMs, horizonMs)) return false
    last = Math.max(last, sequence)
    return true
  })
  return last
}
