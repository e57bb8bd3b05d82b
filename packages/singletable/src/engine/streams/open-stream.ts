import type { StreamReference, TableRecord } from '../catalog/table-record.ts'
import type { EngineContext } from '../context/context.ts'
import { randomHexadecimal } from '../context/uuid.ts'
import { SHARD_ROTATION_MS } from '../limits/stream-limits.ts'
import { nextNumber } from '../storage/counter.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { newShardId } from './shard-id.ts'
import { headKey, readStreams, type StreamHead, writeStream } from './stream-state.ts'
import { trimStreams } from './trim-streams.ts'

const SEED_DIGITS = 32

/** Starts a new stream of the table, with one open shard, and returns what the table's record keeps
 * of it. */
export function openStream(
  context: EngineContext,
  transaction: StorageTransaction,
  record: TableRecord,
  viewType: StreamReference['viewType'],
): StreamReference {
  const { environment } = context
  trimStreams(context, transaction)
  const nowMs = environment.now()
  const id = nextNumber(transaction, 'stream')
  const { arn, label } = unusedName(transaction, record, nowMs)
  const firstSequence = 1
  writeStream(transaction, {
    id,
    arn,
    label,
    viewType,
    tableName: record.name,
    keySchema: record.keySchema,
    createdMs: nowMs,
    seed: randomHexadecimal(environment, SEED_DIGITS),
    shards: [{ id: newShardId(environment, nowMs), openedMs: nowMs, firstSequence }],
    trimmed: 0,
  })
  const head: StreamHead = { lastSequence: firstSequence, rotateMs: nowMs + SHARD_ROTATION_MS }
  transaction.put(headKey(id), head)
  return { id, arn, label, enabled: true, viewType }
}

/** The label is the time in milliseconds; a second stream of one table in the same millisecond
 * takes the next free one. */
function unusedName(
  transaction: StorageTransaction,
  record: TableRecord,
  nowMs: number,
): { arn: string; label: string } {
  const taken = new Set(readStreams(transaction).map((stream) => stream.arn))
  for (let labelMs = nowMs; ; labelMs++) {
    const label = new Date(labelMs).toISOString().slice(0, -1)
    const arn = `${record.arn}/stream/${label}`
    if (!taken.has(arn)) return { arn, label }
  }
}
