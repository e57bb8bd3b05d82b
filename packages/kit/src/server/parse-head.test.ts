import { expect, test } from 'vitest'
import { isHopeless, parseHead } from './parse-head.ts'

test('a head is read as it came, values without the blanks around them', () => {
  expect(parseHead('POST /?a HTTP/1.1\r\nHost: localhost\r\nx-A:\t b  c \r\nX-A:')).toEqual({
    method: 'POST',
    url: '/?a',
    version: '1.1',
    headers: ['Host', 'localhost', 'x-A', 'b  c', 'X-A', ''],
  })
})

test('a head may have no headers, and be of HTTP/1.0', () => {
  expect(parseHead('GET / HTTP/1.0')).toEqual({
    method: 'GET',
    url: '/',
    version: '1.0',
    headers: [],
  })
})

test.each(['/', '/a%20b', '/?', '/#x', '*', 'http://localhost', 'HTTP://[::1]:80/?x', 'https://a'])(
  'the target %s is taken',
  (target) => {
    expect(parseHead(`GET ${target} HTTP/1.1`)?.url).toBe(target)
  },
)

test.each(['', 'x', '?x', '*/', 'http:/', 'http://', 'http:///x', 'http://a b/', '/\x7f', '/ä'])(
  'the target %j is refused',
  (target) => {
    expect(parseHead(`GET ${target} HTTP/1.1`)).toBeUndefined()
  },
)

test('bytes that are not allowed in names and values are refused, all others are accepted', () => {
  const inNames: string[] = []
  const notInValues: number[] = []
  for (let code = 0; code < 256; code++) {
    const character = String.fromCharCode(code)
    if (parseHead(`GET / HTTP/1.1\r\nX${character}: y`)) inNames.push(character)
    if (!parseHead(`GET / HTTP/1.1\r\nX: a${character}b`)) notInValues.push(code)
  }
  // The colon ends the name, and the value begins with another.
  expect(inNames.join('')).toBe(
    "!#$%&'*+-.0123456789:ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz|~",
  )
  const controls = Array.from({ length: 32 }, (_, code) => code).filter((code) => code !== 9)
  expect(notInValues).toEqual([...controls, 127])
})

test.each([
  ['P', false],
  ['POST', false],
  ['POST / HT', false],
  ['POST / HTTP/1.1\r', false],
  ['POST / HTTP/1.1\r\nHost: x\r\n', false],
  ['UNSUBSCRIBE /', false],
  ['p', true],
  ['POSTS', true],
  ['FROB /', true],
  ['\x16\x03\x01', true],
  ['POST / HTTP/1.1\n', true],
  ['POST / HTTP/1.1\rx', true],
  ['POST / HTTP/1.1\r\nX: \0', true],
])('whether nothing can come of %j: %s', (beginning, isSo) => {
  expect(isHopeless(Buffer.from(beginning, 'latin1'), 0)).toBe(isSo)
})
