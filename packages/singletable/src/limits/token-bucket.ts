import type { Environment } from '../values/environment.ts'

interface Waiting {
  readonly units: number
  readonly resolve: () => void
}

/**
 * Units that come in at a steady rate and are taken in the order they are asked for. What a request
 * costs is known only afterwards, so the balance can become negative; whoever comes next waits
 * longer.
 */
export class TokenBucket {
  readonly #rate: number
  readonly #capacity: number
  readonly #environment: Environment
  readonly #waiting: Waiting[] = []
  #tokens: number
  #countedAt: number
  #cancel: (() => void) | undefined

  constructor(ratePerSecond: number, capacity: number, environment: Environment) {
    this.#rate = ratePerSecond
    this.#capacity = capacity
    this.#environment = environment
    this.#tokens = capacity
    this.#countedAt = environment.now()
  }

  /** Takes this many units as soon as they are there. One who wants more than ever is there gets it
   * when the bucket is full. */
  async take(units: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (this.#waiting.length === 0 && this.#tryTake(units)) return
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        units,
        resolve() {
          signal?.removeEventListener('abort', abort)
          resolve()
        },
      }
      const abort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(signal?.reason)
        this.#serve()
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#waiting.push(waiting)
      this.#serve()
    })
  }

  /** Gives back, or takes without waiting, what differs from the units that were taken. */
  settle(units: number): void {
    this.#count()
    this.#tokens = Math.min(this.#capacity, this.#tokens + units)
    if (this.#waiting.length > 0) this.#serve()
  }

  #count(): void {
    const now = this.#environment.now()
    // A clock that was set back adds nothing and takes nothing.
    const seconds = Math.max(0, now - this.#countedAt) / 1000
    this.#countedAt = now
    this.#tokens = Math.min(this.#capacity, this.#tokens + seconds * this.#rate)
  }

  #tryTake(units: number): boolean {
    this.#count()
    if (this.#tokens < Math.min(units, this.#capacity)) return false
    this.#tokens -= units
    return true
  }

  #serve(): void {
    this.#cancel?.()
    this.#cancel = undefined
    for (;;) {
      const [first] = this.#waiting
      if (first === undefined) return
      if (!this.#tryTake(first.units)) {
        const missing = Math.min(first.units, this.#capacity) - this.#tokens
        // At least a millisecond, so that rounding can't make it spin.
        const delayMs = Math.max(1, Math.ceil((1000 * missing) / this.#rate))
        this.#cancel = this.#environment.schedule(() => this.#serve(), delayMs, { waited: true })
        return
      }
      this.#waiting.shift()
      first.resolve()
    }
  }
}
