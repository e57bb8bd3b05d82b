import type { ErrorCode } from './codes.ts'
import { type ErrorParts, SingletableError } from './singletable-error.ts'

/** The codes of conditions that failed. */
export type ConditionCode = Extract<
  ErrorCode,
  | 'CONDITION_FAILED'
  | 'ITEM_EXISTS'
  | 'ITEM_NOT_FOUND'
  | 'PARENT_MISSING'
  | 'UNIQUE_TAKEN'
  | 'VERSION_CONFLICT'
>

/**
 * Why one operation made the transaction fail. In the result of a call, items have the type of
 * their entity: ask for `entity`, or for the `step` of an access pattern.
 */
export interface TransactionFailure<
  out TEntity = string | undefined,
  out TItem = Record<string, unknown>,
  out TStep = string,
> {
  /** Its place among the operations added to the transaction, from 0. */
  readonly index: number
  /** The name of the step, if an access pattern was called. */
  readonly step?: TStep
  /** The place in the list of a step with `each`, from 0. */
  readonly element?: number
  /** What it is, as in `put Post`. */
  readonly operation: string
  readonly entity: TEntity
  /** Which condition failed; absent if the reason is another one, such as a conflict. */
  readonly code?: ConditionCode
  /** AWS's code: `ConditionalCheckFailed`, `TransactionConflict`, … */
  readonly reason: string
  /** What happened, in a sentence if a condition failed; else AWS's text. */
  readonly message: string | undefined
  /** The item stored under the key, decoded, if the condition failed and there is one. */
  readonly item?: TItem
  /** Of a unique value: the name of the constraint. */
  readonly constraint?: string
  /** Of a unique value: the attributes that have it. */
  readonly attributes?: readonly string[]
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

/** A transaction whose token another one had in the last ten minutes. Nothing was written now. */
export class TransactionRepeatedError extends SingletableError {
  override readonly name: string = 'TransactionRepeatedError'

  constructor(parts: ErrorParts, options: { readonly cause: unknown }) {
    super('TRANSACTION_REPEATED', parts, options)
  }
}
