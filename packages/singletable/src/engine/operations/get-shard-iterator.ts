import type {
  GetShardIteratorRequest,
  GetShardIteratorResponse,
} from '../../wire/stream-operations.ts'
import { SEQUENCE_NUMBER_MAX_LENGTH, SEQUENCE_NUMBER_MIN_LENGTH } from '../limits/stream-limits.ts'
import {
  dataTrimmed,
  sequenceNumberInvalid,
  sequenceNumberMissing,
  sequenceNumberUnexpected,
  shardNotFound,
} from '../messages/stream-messages.ts'
import { oneOf, structure, text } from '../shapes/shape.ts'
import { shardIdShape, streamArnShape } from '../shapes/stream-shapes.ts'
import type { StorageReader } from '../storage/storage.ts'
import { encodeIterator, type ShardIterator } from '../streams/shard-iterator.ts'
import { parseSequence } from '../streams/stream-record.ts'
import { readHead, type Shard, type StreamState } from '../streams/stream-state.ts'
import { requireTrimmedStream } from '../streams/trim-streams.ts'
import type { Operation } from './operation.ts'

export const getShardIterator: Operation<GetShardIteratorRequest, GetShardIteratorResponse> = {
  shape: structure({
    StreamArn: { required: streamArnShape },
    ShardId: { required: shardIdShape },
    ShardIteratorType: {
      required: oneOf('AFTER_SEQUENCE_NUMBER', 'LATEST', 'AT_SEQUENCE_NUMBER', 'TRIM_HORIZON'),
    },
    SequenceNumber: text({
      lengthMin: SEQUENCE_NUMBER_MIN_LENGTH,
      lengthMax: SEQUENCE_NUMBER_MAX_LENGTH,
    }),
  }),
  async run(context, request) {
    validateSequenceNumber(request)
    const { storage, environment } = context
    const stream = await requireTrimmedStream(context, request.StreamArn)
    const shard = stream.shards.find((candidate) => candidate.id === request.ShardId)
    if (shard === undefined) throw shardNotFound()
    const iterator: ShardIterator = {
      streamArn: stream.arn,
      streamId: stream.id,
      shardId: shard.id,
      position: startingPosition(storage, request, { stream, shard }),
      issuedMs: environment.now(),
    }
    return { ShardIterator: encodeIterator(iterator) }
  },
}

function takesSequenceNumber({ ShardIteratorType }: GetShardIteratorRequest): boolean {
  return ShardIteratorType === 'AT_SEQUENCE_NUMBER' || ShardIteratorType === 'AFTER_SEQUENCE_NUMBER'
}

function validateSequenceNumber(request: GetShardIteratorRequest): void {
  const { SequenceNumber } = request
  if (takesSequenceNumber(request)) {
    if (SequenceNumber === undefined) throw sequenceNumberMissing()
  } else if (SequenceNumber !== undefined) throw sequenceNumberUnexpected()
}

function startingPosition(
  reader: StorageReader,
  request: GetShardIteratorRequest,
  { stream, shard }: { readonly stream: StreamState; readonly shard: Shard },
): ShardIterator['position'] {
  const last = shard.lastSequence ?? readHead(reader, stream.id).lastSequence
  const { ShardIteratorType, SequenceNumber } = request
  if (ShardIteratorType === 'TRIM_HORIZON') return 'oldest'
  if (ShardIteratorType === 'LATEST' || SequenceNumber === undefined) return last + 1
  const sequence = parseSequence(SequenceNumber)
  if (sequence === undefined || sequence < shard.firstSequence || sequence > last) {
    throw sequenceNumberInvalid(SequenceNumber)
  }
  if (sequence <= stream.trimmed) throw dataTrimmed()
  return ShardIteratorType === 'AT_SEQUENCE_NUMBER' ? sequence : sequence + 1
}
