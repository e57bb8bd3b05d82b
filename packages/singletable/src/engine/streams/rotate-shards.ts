import type { EngineContext } from '../context/context.ts'
import { SHARD_ROTATION_MS } from '../limits/stream-limits.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { requireStream } from './require-stream.ts'
import { newShardId } from './shard-id.ts'
import {
  headKey,
  readHead,
  readStream,
  type Shard,
  type StreamHead,
  writeStream,
} from './stream-state.ts'
import { trimStream } from './trim-streams.ts'

/**
 * Closes the stream's open shard now and opens its child, so that a test of a consumer meets what
 * otherwise comes every four hours. A stream that is closed has no open shard: nothing happens.
 */
export async function rotateShards(context: EngineContext, streamArn: string): Promise<void> {
  await context.storage.transaction((transaction) => {
    const stream = requireStream(transaction, streamArn)
    if (stream.closedMs === undefined) rotateStream(context, transaction, stream.id)
  })
}

/** Puts a child in the place of the open shard, trims what is too old, and returns the new head. */
export function rotateStream(
  context: EngineContext,
  transaction: StorageTransaction,
  streamId: number,
): StreamHead {
  const { environment } = context
  const nowMs = environment.now()
  trimStream(context, transaction, streamId)
  const { lastSequence } = readHead(transaction, streamId)
  const stream = readStream(transaction, streamId)
  const parent = stream?.shards.at(-1)
  if (stream === undefined || parent === undefined) {
    throw new Error(`The open stream ${streamId} has no open shard; please report this.`)
  }
  const firstSequence = lastSequence + 1
  const child: Shard = {
    id: newShardId(environment, nowMs, parent),
    parentId: parent.id,
    openedMs: nowMs,
    firstSequence,
  }
  writeStream(transaction, {
    ...stream,
    shards: [...closeOpenShard(stream.shards, { closedMs: nowMs, lastSequence }), child],
  })
  const head: StreamHead = { lastSequence: firstSequence, rotateMs: nowMs + SHARD_ROTATION_MS }
  transaction.put(headKey(streamId), head)
  return head
}

/** The shards with the last one closed. */
export function closeOpenShard(
  shards: readonly Shard[],
  end: { readonly closedMs: number; readonly lastSequence: number },
): Shard[] {
  return shards.map((shard) => (shard.closedMs === undefined ? { ...shard, ...end } : shard))
}
