import { checkPositive } from '../errors/check-options.ts'
import { type Client, connect } from '../execute/connect.ts'
import { type Environment, systemEnvironment } from '../values/environment.ts'
import { aroundSend } from '../wire/around-send.ts'
import { nameOf } from '../wire/judge-failure.ts'
import type { Transport } from '../wire/transport.ts'
import { capacityKind, consumedUnits } from './consumed-units.ts'
import { TokenBucket } from './token-bucket.ts'

export interface RateOptions {
  /** Read units a second, of all calls together; no limit unless given. */
  readonly readUnits?: number | undefined
  /** Write units a second. */
  readonly writeUnits?: number | undefined
  /** Unused units of this many seconds can be used at once; default 1. */
  readonly burstSeconds?: number | undefined
  /** Clock and timers, for tests that control them. */
  readonly environment?: Environment | undefined
}

const WHERE = 'limitRate()'
const NUMBERS = ['readUnits', 'writeUnits', 'burstSeconds']

/** How much the latest request of an operation counts in the expectation of the next one. */
const LEARNING = 0.3
const THROTTLED = /^(ProvisionedThroughput|RequestLimit)Exceeded|^Throttling/

/**
 * A client whose requests together consume no more than this many units a second: they wait before
 * they are sent, in their order. DynamoDB reports what a request has consumed with its answer, so
 * each is let through at what the last ones of its operation have cost, and the difference is
 * settled afterwards. Repetitions of a table pass here as well.
 */
export function limitRate(client: Client, options: RateOptions): Transport {
  checkPositive({ where: WHERE, names: [...NUMBERS, 'environment'] }, options, NUMBERS)
  const { readUnits, writeUnits, burstSeconds = 1, environment = systemEnvironment } = options
  const bucketOf = (rate: number | undefined): TokenBucket | undefined =>
    rate === undefined ? undefined : new TokenBucket(rate, rate * burstSeconds, environment)
  const buckets = { read: bucketOf(readUnits), write: bucketOf(writeUnits) }
  const expected = new Map<string, number>()
  return aroundSend(connect(client, WHERE), async ({ operation, request, signal }, send) => {
    const kind = capacityKind(operation, request)
    if (kind === undefined) return send(request)
    const { ReturnConsumedCapacity: asked = 'NONE' } = request as {
      readonly ReturnConsumedCapacity?: string
    }
    const metered = asked === 'NONE' ? { ...request, ReturnConsumedCapacity: 'TOTAL' } : request
    const bucket = buckets[kind]
    if (bucket === undefined) return send(metered)
    const units = expected.get(operation) ?? 1
    await bucket.take(units, signal)
    try {
      const response = await send(metered)
      const consumed = consumedUnits(response)
      if (consumed !== undefined) {
        bucket.settle(units - consumed)
        expected.set(operation, units + LEARNING * (consumed - units))
      }
      return response
    } catch (error) {
      // What is refused for lack of capacity consumes none; other failures report nothing, so the
      // expectation is counted.
      if (THROTTLED.test(nameOf(error))) bucket.settle(units)
      throw error
    }
  })
}
