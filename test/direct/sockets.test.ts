import { getEventListeners } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { type ConnectOptions, connect, type DirectTransport } from 'singletable/direct'
import { simulatedEnvironment } from 'singletable/engine'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { rejection } from '../aws/canned-client.ts'
import { httpAnswer, rawServer } from './raw-server.ts'
import { SELF_SIGNED } from './self-signed.ts'

const request = { TableName: 'Blog', Key: { pk: { S: 'a' } } }
const EMPTY = httpAnswer('{}')

describe.each(['sockets of its own', 'an agent'])('with %s', (way) => {
  const hasAgent = way === 'an agent'

  /** A transport whose single attempts are looked at here. */
  function open(endpoint: string, options: ConnectOptions = {}): DirectTransport {
    const Agent = endpoint.startsWith('https') ? https.Agent : http.Agent
    const agent = new Agent({ keepAlive: true, maxSockets: options.socketsMax ?? 50 })
    const direct = connect({
      region: 'eu-west-1',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
      // Machines that run tests are slow at times; only tests of the limits themselves have short
      // ones.
      connectionTimeoutMs: 60_000,
      requestTimeoutMs: 60_000,
      endpoint,
      ...options,
      ...(hasAgent && { agent }),
    })
    onTestFinished(() => {
      direct.close()
      agent.destroy()
    })
    return direct
  }
  const get = (direct: DirectTransport, signal?: AbortSignal): Promise<unknown> =>
    direct.singleAttempt.send('GetItem', request, { signal })

  test('one socket serves requests one after the other', async () => {
    const server = await rawServer(({ socket }) => socket.write(EMPTY))
    const direct = open(server.url)
    for (let call = 0; call < 5; call++) expect(await get(direct)).toEqual({})
    expect(server.requests).toHaveLength(5)
    expect(server.connections).toHaveLength(1)
  })

  test('requests at a time have a socket each, up to the limit, and the others wait', async () => {
    const held: net.Socket[] = []
    const server = await rawServer(({ socket }) => held.push(socket))
    const direct = open(server.url, { socketsMax: 2 })
    const calls = Array.from({ length: 5 }, () => get(direct))
    for (let answered = 0; answered < 5; answered++) {
      await vi.waitFor(() => expect(held.length).toBeGreaterThan(0))
      held.shift()?.write(EMPTY)
    }
    expect(await Promise.all(calls)).toEqual([{}, {}, {}, {}, {}])
    expect(server.connections).toHaveLength(2)
  })

  test('the request is one of HTTP/1.1 with what AWS wants', async () => {
    const server = await rawServer(({ socket }) => socket.write(EMPTY))
    const item = { pk: { S: 'grün 𝄞' } }
    await open(server.url).send('PutItem', { TableName: 'Blog', Item: item })
    const [head = '', body = ''] = server.requests[0]?.text.split('\r\n\r\n') ?? []
    const [first, ...lines] = head.split('\r\n')
    const headers = new Headers(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as never))
    expect(first).toBe('POST / HTTP/1.1')
    expect(headers.get('host')).toBe(`127.0.0.1:${server.port}`)
    expect(headers.get('content-type')).toBe('application/x-amz-json-1.0')
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(body)))
    expect(headers.get('x-amz-target')).toBe('DynamoDB_20120810.PutItem')
    expect(headers.get('accept-encoding')).toBe('identity')
    expect(headers.get('authorization')).toMatch(
      /^AWS4-HMAC-SHA256 Credential=a\/\d{8}\/eu-west-1\//,
    )
    expect(JSON.parse(body)).toEqual({ TableName: 'Blog', Item: item })
  })

  test.each([
    [
      'in chunks',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n',
    ],
    ['after an interim one', `HTTP/1.1 100 Continue\r\n\r\n${EMPTY}`],
    ['up to the end of the connection', 'HTTP/1.1 200 OK\r\n\r\n{}'],
    ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\n{}'],
    [
      'before its connection is closed',
      'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}',
    ],
  ])('an answer %s is an answer', async (_, bytes) => {
    const server = await rawServer(({ socket }) => {
      // Byte by byte it comes in pieces wherever that can be.
      for (const byte of Buffer.from(bytes)) socket.write(Buffer.of(byte))
      if (!/chunked|100/.test(bytes)) socket.end()
    })
    const direct = open(server.url)
    expect(await get(direct)).toEqual({})
    expect(await get(direct)).toEqual({})
  })

  test('a long answer in many pieces arrives whole', async () => {
    const item = { pk: { S: 'a' }, text: { S: 'ä'.repeat(1_000_000) } }
    const server = await rawServer(({ socket }) =>
      socket.write(httpAnswer(JSON.stringify({ Item: item }))),
    )
    expect(await get(open(server.url))).toEqual({ Item: item })
  })

  test.each([
    ['is closed without an answer', (socket: net.Socket) => socket.end()],
    ['is reset', (socket: net.Socket) => socket.resetAndDestroy()],
    ['ends within the head', (socket: net.Socket) => socket.end('HTTP/1.1 200 OK\r\ncont')],
    [
      'ends within the body',
      (socket: net.Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}'),
    ],
    [
      'ends within a chunk',
      (socket: net.Socket) =>
        socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\n{}'),
    ],
    ['speaks something else', (socket: net.Socket) => socket.end('220 mail.example ESMTP\r\n\r\n')],
    [
      'says a length that is too short',
      (socket: net.Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n{}'),
    ],
  ])('a connection that %s leaves open whether the request was carried out', async (_, answer) => {
    const server = await rawServer(({ socket }) => {
      answer(socket)
    })
    const error = await rejection(get(open(server.url)))
    expect(error).toMatchObject({ name: 'NoAnswerError', sent: true, retryable: true })
  })

  test('a connection that was reset between two requests is not used again', async () => {
    const server = await rawServer(({ socket }) => socket.write(EMPTY))
    const direct = open(server.url)
    await get(direct)
    server.connections[0]?.destroy()
    await vi.waitFor(async () => {
      const before = server.connections.length
      await get(direct)
      expect(server.connections.length).toBeGreaterThanOrEqual(before)
    })
    expect(server.connections).toHaveLength(2)
  })

  test('a connection that ends when the next request comes counts as one that got it', async () => {
    const server = await rawServer(({ socket, index }) => {
      if (index === 0) socket.write(EMPTY)
      else socket.resetAndDestroy()
    })
    const direct = open(server.url)
    await get(direct)
    const error = await rejection(get(direct))
    expect(error).toMatchObject({ name: 'NoAnswerError', sent: true, retryable: true })
    expect(server.connections).toHaveLength(1)
  })

  test('bytes that nobody asked for are not taken for the next answer', async () => {
    const server = await rawServer(({ socket }) => socket.write(EMPTY))
    const direct = open(server.url)
    await get(direct)
    server.connections[0]?.write(httpAnswer('{"Item":{"pk":{"S":"of another"}}}'))
    // Our own sockets are closed then. Node's client drops the bytes and continues, which nobody
    // sees.
    await new Promise((resolve) => {
      if (hasAgent) setTimeout(resolve, 100)
      else server.connections[0]?.once('close', resolve)
    })
    expect(await get(direct)).toEqual({})
    expect(server.connections).toHaveLength(hasAgent ? 1 : 2)
  })

  test('a refused connection says that nothing was sent', async () => {
    const server = await rawServer(() => {})
    await server.close()
    const error = await rejection(get(open(server.url)))
    expect(error).toMatchObject({
      name: 'NoAnswerError',
      sent: false,
      retryable: true,
      cause: { code: 'ECONNREFUSED' },
    })
  })

  test('a host that is not found says that nothing was sent', async () => {
    const error = await rejection(get(open('http://host.invalid')))
    expect(error).toMatchObject({ name: 'NoAnswerError', sent: false, retryable: true })
  })

  test('a certificate that nobody vouches for says that nothing was sent', async () => {
    const server = await rawServer(({ socket }) => socket.write(EMPTY), SELF_SIGNED)
    const error = await rejection(get(open(server.url)))
    expect(error).toMatchObject({
      name: 'NoAnswerError',
      sent: false,
      retryable: true,
      cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    })
    expect(server.requests).toHaveLength(0)
  })

  test('a server without TLS says that nothing was sent', async () => {
    const server = net.createServer((socket) => {
      socket.on('error', () => {})
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
    })
    const { port } = server.address() as net.AddressInfo
    const error = await rejection(get(open(`https://127.0.0.1:${port}`)))
    expect(error).toMatchObject({ name: 'NoAnswerError', sent: false, retryable: true })
  })

  test('a server with TLS answers', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const server = await rawServer(({ socket }) => socket.write(EMPTY), SELF_SIGNED)
    const direct = open(server.url.replace('127.0.0.1', 'localhost'))
    expect(await get(direct)).toEqual({})
    expect(await get(direct)).toEqual({})
    expect(server.connections).toHaveLength(1)
  })

  test('an attempt that gets no answer in its time ends, and its socket with it', async () => {
    const server = await rawServer(() => {})
    const error = await rejection(get(open(server.url, { requestTimeoutMs: 50 })))
    expect(error).toMatchObject({
      name: 'NoAnswerError',
      sent: true,
      retryable: true,
      cause: { name: 'TimeoutError', message: 'No answer came within 50 ms.' },
    })
    await vi.waitFor(() => expect(server.connections[0]?.destroyed).toBe(true))
  })

  test('a connection that is not open in time ends, and nothing was sent', async () => {
    // It takes the connection and then never answers the handshake.
    const server = await rawServer(() => {})
    const endpoint = server.url.replace('http:', 'https:')
    const error = await rejection(get(open(endpoint, { connectionTimeoutMs: 50 })))
    expect(error).toMatchObject({
      name: 'NoAnswerError',
      sent: false,
      retryable: true,
      cause: { message: 'There was no connection within 50 ms.' },
    })
  })

  test('a request that waits for a socket and gets none in its time was not sent', async () => {
    const server = await rawServer(() => {})
    const direct = open(server.url, { socketsMax: 1, requestTimeoutMs: 200 })
    const [first, second] = await Promise.all([rejection(get(direct)), rejection(get(direct))])
    expect([first, second]).toMatchObject([{ sent: true }, { retryable: true }])
    expect(server.requests.length).toBeLessThanOrEqual(2)
  })

  test('a signal that is aborted already keeps the request from being sent', async () => {
    const server = await rawServer(({ socket }) => socket.write(EMPTY))
    const reason = { why: 'before' }
    expect(await rejection(get(open(server.url), AbortSignal.abort(reason)))).toBe(reason)
    expect(server.connections).toHaveLength(0)
  })

  test("an abort rejects at once with the signal's reason and destroys the socket", async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const server = await rawServer(() => controller.abort(reason))
    expect(await rejection(get(open(server.url), controller.signal))).toBe(reason)
    await vi.waitFor(() => expect(server.connections[0]?.destroyed).toBe(true))
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  })

  test('an abort in the middle of an answer rejects', async () => {
    const controller = new AbortController()
    const server = await rawServer(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{', () => controller.abort('now'))
    })
    expect(await rejection(get(open(server.url), controller.signal))).toBe('now')
  })

  test('an abort of a request that waits for a socket takes it back', async () => {
    const controller = new AbortController()
    const server = await rawServer(({ socket, index }) => {
      controller.abort('now')
      if (index === 0) setTimeout(() => socket.write(EMPTY), 50)
      else socket.write(EMPTY)
    })
    const direct = open(server.url, { socketsMax: 1 })
    const [first, second] = await Promise.all([
      get(direct),
      rejection(get(direct, controller.signal)),
    ])
    expect([first, second]).toEqual([{}, 'now'])
    expect(await get(direct)).toEqual({})
    expect(server.requests).toHaveLength(2)
  })

  test('a signal that outlives many calls keeps no listener', async () => {
    const { signal } = new AbortController()
    const server = await rawServer(({ socket }) => socket.write(EMPTY))
    const direct = open(server.url)
    for (let call = 0; call < 20; call++) await get(direct, signal)
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  test('a signal that ends many calls at a time has one listener, and ends them all', async () => {
    const controller = new AbortController()
    const server = await rawServer(() => {})
    const direct = open(server.url)
    const calls = Array.from({ length: 20 }, () => rejection(get(direct, controller.signal)))
    await vi.waitFor(() => expect(server.requests).toHaveLength(20))
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
    controller.abort('now')
    expect(await Promise.all(calls)).toEqual(Array(20).fill('now'))
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  })

  test('a value that JSON has no form for, or that is too deep, is not sent', async () => {
    const server = await rawServer(({ socket }) => socket.write(EMPTY))
    const direct = open(server.url)
    let deep: object = {}
    for (let depth = 0; depth < 50_000; depth++) deep = { L: [deep] }
    for (const value of [deep, { N: 1n }]) {
      const item = { pk: value } as never
      const error = await rejection(direct.send('PutItem', { TableName: 'Blog', Item: item }))
      expect(error).toMatchObject({ name: 'NoAnswerError', sent: false, retryable: false })
    }
    expect(server.connections).toHaveLength(0)
  })

  test('a name of an operation can not end a header', async () => {
    const server = await rawServer(({ socket }) => socket.write(EMPTY))
    const operation = 'GetItem\r\nx-evil: 1' as 'GetItem'
    const error = await rejection(open(server.url).send(operation, request))
    expect(error).toMatchObject({ code: 'OPTION_INVALID' })
    expect(server.connections).toHaveLength(0)
  })

  test('an answer before the request was read whole is an answer', async () => {
    const server = net.createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.pause()
        socket.write(httpAnswer('{"__type":"a#ValidationException"}', { status: 413 }))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
    })
    const { port } = server.address() as net.AddressInfo
    const direct = open(`http://127.0.0.1:${port}`)
    const Item = { pk: { S: 'a'.repeat(8_000_000) } }
    const error = await rejection(direct.singleAttempt.send('PutItem', { TableName: 'a', Item }))
    expect(error).toMatchObject({ name: 'ValidationException' })
  })

  test('after close() requests are refused, and those under way are answered', async () => {
    const held: net.Socket[] = []
    const server = await rawServer(({ socket, index }) => {
      if (index === 0) socket.write(EMPTY)
      else held.push(socket)
    })
    const direct = open(server.url)
    await get(direct)
    const late = get(direct)
    await vi.waitFor(() => expect(held).toHaveLength(1))
    direct.close()
    held[0]?.write(EMPTY)
    expect(await late).toEqual({})
    expect(await rejection(direct.send('GetItem', request))).toMatchObject({
      code: 'TRANSPORT_CLOSED',
    })
    if (!hasAgent) await vi.waitFor(() => expect(server.connections[0]?.destroyed).toBe(true))
  })
})

const options = { region: 'eu-west-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } }

test('close() ends idle sockets', async () => {
  const server = await rawServer(({ socket }) => socket.write(EMPTY))
  const direct = connect({ ...options, endpoint: server.url })
  await Promise.all([direct.send('GetItem', request), direct.send('GetItem', request)])
  direct.close()
  await vi.waitFor(() => expect(server.connections.every(({ destroyed }) => destroyed)).toBe(true))
  expect(server.connections.length).toBeGreaterThan(0)
})

test('a socket that was idle for too long is not used again', async () => {
  const server = await rawServer(({ socket }) => socket.write(EMPTY))
  const environment = simulatedEnvironment()
  const direct = connect({
    ...options,
    endpoint: server.url,
    environment: { ...environment, randomBytes: (count: number) => new Uint8Array(count) } as never,
    socketIdleMsMax: 1_000,
  })
  onTestFinished(() => direct.close())
  await direct.send('GetItem', request)
  await environment.advance(1_000)
  await direct.send('GetItem', request)
  expect(server.connections).toHaveLength(1)
  await environment.advance(1_001)
  await direct.send('GetItem', request)
  expect(server.connections).toHaveLength(2)
})
