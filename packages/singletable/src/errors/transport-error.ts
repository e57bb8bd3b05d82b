import type { ErrorCode } from './codes.ts'
import { type ErrorParts, SingletableError } from './singletable-error.ts'

/** The service could not be reached, or refused the request for a reason that lies outside the
 * request's condition. */
export class TransportError extends SingletableError {
  override readonly name: string = 'TransportError'
  /** Whether sending the same call again later can succeed. */
  readonly retryable: boolean

  constructor(
    code: ErrorCode,
    parts: ErrorParts,
    options: { readonly cause?: unknown; readonly retryable?: boolean } = {},
  ) {
    super(code, parts, options)
    this.retryable = options.retryable ?? false
  }
}

/** The limit of the table, an index or one partition was exceeded, and retries did not help. */
export class ThrottledError extends TransportError {
  override readonly name: string = 'ThrottledError'
}

/** A write that may or may not have happened: the answer never came. Read the item before you
 * decide to send it again. */
export class OutcomeUnknownError extends TransportError {
  override readonly name: string = 'OutcomeUnknownError'
}
