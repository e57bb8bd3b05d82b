import { type ErrorParts, SingletableError } from './singletable-error.ts'

/** A batch that could not be finished: `done` and `remaining` together are the whole input, and nothing is in both. */
export class BatchIncompleteError<TDone = unknown, TRemaining = unknown> extends SingletableError {
  override readonly name: string = 'BatchIncompleteError'
  /** For writes the members that were written, for reads the outputs that were found. */
  readonly done: readonly TDone[]
  /** The members that were not processed, as they were given. */
  readonly remaining: readonly TRemaining[]

  constructor(
    parts: ErrorParts,
    batch: { readonly done: readonly TDone[]; readonly remaining: readonly TRemaining[] },
    options?: { readonly cause?: unknown },
  ) {
    super('BATCH_INCOMPLETE', parts, options)
    this.done = batch.done
    this.remaining = batch.remaining
  }
}
