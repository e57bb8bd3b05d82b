import { setTimeout as pause } from 'node:timers/promises'

/** Keeps what is consumed below a rate. Without a rate it only adds up. */
export class RateLimit {
  readonly #unitsPerSecond: number | undefined
  readonly #startedMs: number
  readonly #now: () => number
  #units = 0

  constructor(unitsPerSecond: number | undefined, now: () => number) {
    this.#unitsPerSecond = unitsPerSecond
    this.#now = now
    this.#startedMs = now()
  }

  get units(): number {
    return this.#units
  }

  /** Waits until these units fit into the rate since the beginning. */
  async spend(units = 0): Promise<void> {
    this.#units += units
    if (this.#unitsPerSecond === undefined) return
    const dueMs = this.#startedMs + (this.#units / this.#unitsPerSecond) * 1000
    const waitMs = dueMs - this.#now()
    if (waitMs > 0) await pause(waitMs)
  }
}
