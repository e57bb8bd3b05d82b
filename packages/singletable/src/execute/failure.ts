import type { ErrorCode } from '../errors/codes.ts'
import { describeCause } from '../errors/describe-cause.ts'
import { SingletableError } from '../errors/singletable-error.ts'
import { ThrottledError, TransportError } from '../errors/transport-error.ts'
import type { Update } from '../expression/tree.ts'
import { FAILURES, judgeFailure, nameOf } from '../wire/judge-failure.ts'
import type { ServiceError } from '../wire/service-error.ts'
import type { Call } from './call.ts'
import { explainRefusal } from './explain-refusal.ts'

/** Failures whose name says too little, by their text: the code of our error and what helps. */
const BY_TEXT: readonly (readonly [RegExp, ErrorCode, string])[] = [
  [
    /^The table does not have the specified index/,
    'INDEX_NOT_FOUND',
    'create the index as the schema has it, and wait until it is active; or check that this is the right table',
  ],
  [
    /size cannot exceed|length less than or equal/,
    'REQUEST_REFUSED',
    'send fewer operations, or smaller items, in one call',
  ],
  [
    /incorrect data type|^Type mismatch for attribute/,
    'REQUEST_REFUSED',
    'the stored value is of another type than the schema says: correct the item or the schema',
  ],
  [
    /key element does not match the schema|Type mismatch for (Index )?[Kk]ey/,
    'REQUEST_REFUSED',
    'the table has other keys than the schema: see npx singletable infra diff',
  ],
  [
    /^Region is missing/,
    'OPTION_INVALID',
    "give the client the region of the table, as in new DynamoDBClient({ region: 'eu-west-1' }), or set AWS_REGION",
  ],
  [
    /ECONNREFUSED/,
    'SERVICE_FAILED',
    "nothing listens at this address: start the server there, for example with npx singletable serve, or correct the client's endpoint",
  ],
  [
    /ENOTFOUND|EAI_AGAIN/,
    'SERVICE_FAILED',
    "this host name can't be resolved: correct the client's endpoint or region, or check the network",
  ],
]

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
  const [, code, help] = BY_TEXT.find(([pattern]) => pattern.test(text)) ?? ['', known, advice]
  let what = `${name}: ${text}`
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
