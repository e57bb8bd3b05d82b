import { SingletableError } from '../errors/singletable-error.ts'
import { ThrottledError, TransportError } from '../errors/transport-error.ts'
import { FAILURES, judgeFailure, nameOf } from '../wire/judge-failure.ts'
import type { ServiceError } from '../wire/service-error.ts'
import type { Call } from './call.ts'

/** Our error for a failure of the service; the two that only the caller can explain stay as they are. */
export function translateFailure(call: Call, error: unknown): unknown {
  const name = nameOf(error)
  if (SingletableError.is(error) || /^(ConditionalCheckFailed|TransactionCanceled)/.test(name)) {
    return error
  }
  const [, , code = 'SERVICE_FAILED', fix = 'try again later; the cause says more'] =
    FAILURES.find(([pattern]) => pattern.test(name)) ?? []
  let what = `${name}: ${error instanceof Error ? error.message : error}`
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
