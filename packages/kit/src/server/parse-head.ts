/** Request line and headers, as they came. */
export interface RequestHead {
  readonly method: string
  /** The target of the request line: path and query, or a whole address. */
  readonly url: string
  readonly version: '1.0' | '1.1'
  /** Names and values in turn, spelt and ordered as they came, values without the blanks around
   * them. */
  readonly headers: readonly string[]
}

/** What is registered for HTTP. A method that nobody knows is garbage or another protocol. */
const METHODS: readonly string[] =
  'GET POST PUT DELETE HEAD OPTIONS PATCH TRACE CONNECT ACL BIND CHECKOUT COPY LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY PROPFIND PROPPATCH PURGE QUERY REBIND REPORT SEARCH SUBSCRIBE UNBIND UNLINK UNLOCK UNSUBSCRIBE'.split(
    ' ',
  )
const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS)
const METHOD_MAX_LENGTH = Math.max(...METHODS.map((method) => method.length))

const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const BLANK = 0x20
const COLON = 0x3a
const DELETE = 0x7f

/** Which bytes may be in a name (RFC 9110: tokens), and in a value. */
const IN_NAME: Uint8Array = new Uint8Array(256)
const IN_VALUE: Uint8Array = new Uint8Array(256)
for (let code = 0; code < 256; code++) {
  const character = String.fromCharCode(code)
  if (/[\w!#$%&'*+.^`|~-]/.test(character)) IN_NAME[code] = 1
  if ((code >= BLANK && code !== DELETE) || code === TAB) IN_VALUE[code] = 1
}

/** Whether a byte may be in the name of a header. */
export function isInName(code: number): boolean {
  return IN_NAME[code] === 1
}

/** Whether a byte may be in the value of a header. */
export function isInValue(code: number): boolean {
  return IN_VALUE[code] === 1
}

/**
 * Reads the head of a request: its bytes as latin1, without the empty line at the end. Gives
 * `undefined` for everything that HTTP/1.1 does not allow, and for what it allows servers to
 * refuse: folded lines, lines that end in LF or CR alone, blanks around names. What could be read
 * in two ways is never guessed at.
 */
export function parseHead(text: string): RequestHead | undefined {
  const found = text.indexOf('\r\n')
  const lineEnd = found < 0 ? text.length : found
  const methodEnd = text.indexOf(' ')
  const urlEnd = lineEnd - ' HTTP/1.1'.length
  if (methodEnd < 0 || methodEnd + 1 >= urlEnd || !text.startsWith(' HTTP/1.', urlEnd)) {
    return undefined
  }
  const minor = text[lineEnd - 1]
  const method = text.slice(0, methodEnd)
  const url = text.slice(methodEnd + 1, urlEnd)
  if ((minor !== '1' && minor !== '0') || !KNOWN_METHODS.has(method)) return undefined
  if (!isTarget(url, method)) return undefined
  const headers = parseHeaders(text, lineEnd + 2)
  if (headers === undefined) return undefined
  return { method, url, version: minor === '1' ? '1.1' : '1.0', headers }
}

function parseHeaders(text: string, start: number): string[] | undefined {
  const headers: string[] = []
  const { length } = text
  let at = start
  while (at < length) {
    const nameStart = at
    while (at < length && IN_NAME[text.charCodeAt(at)] === 1) at++
    if (at === nameStart || text.charCodeAt(at) !== COLON) return undefined
    const name = text.slice(nameStart, at)
    at++
    while (at < length && isBlank(text.charCodeAt(at))) at++
    const valueStart = at
    while (at < length && IN_VALUE[text.charCodeAt(at)] === 1) at++
    let valueEnd = at
    while (valueEnd > valueStart && isBlank(text.charCodeAt(valueEnd - 1))) valueEnd--
    headers.push(name, text.slice(valueStart, valueEnd))
    if (at === length) break
    if (text.charCodeAt(at) !== CARRIAGE_RETURN || text.charCodeAt(at + 1) !== LINE_FEED) {
      return undefined
    }
    at += 2
  }
  return headers
}

/**
 * Whether the beginning of a head can't become one any more, so that garbage and other protocols
 * are refused when they come and not when time is up. Bytes before `from` have been looked at.
 */
export function isHopeless(beginning: Buffer, from: number): boolean {
  const { length } = beginning
  for (let at = from; at < length; at++) {
    const code = beginning[at] ?? 0
    if (IN_VALUE[code] === 1) continue
    if (code === CARRIAGE_RETURN) {
      if (at + 1 < length && beginning[at + 1] !== LINE_FEED) return true
    } else if (code !== LINE_FEED || beginning[at - 1] !== CARRIAGE_RETURN) return true
  }
  const text = beginning.toString('latin1', 0, Math.min(length, METHOD_MAX_LENGTH + 1))
  const methodEnd = text.indexOf(' ')
  if (methodEnd >= 0) return !KNOWN_METHODS.has(text.slice(0, methodEnd))
  return !METHODS.some((method) => method.startsWith(text))
}

/** A path, a whole address of http, the star, or for CONNECT whatever it is: that is not
 * answered. */
function isTarget(url: string, method: string): boolean {
  if (url === '/') return true
  for (let at = 0; at < url.length; at++) {
    const code = url.charCodeAt(at)
    if (code <= BLANK || code >= DELETE) return false
  }
  return (
    url[0] === '/' ||
    url === '*' ||
    method === 'CONNECT' ||
    /^https?:\/\/[\w.:[\]-]+(?:[/?#]|$)/i.test(url)
  )
}

function isBlank(code: number): boolean {
  return code === BLANK || code === TAB
}
