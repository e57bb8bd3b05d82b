import type { Socket } from 'node:net'

/**
 * Keeps the number of connections within a limit without letting idle or slow clients lock others
 * out: for a connection too many the one is closed that has been waiting longest for its client.
 * Connections whose requests are being answered are left alone.
 */
export class WaitingSockets {
  readonly #max: number
  /** In the order in which they began to wait. */
  readonly #waiting = new Set<Socket>()
  readonly #open = new Set<Socket>()
  #ending = false

  constructor(max: number) {
    this.#max = max
  }

  /** Whether `end` has been called. */
  get ending(): boolean {
    return this.#ending
  }

  add(socket: Socket): void {
    this.#open.add(socket)
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#waiting.delete(socket)
    })
    if (this.#open.size > this.#max) {
      const [longest = socket] = this.#waiting
      this.#waiting.delete(longest)
      longest.destroy()
      if (longest === socket) return
    }
    this.#waiting.add(socket)
  }

  /** A whole request has come. */
  busy(socket: Socket): void {
    this.#waiting.delete(socket)
  }

  /** The request has been answered. */
  wait(socket: Socket): void {
    if (!socket.destroyed) this.#waiting.add(socket)
  }

  /** Closes all that wait, once what has been written to them is sent. Those that are busy say
   * goodbye with their answers. */
  end(): void {
    this.#ending = true
    for (const socket of this.#waiting) socket.destroySoon()
  }

  /** Closes all there are, at once. */
  destroy(): void {
    for (const socket of this.#open) socket.destroy()
  }
}
