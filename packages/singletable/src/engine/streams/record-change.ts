import { itemSizeBytes } from '../../values/size.ts'
import type { ItemChange } from '../change/change.ts'
import { changesNothing } from '../change/change.ts'
import type { EngineContext } from '../context/context.ts'
import { keyOf } from '../items/item-keys.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { streamRecordKey } from '../storage/storage-keys.ts'
import { rotateStream } from './rotate-shards.ts'
import { eventId, type StoredStreamRecord } from './stream-record.ts'
import { headKey, readHead, readStream, type StreamHead } from './stream-state.ts'

/** Adds the change to the table's stream, if it has one; a change that changes nothing leaves no
 * record. */
export function recordChange(
  context: EngineContext,
  transaction: StorageTransaction,
  change: ItemChange,
): void {
  const { stream } = change.table.record
  if (stream === undefined || !stream.enabled || changesNothing(change)) return
  const createdMs = context.environment.now()
  let head = readHead(transaction, stream.id)
  if (createdMs >= head.rotateMs) head = rotateStream(context, transaction, stream.id)
  const sequence = head.lastSequence + 1
  const record = storedRecord(change, { sequence, createdMs, viewType: stream.viewType })
  transaction.put(streamRecordKey(stream.id, sequence), record)
  const next: StreamHead = { lastSequence: sequence, rotateMs: head.rotateMs }
  transaction.put(headKey(stream.id), next)
  if (context.onStreamRecord !== undefined) {
    const seed = readStream(transaction, stream.id)?.seed ?? ''
    context.onStreamRecord(eventId(seed, sequence))
  }
}

function storedRecord(
  { table, keyed, before, after, origin }: ItemChange,
  place: { readonly sequence: number; readonly createdMs: number; readonly viewType: string },
): StoredStreamRecord {
  const { sequence, createdMs, viewType } = place
  const key = keyOf(table, keyed)
  const both = viewType === 'NEW_AND_OLD_IMAGES'
  const old = both || viewType === 'OLD_IMAGE' ? before : undefined
  const fresh = both || viewType === 'NEW_IMAGE' ? after : undefined
  return {
    sequence,
    createdMs,
    event: before === undefined ? 'INSERT' : after === undefined ? 'REMOVE' : 'MODIFY',
    key,
    ...(old === undefined ? {} : { before: old.item }),
    ...(fresh === undefined ? {} : { after: fresh.item }),
    sizeBytes: itemSizeBytes(key) + (old?.sizeBytes ?? 0) + (fresh?.sizeBytes ?? 0),
    ...(origin === 'expiry' ? { origin } : {}),
  }
}
