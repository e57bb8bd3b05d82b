import { pollStream } from 'singletable/streams'
import { judgeFailure, SingletableError, type Transport } from 'singletable/tools'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { TransferError } from '../transfer/transfer-error.ts'
import { copyRecords, type RowCopier } from './copy-rows.ts'
import type { CopiedTable } from './row-items.ts'

/** AWS refuses requests of clocks that are wrong by more than 15 minutes, so none is. */
const CLOCK_MARGIN_MS = 15 * 60_000
const IDLE_MS_MAX = 500
const LOOK_MS = 20
const PASSING: readonly string[] = ['refused', 'ambiguous']

/** The streams of tables, by source. Each must have both images. */
export async function streamsOf(
  transport: Transport,
  tables: readonly Pick<CopiedTable, 'source' | 'table'>[],
): Promise<Readonly<Record<string, string>>> {
  const found = tables.map(async ({ source, table }) => {
    const { Table } = await sendPatiently(transport, 'DescribeTable', { TableName: table })
    const { StreamEnabled, StreamViewType } = Table?.StreamSpecification ?? {}
    const arn = Table?.LatestStreamArn
    if (StreamEnabled && StreamViewType === 'NEW_AND_OLD_IMAGES' && arn !== undefined) {
      return [source, arn] as const
    }
    throw new TransferError(
      StreamEnabled
        ? `The stream of the table "${table}" has ${StreamViewType}, and a copy needs both images.`
        : `The table "${table}" has no stream.`,
      {
        where: 'live copy',
        fix: `aws dynamodb update-table --table-name ${table} --stream-specification StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES`,
      },
    )
  })
  return Object.fromEntries(await Promise.all(found))
}

/** The word of the note with the positions in the stream of a table. */
export function streamNote({ source }: CopiedTable, epoch: number): string {
  return `STREAM#${epoch}#${source}`
}

/** Copies the changes of all tables as their streams show them, until it is stopped. */
export class StreamFollower {
  readonly #controller = new AbortController()
  readonly #tables: readonly CopiedTable[]
  readonly #handledUntil = new Map<string, number>()
  readonly #running: Promise<unknown>
  #failure: { readonly error: unknown } | undefined

  constructor(
    options: RowCopier & {
      readonly source: Transport
      readonly tables: readonly CopiedTable[]
      readonly streams: Readonly<Record<string, string>>
      readonly startedAt: number
    },
  ) {
    this.#tables = options.tables
    this.#running = Promise.all(
      options.tables.map((table) =>
        this.#follow(options, table).catch((error: unknown) => {
          this.#failure ??= { error }
          this.stop()
        }),
      ),
    )
  }

  /** Aborted when it was stopped, or failed. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  stop(): void {
    this.#controller.abort()
  }

  /** Resolves when nothing is written any more; throws what made it fail. */
  async ended(): Promise<void> {
    await this.#running
    if (this.#failure) throw this.#failure.error
  }

  /** How long ago the newest change was made that is not copied; undefined if nobody knows yet. */
  ageMs(): number | undefined {
    const known = this.#tables.map(({ source }) => this.#handledUntil.get(source))
    return known.includes(undefined)
      ? undefined
      : Math.max(0, Date.now() - Math.min(...(known as number[])))
  }

  /** Resolves when every change that was made before the call is copied, or when it was stopped. */
  async untilCaughtUp(): Promise<void> {
    const askedMs = Date.now()
    while (!this.signal.aborted) {
      const ageMs = this.ageMs()
      if (ageMs !== undefined && Date.now() - ageMs >= askedMs) return
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  }

  async #follow(
    options: RowCopier & {
      readonly source: Transport
      readonly streams: Readonly<Record<string, string>>
      readonly startedAt: number
    },
    table: CopiedTable,
  ): Promise<void> {
    const { notes } = options
    const word = streamNote(table, options.epoch)
    try {
      const { reason } = await pollStream({
        source: options.source,
        streamArn: options.streams[table.source],
        from: new Date(options.startedAt - CLOCK_MARGIN_MS),
        checkpoints: {
          load: () => notes.load(word),
          save: (_, checkpoint) => notes.save(word, checkpoint),
        },
        handler: ({ Records }) => copyRecords(options, table, Records),
        idleMsMax: IDLE_MS_MAX,
        signal: this.signal,
        onCaughtUp: (until) => this.#handledUntil.set(table.source, until.getTime()),
        onFailure: ({ error }) =>
          error instanceof TransferError || !PASSING.includes(judgeFailure(error))
            ? 'stop'
            : 'retry',
        onGap: ({ shardId }) => {
          throw new StreamGapError(
            `records of the stream of "${table.table}" were deleted before they were copied`,
            shardId,
          )
        },
      })
      if (reason === 'ended') {
        throw new StreamGapError(`the stream of "${table.table}" was switched off`, word)
      }
    } catch (error) {
      const isOurs = SingletableError.is(error) && error.code === 'STREAM_HANDLER_FAILED'
      throw isOurs && error.cause !== undefined ? error.cause : error
    }
  }
}

/** Changes were lost: only a copy from the start is complete again. */
export class StreamGapError extends TransferError {
  readonly gap: string

  constructor(gap: string, where: string) {
    super(`The copy has a gap: ${gap}.`, {
      where: `live copy, ${where}`,
      fix: 'begin again with singletable cutover copy --restart',
    })
    this.gap = gap
  }
}
