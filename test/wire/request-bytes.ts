import fc from 'fast-check'
import { requestBytes } from './wire-case.ts'

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`
const asChunks = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }

/** Requests of all forms that are right. */
export const VALID_REQUESTS: readonly Buffer[] = [
  requestBytes(),
  requestBytes({ body: '{"ExclusiveStartTableName":"zzzz","a":"ä€😀"}' }),
  requestBytes({ method: 'GET', body: '', headers: { 'Content-Length': undefined } }),
  requestBytes({ method: 'HEAD', body: '', headers: { 'Content-Length': undefined } }),
  requestBytes({ method: 'PUT', path: '/x?y=z' }),
  requestBytes({ path: 'http://localhost/' }),
  requestBytes({ headers: { Host: 'evil.example' } }),
  requestBytes({ body: '{' }),
  requestBytes({ headers: { 'X-Empty': '', 'X-Blanks': ' \t a b \t ' } }),
  requestBytes({ headers: { Expect: '100-continue' } }),
  requestBytes({ headers: asChunks, body: `${chunk('{"Limit"')}${chunk(':5}')}0\r\n\r\n` }),
  requestBytes({
    headers: asChunks,
    body: `2;a="b"\r\n{}\r\n0;c\r\nX-Trailer: a\r\nY: \r\n\r\n`,
  }),
  Buffer.concat([Buffer.from('\r\n'), requestBytes()]),
]

/** One of them, or several one after the other. */
export const validRequests: fc.Arbitrary<Buffer> = fc
  .array(fc.constantFrom(...VALID_REQUESTS), { minLength: 1, maxLength: 4 })
  .map((requests) => Buffer.concat(requests))

/** Lines that say something about bodies, or break the rules of lines. */
const LINES: readonly string[] = [
  ...['Content-Length: 5', 'Content-Length: 0', 'Content-Length: 34', 'Content-Length:'],
  ...['Content-Length: +5', 'Content-Length: 5, 5', 'Content-Length : 34', 'content-length: 034'],
  ...['Transfer-Encoding: chunked', 'transfer-encoding: CHUNKED', 'Transfer-Encoding: identity'],
  ...['Transfer-Encoding: chunked, chunked', 'Transfer-Encoding: gzip, chunked'],
  ...['Transfer-Encoding : chunked', 'Transfer-Encoding: \x0bchunked', 'Transfer-Encoding:'],
  ...[' folded', '\tfolded', 'no colon', ': no name', 'X\0: y', 'X: y\0', 'X: \r', 'X: a\nY: b'],
  ...['Connection: close', 'Connection: keep-alive', 'Expect: 100-continue', 'Upgrade: h2c'],
  ...['Host: localhost', 'GET / HTTP/1.1', '', '0', '5', 'abcde'],
]

/** What mistakes and attacks are made of. */
const SHRAPNEL: readonly string[] = [
  ...['\r', '\n', '\r\n', '\r\n\r\n', '\n\n', '\r\r\n', '\0', '\t', ' ', '\x0b', '\x0c', '\x7f'],
  ...['\x80', '\xff', '\xa0', '\x85', ':', ';', ',', '"', '+', '-', '0x', '0', '5', 'f', '#', '?'],
  ...['chunked', 'Chunked', ', chunked', 'identity', 'gzip', 'close', 'keep-alive', '*', '//'],
  ...[
    'Content-Length: 5\r\n',
    'Content-Length:\r\n',
    'Content-Length: +5\r\n',
    '99999999999999999',
  ],
  ...['Transfer-Encoding: chunked\r\n', 'Transfer-Encoding: x\r\n', 'Transfer-Encoding:\r\n'],
  ...[' folded\r\n', '\tfolded\r\n', 'Host: evil.example\r\n', 'Expect: x\r\n', 'X Y: z\r\n'],
  ...['Connection: close\r\n', 'Connection: upgrade\r\nUpgrade: h2c\r\n', 'FFFFFFFFFFFFFFFF'],
  ...['0\r\n\r\n', '5\r\nabcde\r\n', 'HTTP/1.0', 'HTTP/1.1', ' HTTP/1.1', 'GET / HTTP/1.1\r\n'],
]

const mutation = fc.record({
  kind: fc.constantFrom('line', 'line', 'insert', 'replace', 'delete', 'double', 'cut'),
  /** Where, as a part of the whole; the head, which comes first, is hit as often as the rest. */
  place: fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 0.2, noNaN: true }),
  ),
  length: fc.integer({ min: 1, max: 30 }),
  line: fc.constantFrom(...LINES),
  text: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...SHRAPNEL) },
    fc
      .uint8Array({ minLength: 1, maxLength: 6 })
      .map((bytes) => Buffer.from(bytes).toString('latin1')),
  ),
})

/** Requests that mistakes have been made in. */
export const mutatedRequests: fc.Arbitrary<Buffer> = fc
  .tuple(validRequests, fc.array(mutation, { minLength: 1, maxLength: 4 }))
  .map(([requests, mutations]) => {
    let text = requests.toString('latin1')
    for (const { kind, place, length, line, text: shrapnel } of mutations) {
      const at = Math.floor(place * text.length)
      const before = text.slice(0, at)
      if (kind === 'line') {
        const lineEnd = text.indexOf('\r\n', at)
        if (lineEnd >= 0) text = `${text.slice(0, lineEnd)}\r\n${line}${text.slice(lineEnd)}`
      } else if (kind === 'insert') text = before + shrapnel + text.slice(at)
      else if (kind === 'replace') text = before + shrapnel + text.slice(at + shrapnel.length)
      else if (kind === 'delete') text = before + text.slice(at + length)
      else if (kind === 'double') text = text.slice(0, at + length) + text.slice(at)
      else if (at > 0) text = before
    }
    return Buffer.from(text, 'latin1')
  })

/** Places to cut bytes at, as parts of the whole. */
export const cuts: fc.Arbitrary<number[]> = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
  maxLength: 12,
})

export function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => Math.floor(place * bytes.length)), bytes.length]
  ends.sort((left, right) => left - right)
  return ends
    .map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end))
    .filter((part) => part.length > 0)
}
