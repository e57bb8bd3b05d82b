import { ServiceError } from 'singletable/engine'
import type { KnownHeaders } from './wire-request.ts'

const QUERY_PARAMETERS = [
  'X-Amz-Algorithm',
  'X-Amz-Credential',
  'X-Amz-Signature',
  'X-Amz-SignedHeaders',
  'X-Amz-Date',
]
const HEADER_PARAMETERS = ['Credential', 'Signature', 'SignedHeaders']

/**
 * Refuses a request that is not signed at all or only in part, with AWS's messages. Whether the
 * signature is right is another matter: see `verifySignature`.
 */
export function checkAuthentication(url: string, headers: KnownHeaders): ServiceError | undefined {
  const { authorization } = headers
  const inQuery = url.includes('X-Amz-Algorithm') && queryOf(url).has('X-Amz-Algorithm')
  if (authorization === undefined) return inQuery ? checkQuery(url) : missingToken()
  if (inQuery) {
    return new ServiceError(
      'InvalidSignatureException',
      "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.",
    )
  }
  if (!authorization.startsWith('AWS4-')) return missingToken()
  let message = ''
  for (const name of HEADER_PARAMETERS) {
    if (!hasParameter(authorization, name)) {
      message += `Authorization header requires '${name}' parameter. `
    }
  }
  if (headers.amazonDate === undefined && headers.date === undefined) {
    message +=
      "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
  }
  return message === '' ? undefined : incomplete(`${message}Authorization=${authorization}`)
}

/** The parameters after the question mark. */
export function queryOf(url: string): URLSearchParams {
  const mark = url.indexOf('?')
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1))
}

export function incomplete(message: string): ServiceError {
  return new ServiceError('IncompleteSignatureException', message)
}

function missingToken(): ServiceError {
  return new ServiceError(
    'MissingAuthenticationTokenException',
    'Request is missing Authentication Token',
  )
}

function checkQuery(url: string): ServiceError | undefined {
  const query = queryOf(url)
  let message = ''
  for (const name of QUERY_PARAMETERS) {
    if (!query.get(name)) message += `AWS query-string parameters must include '${name}'. `
  }
  return message === ''
    ? undefined
    : incomplete(`${message}Re-examine the query-string parameters.`)
}

/** Whether `name=…` is in the header as a parameter of its own, with a value. */
function hasParameter(authorization: string, name: string): boolean {
  let at = authorization.indexOf(`${name}=`)
  while (at > 0) {
    const before = authorization[at - 1]
    if (before === ' ' || before === ',') {
      const first = authorization[at + name.length + 1]
      return first !== undefined && first !== ',' && first !== ' '
    }
    at = authorization.indexOf(`${name}=`, at + 1)
  }
  return false
}
