import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type OperationName, ServiceError, type Transport } from 'singletable/tools'

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
    // As many as there are requests at a time.
    if (signal) setMaxListeners(0, signal)
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

  /**
   * The transport, which asks every answer what it consumed, waits until that fits into the rate,
   * and halves the rate when it is refused something.
   */
  around(transport: Transport): Transport {
    const once = transport.singleAttempt ?? transport
    return {
      send: async (operation, request, options) => {
        const asked = METERED.has(operation)
          ? { ...request, ReturnConsumedCapacity: 'TOTAL' }
          : request
        try {
          const response = await once.send(operation, asked, options)
          await this.spend(unitsOf(response))
          return response
        } catch (error) {
          if (isThrottled(error)) this.#unitsPerSecond = Math.max(1, this.#unitsPerSecond / 2)
          throw error
        }
      },
    }
  }
}

/** The operations that say what they consume. */
const METERED: ReadonlySet<OperationName> = new Set<OperationName>([
  'GetItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'Query',
  'Scan',
  'BatchGetItem',
  'BatchWriteItem',
  'TransactGetItems',
  'TransactWriteItems',
])

interface Consumed {
  readonly CapacityUnits?: number
}

function unitsOf(response: object): number {
  const { ConsumedCapacity: consumed = [] } = response as {
    readonly ConsumedCapacity?: Consumed | readonly Consumed[]
  }
  return [consumed].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0)
}

function isThrottled(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code)
  return [error.name, ...codes].some((name) => THROTTLED.test(name ?? ''))
}
