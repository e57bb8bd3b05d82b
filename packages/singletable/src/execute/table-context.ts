import type { Scope } from '../plan/scope.ts'
import type { Environment } from '../schema/environment.ts'
import type { Schema } from '../schema/model.ts'
import type { Transport } from '../wire/transport.ts'

/** How often and how patiently a request is sent again. Delays are drawn evenly between nothing and a bound that doubles. */
export interface RetryOptions {
  /** Sends of one request, the first one included. */
  readonly attemptsMax: number
  readonly delayMsBase: number
  readonly delayMsMax: number
}

/** What every call of a table works with. */
export interface TableContext {
  /** The table's name in DynamoDB. */
  readonly name: string
  readonly schema: Schema
  readonly transport: Transport
  readonly environment: Environment
  readonly retry: RetryOptions
  /** Retries the whole table may still make; each costs some, each success gives some back, so that a storm ends by itself. */
  readonly budget: { tokens: number }
  /** For calls that don't say; none if undefined. */
  readonly deadlineMs: number | undefined
  /** Where all that is read and written must be; anywhere if undefined. */
  readonly scope?: Scope | undefined
  /** Encrypt cursors; the first makes new ones, all are accepted. */
  readonly cursorSecrets: readonly string[]
  /** The access pattern that calls are made for, if they are. */
  readonly pattern?: string | undefined
  warn(message: string): void
}

/** What every `execute` takes. */
export interface CallOptions {
  /** Aborts the call: it rejects with the signal's reason, or, once a write was sent, with `OutcomeUnknownError`. */
  readonly signal?: AbortSignal | undefined
  /** The whole call, retries and pages included, may take so long. */
  readonly deadlineMs?: number | undefined
}
