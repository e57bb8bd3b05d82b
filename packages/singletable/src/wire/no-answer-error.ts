/** What is known of a request that got no answer. */
export interface NoAnswer {
  /** Whether the request may have reached the service; a write may then have happened. */
  readonly sent: boolean
  /** Whether sending again can help: not if the request failed before anything was done to reach
   * the service. */
  readonly retryable: boolean
  /** What was thrown: a socket's error, a timeout, an error of a middleware. */
  readonly cause: unknown
}

/** Thrown by a transport when the service gave no answer, as opposed to a `ServiceError`, which is
 * one. */
export class NoAnswerError extends Error {
  override readonly name: string = 'NoAnswerError'
  readonly sent: boolean
  readonly retryable: boolean

  constructor({ sent, retryable, cause }: NoAnswer) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.sent = sent
    this.retryable = retryable
  }
}
