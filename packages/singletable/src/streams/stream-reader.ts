import { type AwsClient, awsTransport, isAwsClient } from '../aws/aws-transport.ts'
import { DefinitionError } from '../errors/definition-error.ts'
import { SingletableError } from '../errors/singletable-error.ts'
import type { Environment } from '../values/environment.ts'
import { pause } from '../values/pause.ts'
import { judgeFailure, nameOf } from '../wire/judge-failure.ts'
import type { OperationName, Operations } from '../wire/operations.ts'
import type { ShardDescription, ShardIteratorType } from '../wire/stream-operations.ts'
import type { Transport } from '../wire/transport.ts'
import type { AnyStreamRecord } from './stream-record.ts'

/** What streams are read from: a `DynamoDBStreamsClient` of the AWS SDK, an engine, or another
 * transport. */
export type StreamSource = AwsClient | Transport

export function connectSource(source: unknown, where: string): Transport {
  if (isAwsClient(source)) return awsTransport(source)
  // Any object can be asked for a member.
  const transport = Object(source) as Transport
  if (typeof transport.send === 'function') return transport
  throw new DefinitionError('OPTION_INVALID', {
    what: 'source is neither a client of DynamoDB Streams nor a transport.',
    where,
    fix: "give a DynamoDBStreamsClient, or an engine from 'singletable/engine'",
  })
}

const DELAY_MS_BASE = 100
const DELAY_MS_MAX = 30_000

/** What a poller's parts share: clock and timers, and whether to continue. */
export interface PollerEnvironment {
  readonly environment: Environment
  /** Aborted when the poller is to stop. */
  readonly signal: AbortSignal
  /** Stop at the end of what is there now. */
  readonly untilCaughtUp: boolean
  onError(error: unknown): void
}

/** Longer from attempt to attempt, and never the same for all who failed at the same time. */
export function pauseAfterFailure(poller: PollerEnvironment, attempt: number): Promise<void> {
  const { environment, signal } = poller
  const [random = 0] = environment.randomBytes(1)
  const bound = Math.min(DELAY_MS_MAX, DELAY_MS_BASE * 2 ** Math.min(attempt, 20))
  return pause(environment, bound * (0.5 + random / 512), signal, poller.untilCaughtUp)
}

export interface StreamShards {
  readonly shards: readonly ShardDescription[]
  /** Whether the stream was switched off, so that no more shards will come. */
  readonly closed: boolean
}

export interface RecordPage {
  readonly records: readonly AnyStreamRecord[]
  /** Absent at the end of a closed shard. */
  readonly next: string | undefined
}

/** The operations of DynamoDB Streams, repeated for as long as they fail in passing. Gives
 * `undefined` when the poller is to stop. */
export class StreamReader {
  readonly #transport: Transport
  readonly #poller: PollerEnvironment

  constructor(transport: Transport, poller: PollerEnvironment) {
    this.#transport = transport
    this.#poller = poller
  }

  /** The newest stream of a table. */
  async findStream(tableName: string): Promise<string | undefined> {
    let newest: { StreamArn: string; StreamLabel: string } | undefined
    let start: string | undefined
    do {
      const page = await this.#send('ListStreams', {
        TableName: tableName,
        ...(start === undefined ? {} : { ExclusiveStartStreamArn: start }),
      })
      if (page === undefined) return undefined
      for (const stream of page.Streams) {
        if (newest === undefined || stream.StreamLabel > newest.StreamLabel) newest = stream
      }
      start = page.LastEvaluatedStreamArn
    } while (start !== undefined)
    return newest?.StreamArn
  }

  async describe(StreamArn: string): Promise<StreamShards | undefined> {
    const shards: ShardDescription[] = []
    let start: string | undefined
    let closed = false
    do {
      const page = await this.#send('DescribeStream', {
        StreamArn,
        ...(start === undefined ? {} : { ExclusiveStartShardId: start }),
      })
      if (page === undefined) return undefined
      const { StreamDescription: stream } = page
      shards.push(...(stream.Shards ?? []))
      start = stream.LastEvaluatedShardId
      closed = stream.StreamStatus === 'DISABLED' || stream.StreamStatus === 'DISABLING'
    } while (start !== undefined)
    return { shards, closed }
  }

  async iterator(
    StreamArn: string,
    ShardId: string,
    place: { ShardIteratorType: ShardIteratorType; SequenceNumber?: string },
  ): Promise<string | undefined> {
    return (await this.#send('GetShardIterator', { StreamArn, ShardId, ...place }))?.ShardIterator
  }

  async records(ShardIterator: string, Limit: number): Promise<RecordPage | undefined> {
    const page = await this.#send('GetRecords', { ShardIterator, Limit })
    // Other transports may leave out an empty list.
    return page && { records: page.Records ?? [], next: page.NextShardIterator ?? undefined }
  }

  async #send<TOperation extends OperationName>(
    operation: TOperation,
    request: Operations[TOperation]['request'],
  ): Promise<Operations[TOperation]['response'] | undefined> {
    const { signal, onError } = this.#poller
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        return await this.#transport.send(operation, request, { signal })
      } catch (error) {
        if (signal.aborted) break
        if (!isPassing(error)) throw error
        onError(error)
        await pauseAfterFailure(this.#poller, attempt)
      }
    }
    return undefined
  }
}

/** Requests only read, so that one without an answer may be sent again. This limit is on requests
 * at a time, and passes. */
function isPassing(error: unknown): boolean {
  if (SingletableError.is(error)) return false
  return /^LimitExceeded/.test(nameOf(error)) || /^(refused|ambiguous)$/.test(judgeFailure(error))
}
