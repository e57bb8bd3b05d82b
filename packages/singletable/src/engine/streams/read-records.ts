import { LARGE_BYTES } from '../context/turns.ts'
import { RECORDS_PAGE_MAX_BYTES } from '../limits/stream-limits.ts'
import type { StorageReader } from '../storage/storage.ts'
import { streamRecordKey } from '../storage/storage-keys.ts'
import type { StoredStreamRecord } from './stream-record.ts'
import { readHead, type Shard, type StreamState } from './stream-state.ts'

export interface RecordPage {
  readonly records: readonly StoredStreamRecord[]
  /** Where the next page begins; undefined when the shard is closed and was read to its end. */
  readonly next: number | undefined
}

/**
 * One page of a shard's records: as many as asked for, and not more than 1 MB unless the first
 * alone is larger. A step ends with the record that makes it large.
 */
export function* readRecords(
  reader: StorageReader,
  from: {
    readonly stream: StreamState
    readonly shard: Shard
    readonly position: number | 'oldest'
    readonly limit: number
  },
): Generator<void, RecordPage> {
  const { stream, shard, limit } = from
  const start = from.position === 'oldest' ? shard.firstSequence : from.position
  const last = shard.lastSequence ?? readHead(reader, stream.id).lastSequence
  const records: StoredStreamRecord[] = []
  let bytes = 0
  let next = start
  for (let isFull = false; !isFull && next <= last; ) {
    const step = {
      start: streamRecordKey(stream.id, next),
      end: streamRecordKey(stream.id, last + 1),
    }
    const largeBytes = bytes + LARGE_BYTES
    next = last + 1
    reader.visit(step, (_key, value) => {
      const record = value as StoredStreamRecord
      bytes += record.sizeBytes
      isFull = records.length === limit || (records.length > 0 && bytes > RECORDS_PAGE_MAX_BYTES)
      if (isFull) {
        next = record.sequence
        return false
      }
      records.push(record)
      if (bytes < largeBytes) return true
      next = record.sequence + 1
      return false
    })
    yield
  }
  const exhausted = shard.lastSequence !== undefined && next > shard.lastSequence
  return { records, next: exhausted ? undefined : next }
}
