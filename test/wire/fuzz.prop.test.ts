import { type Listener, listen } from '@singletable/kit/server'
import fc from 'fast-check'
import { createEngine, type Engine } from 'singletable/engine'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exchange } from './raw-http.ts'
import { cutAt, cuts, mutatedRequests } from './request-bytes.ts'
import { runScript, statusesOf } from './scripted-connection.ts'
import { requestBytes } from './wire-case.ts'

const RUNS = Number(process.env.PROPERTY_RUNS ?? 500)

let engine: Engine
let server: Listener
beforeAll(async () => {
  engine = createEngine()
  server = await listen(engine, { port: 0, limits: { timeoutCheckMs: 20, headersTimeoutMs: 200 } })
})
afterAll(async () => {
  await server.close()
  await engine.close()
})

/** Bytes that have no sense at all, or begin as if they had some. */
const garbage = fc
  .tuple(
    fc.constantFrom(
      '',
      'GET ',
      'POST / HTTP/1.1\r\n',
      'POST / HTTP/1.1\r\nHost: ',
      '\r\n',
      '\x16\x03\x01',
    ),
    fc.uint8Array({ minLength: 1, maxLength: 300 }),
  )
  .map(([beginning, bytes]) => Buffer.concat([Buffer.from(beginning, 'latin1'), bytes]))

test('garbage is refused or dropped, and the connection ends', async () => {
  await fc.assert(
    fc.asyncProperty(garbage, cuts, async (bytes, places) => {
      const { sent, isClosed } = await runScript(cutAt(bytes, places), { engine })
      expect(isClosed).toBe(true)
      for (const status of statusesOf(sent)) expect([400, 403, 404, 431]).toContain(status)
    }),
    { numRuns: RUNS },
  )
})

test('whatever is wrong with requests, each gets an answer of HTTP and the connection ends', async () => {
  await fc.assert(
    fc.asyncProperty(mutatedRequests, cuts, async (bytes, places) => {
      const { sent, isClosed } = await runScript(cutAt(bytes, places), { engine })
      expect(isClosed).toBe(true)
      // A client that ended in the middle of an empty line has asked for nothing.
      for (const status of statusesOf(sent)) {
        expect([100, 200, 400, 403, 404, 413, 417, 431]).toContain(status)
      }
    }),
    { numRuns: RUNS },
  )
})

test('over real sockets the server ends each of them and serves the next', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(garbage, mutatedRequests), async (bytes) => {
      // The client's time is up before the server's: what it has not refused by then it waits for.
      await exchange([bytes], { port: server.port, timeoutMs: 20, untilClosed: true })
      const { responses } = await exchange([requestBytes()], { port: server.port })
      expect(responses[0]?.statusCode).toBe(200)
    }),
    { numRuns: Math.min(RUNS, 100) },
  )
})

const CHUNKS = 'GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n'
const endless: readonly (readonly [name: string, beginning: string, again: string])[] = [
  ['a word', '', 'a'.repeat(60_000)],
  ['empty lines', '', '\r\n'.repeat(30_000)],
  ['a target', 'GET /', 'a'.repeat(60_000)],
  ['headers', 'GET / HTTP/1.1\r\n', 'X: y\r\n'.repeat(10_000)],
  ['one header', 'GET / HTTP/1.1\r\nX: ', 'a'.repeat(60_000)],
  ['chunks of a byte', CHUNKS, '1\r\na\r\n'.repeat(10_000)],
  ['one chunk', `${CHUNKS}ffffffffff\r\n`, 'a'.repeat(60_000)],
  ['an extension', `${CHUNKS}1;`, 'a'.repeat(60_000)],
  ['a trailer', `${CHUNKS}0\r\nX: `, 'a'.repeat(60_000)],
  ['trailers', `${CHUNKS}0\r\n`, 'X: y\r\n'.repeat(10_000)],
  ['zeros of a size', CHUNKS, '0'.repeat(60_000)],
  [
    'a body that was refused',
    'GET / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 99999999999\r\n\r\n',
    'a'.repeat(60_000),
  ],
]
test.each(endless)('%s without end is cut off', async (_, beginning, again) => {
  const bodyMaxBytes = 1_000_000
  const pieces = [beginning, ...Array.from({ length: 400 }, () => again)]
  const segments = pieces.filter((text) => text !== '').map((text) => Buffer.from(text))
  const { seenBytes } = await runScript(segments, { engine, limits: { bodyMaxBytes } })
  // A chunk of a byte has six; as much as a body may have is read before an answer and dropped
  // after it.
  expect(seenBytes).toBeLessThan(2 * 6 * bodyMaxBytes + 200_000)
})
