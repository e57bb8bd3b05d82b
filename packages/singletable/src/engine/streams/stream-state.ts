import type { KeySchemaElement, StreamReference } from '../catalog/table-record.ts'
import { readRange } from '../storage/read-range.ts'
import type { StorageReader, StorageTransaction } from '../storage/storage.ts'
import { allStreams, counterKey, streamKey } from '../storage/storage-keys.ts'

/** A stream as it is stored. It outlives its table, so it holds everything a reader may ask
 * about. */
export interface StreamState {
  readonly id: number
  readonly arn: string
  readonly label: string
  readonly viewType: StreamReference['viewType']
  readonly tableName: string
  readonly keySchema: readonly KeySchemaElement[]
  readonly createdMs: number
  /** When the stream was disabled or its table deleted. */
  readonly closedMs?: number
  /** Event ids follow from this and the sequence number, so a write needn't make one. */
  readonly seed: string
  /** Oldest first; only the last can be open. */
  readonly shards: readonly Shard[]
  /** The last sequence number that was trimmed away; 0 before the first. */
  readonly trimmed: number
}

export interface Shard {
  readonly id: string
  readonly parentId?: string
  readonly openedMs: number
  readonly closedMs?: number
  readonly firstSequence: number
  readonly lastSequence?: number
}

/** The part of a stream that each write reads and changes. */
export interface StreamHead {
  readonly lastSequence: number
  /** When the open shard gives way to the next. */
  readonly rotateMs: number
}

export function readStream(reader: StorageReader, streamId: number): StreamState | undefined {
  return reader.get(streamKey(streamId)) as StreamState | undefined
}

/** All streams in the order of their creation. */
export function readStreams(reader: StorageReader): StreamState[] {
  return readRange(reader, allStreams())
}

export function writeStream(transaction: StorageTransaction, stream: StreamState): void {
  transaction.put(streamKey(stream.id), stream)
}

export function headKey(streamId: number): string {
  return counterKey(`stream-head-${streamId}`)
}

export function readHead(reader: StorageReader, streamId: number): StreamHead {
  return reader.get(headKey(streamId)) as StreamHead
}
