import type { Explanation } from '../plan/plan.ts'
import type { TransactWriteParams } from './db-params.ts'
import type { LazyPromise } from './lazy-call.ts'

/**
 * A write that is sent as a transaction with a token of its own: an answer that is lost is asked
 * for again, and the write is never carried out twice. It costs twice the write units. DynamoDB
 * remembers tokens for ten minutes; a call that has no answer by then ends with `OUTCOME_UNKNOWN`.
 * A transaction gives no attributes back, so an update gives nothing.
 */
export interface ExactlyOnceWrite<TResult> extends LazyPromise<TResult> {
  /**
   * The request, as the SDK's DocumentClient takes it; the token is made when it is sent. Throws if
   * the write takes more than one.
   */
  params(): TransactWriteParams
  /** The same as `params()`, by its earlier name. */
  dbParams(): TransactWriteParams
  /** How the call will be carried out, and what it costs. */
  explain(): Explanation
}
