/** A connection whose request has not come as a whole yet. */
export interface BodyHolder {
  /** Answers the request without its body, and gives back what it has taken. */
  giveUpBody(): void
}

/**
 * The bytes of all bodies that are being read or answered. When there are no more, the request that
 * has been coming for the longest time is given up: a client that sends slowly, or not at all,
 * can't keep the others out. Whole requests are left alone.
 */
export class BodyBudget {
  #left: number
  /** In the order in which their bodies began to come. */
  readonly #incomplete = new Set<BodyHolder>()

  constructor(bytes: number) {
    this.#left = bytes
  }

  /** Takes this many for a body that is coming, or none and says no. */
  take(bytes: number, holder: BodyHolder): boolean {
    if (!this.#makeRoom(bytes, holder)) return false
    this.#incomplete.add(holder)
    this.#left -= bytes
    return true
  }

  /** Takes this many for a request that has come. */
  takeForWhole(bytes: number, holder: BodyHolder): boolean {
    if (!this.#makeRoom(bytes, holder)) return false
    this.#left -= bytes
    return true
  }

  /** The whole body has come, or no more of it is kept. */
  complete(holder: BodyHolder): void {
    this.#incomplete.delete(holder)
  }

  give(bytes: number): void {
    this.#left += bytes
  }

  #makeRoom(bytes: number, holder: BodyHolder): boolean {
    for (const oldest of this.#incomplete) {
      if (bytes <= this.#left) return true
      if (oldest === holder) continue
      this.#incomplete.delete(oldest)
      oldest.giveUpBody()
    }
    return bytes <= this.#left
  }
}
