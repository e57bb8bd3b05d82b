import type { ServiceError } from '../wire/service-error.ts'
import type { Answer } from './exchange.ts'

/** Errors that a wrong clock can cause; wrong keys cause some of them as well. */
const TIME_ERRORS =
  /^(InvalidSignature|SignatureDoesNotMatch|RequestExpired|RequestInTheFuture|RequestTimeTooSkewed|AuthFailure)/
/** AWS accepts signatures some minutes old; an answer's own time says no more than about a
 * second. */
const OFFSET_MS_MIN = 60_000

/**
 * What to add to the clock, if it is why the service refused a signature. The answer's `Date` says
 * what time the service has. It is compared with what was added for this very signature: another
 * request may have set the clock since.
 */
export function clockOffset(
  { name }: ServiceError,
  { headers }: Answer<unknown>,
  { now, signedOffsetMs }: { readonly now: number; readonly signedOffsetMs: number },
): number | undefined {
  // An answer with an age comes from a cache, and its date is old.
  if (!TIME_ERRORS.test(name) || headers.age !== undefined) return undefined
  const offset = Date.parse(String(headers.date)) - now
  return Math.abs(offset - signedOffsetMs) >= OFFSET_MS_MIN ? offset : undefined
}
