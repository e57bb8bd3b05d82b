import type {
  DescribeStreamRequest,
  DescribeStreamResponse,
  ShardDescription,
  StreamStatus,
} from '../../wire/stream-operations.ts'
import type { EngineContext } from '../context/context.ts'
import { SHARDS_PAGE_MAX } from '../limits/stream-limits.ts'
import { integer, oneOf, structure } from '../shapes/shape.ts'
import { shardIdShape, streamArnShape } from '../shapes/stream-shapes.ts'
import { sequenceText } from '../streams/stream-record.ts'
import type { Shard, StreamState } from '../streams/stream-state.ts'
import { requireTrimmedStream } from '../streams/trim-streams.ts'
import { describeKeySchema, seconds } from '../tables/describe-table.ts'
import type { Operation } from './operation.ts'

export const describeStream: Operation<DescribeStreamRequest, DescribeStreamResponse> = {
  shape: structure({
    StreamArn: { required: streamArnShape },
    Limit: integer({ min: 1, max: SHARDS_PAGE_MAX }),
    ExclusiveStartShardId: shardIdShape,
    ShardFilter: structure({ Type: { required: oneOf('CHILD_SHARDS') }, ShardId: shardIdShape }),
  }),
  async run(context, request) {
    const stream = await requireTrimmedStream(context, request.StreamArn)
    const shards = selectShards(stream, request)
    const page = shards.slice(0, request.Limit ?? SHARDS_PAGE_MAX)
    const last = page.at(-1)
    return {
      StreamDescription: {
        StreamArn: stream.arn,
        StreamLabel: stream.label,
        StreamStatus: streamStatus(context, stream),
        StreamViewType: stream.viewType,
        CreationRequestDateTime: seconds(stream.createdMs),
        TableName: stream.tableName,
        KeySchema: describeKeySchema(stream.keySchema),
        Shards: page.map(describeShard),
        ...(page.length < shards.length && last !== undefined
          ? { LastEvaluatedShardId: last.id }
          : {}),
      },
    }
  },
}

/** Shard ids grow, so the start of a page needn't be the id of a shard that still exists. */
function selectShards(stream: StreamState, request: DescribeStreamRequest): Shard[] {
  const { ExclusiveStartShardId: start, ShardFilter: filter } = request
  return stream.shards.filter(
    (shard) =>
      (start === undefined || shard.id > start) &&
      (filter === undefined || (shard.parentId !== undefined && shard.parentId === filter.ShardId)),
  )
}

function describeShard({ id, parentId, firstSequence, lastSequence }: Shard): ShardDescription {
  return {
    ShardId: id,
    SequenceNumberRange: {
      StartingSequenceNumber: sequenceText(firstSequence),
      ...(lastSequence === undefined ? {} : { EndingSequenceNumber: sequenceText(lastSequence) }),
    },
    ...(parentId === undefined ? {} : { ParentShardId: parentId }),
  }
}

function streamStatus({ environment, settings }: EngineContext, stream: StreamState): StreamStatus {
  const changing = environment.now() < (stream.closedMs ?? stream.createdMs) + settings.transitionMs
  if (stream.closedMs === undefined) return changing ? 'ENABLING' : 'ENABLED'
  return changing ? 'DISABLING' : 'DISABLED'
}
