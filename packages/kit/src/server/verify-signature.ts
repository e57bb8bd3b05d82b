import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { ServiceError } from 'singletable/engine'
import { canonicalRequest } from './canonical-request.ts'
import { incomplete } from './check-authentication.ts'
import { type ClaimedSignature, claimedSignature } from './claimed-signature.ts'
import { SIGNATURE_AGE_MAX_MS, SIGNATURE_EXPIRES_MAX_SECONDS } from './limits.ts'
import type { WireRequest } from './wire-request.ts'

/** A key pair whose signatures are believed. */
export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** When given, requests must carry it; when not, any token that a request carries is let
   * through. */
  readonly sessionToken?: string
}

export interface VerifierOptions {
  readonly credentials: readonly Credentials[]
  /** The region that signatures must be made for. */
  readonly region: string
  /** Milliseconds since 1970; default: the real clock. */
  readonly now?: () => number
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const SERVICE = 'dynamodb'
const TERMINATOR = 'aws4_request'
const MINUTE_MS = 60_000

/** Makes the check of signatures (AWS Signature Version 4, in headers or in the query) for some key
 * pairs. */
export function signatureVerifier(
  options: VerifierOptions,
): (request: WireRequest) => ServiceError | undefined {
  const now = options.now ?? Date.now
  const keyPairs = new Map(options.credentials.map((pair) => [pair.accessKeyId, pair]))
  const keyFor = signingKeys()
  return (request) => {
    const claim = claimedSignature(request)
    const parts = claim.credential.split('/')
    const [accessKeyId = '', ...scope] = parts
    if (claim.algorithm !== ALGORITHM) {
      return incomplete(`Unsupported AWS 'algorithm': '${claim.algorithm}'. `)
    }
    if (parts.length !== 5) {
      return incomplete(
        `Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '${claim.credential}'`,
      )
    }
    const time = readTime(claim.date)
    if (time === undefined) {
      return incomplete(
        `Date must be in ISO-8601 'basic format'. Got '${claim.date}'. See http://en.wikipedia.org/wiki/ISO_8601`,
      )
    }
    const problem = scopeProblem(scope, options.region, claim.date) ?? signedHeadersProblem(claim)
    if (problem !== undefined) return invalid(problem)
    const pair = keyPairs.get(accessKeyId)
    if (pair === undefined || !hasRightToken(pair, claim.token)) return unrecognized()
    const late = clockProblem(claim, time, now())
    if (late !== undefined) return invalid(late)
    const key = keyFor(pair, scope)
    const expected = sign(key, scope, claim.date, canonicalRequest(request, claim))
    return isSame(expected, claim.signature) ? undefined : invalid(DIFFERENT)
  }
}

const DIFFERENT =
  'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.'

function sign(key: Buffer, scope: readonly string[], date: string, canonical: string): string {
  const hash = createHash('sha256').update(canonical).digest('hex')
  const text = [ALGORITHM, date, scope.join('/'), hash].join('\n')
  return createHmac('sha256', key).update(text).digest('hex')
}

/** Keys are the same for a whole day, so those of the last days are kept: they take as long as all
 * else of a signature. */
function signingKeys(): (pair: Credentials, scope: readonly string[]) => Buffer {
  const known = new Map<string, Buffer>()
  return ({ accessKeyId, secretAccessKey }, scope) => {
    const name = [accessKeyId, ...scope].join('/')
    const found = known.get(name)
    if (found) return found
    if (known.size >= SIGNING_KEYS_MAX) known.clear()
    let key = Buffer.from(`AWS4${secretAccessKey}`)
    for (const part of scope) key = createHmac('sha256', key).update(part).digest()
    known.set(name, key)
    return key
  }
}

const SIGNING_KEYS_MAX = 100

/** `20261116T120000Z` in milliseconds. */
function readTime(date: string): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date)
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second] = match
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(time) ? undefined : time
}

function scopeProblem(scope: readonly string[], region: string, date: string): string | undefined {
  const [day, scopeRegion, service, terminator] = scope
  let problem = ''
  if (day !== date.slice(0, 8)) {
    problem += `Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '${day}' != '${date.slice(0, 8)}', from '${date}'. `
  }
  if (scopeRegion !== region) {
    problem += `Credential should be scoped to a valid region, not '${scopeRegion}'. `
  }
  if (service !== SERVICE)
    problem += `Credential should be scoped to correct service: '${SERVICE}'. `
  if (terminator !== TERMINATOR) {
    problem += `Credential should be scoped with a valid terminator: '${TERMINATOR}', not '${terminator}'. `
  }
  return problem === '' ? undefined : problem
}

/** What is not signed could have been changed on the way: the host, and the header that names the
 * operation. */
function signedHeadersProblem(claim: ClaimedSignature): string | undefined {
  if (!claim.signedHeaders.includes('host')) {
    return "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization."
  }
  return claim.signedHeaders.includes('x-amz-target')
    ? undefined
    : "'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization."
}

function clockProblem(claim: ClaimedSignature, time: number, now: number): string | undefined {
  const windowMs = SIGNATURE_AGE_MAX_MS
  const { expires } = claim
  if (expires !== undefined) {
    if (!/^\d{1,6}$/.test(expires) || Number(expires) > SIGNATURE_EXPIRES_MAX_SECONDS) {
      return `X-Amz-Expires must be a number of seconds from 0 to ${SIGNATURE_EXPIRES_MAX_SECONDS}.`
    }
  }
  const ageMaxMs = expires === undefined ? windowMs : Number(expires) * 1000
  const minutes = windowMs / MINUTE_MS
  if (time + ageMaxMs < now) {
    const span = expires === undefined ? `${minutes} min.` : `${expires} sec.`
    return `Signature expired: ${claim.date} is now earlier than ${basic(now - ageMaxMs)} (${basic(now)} - ${span})`
  }
  if (time - windowMs > now) {
    return `Signature not yet current: ${claim.date} is still later than ${basic(now + windowMs)} (${basic(now)} + ${minutes} min.)`
  }
  return undefined
}

/** A time as signatures spell it. */
function basic(time: number): string {
  return new Date(time).toISOString().replace(/[-:]|\.\d{3}/g, '')
}

function hasRightToken(pair: Credentials, token: string | undefined): boolean {
  return pair.sessionToken === undefined || isSame(pair.sessionToken, token ?? '')
}

/** Compares in a time that does not show how much was right. */
function isSame(expected: string, given: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(expected), digest(given))
}

function invalid(message: string): ServiceError {
  return new ServiceError('InvalidSignatureException', message)
}

function unrecognized(): ServiceError {
  return new ServiceError(
    'UnrecognizedClientException',
    'The security token included in the request is invalid.',
  )
}
