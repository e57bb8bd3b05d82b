import { setTimeout as pause } from 'node:timers/promises'
import { ServiceError, type Transport } from 'singletable/tools'

/** What a quiet second leaves over can be used in the next one. */
const BURST_MS = 1_000
const RECOVERY = 1.01
const THROTTLED = /Throttl|ThroughputExceeded|RequestLimitExceeded/

/**
 * Keeps what is consumed below a rate, without one it only adds up. The rate is halved when the
 * table refuses requests because of their number, and recovers slowly.
 */
export class RateLimit {
  readonly #most: number | undefined
  readonly #now: () => number
  readonly #signal: AbortSignal | undefined
  #unitsPerSecond: number
  #dueMs: number
  #units = 0

  constructor(unitsPerSecond: number | undefined, now: () => number, signal?: AbortSignal) {
    this.#most = unitsPerSecond
    this.#unitsPerSecond = unitsPerSecond ?? Number.POSITIVE_INFINITY
    this.#now = now
    this.#signal = signal
    this.#dueMs = now()
  }

  get units(): number {
    return this.#units
  }

  /** How much may be consumed a second, at this time. */
  get unitsPerSecond(): number {
    return this.#unitsPerSecond
  }

  /** Waits until these units fit into the rate, or until the work is interrupted. */
  async spend(units = 0): Promise<void> {
    this.#units += units
    if (this.#most === undefined) return
    const now = this.#now()
    this.#dueMs = Math.max(this.#dueMs, now - BURST_MS) + (units / this.#unitsPerSecond) * 1000
    this.#unitsPerSecond = Math.min(this.#most, this.#unitsPerSecond * RECOVERY)
    if (this.#dueMs <= now) return
    await pause(this.#dueMs - now, undefined, { signal: this.#signal }).catch(() => undefined)
  }

  /** The transport, which halves the rate when it is refused something. */
  around(transport: Transport): Transport {
    const once = transport.singleAttempt ?? transport
    return {
      send: (operation, request, options) =>
        once.send(operation, request, options).catch((error: unknown) => {
          if (isThrottled(error)) this.#unitsPerSecond = Math.max(1, this.#unitsPerSecond / 2)
          throw error
        }),
    }
  }
}

function isThrottled(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code)
  return [error.name, ...codes].some((name) => THROTTLED.test(name ?? ''))
}
