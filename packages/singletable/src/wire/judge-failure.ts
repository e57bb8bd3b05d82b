import type { ErrorCode } from '../errors/codes.ts'
import { SingletableError } from '../errors/singletable-error.ts'
import { NoAnswerError } from './no-answer-error.ts'
import { ServiceError } from './service-error.ts'

/**
 * What a failure says about the request. `refused`: it was not carried out and may be sent again.
 * `ambiguous`: it may have been carried out. `answer`: it was answered, and sending it again would
 * get the same answer. `ours`: an error that already is for the caller.
 */
export type Verdict = 'refused' | 'ambiguous' | 'answer' | 'ours'

/** AWS's errors by name; those that begin or end so share one meaning, and have the code and the
 * advice of our error for them. */
export const FAILURES: readonly (readonly [RegExp, Verdict, ErrorCode?, string?])[] = [
  [
    /^(ProvisionedThroughput|RequestLimit)Exceeded|^Throttling/,
    'refused',
    'THROTTLED',
    'raise the capacity, spread the load over more partition keys, or raise retry.attemptsMax',
  ],
  [/^Transaction(Conflict|InProgress)|^ReplicatedWriteConflict/, 'refused'],
  [/^InternalServerError|^ServiceUnavailable/, 'ambiguous'],
  [
    /^ResourceNotFound/,
    'answer',
    'TABLE_NOT_FOUND',
    'check name, region and account, or make the table with table.create()',
  ],
  [
    /^ItemCollectionSizeLimit/,
    'answer',
    'ITEM_COLLECTION_FULL',
    'spread the items over more partition keys: with a local index each holds 10 GB',
  ],
  [
    /Credentials/,
    'answer',
    'ACCESS_DENIED',
    "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE after signing in, or give the client credentials; a local server takes any, as in credentials: { accessKeyId: 'x', secretAccessKey: 'x' }",
  ],
  [
    /AccessDenied|UnrecognizedClient|ExpiredToken|(Invalid|Incomplete)Signature|MissingAuthentication|AuthFailure/,
    'answer',
    'ACCESS_DENIED',
    'check the credentials and what they allow',
  ],
  [
    /^IdempotentParameterMismatch/,
    'answer',
    'REQUEST_REFUSED',
    'use another token for another request',
  ],
  [
    /^ResourceInUse/,
    'answer',
    'REQUEST_REFUSED',
    'use the table that exists, or wait until it is active',
  ],
  [
    /^LimitExceeded/,
    'answer',
    'REQUEST_REFUSED',
    'wait for other changes of tables, or ask AWS for a higher quota',
  ],
  [
    /^(Validation|Serialization|UnknownOperation)/,
    'answer',
    'REQUEST_REFUSED',
    'change what the message names; if nothing in the call explains it, please report it',
  ],
]

/** Why a transaction was cancelled, where that says nothing about its operations: others were at
 * the same items, or there was too much work. */
const PASSING = /^(None|TransactionConflict|ProvisionedThroughputExceeded|ThrottlingError)$/

export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : ''
}

/** For whoever repeats requests: what a transport's failure says about the request. */
export function judgeFailure(error: unknown): Verdict {
  // Only the call's own end is an error of ours that comes while a request is under way.
  if (SingletableError.is(error)) return error.code === 'DEADLINE_EXCEEDED' ? 'ambiguous' : 'ours'
  const name = nameOf(error)
  const known = FAILURES.find(([pattern]) => pattern.test(name))
  if (known !== undefined) return known[1]
  // Only a cancelled transaction has reasons.
  const { CancellationReasons: reasons = [] } = Object(error) as Partial<ServiceError>
  if (reasons.length > 0 && reasons.every(({ Code }) => PASSING.test(Code))) return 'refused'
  // By name as well: the engine may come from another installed copy of the package.
  if (error instanceof ServiceError || name.endsWith('Exception')) return 'answer'
  if (!(error instanceof NoAnswerError) || error.sent) return 'ambiguous'
  return error.retryable ? 'refused' : 'answer'
}
