import { describeCause } from '../errors/describe-cause.ts'
import { didYouMean } from '../errors/did-you-mean.ts'
import { printPlace } from '../errors/print-place.ts'
import { kindOfValue } from '../errors/show-value.ts'
import { SingletableError } from '../errors/singletable-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import { refuseInput } from '../schema/input-issues.ts'
import { helpByText } from './help-by-text.ts'
import type { ReadOptions, TableContext } from './table-context.ts'
import { DECODE_ERROR_CHOICES, type DecodeChoice } from './undecoded.ts'

/** One call of the caller's, which may take several requests: what they share. */
export interface Call extends DecodeChoice {
  readonly entity: string | undefined
  readonly verb: string
  /** For messages: `table "Blog", entity "Post", put()`. */
  readonly place: string
  readonly signal: AbortSignal | undefined
  /** When the time is over, in milliseconds since 1970; never if undefined. */
  readonly deadlineAt: number | undefined
  /** Requests sent again so far. */
  retries: number
  /**
   * Of the request whose condition failed last: whether an earlier attempt at it got no answer, and
   * may be why.
   */
  unsure: boolean
  /** What the last request that failed met; it says why a call takes long. */
  lastFailure: unknown
}

const CALL_OPTIONS = ['signal', 'deadlineMs']
/** Of reads that give several items. */
export const READ_OPTIONS: readonly string[] = [...CALL_OPTIONS, 'onDecodeError']

/** Starts a call; rejects options that can't be meant and signals that are already aborted. */
export function startCall(
  context: TableContext,
  verb: string,
  entity: string | undefined,
  options: ReadOptions | undefined,
  /** The options that the call has. */
  known: readonly string[] = CALL_OPTIONS,
): Call {
  const { name: table, pattern } = context
  const place = printPlace({ table, pattern, entity, verb })
  const { deadlineMs = context.deadlineMs } = options ?? {}
  const signal = options?.signal ?? undefined
  const { onDecodeError = context.onDecodeError ?? 'throw' } = options ?? {}
  const refuse = (name: string, message: string, fix: string): never =>
    refuseInput([{ path: [name], message }], place, fix, 'OPTION_INVALID')
  if (deadlineMs !== undefined && !(Number.isFinite(deadlineMs) && deadlineMs > 0)) {
    refuse(
      'deadlineMs',
      'is not a positive number',
      'give a number of milliseconds, or leave it out for no deadline',
    )
  }
  if (signal !== undefined && typeof signal.throwIfAborted !== 'function') {
    refuse('signal', 'is not an AbortSignal', 'give the signal of an AbortController')
  }
  if (!DECODE_ERROR_CHOICES.includes(onDecodeError)) {
    refuse('onDecodeError', "is not 'throw', 'skip' or 'raw'", 'give one of these')
  }
  // A list of options, or a function, has no names that are unknown.
  if (options && (typeof options !== 'object' || Array.isArray(options))) {
    refuseInput(
      `options were expected, not ${kindOfValue(options)}`,
      place,
      `give an object with ${known.join(', ')}, or nothing`,
      'OPTION_INVALID',
    )
  }
  for (const option of Object.keys(options ?? {})) {
    if (known.includes(option)) continue
    refuse(option, `is not an option${didYouMean(option, known)}`, `use ${known.join(', ')}`)
  }
  signal?.throwIfAborted()
  return {
    entity,
    verb,
    place,
    signal,
    deadlineAt: deadlineMs && context.environment.now() + deadlineMs,
    retries: 0,
    unsure: false,
    lastFailure: undefined,
    onDecodeError,
    undecoded: onDecodeError === 'throw' ? undefined : [],
  }
}

/**
 * Throws if the call was aborted or its time will be over in this many milliseconds, before
 * anything more is done.
 */
export function continueCall(context: TableContext, call: Call, delayMs = 0): void {
  call.signal?.throwIfAborted()
  if (call.deadlineAt !== undefined && context.environment.now() + delayMs >= call.deadlineAt) {
    throw deadlineExceeded(call)
  }
}

function deadlineExceeded({ place, lastFailure: cause }: Call): TransportError {
  const reason = describeCause(cause)
  return new TransportError(
    'DEADLINE_EXCEEDED',
    cause === undefined
      ? {
          what: 'The call did not finish before its deadline.',
          where: place,
          fix: 'give a longer deadlineMs, or find out why the service is slow',
        }
      : {
          what: `The call did not finish before its deadline, because requests failed: ${reason}`,
          where: place,
          fix: helpByText(reason)?.[2] ?? 'fix what error.cause says, or give a longer deadlineMs',
        },
    { retryable: true, ...(cause !== undefined && { cause }) },
  )
}

/** Whether this is how the call itself ends: the reason of its signal, or its deadline. */
export function endsCall({ signal }: Call, error: unknown): boolean {
  if (signal?.aborted && error === signal.reason) return true
  return SingletableError.is(error) && error.code === 'DEADLINE_EXCEEDED'
}

/**
 * Runs something with a signal of our own, so that neither an abort nor the deadline has to wait
 * for what does not listen.
 */
export async function within<T>(
  { environment }: TableContext,
  call: Call,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, deadlineAt } = call
  const controller = new AbortController()
  const onAbort = (): void => controller.abort(signal?.reason)
  const ended = new Promise<never>((_, reject) => {
    const { signal: end } = controller
    end.addEventListener('abort', () => reject(end.reason))
  })
  const cancel =
    deadlineAt &&
    environment.schedule(
      () => controller.abort(deadlineExceeded(call)),
      deadlineAt - environment.now(),
    )
  signal?.addEventListener('abort', onAbort)
  try {
    return await Promise.race([run(controller.signal), ended])
  } finally {
    if (cancel) cancel()
    signal?.removeEventListener('abort', onAbort)
  }
}

/**
 * Waits before the next attempt: a random part of a bound that doubles each time. Ends early when
 * the call ends.
 */
export function waitForRetry(context: TableContext, call: Call, attempt: number): Promise<void> {
  return sleep(context, call, context.retry.delayMs(attempt, context.environment))
}

export async function sleep(context: TableContext, call: Call, delayMs: number): Promise<void> {
  continueCall(context, call, delayMs)
  await within(
    context,
    call,
    (signal) =>
      new Promise<void>((resolve) => {
        const { environment } = context
        signal.addEventListener('abort', environment.schedule(resolve, delayMs, { waited: true }))
      }),
  )
}
