import { InputError } from '../errors/input-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import type { CallOptions, TableContext } from './table-context.ts'

/** One call of the caller's, which may take several requests: what they share. */
export interface Call {
  readonly entity: string | undefined
  readonly verb: string
  /** For messages: `table "Blog", entity "Post", put()`. */
  readonly place: string
  readonly signal: AbortSignal | undefined
  /** When the time is over, in milliseconds since 1970; never if undefined. */
  readonly deadlineAt: number | undefined
  /** Requests sent again so far. */
  retries: number
  /** Whether an attempt at a write got no answer, so that it may have happened. */
  ambiguous: boolean
}

/** Starts a call; rejects options that can't be meant and signals that are already aborted. */
export function startCall(
  context: TableContext,
  verb: string,
  entity: string | undefined,
  options: CallOptions | undefined,
): Call {
  const of = entity === undefined ? '' : `, entity "${entity}"`
  const place = `table "${context.name}"${of}, ${verb}()`
  const deadlineMs = options?.deadlineMs ?? context.deadlineMs
  if (deadlineMs !== undefined && !(Number.isFinite(deadlineMs) && deadlineMs > 0)) {
    throw new InputError(
      'OPTION_INVALID',
      {
        what: `deadlineMs is ${deadlineMs}, which is no time to work in.`,
        where: place,
        fix: 'give a positive number of milliseconds, or leave it out for no deadline',
      },
      [{ path: ['deadlineMs'], message: 'must be a positive number' }],
    )
  }
  options?.signal?.throwIfAborted()
  return {
    entity,
    verb,
    place,
    signal: options?.signal,
    deadlineAt: deadlineMs === undefined ? undefined : context.environment.now() + deadlineMs,
    retries: 0,
    ambiguous: false,
  }
}

/** Throws if the call was aborted or its time is over, before anything more is sent. */
export function continueCall(context: TableContext, call: Call): void {
  call.signal?.throwIfAborted()
  if (call.deadlineAt !== undefined && context.environment.now() >= call.deadlineAt) {
    throw deadlineExceeded(call)
  }
}

export function deadlineExceeded(call: Call, cause?: unknown): TransportError {
  return new TransportError(
    'DEADLINE_EXCEEDED',
    {
      what: 'The call was not finished in its time.',
      where: call.place,
      fix: 'give a longer deadlineMs, or find out why the service is slow: see the cause',
    },
    { cause, retryable: true },
  )
}

/** Waits before the next attempt: a random part of a bound that doubles each time. Ends early when the call ends. */
export async function waitForRetry(
  context: TableContext,
  call: Call,
  attempt: number,
): Promise<void> {
  const { delayMsBase, delayMsMax } = context.retry
  const bound = Math.min(delayMsMax, delayMsBase * 2 ** (attempt - 1))
  await sleep(context, call, (randomUnit(context) * bound) | 0)
}

/** A number in [0, 1). */
function randomUnit(context: TableContext): number {
  const [high = 0, low = 0] = context.environment.randomBytes(2)
  return (high * 256 + low) / 65_536
}

export async function sleep(context: TableContext, call: Call, delayMs: number): Promise<void> {
  const { environment } = context
  if (call.deadlineAt !== undefined && environment.now() + delayMs >= call.deadlineAt) {
    throw deadlineExceeded(call)
  }
  const { signal } = call
  await new Promise<void>((resolve) => {
    const end = (): void => {
      cancel()
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const cancel = environment.schedule(end, delayMs)
    signal?.addEventListener('abort', end)
  })
  signal?.throwIfAborted()
}
