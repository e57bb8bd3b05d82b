interface Counter {
  count: number
  /** What the count may be too high by: it was taken over from another that had to go. */
  error: number
}

/**
 * Counts occurrences in bounded memory: of more different things than there are counters, the
 * rarest gives way to the newcomer. What occurs more often than once per number of counters always
 * has one. (Metwally, Agrawal, El Abbadi: Efficient computation of frequent and top-k elements.)
 */
export class FrequentCounts {
  readonly #countersMax: number
  readonly #counters = new Map<string, Counter>()

  constructor(countersMax: number) {
    this.#countersMax = countersMax
  }

  add(id: string): void {
    const counter = this.#counters.get(id)
    if (counter) counter.count++
    else {
      const error = this.#makeRoom()
      this.#counters.set(id, { count: error + 1, error })
    }
  }

  /** How often it occurred at least. */
  atLeast(id: string): number {
    const counter = this.#counters.get(id)
    return counter ? counter.count - counter.error : 0
  }

  ids(): Iterable<string> {
    return this.#counters.keys()
  }

  /** Gives the count of the counter that had to go, or nothing if none had to. */
  #makeRoom(): number {
    if (this.#counters.size < this.#countersMax) return 0
    let rarest = ''
    let least = Number.POSITIVE_INFINITY
    for (const [id, { count }] of this.#counters) {
      if (count < least) {
        rarest = id
        least = count
      }
    }
    this.#counters.delete(rarest)
    return least
  }
}
