import { describeCause } from '../errors/describe-cause.ts'
import { SingletableError } from '../errors/singletable-error.ts'
import { ThrottledError, TransportError } from '../errors/transport-error.ts'
import type { Update } from '../expression/tree.ts'
import { FAILURES, judgeFailure, nameOf } from '../wire/judge-failure.ts'
import type { ServiceError } from '../wire/service-error.ts'
import type { Call } from './call.ts'
import { explainRefusal } from './explain-refusal.ts'
import { helpByText } from './help-by-text.ts'

/** Whether only the caller can explain it, who knows what was written on which condition. */
export function isForCaller(error: unknown): boolean {
  return /^(ConditionalCheckFailed|TransactionCanceled)/.test(nameOf(error))
}

/**
 * Our error for a failure of the service; the two that only the caller can explain stay as they
 * are.
 */
export function translateFailure(
  call: Call,
  error: unknown,
  request: object,
  update?: Update,
): unknown {
  if (SingletableError.is(error) || isForCaller(error)) return error
  const name = nameOf(error)
  // DynamoDB and Node give one name to much, so that only the text says what it is.
  const text = describeCause(error)
  const [, , known = 'SERVICE_FAILED', advice = 'try again later; the cause says more'] =
    FAILURES.find(([pattern]) => pattern.test(name)) ?? []
  const [, code, help] = helpByText(text) ?? ['', known, advice]
  // The name of our own error says nothing more.
  let what = name === 'NoAnswerError' ? `${text}.` : `${name}: ${text}`
  if (code === 'SERVICE_FAILED') what = `The service gave no usable answer: ${text}`
  if (code === 'TABLE_NOT_FOUND') what = `DynamoDB found no such table. ${what}`
  const explained = code === 'REQUEST_REFUSED' && explainRefusal(text, request, update)
  const [refusal, fix] = explained || [what, help]
  what = refusal
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
