/** Remembers the last records that were handled, so that a second delivery is seen; the oldest are
 * forgotten first. */
export class HandledRecords {
  readonly #limit: number
  // A set keeps the order of insertion.
  readonly #ids = new Set<string>()

  constructor(limit: number) {
    this.#limit = limit
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  add(id: string): void {
    this.#ids.add(id)
    for (const oldest of this.#ids) {
      if (this.#ids.size <= this.#limit) return
      this.#ids.delete(oldest)
    }
  }
}
