import { type ErrorParts, SingletableError } from './singletable-error.ts'

/** Why one operation made the transaction fail. */
export interface TransactionFailure {
  /** Its place among the operations added to the transaction, from 0. */
  readonly index: number
  /** What it is, as in `put Post`. */
  readonly operation: string
  readonly entity: string | undefined
  /** AWS's code: `ConditionalCheckFailed`, `TransactionConflict`, … */
  readonly reason: string
  readonly message: string | undefined
  /** The item stored under the key, decoded, if the condition failed and there is one. */
  readonly item?: unknown
}

/** A transaction that was cancelled as a whole. `failures` are in the order of your calls;
 * operations without fault are not listed. */
export class TransactionCanceledError extends SingletableError {
  override readonly name: string = 'TransactionCanceledError'
  readonly failures: readonly TransactionFailure[]

  constructor(
    parts: ErrorParts,
    failures: readonly TransactionFailure[],
    options?: { readonly cause?: unknown },
  ) {
    super('TRANSACTION_CANCELED', parts, options)
    this.failures = failures
  }
}
