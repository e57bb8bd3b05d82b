import type { Environment } from '../values/environment.ts'

/** How often and how patiently a request is sent again. Pauses are drawn evenly between nothing and
 * a bound that doubles. */
export interface RetryOptions {
  /** Sends of one request, the first one included. */
  readonly attemptsMax: number
  readonly delayMsBase: number
  readonly delayMsMax: number
}

export const RETRY_DEFAULTS: RetryOptions = {
  attemptsMax: 8,
  delayMsBase: 50,
  delayMsMax: 5_000,
}

const BUDGET_TOKENS_MAX = 500
const RETRY_COST_TOKENS = 5

/**
 * Decides whether a request is sent again, for all requests of one table or transport. They share a
 * budget: a retry costs some of it, and every answer gives some back. Where most requests fail,
 * retries end by themselves; a retry that helped has cost nothing.
 */
export class RetryPolicy implements RetryOptions {
  readonly attemptsMax: number
  readonly delayMsBase: number
  readonly delayMsMax: number
  #tokens = BUDGET_TOKENS_MAX

  constructor({ attemptsMax, delayMsBase, delayMsMax }: RetryOptions) {
    this.attemptsMax = attemptsMax
    this.delayMsBase = delayMsBase
    this.delayMsMax = delayMsMax
  }

  /** Whether a request that failed this many times may be sent again; if so, it is paid for. */
  takeRetry(attempts: number): boolean {
    if (attempts >= this.attemptsMax || this.#tokens < RETRY_COST_TOKENS) return false
    this.#tokens -= RETRY_COST_TOKENS
    return true
  }

  /** The service answered a request at this attempt, whatever it said. */
  giveBack(attempts: number): void {
    const tokens = this.#tokens + (attempts > 1 ? RETRY_COST_TOKENS : 1)
    this.#tokens = Math.min(BUDGET_TOKENS_MAX, tokens)
  }

  /** The pause after this many attempts. */
  delayMs(attempts: number, environment: Environment): number {
    const [high = 0, low = 0] = environment.randomBytes(2)
    const share = (high * 256 + low) / 65_536
    return Math.floor(share * Math.min(this.delayMsMax, this.delayMsBase * 2 ** (attempts - 1)))
  }
}
