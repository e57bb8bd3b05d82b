import type { ErrorCode } from '../errors/codes.ts'
import { SingletableError } from '../errors/singletable-error.ts'
import { ThrottledError, TransportError } from '../errors/transport-error.ts'
import { NoAnswerError } from '../wire/no-answer-error.ts'
import { ServiceError } from '../wire/service-error.ts'
import type { Call } from './call.ts'

/**
 * What a failure says about the request. `refused`: it was not carried out and may be sent again. `ambiguous`: it may have been carried out.
 * `answer`: it was answered, and sending it again would get the same answer. `ours`: an error that already is for the caller.
 */
export type Verdict = 'refused' | 'ambiguous' | 'answer' | 'ours'

const THROTTLED = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
])

const REFUSED = new Set([
  ...THROTTLED,
  'TransactionConflictException',
  'TransactionInProgressException',
  'ReplicatedWriteConflictException',
])

/** Why a transaction was cancelled, where that says nothing about its operations: others were at the same items, or too much was going on. */
const PASSING = /^(None|TransactionConflict|ProvisionedThroughputExceeded|ThrottlingError)$/

const AMBIGUOUS = new Set(['InternalServerError', 'ServiceUnavailable'])

export function judgeFailure(error: unknown): Verdict {
  if (SingletableError.is(error)) return 'ours'
  const name = error instanceof Error ? error.name : ''
  if (REFUSED.has(name)) return 'refused'
  if (AMBIGUOUS.has(name)) return 'ambiguous'
  // Only a cancelled transaction has reasons.
  const { CancellationReasons: reasons = [] } = Object(error) as Partial<ServiceError>
  if (reasons.length > 0 && reasons.every(({ Code }) => PASSING.test(Code))) return 'refused'
  // By name as well: the engine may come from another installed copy of the package.
  if (error instanceof ServiceError || name.endsWith('Exception')) return 'answer'
  if (error instanceof NoAnswerError) {
    if (error.sent) return 'ambiguous'
    return error.retryable ? 'refused' : 'answer'
  }
  return 'ambiguous'
}

/** AWS's error names with a code of their own; those that begin or end so share one. */
const CODES: readonly (readonly [RegExp, ErrorCode, string])[] = [
  [
    /^ResourceNotFound/,
    'TABLE_NOT_FOUND',
    'check the table name, the region and the account, or make the table with table.create()',
  ],
  [
    /^ItemCollectionSizeLimit/,
    'ITEM_COLLECTION_FULL',
    'with a local index the items of one partition key are held to 10 GB: spread them over more partition keys',
  ],
  [
    /AccessDenied|UnrecognizedClient|ExpiredToken|InvalidSignature|IncompleteSignature|MissingAuthentication|Credentials|AuthFailure/,
    'ACCESS_DENIED',
    'check the credentials and what they allow on this table',
  ],
  [
    /^ValidationException|^SerializationException|^ResourceInUse|^LimitExceeded|^IdempotentParameterMismatch|^UnknownOperation/,
    'REQUEST_REFUSED',
    'see the text of the cause; if the request was made by singletable alone, please report it',
  ],
]

/** Our error for a failure of the service; the two that only the caller can explain stay as they are. */
export function translateFailure(call: Call, error: unknown): unknown {
  if (SingletableError.is(error)) return error
  const name = error instanceof Error ? error.name : ''
  if (name === 'ConditionalCheckFailedException' || name === 'TransactionCanceledException') {
    return error
  }
  const text = error instanceof Error ? error.message : String(error)
  const where = call.place
  const options = { cause: error, retryable: judgeFailure(error) !== 'answer' }
  if (THROTTLED.has(name)) {
    const reasons = error instanceof ServiceError ? error.ThrottlingReasons : undefined
    const reason = reasons?.map((each) => `${each.reason} (${each.resource})`).join(', ')
    return new ThrottledError(
      'THROTTLED',
      {
        what: `DynamoDB throttled the request ${call.retries + 1} times${reason ? `: ${reason}` : ''}.`,
        where,
        fix: 'raise the capacity, or spread the load over more partition keys; retry.attemptsMax sets how often a request is sent',
      },
      options,
    )
  }
  for (const [pattern, code, fix] of CODES) {
    if (pattern.test(name)) {
      return new TransportError(code, { what: `${name}: ${text}`, where, fix }, options)
    }
  }
  return new TransportError(
    'SERVICE_FAILED',
    {
      what: `The service gave no usable answer: ${name}: ${text}`,
      where,
      fix: 'try again later; the cause says more',
    },
    options,
  )
}
