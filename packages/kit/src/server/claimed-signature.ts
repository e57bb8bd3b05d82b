import { queryOf } from './check-authentication.ts'
import { headerValues, type WireRequest } from './wire-request.ts'

/** What a request says of its signature, believed or not. */
export interface ClaimedSignature {
  readonly form: 'header' | 'query'
  readonly algorithm: string
  /** `keyid/date/region/service/term`. */
  readonly credential: string
  /** In small letters, in the order given. */
  readonly signedHeaders: readonly string[]
  readonly signature: string
  /** In ISO 8601's basic form, unless the client sent something else. */
  readonly date: string
  /** Seconds, in the query form alone. */
  readonly expires: string | undefined
  readonly token: string | undefined
}

/** Reads the signature from the header `Authorization` or from the query, whose completeness has
 * been checked before. */
export function claimedSignature(request: WireRequest): ClaimedSignature {
  const { url, headers } = request
  const [authorization] = headerValues(headers, 'authorization')
  if (authorization === undefined) {
    const query = queryOf(url)
    return {
      form: 'query',
      algorithm: query.get('X-Amz-Algorithm') ?? '',
      credential: query.get('X-Amz-Credential') ?? '',
      signedHeaders: namesOf(query.get('X-Amz-SignedHeaders') ?? ''),
      signature: query.get('X-Amz-Signature') ?? '',
      date: query.get('X-Amz-Date') ?? '',
      expires: query.get('X-Amz-Expires') ?? undefined,
      token: query.get('X-Amz-Security-Token') ?? undefined,
    }
  }
  const end = authorization.search(/[\s,]/)
  const parameters = new Map<string, string>()
  for (const part of authorization.slice(end).split(/[\s,]+/)) {
    const equals = part.indexOf('=')
    if (equals > 0) parameters.set(part.slice(0, equals), part.slice(equals + 1))
  }
  return {
    form: 'header',
    algorithm: authorization.slice(0, end),
    credential: parameters.get('Credential') ?? '',
    signedHeaders: namesOf(parameters.get('SignedHeaders') ?? ''),
    signature: parameters.get('Signature') ?? '',
    date: dateOf(headers),
    expires: undefined,
    token: headerValues(headers, 'x-amz-security-token')[0],
  }
}

function namesOf(signedHeaders: string): readonly string[] {
  return signedHeaders.toLowerCase().split(';')
}

/** `X-Amz-Date` goes before `Date`, which may also be in the form of HTTP. */
function dateOf(headers: readonly string[]): string {
  const [amazonDate] = headerValues(headers, 'x-amz-date')
  if (amazonDate !== undefined) return amazonDate
  const [date = ''] = headerValues(headers, 'date')
  const time = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/.test(date)
    ? Date.parse(date)
    : Number.NaN
  return Number.isNaN(time) ? date : new Date(time).toISOString().replace(/[-:]|\.\d{3}/g, '')
}
