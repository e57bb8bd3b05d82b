import { setTimeout as pause } from 'node:timers/promises'
import {
  judgeFailure,
  type OperationName,
  type Operations,
  type Transport,
} from 'singletable/tools'

const ATTEMPTS_MAX = 10
const PAUSE_MS_BASE = 50
const PAUSE_MS_MAX = 10_000

/** Sends a request that does no harm when it is sent twice, again and again while the failure is one that passes. */
export async function sendPatiently<TOperation extends OperationName>(
  transport: Transport,
  operation: TOperation,
  request: Operations[TOperation]['request'],
): Promise<Operations[TOperation]['response']> {
  const once = transport.singleAttempt ?? transport
  for (let attempt = 1; ; attempt++) {
    try {
      return await once.send(operation, request)
    } catch (error) {
      const verdict = judgeFailure(error)
      if (attempt === ATTEMPTS_MAX || (verdict !== 'refused' && verdict !== 'ambiguous'))
        throw error
      await pauseBefore(attempt)
    }
  }
}

/** Waits longer from time to time, and never as long as others who began to wait at once. */
export function pauseBefore(attempt: number): Promise<void> {
  return pause(Math.random() * Math.min(PAUSE_MS_MAX, PAUSE_MS_BASE * 2 ** attempt))
}
