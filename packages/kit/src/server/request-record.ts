/** What a log may say of a request: no values, no keys, no credentials. */
export interface RequestRecord {
  /** The operation, when the request names one. */
  readonly operation: string | undefined
  /** The tables that the request names. */
  readonly tables: readonly string[]
  readonly statusCode: number
  /** The name of the exception, when there is one. */
  readonly errorName: string | undefined
  readonly durationMs: number
  /** The size of the body as it came. */
  readonly requestBytes: number
  /** The size of the body as it was sent. */
  readonly responseBytes: number
  readonly requestId: string
}
