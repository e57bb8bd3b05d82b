import { type Environment, systemEnvironment } from '../values/environment.ts'
import { type Duration, durationMs } from './duration.ts'

export interface FromOptions {
  /** Where the time begins: now unless given. */
  readonly from?: Date | undefined
  /** The clock, for tests that control it. */
  readonly environment?: Pick<Environment, 'now'> | undefined
}

/**
 * The time in so long, for a time-to-live attribute that is a Date.
 *
 * @example
 * expiresIn('7d', { from: new Date('2026-01-01') }) // => new Date('2026-01-08')
 */
export function expiresIn(duration: Duration, options: FromOptions = {}): Date {
  const { from, environment = systemEnvironment } = options
  return new Date((from?.getTime() ?? environment.now()) + durationMs(duration))
}

/**
 * The same as whole seconds since 1970, for a time-to-live attribute that is a Number.
 *
 * @example
 * expiresInSeconds({ hours: 1 }, { from: new Date(0) }) // => 3600
 */
export function expiresInSeconds(duration: Duration, options?: FromOptions): number {
  return epochSeconds(expiresIn(duration, options))
}

/**
 * A time as DynamoDB counts it for the time to live: whole seconds since 1970, and not
 * milliseconds.
 *
 * @example
 * epochSeconds(new Date('2026-01-01')) // => 1767225600
 */
export function epochSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}
