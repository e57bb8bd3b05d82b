import { SingletableError } from '../errors/singletable-error.ts'
import { ThrottledError, TransportError } from '../errors/transport-error.ts'
import { FAILURES, judgeFailure, nameOf } from '../wire/judge-failure.ts'
import type { ServiceError } from '../wire/service-error.ts'
import type { Call } from './call.ts'

const INDEX_MISSING = [
  undefined,
  undefined,
  'INDEX_NOT_FOUND',
  'create the index as the schema has it, and wait until it is active; or check that this is the table that was meant',
] as const

/** Whether only the caller can explain it, who knows what was written on which condition. */
export function isForCaller(error: unknown): boolean {
  return /^(ConditionalCheckFailed|TransactionCanceled)/.test(nameOf(error))
}

/** Our error for a failure of the service; the two that only the caller can explain stay as they are. */
export function translateFailure(call: Call, error: unknown): unknown {
  if (SingletableError.is(error) || isForCaller(error)) return error
  const name = nameOf(error)
  const message = error instanceof Error ? error.message : String(error)
  // DynamoDB gives it the name that all invalid requests have, so only its text says what it is.
  const isIndexMissing = message.startsWith('The table does not have the specified index')
  const [, , code = 'SERVICE_FAILED', fix = 'try again later; the cause says more'] = isIndexMissing
    ? INDEX_MISSING
    : (FAILURES.find(([pattern]) => pattern.test(name)) ?? [])
  let what = `${name}: ${message}`
  if (code === 'SERVICE_FAILED') what = `The service gave no usable answer: ${what}`
  const isThrottled = code === 'THROTTLED'
  if (isThrottled) {
    const { ThrottlingReasons: reasons = [] } = error as ServiceError
    const reason = reasons.map((each) => `${each.reason} (${each.resource})`).join(', ')
    what = `DynamoDB throttled the request ${call.retries + 1} times${reason && `: ${reason}`}.`
  }
  return new (isThrottled ? ThrottledError : TransportError)(
    code,
    { what, where: call.place, fix },
    { cause: error, retryable: judgeFailure(error) !== 'answer' },
  )
}
