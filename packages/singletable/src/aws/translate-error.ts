import { NoAnswerError } from '../wire/no-answer-error.ts'
import { ServiceError, type ServiceErrorMembers } from '../wire/service-error.ts'
import type { Sdk } from './load-sdk.ts'

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

/** Names of what is thrown before a connection stands: the host is not found, refuses, or can't prove who it is. */
const UNCONNECTED_CODES =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UNABLE_TO_.*|.*CERT.*)$/

/** What a transport throws for what the SDK threw. `sent` says whether the request had been handed over to be sent. */
export function translateError(
  thrown: unknown,
  { sdk, sent, toWire }: { sdk: Sdk; sent: boolean; toWire: (value: unknown) => unknown },
): ServiceError | NoAnswerError {
  // Any object may be thrown; all members are optional, and only compared or passed on.
  const error = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as SdkError
  const status = error.$metadata?.httpStatusCode ?? 0
  if (error.$fault === undefined && status < 300) {
    if (!sent && error.tryNextLink !== undefined) return credentialsError(error)
    const unconnected =
      error.syscall === 'connect' || UNCONNECTED_CODES.test(String(error.code ?? ''))
    return new NoAnswerError({ sent: sent && !unconnected, retryable: sent, cause: thrown })
  }
  // A service that answered before our request was sent is one that gives out credentials.
  if (!sent) return credentialsError(error)
  const members = {
    Item: toWire(error.Item),
    CancellationReasons: toWire(error.CancellationReasons),
    ThrottlingReasons: error.ThrottlingReasons ?? error.throttlingReasons,
  }
  // These are the service's own members in the shapes of the wire.
  return serviceError(nameOf(error, status, sdk), error, members as ServiceErrorMembers)
}

function nameOf(error: SdkError, status: number, sdk: Sdk): string {
  const name = error.name ?? 'UnknownError'
  if (status < 500 || sdk.knows(name)) return name
  return status === 500 ? 'InternalServerError' : 'ServiceUnavailable'
}

function credentialsError(error: SdkError): ServiceError {
  return serviceError('CredentialsProviderError', error)
}

function serviceError(name: string, cause: SdkError, members?: ServiceErrorMembers): ServiceError {
  const error = new ServiceError(name, cause.message ?? '', members)
  error.cause = cause
  return error
}
