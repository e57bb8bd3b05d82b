import type { ErrorCode } from '../errors/codes.ts'
import { PlanError } from '../errors/plan-error.ts'
import type { Reference } from './reference.ts'

/**
 * DynamoDB compares strings as they are stored, so that only a key in lower case can ignore case.
 */
export function refuseIgnoreCase(name: string, where: string): never {
  return refusePlan(
    'PLAN_INVALID',
    where,
    `op.ignoreCase() of "${name}" needs a key that has \${${name}:lower}, outside of or() and not(), and no key here has it.`,
    `query an index whose key has \${${name}:lower}; or compare it as it is stored, with op.eq()`,
  )
}

/** What is computed when items are read is nothing that DynamoDB could look at. */
export function refuseUnstored(reference: Reference | undefined, where: string): void {
  if (!reference?.codec.unstored) return
  refusePlan(
    'PLAN_INVALID',
    where,
    `"${reference.name}" is computed and not stored, so only a key that contains it can answer this, and no key here does.`,
    'compare it with op.eq() outside of or() and not() in an index whose key has it, ask for what it is computed from, or store it: leave out stored: false',
  )
}

/** Throws that a call can't be carried out as it was put. */
export function refusePlan(
  code: ErrorCode,
  where: string,
  what: string,
  fix: string,
  tried?: readonly string[],
): never {
  throw new PlanError(code, { what, where, tried: tried?.join(' · '), fix })
}
