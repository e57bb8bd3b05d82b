import type { StreamReference } from '../catalog/table-record.ts'
import type { EngineContext } from '../context/context.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { closeOpenShard } from './rotate-shards.ts'
import { readHead, readStream, writeStream } from './stream-state.ts'

/**
 * Ends a stream, because it was disabled or its table is deleted; returns what the table's record
 * keeps of it. The records stay readable until they are trimmed.
 */
export function closeStream(
  context: EngineContext,
  transaction: StorageTransaction,
  reference: StreamReference,
): StreamReference {
  const stream = readStream(transaction, reference.id)
  if (stream !== undefined && stream.closedMs === undefined) {
    const closedMs = context.environment.now()
    const { lastSequence } = readHead(transaction, stream.id)
    writeStream(transaction, {
      ...stream,
      closedMs,
      shards: closeOpenShard(stream.shards, { closedMs, lastSequence }),
    })
  }
  return { ...reference, enabled: false }
}
