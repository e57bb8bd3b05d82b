import { expect, test } from 'vitest'
import { ChunkedBody } from './chunked-body.ts'

function read(text: string, step: number, besidesMaxBytes = 100) {
  const input = Buffer.from(text, 'latin1')
  const body = new ChunkedBody(besidesMaxBytes)
  let data = ''
  let read = 0
  for (let at = 0; at < input.length && !body.isComplete; at += step) {
    const part = input.subarray(at, at + step)
    const end = body.read(part, 0, (piece, from, to) => {
      data += piece.toString('latin1', from, to)
    })
    if (end === undefined) return 'malformed'
    read = at + end
  }
  return { data, read, isComplete: body.isComplete }
}

const BODY = '3;a=b\r\nabc\r\nA\r\n0123456789\r\n0\r\nX-Trailer: y\r\nZ:\r\n\r\n'

test('data is given, and reading stops after the last line, in steps of any size', () => {
  for (let step = 1; step <= BODY.length + 4; step++) {
    expect(read(`${BODY}GET `, step)).toEqual({
      data: 'abc0123456789',
      read: BODY.length,
      isComplete: true,
    })
  }
})

test('chunks that have not all come are not complete', () => {
  for (let length = 1; length < BODY.length; length++) {
    expect(read(BODY.slice(0, length), 7)).toMatchObject({ isComplete: false })
  }
})

test.each([
  [99, 100],
  [100, 100],
  [101, 100],
])('an extension of %i bytes where %i are allowed', (bytes, max) => {
  const result = read(`1;${'a'.repeat(bytes - 1)}\r\nx\r\n0\r\n\r\n`, 1000, max)
  if (bytes > max) expect(result).toBe('malformed')
  else expect(result).toMatchObject({ isComplete: true })
})

test.each(['000000000001', '1', 'f', 'F'])('the size %s is one', (size) => {
  expect(read(`${size}\r\n`, 100)).toMatchObject({ isComplete: false })
})

test.each(['0000000000001', 'g', '+1', '', ' 1', '1 ', '0x1', '-1', '1\n', '\r'])(
  'the size %j is none',
  (size) => {
    expect(read(`${size}\r\n`, 100)).toBe('malformed')
  },
)
