const NO_BYTES = Buffer.alloc(0)
const CAPACITY_MIN_BYTES = 16 * 1024

/** Collects a body. It holds no more than about twice what has come, in however small pieces that
 * was. */
export class BodyBuffer {
  #bytes: Buffer = NO_BYTES
  #length = 0
  /** Whether the bytes are our own copy, and not a piece of what came off the socket. */
  #isCopy = false

  append(input: Buffer, start: number, end: number): void {
    if (this.#length === 0 && !this.#isCopy) {
      this.#bytes = input.subarray(start, end)
    } else {
      this.#makeRoom(this.#length + end - start)
      input.copy(this.#bytes, this.#length, start, end)
    }
    this.#length += end - start
  }

  /** All that has come. */
  take(): Buffer {
    return this.#bytes.length === this.#length ? this.#bytes : this.#bytes.subarray(0, this.#length)
  }

  #makeRoom(needed: number): void {
    if (this.#isCopy && needed <= this.#bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(CAPACITY_MIN_BYTES, needed, 2 * this.#length))
    this.#bytes.copy(grown, 0, 0, this.#length)
    this.#bytes = grown
    this.#isCopy = true
  }
}
