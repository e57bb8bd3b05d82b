import { type ErrorParts, SingletableError } from './singletable-error.ts'

/** What became of a batch that could not be finished. */
export interface UnfinishedBatch {
  /** The members that were processed, as they were given. */
  readonly done: readonly unknown[]
  /** The members that were not processed, or of which it is not known, as they were given. */
  readonly remaining: readonly unknown[]
  /** For reads: what was found for each member of `done`, in its order. */
  readonly outputs?: readonly unknown[] | undefined
}

/** A batch that could not be finished: `done` and `remaining` together are the whole input, and
 * nothing is in both. */
export class BatchIncompleteError extends SingletableError {
  override readonly name: string = 'BatchIncompleteError'
  readonly done: readonly unknown[]
  readonly remaining: readonly unknown[]
  readonly outputs: readonly unknown[] | undefined

  constructor(parts: ErrorParts, batch: UnfinishedBatch, options?: { readonly cause?: unknown }) {
    super('BATCH_INCOMPLETE', parts, options)
    this.done = batch.done
    this.remaining = batch.remaining
    this.outputs = batch.outputs
  }
}
