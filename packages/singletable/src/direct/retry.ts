import { judgeFailure } from '../wire/judge-failure.ts'
import type { OperationName, Operations } from '../wire/operations.ts'
import type { SendOptions, Transport } from '../wire/transport.ts'
import { untilAborted } from '../wire/until-aborted.ts'
import type { Environment } from './environment.ts'
import { canRepeat, withToken } from './repetition.ts'

/** How often and how patiently a request is sent again. Delays are drawn evenly between nothing and a bound that doubles. */
export interface RetryOptions {
  /** Sends of one request, the first one included. */
  readonly attemptsMax: number
  readonly delayMsBase: number
  readonly delayMsMax: number
}

const BUDGET_TOKENS_MAX = 500
const RETRY_COST_TOKENS = 5

/**
 * Repeats what a transport sends once, for use without a table, which does that better because it knows what its writes mean. A request that
 * was surely not carried out is repeated; one that may have been only if twice is the same as once. A budget that
 * all requests share ends a storm of retries.
 */
export function retrying(
  once: Transport,
  retry: RetryOptions,
  environment: Environment,
): Transport['send'] {
  let tokens = BUDGET_TOKENS_MAX
  return async <TOperation extends OperationName>(
    operation: TOperation,
    request: Operations[TOperation]['request'],
    options?: SendOptions,
  ): Promise<Operations[TOperation]['response']> => {
    const signal = options?.signal
    const repeated = withToken(operation, request, environment)
    let ambiguous: { readonly error: unknown } | undefined
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await once.send(operation, repeated, options)
        if (attempt > 1) tokens = Math.min(BUDGET_TOKENS_MAX, tokens + 1)
        return response
      } catch (error) {
        if (signal?.aborted) throw error
        const verdict = judgeFailure(error)
        if (verdict === 'ambiguous') ambiguous = { error }
        const isSafe =
          verdict === 'refused' || (verdict === 'ambiguous' && canRepeat(operation, repeated))
        if (!isSafe || attempt >= retry.attemptsMax || tokens < RETRY_COST_TOKENS) {
          // That an earlier attempt may have been carried out matters more than that a later one was not.
          throw verdict === 'refused' && ambiguous !== undefined ? ambiguous.error : error
        }
        tokens -= RETRY_COST_TOKENS
        await pause(attempt, retry, environment, signal)
      }
    }
  }
}

async function pause(
  attempt: number,
  { delayMsBase, delayMsMax }: RetryOptions,
  environment: Environment,
  signal: AbortSignal | undefined,
): Promise<void> {
  const [high = 0, low = 0] = environment.randomBytes(2)
  const bound = Math.min(delayMsMax, delayMsBase * 2 ** (attempt - 1))
  let cancel: (() => void) | undefined
  const waited = new Promise<void>((resolve) => {
    cancel = environment.schedule(resolve, Math.floor(((high * 256 + low) / 65_536) * bound))
  })
  try {
    await (signal === undefined ? waited : untilAborted(waited, signal))
  } finally {
    cancel?.()
  }
}
