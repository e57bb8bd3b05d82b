import { connect, type Socket } from 'node:net'
import { type Listener, type ListenOptions, listen } from '@singletable/kit/server'
import { createEngine, type Engine } from 'singletable/engine'
import { afterEach, expect, test } from 'vitest'
import { exchange } from './raw-http.ts'
import { requestBytes } from './wire-case.ts'

let engine: Engine
let server: Listener
const sockets: Socket[] = []

async function start(limits: ListenOptions['limits'] = {}): Promise<void> {
  engine = createEngine()
  server = await listen(engine, { port: 0, limits: { timeoutCheckMs: 20, ...limits } })
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server.close()
  await engine.close()
})

/** Opens a socket, writes a beginning and never continues. Resolves when it is connected. */
function dawdle(beginning: string | Buffer): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: server.port, host: '127.0.0.1' }, () => {
      if (beginning.length > 0) socket.write(beginning)
      resolve(socket)
    })
    socket.on('error', reject)
    sockets.push(socket)
    socket.resume()
  })
}
const ended = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.destroyed) resolve()
    socket.removeAllListeners('error')
    socket.on('error', () => {})
    socket.on('close', () => resolve())
  })

/** Asks again until it is so. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5))
}
/** A fault that holds requests up has got hold of one. */
const isRunning = (): boolean => (engine.faults.installed[0]?.hits ?? 0) > 0

async function isServed(): Promise<boolean> {
  const { responses } = await exchange([requestBytes()], { port: server.port })
  return responses[0]?.statusCode === 200
}

const beginnings: readonly (readonly [string, string | Buffer])[] = [
  ['nothing', ''],
  ['half a request line', 'POST /'],
  ['half its headers', 'POST / HTTP/1.1\r\nHost: localhost\r\nX-A'],
]
test.each(beginnings)(
  'a client that sends %s and no more is closed in time',
  async (_, beginning) => {
    await start({ headersTimeoutMs: 100, requestTimeoutMs: 200, keepAliveTimeoutMs: 50 })
    await ended(await dawdle(beginning))
    expect(await isServed()).toBe(true)
  },
)

const bodies: readonly (readonly [string, string, Record<string, string | undefined>])[] = [
  ['half of its body', '{"Limit"', { 'Content-Length': '100' }],
  ['none of its body', '', { 'Content-Length': '100' }],
  ['half of a chunk', '5\r\n{', { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }],
]
test.each(bodies)('W26: a client that sends %s gets 408 in time', async (_, body, headers) => {
  await start({ headersTimeoutMs: 100, requestTimeoutMs: 200 })
  const { responses, closed } = await exchange([requestBytes({ body, headers })], {
    port: server.port,
    untilClosed: true,
  })
  expect(closed).toBe(true)
  expect(responses.map((each) => each.statusCode)).toEqual([408])
})

test('a connection that is idle after its answer is closed in time', async () => {
  await start({ keepAliveTimeoutMs: 50 })
  const { responses, closed } = await exchange([requestBytes()], {
    port: server.port,
    untilClosed: true,
  })
  expect(responses).toHaveLength(1)
  expect(closed).toBe(true)
})

test('H18: 600 slow sockets do not keep others from being served', async () => {
  await start()
  for (let opened = 0; opened < 600; opened += 50) {
    await Promise.all(Array.from({ length: 50 }, () => dawdle('POST / HTTP/1.1\r\nX-Slow: ')))
  }
  for (let n = 0; n < 20; n++) expect(await isServed()).toBe(true)
})

test('H18: 600 sockets with half a body do not either', async () => {
  await start()
  const half = requestBytes({ body: '{', headers: { 'Content-Length': '1000' } })
  for (let opened = 0; opened < 600; opened += 50) {
    await Promise.all(Array.from({ length: 50 }, () => dawdle(half)))
  }
  for (let n = 0; n < 20; n++) expect(await isServed()).toBe(true)
})

test('for a connection too many the one is closed that has waited longest', async () => {
  await start({ connectionsMax: 3 })
  const [first, second, third] = [await dawdle(''), await dawdle(''), await dawdle('')]
  const gone = ended(first)
  await dawdle('')
  await gone
  expect([first.destroyed, second.destroyed, third.destroyed]).toEqual([true, false, false])
})

test.each([
  [2, 3, false],
  [3, 3, false],
  [4, 3, true],
])('%i connections where %i are allowed', async (count, connectionsMax, isOneClosed) => {
  await start({ connectionsMax })
  const opened: Socket[] = []
  for (let n = 0; n < count; n++) opened.push(await dawdle(''))
  if (isOneClosed && opened[0]) await ended(opened[0])
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(opened.some((socket) => socket.destroyed)).toBe(isOneClosed)
})

test('a connection whose request is being answered is never the one that is closed', async () => {
  await start({ connectionsMax: 2 })
  engine.faults.add({ kind: 'latency', ms: 300 })
  const slow = exchange([requestBytes()], { port: server.port })
  await until(isRunning)
  for (let n = 0; n < 5; n++) await dawdle('')
  const { responses } = await slow
  expect(responses.map((each) => each.statusCode)).toEqual([200])
})

test.each([
  [99, 200],
  [100, 200],
  [101, 503],
])(
  'S7: with 100 bytes of bodies allowed, %i in flight are answered with %i',
  async (size, status) => {
    await start({ bodiesInFlightMaxBytes: 100 })
    const body = '{"ExclusiveStartTableName":"zzzz"}'.padEnd(size)
    const { responses } = await exchange([requestBytes({ body })], { port: server.port })
    expect(responses[0]?.statusCode).toBe(status)
    if (status === 503) {
      expect(JSON.parse(responses[0]?.body.toString() ?? '').__type).toMatch(/#ServiceUnavailable$/)
    }
  },
)

test('S7: bodies that stay incomplete give way to requests that come, the oldest first', async () => {
  await start({ bodiesInFlightMaxBytes: 1000 })
  const part = (bytes: number) =>
    requestBytes({ body: ' '.repeat(bytes), headers: { 'Content-Length': '2000' } })
  const sockets: Socket[] = []
  const answers = ['', '']
  for (const at of answers.keys()) {
    const socket = await dawdle(part(450))
    socket.on('data', (bytes) => {
      answers[at] += bytes.toString()
    })
    sockets.push(socket)
  }
  const large = requestBytes({ body: '{}'.padEnd(500) })
  for (let n = 0; n < 10; n++) {
    const { responses } = await exchange([large], { port: server.port })
    expect(responses[0]?.statusCode).toBe(200)
  }
  await until(() => answers[0]!.startsWith('HTTP/1.1 503'))
  expect(answers[1]).toBe('')
  for (const socket of sockets) socket.destroy()
})

test('whole requests that wait keep their share, and give it back when they are answered', async () => {
  await start({ bodiesInFlightMaxBytes: 1000 })
  engine.faults.add({ kind: 'latency', ms: 400, count: 1 })
  const large = requestBytes({ body: '{}'.padEnd(900) })
  const status = async (): Promise<number | undefined> =>
    (await exchange([large], { port: server.port })).responses[0]?.statusCode
  const first = status()
  await until(isRunning)
  expect(await status()).toBe(503)
  expect(await first).toBe(200)
  for (let n = 0; n < 3; n++) expect(await status()).toBe(200)
})

/** Answers with 200 kB, a hundred times what a request has. */
async function startWithLargeAnswers(limits: ListenOptions['limits']): Promise<Buffer> {
  await start(limits)
  await engine.send('CreateTable', {
    TableName: 'large',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  const Item = { pk: { S: 'a' }, text: { S: 'x'.repeat(200_000) } }
  await engine.send('PutItem', { TableName: 'large', Item })
  const body = JSON.stringify({ TableName: 'large', Key: { pk: { S: 'a' } } })
  return requestBytes({ body, target: 'GetItem' })
}

/** Asks a hundred times and reads nothing. */
async function hoard(request: Buffer): Promise<Socket> {
  const hoarder = await dawdle('')
  hoarder.removeAllListeners('error')
  hoarder.on('error', () => {})
  hoarder.pause()
  hoarder.write(Buffer.concat(Array.from({ length: 100 }, () => request)))
  return hoarder
}

test('S7: answers that nobody reads count, and clients that go away give back all of them', async () => {
  const request = await startWithLargeAnswers({ answersInFlightMaxBytes: 2_000_000 })
  const hoarders = await Promise.all(Array.from({ length: 10 }, () => hoard(request)))
  const status = async (): Promise<number | undefined> =>
    (await exchange([request], { port: server.port })).responses[0]?.statusCode
  await until(async () => (await status()) === 503)
  for (const hoarder of hoarders) hoarder.destroy()
  await until(async () => (await status()) === 200)
  const nine = Buffer.concat(Array.from({ length: 9 }, () => request))
  const { responses } = await exchange([nine], { port: server.port, responses: 9 })
  expect(responses.map((each) => each.statusCode)).toEqual(Array(9).fill(200))
})

test('S7: a client that asks and does not read has one answer held for it', async () => {
  const request = await startWithLargeAnswers({ answersInFlightMaxBytes: 401_000 })
  await hoard(request)
  for (let n = 0; n < 50; n++) {
    const { responses } = await exchange([request], { port: server.port })
    expect(responses[0]?.statusCode).toBe(200)
  }
})

test.each([
  [199_999, 503],
  [200_100, 200],
])(
  'S7: with %i bytes of answers allowed, one of 200 kB is answered with %i',
  async (bytes, status) => {
    const request = await startWithLargeAnswers({ answersInFlightMaxBytes: bytes })
    const { responses } = await exchange([request], { port: server.port })
    expect(responses[0]?.statusCode).toBe(status)
  },
)

test('S7: requests behind a slow one give back their bytes when the client goes away', async () => {
  await start({ bodiesInFlightMaxBytes: 10_000 })
  engine.faults.add({ kind: 'latency', ms: 300, count: 1 })
  const request = requestBytes({ body: '{}'.padEnd(1000) })
  const gone = await dawdle(Buffer.concat(Array.from({ length: 9 }, () => request)))
  await until(isRunning)
  gone.destroy()
  const large = requestBytes({ body: '{}'.padEnd(9000) })
  await until(
    async () => (await exchange([large], { port: server.port })).responses[0]?.statusCode === 200,
  )
})

test('a client that does not take its answer in time is closed, and others have its share', async () => {
  const limits = { answerTimeoutMs: 100, answersInFlightMaxBytes: 2_000_000 }
  const request = await startWithLargeAnswers(limits)
  const hoarder = await hoard(request)
  await until(() => {
    // Who doesn't read finds out by writing.
    hoarder.write(' ')
    return hoarder.destroyed
  })
  const { responses } = await exchange([request], { port: server.port })
  expect(responses[0]?.statusCode).toBe(200)
})

test('an answer that takes long to make may take long', async () => {
  await start({ answerTimeoutMs: 20 })
  engine.faults.add({ kind: 'latency', ms: 200 })
  const { responses } = await exchange([requestBytes(), requestBytes()], {
    port: server.port,
    responses: 2,
  })
  expect(responses.map((each) => each.statusCode)).toEqual([200, 200])
})

test('S7: a compressed body counts with what it can grow to', async () => {
  await start({ bodiesInFlightMaxBytes: 20_000 })
  const { gzipSync } = await import('node:zlib')
  const small = gzipSync('{}')
  const headers = { 'Content-Encoding': 'gzip' }
  const refused = await exchange([requestBytes({ body: small, headers })], { port: server.port })
  expect(refused.responses[0]?.statusCode).toBe(503)
  expect(await isServed()).toBe(true)
})

test('a connection is closed after as many requests as it may carry', async () => {
  await start({ requestsPerConnectionMax: 3, keepAliveTimeoutMs: 50 })
  const { responses, closed } = await exchange([requestBytes(), requestBytes(), requestBytes()], {
    port: server.port,
    untilClosed: true,
  })
  expect(responses.map((each) => each.statusCode)).toEqual([200, 200, 200])
  expect(closed).toBe(true)
})

test('S8: 16 MB of brackets do not hold others up', async () => {
  await start()
  const hostile = requestBytes({ body: '['.repeat(16 * 1024 * 1024) })
  const objects = requestBytes({ body: '{"a":'.repeat(3 * 1024 * 1024) })
  const answers = await Promise.all(
    [hostile, objects].map((bytes) => exchange([bytes], { port: server.port })),
  )
  expect(answers.map(({ responses }) => responses[0]?.statusCode)).toEqual([400, 400])
  expect(await isServed()).toBe(true)
})

test('close lets what is running be answered, and takes nothing more', async () => {
  await start()
  engine.faults.add({ kind: 'latency', ms: 200 })
  const running = exchange([requestBytes()], { port: server.port, untilClosed: true })
  await until(isRunning)
  const idle = await dawdle('')
  await server.close()
  await ended(idle)
  const { responses } = await running
  expect(responses.map((each) => each.statusCode)).toEqual([200])
  const late = await exchange([requestBytes()], { port: server.port })
  expect(late.responses).toEqual([])
})

test('close does not wait for ever', async () => {
  await start({ closeTimeoutMs: 50 })
  engine.faults.add({ kind: 'latency', ms: 60_000 })
  const running = exchange([requestBytes()], { port: server.port })
  await until(isRunning)
  await server.close()
  const { responses, closed } = await running
  expect({ count: responses.length, closed }).toEqual({ count: 0, closed: true })
})

test('closing twice does nothing', async () => {
  await start()
  await Promise.all([server.close(), server.close()])
  await server.close()
})
