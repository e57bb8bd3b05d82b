import type { IncomingMessage, ServerResponse } from 'node:http'
import { ByteBudget } from './byte-budget.ts'
import type { ServerLimits } from './limits.ts'

/** A request whose answer has not been taken by its client yet. */
export interface OpenExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Of the request's body, taken from the budget and not yet given back. */
  bodyTakenBytes: number
  /** The same of the answer's. */
  answerTakenBytes: number
}

/**
 * The bytes that requests and answers hold. An answer holds its own until the client has taken it, so that clients which ask and
 * don't read can't fill the memory; and the connection of one that takes too long is closed, so that they can't lock others out either.
 */
export class OpenExchanges {
  readonly #bodies: ByteBudget
  readonly #answers: ByteBudget
  readonly #limits: ServerLimits
  /** Since when the answer could have been taken, as far as a look at it has found that out. */
  readonly #open = new Map<OpenExchange, number | undefined>()
  #timer: NodeJS.Timeout | undefined

  constructor(limits: ServerLimits) {
    this.#bodies = new ByteBudget(limits.bodiesInFlightMaxBytes)
    this.#answers = new ByteBudget(limits.answersInFlightMaxBytes)
    this.#limits = limits
  }

  add(exchange: OpenExchange): void {
    this.#open.set(exchange, undefined)
    this.#timer ??= setInterval(() => this.#look(), this.#limits.timeoutCheckMs).unref()
    exchange.response.on('close', () => this.#end(exchange))
  }

  /** Takes so many bytes more for the body of the request, or none and says no. */
  takeBody(exchange: OpenExchange, bytes: number): boolean {
    // One that has ended holds nothing any more, and nobody would give it back.
    if (!this.#open.has(exchange)) return true
    if (!this.#bodies.take(bytes)) return false
    exchange.bodyTakenBytes += bytes
    return true
  }

  /** Takes so many bytes for the answer, or none and says no. */
  takeAnswer(exchange: OpenExchange, bytes: number): boolean {
    if (!this.#open.has(exchange)) return true
    if (!this.#answers.take(bytes)) return false
    exchange.answerTakenBytes += bytes
    return true
  }

  #end(exchange: OpenExchange): void {
    if (!this.#open.delete(exchange)) return
    this.#bodies.give(exchange.bodyTakenBytes)
    this.#answers.give(exchange.answerTakenBytes)
  }

  #look(): void {
    if (this.#open.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    const now = performance.now()
    for (const [exchange, since] of this.#open) {
      const { request, response } = exchange
      // Node says nothing to an answer that waited behind another one when the connection ended.
      if (request.socket.destroyed) this.#end(exchange)
      else if (response.writableEnded && response.socket !== null) {
        if (since === undefined) this.#open.set(exchange, now)
        else if (now - since >= this.#limits.answerTimeoutMs) request.socket.destroy()
      }
    }
  }
}
