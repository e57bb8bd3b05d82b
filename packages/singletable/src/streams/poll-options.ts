import type { TableLike } from '../builder/context-of.ts'
import { checkOptions, refuseOption } from '../errors/check-options.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { Environment } from '../values/environment.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { HandlingFailure, StreamGap } from './poll-shard.ts'
import type { StreamSource } from './stream-reader.ts'
import type { StreamRecord } from './stream-record.ts'

/** What `pollStream` takes. */
export interface PollOptions {
  /** A `DynamoDBStreamsClient` of the AWS SDK, or an engine. The client of `table` unless given,
   * which suffices on an engine. */
  readonly source?: StreamSource | undefined
  /** The stream; or `table`, whose newest stream is then read. */
  readonly streamArn?: string | undefined
  /** A table, or its name. */
  readonly table?: TableLike<SchemaDefinition> | string | undefined
  /**
   * Is given records batch by batch, those of one shard in order; several shards may be handled at
   * the same time. A handler for AWS Lambda will do: failures are thrown, or answered as
   * `batchItemFailures`.
   */
  readonly handler: (event: { readonly Records: readonly StreamRecord[] }) => unknown
  /** Where to continue after a restart. In memory by default, so that a restart begins at `from`
   * again. */
  readonly checkpoints?: Checkpoints | undefined
  /** Where to begin without a checkpoint: at the oldest record there is (24 hours back at most),
   * after the newest, or at a time. */
  readonly from?: 'trim-horizon' | 'latest' | Date | undefined
  /** Continue until stopped, or until there is nothing more to read; until stopped unless said. */
  readonly until?: 'stopped' | 'caught-up' | undefined
  /** Records that are handled together at most; 100 unless said, and 1,000 at most. */
  readonly batchSize?: number | undefined
  /** The longest pause while there is nothing new; 1,000 unless said. */
  readonly idleMsMax?: number | undefined
  /** Stops the poller: what is being handled is finished and its checkpoint saved. */
  readonly signal?: AbortSignal | undefined
  /** Decides about a record that could not be handled; without it, it is printed and tried
   * again. */
  readonly onFailure?:
    | ((failure: HandlingFailure) => FailureDecision | Promise<FailureDecision>)
    | undefined
  /** Called when records may have been deleted before they were handled; prints it unless given. To
   * stop the poller, throw. */
  readonly onGap?: ((gap: StreamGap) => unknown) | undefined
  /**
   * Called when all changes up to this time have been handled, which says how far behind the poller
   * is. While nothing changes, that is the time of the last request.
   */
  readonly onCaughtUp?: ((until: Date) => void) | undefined
  /** Called for failures that are tried again: of requests, and of saving checkpoints. Nothing
   * unless given. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Clock, random bytes and timers; those of `table`, or else the real ones, unless given. */
  readonly environment?: Environment | undefined
}

/** What is done about a record that could not be handled. */
export type FailureDecision = 'retry' | 'skip' | 'stop'

const BATCH_SIZE_MAX = 1000

const NAMES = [
  'source',
  'streamArn',
  'table',
  'handler',
  'checkpoints',
  'from',
  'until',
  'batchSize',
  'idleMsMax',
  'signal',
  'onFailure',
  'onGap',
  'onCaughtUp',
  'onError',
  'environment',
]

/** The options as they were given; refuses those that can't be meant. */
export function checkPollOptions(options: PollOptions, where: string): PollOptions {
  const known = { where, names: NAMES }
  const refuse = (what: string): never => refuseOption(known, what)
  checkOptions(known, options)
  const { handler, streamArn, table, from, until, batchSize = 1, idleMsMax = 0, signal } = options
  if (typeof handler !== 'function') refuse('handler must be a function')
  if ((streamArn ?? table ?? '') === '') refuse('one of streamArn and table must be given')
  const isTime = from instanceof Date && Number.isFinite(from.getTime())
  if (!(isTime || from === undefined || from === 'latest' || from === 'trim-horizon')) {
    refuse("from must be 'trim-horizon', 'latest' or a valid Date")
  }
  if (!(until === undefined || until === 'stopped' || until === 'caught-up')) {
    refuse("until must be 'stopped' or 'caught-up'")
  }
  if (!(Number.isInteger(batchSize) && batchSize >= 1 && batchSize <= BATCH_SIZE_MAX)) {
    refuse(`batchSize must be a whole number from 1 to ${BATCH_SIZE_MAX}`)
  }
  if (!(Number.isFinite(idleMsMax) && idleMsMax >= 0)) refuse('idleMsMax must not be negative')
  if (signal !== undefined && typeof signal.addEventListener !== 'function') {
    refuse('signal must be the signal of an AbortController')
  }
  return options
}
