import { defineSchema, Table } from 'singletable'
import { type ConnectOptions, connect, type DirectTransport } from 'singletable/direct'
import { describe, expect, onTestFinished, test } from 'vitest'
import { rejection } from '../aws/canned-client.ts'
import { httpAnswer, type RawRequest, type RawServer, rawServer } from './raw-server.ts'

const EMPTY = httpAnswer('{}')
const refusal = (status: number, name: string): Buffer =>
  httpAnswer(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'x' }), {
    status,
  })
const THROTTLED = refusal(400, 'ThrottlingException')
const key = { pk: { S: 'a' } }
const get = { TableName: 'Blog', Key: key }
const put = { TableName: 'Blog', Item: key }
const update = { TableName: 'Blog', Key: key, UpdateExpression: 'ADD n :one' }

function open(server: RawServer, options: ConnectOptions = {}): DirectTransport {
  const direct = connect({
    region: 'eu-west-1',
    endpoint: server.url,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    requestTimeoutMs: 60_000,
    connectionTimeoutMs: 60_000,
    ...options,
    retry: { delayMsBase: 1, delayMsMax: 2, ...options.retry },
  })
  onTestFinished(() => direct.close())
  return direct
}

/** A server that fails in a way before it answers. */
const failing = (
  times: number,
  fail: (request: RawRequest) => void,
  answer = EMPTY,
): Promise<RawServer> =>
  rawServer((request) => {
    if (request.index < times) fail(request)
    else request.socket.write(answer)
  })

describe('send repeats', () => {
  test.each([
    ['ThrottlingException', 400],
    ['ProvisionedThroughputExceededException', 400],
    ['RequestLimitExceeded', 400],
    ['TransactionConflictException', 400],
  ])('any request after %s', async (name, status) => {
    const server = await failing(2, ({ socket }) => socket.write(refusal(status, name)))
    expect(await open(server).send('UpdateItem', update)).toEqual({})
    expect(server.requests).toHaveLength(3)
  })

  const ambiguous: readonly [string, (request: RawRequest) => void][] = [
    ['an error 500', ({ socket }) => socket.write(refusal(500, 'InternalServerError'))],
    // Without the header the next request could meet the end of the connection, and would be
    // repeated for that.
    [
      'an error 503',
      ({ socket }) =>
        socket.end(httpAnswer('<html>', { status: 503, headers: { connection: 'close' } })),
    ],
    ['a reset', ({ socket }) => socket.resetAndDestroy()],
    ['half an answer', ({ socket }) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n')],
  ]
  test.each(ambiguous)('what may be done twice after %s', async (_, fail) => {
    const calls = [
      ['GetItem', get],
      ['Query', { TableName: 'Blog' }],
      ['ListTables', {}],
      ['PutItem', put],
      ['DeleteItem', get],
      ['BatchWriteItem', { RequestItems: { Blog: [] } }],
      ['TransactWriteItems', { TransactItems: [] }],
      ['ExecuteStatement', { Statement: ' select * from "Blog"' }],
    ] as const
    for (const [operation, request] of calls) {
      const answer = operation === 'Query' ? { Count: 0 } : {}
      const server = await failing(1, fail, httpAnswer(JSON.stringify(answer)))
      expect(await open(server).send(operation, request)).toEqual(answer)
      expect(server.requests).toHaveLength(2)
    }
  })

  test.each(ambiguous)('nothing that may not be done twice after %s', async (_, fail) => {
    const ConditionExpression = 'attribute_not_exists(pk)'
    const calls = [
      ['UpdateItem', update],
      ['PutItem', { ...put, ConditionExpression }],
      ['PutItem', { ...put, Expected: { pk: { Exists: false } } }],
      ['DeleteItem', { ...get, ConditionExpression }],
      ['ExecuteStatement', { Statement: 'UPDATE "Blog" SET n = n + 1 WHERE pk = 1' }],
      ['CreateTable', { TableName: 'Blog' } as never],
    ] as const
    for (const [operation, request] of calls) {
      const server = await failing(1, fail)
      const error = await rejection(open(server).send(operation, request))
      expect(['NoAnswerError', 'InternalServerError', 'ServiceUnavailable']).toContain(
        (error as Error).name,
      )
      expect(server.requests).toHaveLength(1)
    }
  })

  test('any request that could not be sent', async () => {
    const server = await rawServer(() => {})
    await server.close()
    const delays: number[] = []
    const environment = {
      now: () => 0,
      randomBytes: (count: number) => new Uint8Array(count).fill(255),
      schedule(callback: () => void, delayMs: number) {
        if (delayMs > 1_000) return () => {}
        delays.push(delayMs)
        queueMicrotask(callback)
        return () => {}
      },
    }
    const retry = { attemptsMax: 6, delayMsBase: 50, delayMsMax: 300 }
    const error = await rejection(open(server, { environment, retry }).send('UpdateItem', update))
    expect(error).toMatchObject({ name: 'NoAnswerError', sent: false })
    // Random bytes that are all ones draw the bound itself, less the smallest part.
    expect(delays).toEqual([49, 99, 199, 299, 299])
  })
})

test.each(['ConditionalCheckFailedException', 'ValidationException', 'AccessDeniedException'])(
  '%s is not repeated',
  async (name) => {
    const server = await rawServer(({ socket }) => socket.write(refusal(400, name)))
    expect(await rejection(open(server).send('GetItem', get))).toMatchObject({ name })
    expect(server.requests).toHaveLength(1)
  },
)

test('after attemptsMax the last error comes out', async () => {
  const server = await rawServer(({ socket }) => socket.write(THROTTLED))
  const direct = open(server, { retry: { attemptsMax: 3 } })
  expect(await rejection(direct.send('GetItem', get))).toMatchObject({
    name: 'ThrottlingException',
  })
  expect(server.requests).toHaveLength(3)
})

test('a write that may have been carried out is not reported as one that was not', async () => {
  const server = await rawServer(({ socket, index }) => {
    if (index === 0) socket.destroy()
    else socket.write(THROTTLED)
  })
  const error = await rejection(open(server, { retry: { attemptsMax: 3 } }).send('PutItem', put))
  expect(error).toMatchObject({ name: 'NoAnswerError', sent: true })
})

test('a transaction has the same token in each attempt, and one of the caller is kept', async () => {
  const server = await failing(1, ({ socket }) => socket.destroy())
  const direct = open(server)
  const tokens = (): string[] =>
    server.requests.map(
      ({ text }) => JSON.parse(text.split('\r\n\r\n')[1] ?? '').ClientRequestToken,
    )
  await direct.send('TransactWriteItems', { TransactItems: [] })
  const [first, second] = tokens()
  expect(first).toMatch(/^[\w-]{24}$/)
  expect(second).toBe(first)
  await direct.send('TransactWriteItems', { TransactItems: [], ClientRequestToken: 'mine' })
  await direct.send('TransactWriteItems', { TransactItems: [] })
  expect(tokens()[2]).toBe('mine')
  expect(tokens()[3]).not.toBe(first)
})

test('a budget that all requests share ends a storm of retries', async () => {
  const server = await rawServer(({ socket }) => socket.write(THROTTLED))
  const direct = open(server, { retry: { attemptsMax: 1_000, delayMsBase: 0 } })
  await rejection(direct.send('GetItem', get))
  // 500 tokens at 5 for each retry.
  expect(server.requests).toHaveLength(101)
  await rejection(direct.send('GetItem', get))
  expect(server.requests).toHaveLength(102)
})

test('an abort during the wait for the next attempt rejects', async () => {
  const controller = new AbortController()
  const server = await rawServer(({ socket }) => {
    socket.write(THROTTLED, () => setTimeout(() => controller.abort('now'), 20))
  })
  const environment = {
    now: () => Date.now(),
    randomBytes: (count: number) => new Uint8Array(count).fill(255),
    schedule: () => () => {},
  }
  const direct = open(server, { environment })
  const { signal } = controller
  expect(await rejection(direct.send('GetItem', get, { signal }))).toBe('now')
  expect(server.requests).toHaveLength(1)
})

describe('a table on the transport', () => {
  const schema = defineSchema({
    indexes: { primary: { hash: 'pk' } },
    models: {
      Counter: {
        key: { pk: 'COUNTER#${id}' },
        attributes: { id: { type: String, required: true }, n: { type: Number } },
      },
    },
  })
  const table = (server: RawServer): Table<typeof schema> =>
    new Table({
      name: 'Blog',
      schema,
      client: open(server),
      retry: { attemptsMax: 3, delayMsBase: 1, delayMsMax: 1 },
    })

  test('repeats requests itself, so that the retries of both do not multiply', async () => {
    const server = await rawServer(({ socket }) => socket.write(THROTTLED))
    const error = await rejection(table(server).entities.Counter.get({ id: 'a' }).execute())
    expect(error).toMatchObject({ code: 'THROTTLED' })
    expect(server.requests).toHaveLength(3)
  })

  test('says of a write without an answer that its outcome is unknown', async () => {
    const server = await rawServer(({ socket }) => socket.destroy())
    const { Counter } = table(server).entities
    const error = await rejection(Counter.update({ id: 'a' }).add('n', 1).execute())
    expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', cause: { name: 'NoAnswerError' } })
    expect(server.requests).toHaveLength(1)
  })

  test('says of a write that could not be sent that it failed', async () => {
    const server = await rawServer(() => {})
    await server.close()
    const { Counter } = table(server).entities
    const error = await rejection(Counter.update({ id: 'a' }).add('n', 1).execute())
    expect(error).toMatchObject({ code: 'SERVICE_FAILED', retryable: true })
  })

  test('keeps its deadline, and the socket of the late request is destroyed', async () => {
    const server = await rawServer(() => {})
    const { Counter } = table(server).entities
    const call = Counter.get({ id: 'a' }).execute({ deadlineMs: 50 })
    expect(await rejection(call)).toMatchObject({ code: 'DEADLINE_EXCEEDED' })
  })
})

test.each([
  [{ regoin: 'a' }, '"regoin" is unknown'],
  [{ region: 'a', socketsMax: 0 }, 'socketsMax must be a number, at least 1'],
  [{ region: 'a', requestTimeoutMs: -1 }, 'requestTimeoutMs must be'],
  [{ region: 'a', requestTimeoutMs: '3s' }, 'requestTimeoutMs must be'],
  [{ region: 'a', retry: { attempts: 3 } }, 'retry.attempts is unknown'],
  [{ region: 'a', retry: { attemptsMax: Number.NaN } }, 'retry.attemptsMax must be'],
  [{ region: 'a', agent: {} }, 'agent is not an agent'],
  [{ region: 'a', gzip: 1 }, 'gzip is not a boolean'],
  [{ region: 'a', credentials: 'x' }, 'credentials are neither'],
  [null, 'must be an object'],
])('connect(%j) is refused', (options, message) => {
  expect(() => connect(options as never)).toThrow(message)
  expect(() => connect(options as never)).toThrow(/^OPTION_INVALID/)
})
