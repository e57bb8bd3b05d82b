/** What is looked at once in a while. */
export interface Watched {
  /** Acts if something has taken too long. `now` only ever grows. */
  look(now: number): void
}

/** One timer for all connections: setting one for each request would cost more than the request's
 * head. */
export class ConnectionTimeouts {
  readonly #intervalMs: number
  readonly #watched = new Set<Watched>()
  #timer: NodeJS.Timeout | undefined

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs
  }

  add(watched: Watched): void {
    this.#watched.add(watched)
    this.#timer ??= setInterval(() => this.#look(), this.#intervalMs).unref()
  }

  delete(watched: Watched): void {
    this.#watched.delete(watched)
  }

  #look(): void {
    if (this.#watched.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    const now = performance.now()
    for (const watched of this.#watched) watched.look(now)
  }
}
