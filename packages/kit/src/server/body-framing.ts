import type { RequestHead } from './parse-head.ts'
import type { KnownHeaders } from './wire-request.ts'

/** How the end of a body is found: after this many bytes, or by its chunks. */
export type BodyFraming = number | 'chunked'

/** More digits would not fit a number exactly. */
const LENGTH_MAX_DIGITS = 15

/**
 * Says how long a request's body is, or `undefined` when that could be read in two ways: then
 * somebody before or after us might read it the other way, and take the end of one request for the
 * beginning of the next.
 */
export function bodyFraming(
  version: RequestHead['version'],
  known: KnownHeaders,
): BodyFraming | undefined {
  const { contentLength, transferEncoding } = known
  if (transferEncoding !== undefined) {
    if (contentLength !== undefined || version === '1.0') return undefined
    return transferEncoding.toLowerCase() === 'chunked' ? 'chunked' : undefined
  }
  if (contentLength === undefined) return 0
  return isDigits(contentLength) ? Number(contentLength) : undefined
}

/** Two headers are a list by now, which is none. */
function isDigits(text: string): boolean {
  if (text.length === 0 || text.length > LENGTH_MAX_DIGITS) return false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x30 || code > 0x39) return false
  }
  return true
}
