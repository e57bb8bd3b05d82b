import { createHash } from 'node:crypto'
import type { ClaimedSignature } from './claimed-signature.ts'
import { headerValues, type WireRequest } from './wire-request.ts'

/** The request in the one spelling that is signed (AWS Signature Version 4). The body enters by a
 * hash of the bytes that came. */
export function canonicalRequest(request: WireRequest, claim: ClaimedSignature): string {
  const headers = claim.signedHeaders.map(
    (name) => `${name}:${headerValues(request.headers, name).map(withoutBlanks).join(',')}\n`,
  )
  return [
    request.method,
    // The server has no other path.
    '/',
    canonicalQuery(request.url),
    headers.join(''),
    claim.signedHeaders.join(';'),
    createHash('sha256').update(request.body).digest('hex'),
  ].join('\n')
}

function withoutBlanks(value: string): string {
  return value.trim().replace(/ +/g, ' ')
}

function canonicalQuery(url: string): string {
  const mark = url.indexOf('?')
  if (mark < 0) return ''
  const pairs: [name: string, value: string][] = []
  for (const part of url.slice(mark + 1).split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = encode(decode(equals < 0 ? part : part.slice(0, equals)))
    const value = equals < 0 ? '' : encode(decode(part.slice(equals + 1)))
    if (name !== 'X-Amz-Signature') pairs.push([name, value])
  }
  pairs.sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : x > y ? 1 : 0))
  return pairs.map(([name, value]) => `${name}=${value}`).join('&')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A broken escape is signed as it is, and then does not match.
    return text
  }
}

/** As RFC 3986 says: everything is escaped but letters, digits and `-_.~`. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
