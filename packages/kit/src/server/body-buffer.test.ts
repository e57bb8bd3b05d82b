import { expect, test } from 'vitest'
import { BodyBuffer } from './body-buffer.ts'

test.each([1, 7, 1000, 20_000, 100_000])('pieces of %i bytes are put together', (size) => {
  const whole = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 251))
  const body = new BodyBuffer()
  for (let at = 0; at < whole.length; at += size) {
    body.append(whole, at, Math.min(at + size, whole.length))
  }
  expect(body.take().equals(whole)).toBe(true)
})

test('a body that came in one piece is not copied', () => {
  const input = Buffer.from('head{}')
  const body = new BodyBuffer()
  body.append(input, 4, 6)
  expect(body.take().buffer).toBe(input.buffer)
  expect(body.take().toString()).toBe('{}')
})

test('what a piece was cut from is not written to', () => {
  const input = Buffer.from('abcdef')
  const body = new BodyBuffer()
  body.append(input, 0, 2)
  body.append(Buffer.from('xy'), 0, 2)
  expect(body.take().toString()).toBe('abxy')
  expect(input.toString()).toBe('abcdef')
})

test('nothing is a body too', () => {
  expect(new BodyBuffer().take()).toHaveLength(0)
})
