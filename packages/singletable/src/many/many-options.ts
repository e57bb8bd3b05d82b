import {
  checkOptions,
  checkPositive,
  type KnownOptions,
  refuseOption,
} from '../errors/check-options.ts'

/**
 * How many items are changed, and how. Without `limit`, here or on the query, and without `all:
 * true` nothing is changed.
 */
export interface ManyOptions {
  /** Reads this many items of the query, at most. */
  readonly limit?: number | undefined
  /** Takes all items that the query finds. */
  readonly all?: boolean | undefined
  /** Resumes where an earlier run of the same query ended: the `cursor` of its report. */
  readonly cursor?: string | undefined
  /** Writes that are under way at the same time: 8 unless given. */
  readonly concurrency?: number | undefined
  /**
   * After a failed write, `'stop'` (unless given) starts no further chunk of 25 items; `'continue'`
   * does, up to 1,000 failures.
   */
  readonly onError?: 'stop' | 'continue' | undefined
  /**
   * Called after each chunk of 25 items, and awaited. The `cursor` that it gets can be stored, to
   * resume after a crash.
   */
  readonly onProgress?: ((report: ManyReport) => unknown) | undefined
  /** Stops the run after the chunk that is under way; the rejection has the report. */
  readonly signal?: AbortSignal | undefined
}

/** What was done so far. */
export interface ManyReport {
  /** Items that were changed, or deleted. */
  readonly done: number
  /**
   * Items that were left as they are: changed or deleted by others after they were read, so that
   * the query has them no more, or not to be changed.
   */
  readonly skipped: number
  /** Items whose write failed. They are not tried again when the run is resumed. */
  readonly failures: readonly ManyFailure[]
  /** Resumes behind everything in this report; `undefined` if the query has no more. */
  readonly cursor: string | undefined
}

export interface ManyFailure {
  /** The primary key as it is stored. */
  readonly key: Readonly<Record<string, unknown>>
  readonly error: unknown
}

const NAMES = ['limit', 'all', 'cursor', 'concurrency', 'onError', 'onProgress', 'signal']

/** The most items that are taken; throws if neither the options nor the query has a limit. */
export function checkMany(
  where: string,
  options: ManyOptions,
  ownLimit: number | undefined,
): number {
  const known: KnownOptions = { where, names: NAMES }
  checkOptions(known, options)
  checkPositive(known, options, ['limit', 'concurrency'])
  const { all, onError, limit = ownLimit } = options
  if (onError !== undefined && onError !== 'stop' && onError !== 'continue') {
    refuseOption(known, "onError is neither 'stop' nor 'continue'")
  }
  if (all && limit !== undefined) refuseOption(known, 'limit and all: true contradict each other')
  if (!all && limit === undefined) {
    refuseOption(known, 'nothing says how many items may be changed: give a limit, or all: true')
  }
  return limit ?? Number.POSITIVE_INFINITY
}
