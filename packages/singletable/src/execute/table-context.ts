import type { PlanContext } from '../plan/plan-context.ts'
import type { Scope } from '../plan/scope.ts'
import type { Schema } from '../schema/model.ts'
import type { Environment } from '../values/environment.ts'
import type { RetryPolicy } from '../wire/retry-policy.ts'
import type { Transport } from '../wire/transport.ts'
import type { Hooks } from './hooks.ts'
import type { OnDecodeError } from './undecoded.ts'

/** What every call of a table works with. */
export interface TableContext extends Pick<PlanContext, 'undeclared'> {
  /** The table's name in DynamoDB. */
  readonly name: string
  readonly schema: Schema
  readonly transport: Transport
  readonly environment: Environment
  /** Of all calls of the table. */
  readonly retry: RetryPolicy
  /** For calls that don't say; none if undefined. */
  readonly deadlineMs: number | undefined
  /** For reads that don't say; 'throw' if undefined. */
  readonly onDecodeError?: OnDecodeError | undefined
  /** Called around each request. Shared with all handles that were made of the table. */
  readonly hooks?: Hooks[] | undefined
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
  /**
   * Aborts the call: it rejects with the signal's reason, or, once a write was sent, with
   * `OutcomeUnknownError`.
   */
  readonly signal?: AbortSignal | undefined
  /** The whole call, retries and pages included, may take so long. */
  readonly deadlineMs?: number | undefined
}

/** What reads of several items take. */
export interface ReadOptions extends CallOptions {
  /**
   * What happens when a stored item does not fit its model: `'throw'` a `DecodeError`, `'skip'` it,
   * or skip it and keep the item as it is stored (`'raw'`). `undecodedOf(results)` gives the
   * skipped items with the reason. Defaults to the table's option, and that to `'throw'`.
   */
  readonly onDecodeError?: OnDecodeError | undefined
}
