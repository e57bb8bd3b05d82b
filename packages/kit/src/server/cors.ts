import type { Guard } from './guard.ts'
import { plain } from './handle-request.ts'
import type { WireRequest, WireResponse } from './wire-request.ts'

/** What the AWS SDK sends from a browser. A fixed list: the headers that a page asks for are never
 * echoed. */
const ALLOWED_HEADERS = [
  'authorization',
  'content-encoding',
  'content-type',
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-security-token',
  'x-amz-target',
  'x-amz-user-agent',
  'amz-sdk-invocation-id',
  'amz-sdk-request',
].join(', ')
const MAX_AGE_SECONDS = '172800'

/** Headers that let a page of a listed origin read the answer. `Vary` keeps caches from giving it
 * to another. */
export function corsHeaders(guard: Guard, origin: string | undefined): readonly string[] {
  if (origin === undefined || !guard.origins.has(origin)) return ['Vary', 'Origin']
  return [
    'Vary',
    'Origin',
    'Access-Control-Allow-Origin',
    origin,
    'Access-Control-Expose-Headers',
    'x-amzn-RequestId, x-amz-crc32',
  ]
}

/** The answer to a browser that asks whether a page of a listed origin may send its request. */
export function answerPreflight(request: Pick<WireRequest, 'headers'>): WireResponse {
  const response = plain(200, '', undefined)
  const headers = [
    ...response.headers,
    'Access-Control-Allow-Methods',
    'POST',
    'Access-Control-Allow-Headers',
    ALLOWED_HEADERS,
    'Access-Control-Max-Age',
    MAX_AGE_SECONDS,
  ]
  const asksForPrivateNetwork = request.headers.some(
    (name, at) => at % 2 === 0 && name.toLowerCase() === 'access-control-request-private-network',
  )
  if (asksForPrivateNetwork) headers.push('Access-Control-Allow-Private-Network', 'true')
  return { ...response, headers }
}
