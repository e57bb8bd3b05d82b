import { setTimeout as pause } from 'node:timers/promises'
import {
  judgeFailure,
  type OperationName,
  type Operations,
  RetryPolicy,
  systemEnvironment,
  type Transport,
} from 'singletable/tools'

/** More patient than a table is with a caller who waits: a transfer that ends has to be resumed by
 * hand. */
const PATIENCE = { attemptsMax: 10, delayMsBase: 100, delayMsMax: 10_000 }

/**
 * Sends a request that does no harm when it is sent twice, again and again while the failure is one
 * that passes. A signal ends it at once; whether it was carried out is then unknown.
 */
export async function sendPatiently<TOperation extends OperationName>(
  transport: Transport,
  operation: TOperation,
  request: Operations[TOperation]['request'],
  signal?: AbortSignal,
): Promise<Operations[TOperation]['response']> {
  const once = transport.singleAttempt ?? transport
  // A policy of its own: requests of a transfer do not use up each other's retries.
  const retry = new RetryPolicy(PATIENCE)
  for (let attempt = 1; ; attempt++) {
    try {
      return await untilAborted(once.send(operation, request, signal && { signal }), signal)
    } catch (error) {
      if (signal?.aborted) throw error
      const verdict = judgeFailure(error)
      if (verdict !== 'refused' && verdict !== 'ambiguous') throw error
      if (!retry.takeRetry(attempt)) throw error
      await pauseAfter(attempt, signal)
    }
  }
}

/** Not every transport ends a request early. */
function untilAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return answer
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Pauses after this many attempts. */
export function pauseAfter(attempts: number, signal?: AbortSignal): Promise<void> {
  const delayMs = new RetryPolicy(PATIENCE).delayMs(attempts, systemEnvironment)
  return pause(delayMs, undefined, signal && { signal })
}
