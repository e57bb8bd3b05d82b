import { NoAnswerError } from '../wire/no-answer-error.ts'
import { serviceErrorOf } from '../wire/refusal.ts'
import type { ServiceError, ServiceErrorMembers } from '../wire/service-error.ts'
import { toWireForm } from './wire-form.ts'

/** What an error of the SDK can carry; a socket's error is among them. */
export interface SdkError {
  readonly name?: string
  readonly message?: string
  readonly code?: unknown
  readonly syscall?: unknown
  /** Present on every error that a service answered. */
  readonly $fault?: string
  readonly $metadata?: { readonly httpStatusCode?: number; readonly clockSkewCorrected?: boolean }
  /** Present on errors of credential providers. */
  readonly tryNextLink?: boolean
  readonly Item?: unknown
  readonly CancellationReasons?: unknown
  readonly ThrottlingReasons?: unknown
  readonly throttlingReasons?: unknown
}

/** Names of what is thrown before there is a connection: the host is not found, refuses, or can't
 * show who it is. */
const UNCONNECTED_CODES =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UNABLE_TO_.*|.*CERT.*)$/

/** What a transport throws for what the SDK's client threw. `sent` says whether the request had
 * been handed over to be sent. */
export function translateError(thrown: unknown, sent: boolean): ServiceError | NoAnswerError {
  // Any object may be thrown; all members are optional, and only compared or passed on.
  const error = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as SdkError
  const { name = 'UnknownError', message = '' } = error
  const status = error.$metadata?.httpStatusCode ?? 0
  const isAnswer = error.$fault !== undefined || status >= 300
  // A service that answered before our request was sent is one that gives out credentials.
  if (!sent && (isAnswer || error.tryNextLink !== undefined)) {
    const refused = serviceErrorOf({ name: 'CredentialsProviderError', message }, 0)
    refused.cause = thrown
    return refused
  }
  if (!isAnswer) {
    const unconnected =
      error.syscall === 'connect' || UNCONNECTED_CODES.test(String(error.code ?? ''))
    return new NoAnswerError({ sent: sent && !unconnected, retryable: sent, cause: thrown })
  }
  // These are the service's own members; bytes and dates of a mocked client's error take the shapes
  // of the wire.
  const members = toWireForm({
    Item: error.Item,
    CancellationReasons: error.CancellationReasons,
    ThrottlingReasons: error.ThrottlingReasons ?? error.throttlingReasons,
  }) as ServiceErrorMembers
  const refused = serviceErrorOf({ name, message }, status, members)
  refused.cause = thrown
  return refused
}
