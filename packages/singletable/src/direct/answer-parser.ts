import { ANSWER_BYTES_MAX, type Answer, answerTooLong } from './exchange.ts'

/** A whole answer, and whether another request may follow on its connection. */
export interface ParsedAnswer {
  readonly answer: Answer
  readonly isReusable: boolean
}

/** Reads the bytes of a connection as answers, each to one request. */
export interface AnswerParser {
  /** Takes what came next; gives the answer when it is complete. Throws if it is not HTTP. */
  push(chunk: Buffer): ParsedAnswer | undefined
  /** The connection ended: the answer, if that marks its end. */
  end(): ParsedAnswer | undefined
}

interface Head {
  readonly status: number
  readonly headers: Record<string, string>
  readonly isReusable: boolean
}

const HEAD_BYTES_MAX = 64 * 1024
const LINE_BYTES_MAX = 16 * 1024
const HEAD_END = Buffer.from('\r\n\r\n')
const LINE_END = Buffer.from('\r\n')
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9][0-9]{2})(?: |$)/
/** A name, a colon, and a value with blanks around it. Folded lines are long forbidden. */
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/
const EMPTY: Buffer = Buffer.alloc(0)

/**
 * HTTP/1.1 as far as an answer to a POST or GET needs it: bodies by `content-length`, in chunks, or
 * up to the end of the connection, and interim answers before the real one. What can be read in two
 * ways is refused or makes the connection unusable for more.
 */
export function createAnswerParser(): AnswerParser {
  let pending = EMPTY
  let head: Head | undefined
  /** Bytes of the body, or of its current chunk, that are still to come; Infinity up to the end of
   * the connection. */
  let missing = 0
  let chunked: 'no' | 'size' | 'data' | 'data end' | 'trailers' = 'no'
  let body: Buffer[] = []
  let bodySize = 0

  const complete = (rest: Buffer): ParsedAnswer | undefined => {
    if (head === undefined) return undefined
    const { status, headers, isReusable } = head
    const [first] = body
    const whole = body.length === 1 && first !== undefined ? first : Buffer.concat(body)
    head = undefined
    pending = EMPTY
    body = []
    bodySize = 0
    chunked = 'no'
    // Nothing was asked for that could follow, so what does belongs to nobody.
    return { answer: { status, headers, body: whole }, isReusable: isReusable && rest.length === 0 }
  }

  const take = (bytes: Buffer): void => {
    bodySize += bytes.length
    if (bodySize > ANSWER_BYTES_MAX) throw answerTooLong()
    if (bytes.length > 0) body.push(bytes)
  }

  /** Reads heads until the one of the real answer; gives what follows it. */
  const readHead = (input: Buffer): Buffer | undefined => {
    let rest = input
    while (head === undefined) {
      const end = rest.indexOf(HEAD_END)
      if (end === -1 || end > HEAD_BYTES_MAX) {
        if (rest.length > HEAD_BYTES_MAX) throw new Error('The head of the answer is too long.')
        pending = rest
        return undefined
      }
      const parsed = parseHead(rest.toString('latin1', 0, end))
      rest = rest.subarray(end + HEAD_END.length)
      // An interim answer has no body and is followed by another.
      if (parsed.status >= 200) head = parsed
      else if (parsed.status === 101) throw new Error('The answer changes the protocol.')
    }
    startBody(head)
    return rest
  }

  const startBody = ({ status, headers }: Head): void => {
    const coding = headers['transfer-encoding']
    const length = headers['content-length']
    if (coding !== undefined) {
      if (coding.toLowerCase() !== 'chunked') throw new Error('The answer has an unknown coding.')
      chunked = 'size'
    } else if (status === 204 || status === 304) missing = 0
    else if (length === undefined) missing = Number.POSITIVE_INFINITY
    else {
      if (!/^[0-9]{1,15}$/.test(length))
        throw new Error('The length of the answer is not a number.')
      missing = Number(length)
      if (missing > ANSWER_BYTES_MAX) throw answerTooLong()
    }
  }

  /** Reads a line at the start; `undefined` if its end has not come yet. */
  const readLine = (input: Buffer): { line: string; rest: Buffer } | undefined => {
    const end = input.indexOf(LINE_END)
    if (end > LINE_BYTES_MAX || (end === -1 && input.length > LINE_BYTES_MAX)) {
      throw new Error('A line between the chunks of the answer is too long.')
    }
    if (end === -1) {
      pending = input
      return undefined
    }
    return { line: input.toString('latin1', 0, end), rest: input.subarray(end + LINE_END.length) }
  }

  const readChunks = (input: Buffer): ParsedAnswer | undefined => {
    let rest = input
    for (;;) {
      if (chunked === 'data') {
        const part = rest.subarray(0, missing)
        take(part)
        missing -= part.length
        rest = rest.subarray(part.length)
        if (missing > 0) return undefined
        chunked = 'data end'
      }
      const read = readLine(rest)
      if (read === undefined) return undefined
      rest = read.rest
      if (chunked === 'data end') {
        if (read.line !== '') throw new Error('A chunk of the answer is longer than it says.')
        chunked = 'size'
      } else if (chunked === 'trailers') {
        if (read.line === '') return complete(rest)
        bodySize += read.line.length
        if (bodySize > ANSWER_BYTES_MAX) throw answerTooLong()
      } else {
        const size = /^([0-9a-fA-F]{1,8})[ \t]*(?:;.*)?$/.exec(read.line)
        if (size === null) throw new Error('The size of a chunk of the answer is not a number.')
        missing = Number.parseInt(size[1] ?? '', 16)
        chunked = missing === 0 ? 'trailers' : 'data'
      }
    }
  }

  return {
    push(chunk) {
      let rest: Buffer | undefined = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      pending = EMPTY
      if (head === undefined) rest = readHead(rest)
      if (rest === undefined) return undefined
      if (chunked !== 'no') return readChunks(rest)
      const part = rest.subarray(0, missing)
      take(part)
      missing -= part.length
      return missing === 0 ? complete(rest.subarray(part.length)) : undefined
    },
    end() {
      return head !== undefined && missing === Number.POSITIVE_INFINITY
        ? complete(EMPTY)
        : undefined
    },
  }
}

function parseHead(text: string): Head {
  const [statusLine = '', ...lines] = text.split('\r\n')
  const status = STATUS_LINE.exec(statusLine)
  if (status === null) throw new Error('The answer is not HTTP/1.')
  // Names are the other side's; without a prototype none of them means anything else.
  const headers: Record<string, string> = Object.create(null)
  for (const line of lines) {
    const parts = HEADER_LINE.exec(line)
    if (parts === null) throw new Error('The head of the answer has a broken line.')
    const name = (parts[1] ?? '').toLowerCase()
    const value = parts[2] ?? ''
    const before = headers[name]
    if (before === undefined) headers[name] = value
    else if (name === 'content-length') {
      if (before !== value) throw new Error('The answer has two lengths.')
    } else headers[name] = `${before}, ${value}`
  }
  const connection = headers.connection?.toLowerCase() ?? ''
  const isReusable =
    status[1] === '1' ? !/\bclose\b/.test(connection) : /\bkeep-alive\b/.test(connection)
  const isDelimited =
    headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  const isAmbiguous =
    headers['content-length'] !== undefined && headers['transfer-encoding'] !== undefined
  return {
    status: Number(status[2]),
    headers,
    isReusable: isReusable && isDelimited && !isAmbiguous,
  }
}
