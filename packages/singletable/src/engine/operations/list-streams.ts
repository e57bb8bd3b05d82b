import type {
  ListStreamsRequest,
  ListStreamsResponse,
  StreamSummary,
} from '../../wire/stream-operations.ts'
import { tableNameOf } from '../context/arn.ts'
import type { EngineContext } from '../context/context.ts'
import { STREAMS_PAGE_MAX } from '../limits/stream-limits.ts'
import { checkConstraints } from '../shapes/check-constraints.ts'
import { integer, structure } from '../shapes/shape.ts'
import { streamArnShape, streamTableNameShape } from '../shapes/stream-shapes.ts'
import { validateStreamArn } from '../streams/require-stream.ts'
import { readStreams } from '../streams/stream-state.ts'
import { trimBeforeReading } from '../streams/trim-streams.ts'
import type { Operation } from './operation.ts'

export const listStreams: Operation<ListStreamsRequest, ListStreamsResponse> = {
  shape: structure({
    TableName: streamTableNameShape,
    Limit: integer({ min: 1, max: STREAMS_PAGE_MAX }),
    ExclusiveStartStreamArn: streamArnShape,
  }),
  check: checkConstraints,
  async run(context, request) {
    const { TableName, ExclusiveStartStreamArn: start } = request
    if (start !== undefined) validateStreamArn(start)
    const tableName = TableName === undefined ? undefined : tableNameOf(TableName)
    const streams = await summaries(context, tableName)
    // By name, not by place: a stream that vanished between two pages leaves no gap and no
    // repetition.
    const rest =
      start === undefined ? streams : streams.filter(({ StreamArn }) => StreamArn > start)
    const page = rest.slice(0, request.Limit ?? STREAMS_PAGE_MAX)
    const last = page.at(-1)
    return page.length < rest.length && last !== undefined
      ? { Streams: page, LastEvaluatedStreamArn: last.StreamArn }
      : { Streams: page }
  },
}

async function summaries(
  context: EngineContext,
  tableName: string | undefined,
): Promise<StreamSummary[]> {
  await trimBeforeReading(context, readStreams(context.storage))
  return readStreams(context.storage)
    .filter((stream) => tableName === undefined || stream.tableName === tableName)
    .map(({ arn, tableName: name, label }) => ({
      StreamArn: arn,
      TableName: name,
      StreamLabel: label,
    }))
    .sort((left, right) => (left.StreamArn < right.StreamArn ? -1 : 1))
}
