/** A request as it came off the socket. */
export interface WireRequest {
  readonly method: string
  /** Path and query, as they are in the request line. */
  readonly url: string
  /** Names and values in turn, spelt and ordered as they came. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** An answer, ready to be sent, with what a log may say of it. */
export interface WireResponse {
  readonly statusCode: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
  /** In one piece, or in several of a large answer. */
  readonly body: Buffer | string | readonly Buffer[]
  /** The size of the body as it is sent. */
  readonly bodyBytes: number
  readonly requestId: string
  readonly operation?: string | undefined
  /** The tables that the request names. */
  readonly tables?: readonly string[] | undefined
  /** The name of the exception, when there is one. */
  readonly errorName?: string | undefined
}

/** What the server looks at among a request's headers. */
export interface KnownHeaders {
  /** How many headers `Host` there are. */
  hosts: number
  host: string | undefined
  origin: string | undefined
  fetchSite: string | undefined
  target: string | undefined
  contentType: string | undefined
  contentEncoding: string | undefined
  contentLength: string | undefined
  transferEncoding: string | undefined
  connection: string | undefined
  expect: string | undefined
  acceptEncoding: string | undefined
  authorization: string | undefined
  date: string | undefined
  amazonDate: string | undefined
}

/** Picks the known headers in one walk, and sees when one came twice. */
export function readHeaders(headers: readonly string[]): KnownHeaders {
  const known: KnownHeaders = {
    hosts: 0,
    host: undefined,
    origin: undefined,
    fetchSite: undefined,
    target: undefined,
    contentType: undefined,
    contentEncoding: undefined,
    contentLength: undefined,
    transferEncoding: undefined,
    connection: undefined,
    expect: undefined,
    acceptEncoding: undefined,
    authorization: undefined,
    date: undefined,
    amazonDate: undefined,
  }
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? ''
    const value = headers[at + 1] ?? ''
    switch (name.length) {
      case 4:
        if (same(name, 'host')) {
          known.hosts++
          known.host ??= value
        } else if (same(name, 'date')) known.date ??= value
        break
      case 6:
        if (same(name, 'origin')) known.origin = joined(known.origin, value)
        else if (same(name, 'expect')) known.expect = joined(known.expect, value)
        break
      case 10:
        if (same(name, 'x-amz-date')) known.amazonDate ??= value
        else if (same(name, 'connection')) known.connection = joined(known.connection, value)
        break
      case 12:
        if (same(name, 'x-amz-target')) known.target = joined(known.target, value)
        else if (same(name, 'content-type')) known.contentType ??= value
        break
      case 13:
        if (same(name, 'authorization')) known.authorization ??= value
        break
      case 14:
        if (same(name, 'content-length')) {
          known.contentLength = joined(known.contentLength, value)
        } else if (same(name, 'sec-fetch-site')) known.fetchSite = joined(known.fetchSite, value)
        break
      case 15:
        // AWS looks at the first one alone.
        if (same(name, 'accept-encoding')) known.acceptEncoding ??= value
        break
      case 16:
        if (same(name, 'content-encoding')) {
          known.contentEncoding = joined(known.contentEncoding, value)
        }
        break
      case 17:
        if (same(name, 'transfer-encoding')) {
          known.transferEncoding = joined(known.transferEncoding, value)
        }
        break
    }
  }
  return known
}

/** All values of one header, by its name in small letters. */
export function headerValues(headers: readonly string[], lowerCase: string): readonly string[] {
  const values: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    if (same(headers[at] ?? '', lowerCase)) values.push(headers[at + 1] ?? '')
  }
  return values
}

/** Compares a name of a header, whose characters are those of tokens, without making another
 * string. */
function same(name: string, lowerCase: string): boolean {
  if (name.length !== lowerCase.length) return false
  for (let at = 0; at < lowerCase.length; at++) {
    const code = lowerCase.charCodeAt(at)
    const given = name.charCodeAt(at)
    if (given !== code && (given < 0x41 || given > 0x5a || (given | 0x20) !== code)) return false
  }
  return true
}

/** Two headers of one name become a value that is on no list, so the request is refused instead of
 * one of them being believed. */
function joined(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`
}
