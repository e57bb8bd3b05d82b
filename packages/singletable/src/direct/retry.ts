import type { Environment } from '../values/environment.ts'
import { pause } from '../values/pause.ts'
import { aroundSend } from '../wire/around-send.ts'
import { judgeFailure, nameOf } from '../wire/judge-failure.ts'
import { type RetryOptions, RetryPolicy } from '../wire/retry-policy.ts'
import type { Transport } from '../wire/transport.ts'
import { canRepeat, isRead, withToken } from './repetition.ts'

/**
 * Repeats what a transport sends once, for use without a table, which does that better because it
 * knows what its writes mean. A request that was surely not carried out is repeated; one that may
 * have been only if twice is the same as once.
 */
export function retrying(
  once: Transport,
  options: RetryOptions,
  environment: Environment,
): Transport {
  const retry = new RetryPolicy(options)
  return aroundSend(once, async ({ operation, request, signal }, send) => {
    const repeated = withToken(operation, request, environment)
    let ambiguous: { readonly error: unknown } | undefined
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await send(repeated)
        retry.giveBack(attempt)
        return response
      } catch (error) {
        if (signal?.aborted) throw error
        const verdict = judgeFailure(error)
        if (verdict === 'answer') retry.giveBack(attempt)
        if (verdict === 'ambiguous') ambiguous = { error }
        const isSafe =
          verdict === 'refused' || (verdict === 'ambiguous' && canRepeat(operation, repeated))
        if (!isSafe || !retry.takeRetry(attempt)) {
          // That an earlier attempt may have been carried out matters more than what a later one
          // met; only a token rules it out.
          const isCertain =
            isRead(operation) ||
            (verdict === 'answer' && nameOf(error) === 'TransactionCanceledException')
          throw ambiguous === undefined || isCertain ? error : ambiguous.error
        }
        await pause(environment, retry.delayMs(attempt, environment), signal)
        signal?.throwIfAborted()
      }
    }
  })
}
