import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAnswerParser, type ParsedAnswer } from './answer-parser.ts'
import { ANSWER_BYTES_MAX } from './exchange.ts'

function parse(...parts: readonly (string | Buffer)[]): ParsedAnswer | undefined {
  const parser = createAnswerParser()
  let parsed: ParsedAnswer | undefined
  for (const part of parts) parsed ??= parser.push(Buffer.from(part))
  return parsed
}

const shown = (parsed: ParsedAnswer | undefined): unknown =>
  parsed && {
    status: parsed.answer.status,
    headers: { ...parsed.answer.headers },
    body: parsed.answer.body.toString(),
    isReusable: parsed.isReusable,
  }

test('an answer of a known length is read', () => {
  const text = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Amzn-RequestId:  a b \r\n\r\n{}'
  expect(shown(parse(text))).toEqual({
    status: 200,
    headers: { 'content-length': '2', 'x-amzn-requestid': 'a b' },
    body: '{}',
    isReusable: true,
  })
})

test.each([
  ['with a body', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\na: b\r\n\r\nhello', 'hello'],
  ['without a body', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', ''],
  ['with no content', 'HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n', ''],
  [
    'in chunks',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n',
    'hello',
  ],
  [
    'in chunks with trailers',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n0\r\na: b\r\nc: d\r\n\r\n',
    'hello',
  ],
  [
    'after interim answers',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\na: b\r\n\r\nHTTP/1.1 200\r\ncontent-length: 2\r\n\r\n{}',
    '{}',
  ],
])('an answer %s is the same however its bytes are cut', (_, text, body) => {
  const bytes = Buffer.from(text)
  const whole = shown(parse(bytes))
  expect(whole).toMatchObject({ status: expect.any(Number), body, isReusable: true })
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(bytes.length), { maxLength: bytes.length }), (cuts) => {
      const places = [0, ...cuts.sort((one, other) => one - other), bytes.length]
      const parts = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
      expect(shown(parse(...parts))).toEqual(whole)
    }),
  )
})

test('no part of an answer is taken for the whole', () => {
  const bytes = Buffer.from(
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n',
  )
  for (let end = 0; end < bytes.length; end++) expect(parse(bytes.subarray(0, end))).toBeUndefined()
})

test('two answers on one connection are read one after the other', () => {
  const parser = createAnswerParser()
  const answer = (body: string): Buffer =>
    Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  expect(shown(parser.push(answer('one')))).toMatchObject({ body: 'one' })
  expect(shown(parser.push(answer('second')))).toMatchObject({ body: 'second' })
})

test('without a length the body goes to the end of the connection', () => {
  const parser = createAnswerParser()
  expect(parser.push(Buffer.from('HTTP/1.1 503 No\r\n\r\n<html>'))).toBeUndefined()
  expect(parser.push(Buffer.from('</html>'))).toBeUndefined()
  expect(shown(parser.end())).toMatchObject({
    status: 503,
    body: '<html></html>',
    isReusable: false,
  })
})

test('an end before the body is complete gives nothing', () => {
  const parser = createAnswerParser()
  parser.push(Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhel'))
  expect(parser.end()).toBeUndefined()
  expect(createAnswerParser().end()).toBeUndefined()
})

test.each([
  ['the other side says so', 'HTTP/1.1 200 OK\r\nConnection: Close\r\ncontent-length: 0\r\n\r\n'],
  ['it is HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n'],
  ['more follows than was asked for', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\nHTTP'],
  [
    'its length is said in two ways',
    'HTTP/1.1 200 OK\r\ncontent-length: 7\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
])('a connection is not used again if %s', (_, text) => {
  expect(parse(text)).toMatchObject({ isReusable: false })
})

test('a connection of HTTP/1.0 is used again if the other side offers it', () => {
  const text = 'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n'
  expect(parse(text)).toMatchObject({ isReusable: true })
})

describe('refused', () => {
  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['another version', 'HTTP/2 200 OK\r\n\r\n'],
    ['a status that is none', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['a line without a colon', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n'],
    ['a folded line', 'HTTP/1.1 200 OK\r\na: b\r\n c\r\n\r\n'],
    ['a blank before the colon', 'HTTP/1.1 200 OK\r\ncontent-length : 2\r\n\r\n{}'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'],
    ['a negative length', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'],
    ['a length that is a list', 'HTTP/1.1 200 OK\r\ncontent-length: 2, 2\r\n\r\n{}'],
    [
      'a length beyond the limit',
      `HTTP/1.1 200 OK\r\ncontent-length: ${64 * 1024 * 1024 + 1}\r\n\r\n`,
    ],
    ['an unknown coding', 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n'],
    ['a chunk without a size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx\r\n'],
    [
      'a chunk longer than it says',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nab\r\n',
    ],
    ['another protocol from here on', 'HTTP/1.1 101 Switching\r\n\r\n'],
    ['a head without end', `HTTP/1.1 200 OK\r\na: ${'b'.repeat(64 * 1024)}`],
    [
      'a line of a chunk without end',
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;${'b'.repeat(17 * 1024)}`,
    ],
  ])('%s', (_, text) => {
    expect(() => parse(text)).toThrow()
  })

  test('a length at the limit is not', () => {
    const text = `HTTP/1.1 200 OK\r\ncontent-length: ${64 * 1024 * 1024}\r\n\r\n`
    expect(parse(text)).toBeUndefined()
  })
})

test('a header named __proto__ is a header', () => {
  const parsed = parse('HTTP/1.1 200 OK\r\n__proto__: a\r\ncontent-length: 0\r\n\r\n')
  expect(Object.entries(parsed?.answer.headers ?? {})).toContainEqual(['__proto__', 'a'])
})

test('any bytes end in an answer, an error or the wish for more', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'HTTP/1.1 200 OK\r\n',
      'content-length: 3\r\n',
      'transfer-encoding: chunked\r\n',
      '\r\n',
      '0',
      'a: b',
      ':',
    ),
    fc.string({ maxLength: 5 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const parser = createAnswerParser()
      try {
        for (const each of pieces) parser.push(Buffer.from(each))
        parser.end()
      } catch (error) {
        expect(error).toBeInstanceOf(Error)
        expect(error).not.toBeInstanceOf(TypeError)
        expect(error).not.toBeInstanceOf(RangeError)
      }
    }),
  )
})

test.each([ANSWER_BYTES_MAX - 1, ANSWER_BYTES_MAX, ANSWER_BYTES_MAX + 1])(
  'an answer that announces %i bytes is read on unless that is too long',
  (length) => {
    const announce = () => parse(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n`)
    if (length > ANSWER_BYTES_MAX) expect(announce).toThrow('long')
    else expect(announce()).toBeUndefined()
  },
)
