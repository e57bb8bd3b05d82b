import type { GetRecordsRequest, GetRecordsResponse } from '../../wire/stream-operations.ts'
import type { EngineContext } from '../context/context.ts'
import { inTurns, mapInSteps } from '../context/turns.ts'
import {
  RECORDS_PAGE_MAX,
  SHARD_ITERATOR_MAX_LENGTH,
  SHARD_ITERATOR_MIN_LENGTH,
} from '../limits/stream-limits.ts'
import { dataTrimmed, streamNotFound } from '../messages/stream-messages.ts'
import { integer, structure, text } from '../shapes/shape.ts'
import { readRecords } from '../streams/read-records.ts'
import { decodeIterator, encodeIterator, type ShardIterator } from '../streams/shard-iterator.ts'
import { wireRecord } from '../streams/stream-record.ts'
import { readStream, type StreamState } from '../streams/stream-state.ts'
import { trimBeforeReading } from '../streams/trim-streams.ts'
import type { Operation } from './operation.ts'

export const getRecords: Operation<GetRecordsRequest, GetRecordsResponse> = {
  shape: structure({
    ShardIterator: {
      required: text({
        lengthMin: SHARD_ITERATOR_MIN_LENGTH,
        lengthMax: SHARD_ITERATOR_MAX_LENGTH,
      }),
    },
    Limit: integer({ min: 1, max: RECORDS_PAGE_MAX }),
  }),
  async run(context, request) {
    const { storage, environment, settings } = context
    const iterator = decodeIterator(request.ShardIterator, environment.now())
    await trimBeforeReading(context, [requireStreamOf(context, iterator)])
    const stream = requireStreamOf(context, iterator)
    const { shardId, position } = iterator
    const shard = stream.shards.find((candidate) => candidate.id === shardId)
    if (shard === undefined || (position !== 'oldest' && position <= stream.trimmed)) {
      throw dataTrimmed()
    }
    const limit = request.Limit ?? RECORDS_PAGE_MAX
    const page = await inTurns(context, readRecords(storage, { stream, shard, position, limit }))
    const Records = await inTurns(
      context,
      mapInSteps(page.records, (record) => wireRecord(stream, record, settings.region)),
    )
    if (page.next === undefined) return { Records }
    const next = { ...iterator, position: page.next, issuedMs: environment.now() }
    return { Records, NextShardIterator: encodeIterator(next) }
  },
}

/** An iterator of a stream that has vanished since, or that another engine gave out. */
function requireStreamOf({ storage }: EngineContext, iterator: ShardIterator): StreamState {
  const stream = readStream(storage, iterator.streamId)
  if (stream === undefined || stream.arn !== iterator.streamArn) {
    throw streamNotFound(iterator.streamArn)
  }
  return stream
}
