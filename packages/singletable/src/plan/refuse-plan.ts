import type { ErrorCode } from '../errors/codes.ts'
import { PlanError } from '../errors/plan-error.ts'

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
