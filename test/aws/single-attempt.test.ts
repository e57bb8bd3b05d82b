import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { expect, test } from 'vitest'
import { awsTransport } from '../../packages/singletable/src/aws/aws-transport.ts'
import { cannedClient, EMPTY, observing, refusal, rejection } from './canned-client.ts'

const request = { TableName: 'Blog', Key: { pk: { S: 'a' } } }
const INTERNAL_ERROR = refusal(500, 'InternalServerError')

test('a request is sent once, also when the service fails and the client would retry', async () => {
  const { client, requests } = cannedClient(() => INTERNAL_ERROR)
  for (const each of [client, DynamoDBDocumentClient.from(client)]) {
    const before = requests.length
    await rejection(awsTransport(each).send('GetItem', request))
    expect(requests.length - before).toBe(1)
  }
})

test("the client's own calls are retried as before", async () => {
  let failures = 2
  const { client, requests } = cannedClient(() => (failures-- > 0 ? INTERNAL_ERROR : EMPTY))
  await rejection(awsTransport(client).send('GetItem', request))
  const document = DynamoDBDocumentClient.from(client)
  await document.send(new GetCommand({ TableName: 'Blog', Key: { pk: 'a' } }))
  expect(requests).toHaveLength(3)
})

test('a request is signed and names the SDK and its target', async () => {
  const { client, requests } = cannedClient(() => EMPTY)
  await awsTransport(client).send('GetItem', request)
  expect(requests[0]?.headers).toMatchObject({
    authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=first\/.*\/eu-west-1\//),
    host: 'service.invalid',
    'user-agent': expect.stringContaining('aws-sdk-js/'),
    'x-amz-target': 'DynamoDB_20120810.GetItem',
  })
})

test('the region decides the endpoint if none is given', async () => {
  const seen: string[] = []
  const { client } = cannedClient(
    (sent) => {
      seen.push(String(sent.headers.host))
      return EMPTY
    },
    { endpoint: undefined, region: 'ap-south-1' } as never,
  )
  await awsTransport(client).send('GetItem', request)
  expect(seen).toEqual(['dynamodb.ap-south-1.amazonaws.com'])
})

test('middlewares of the client run in their places, also those added or removed later', async () => {
  const { client, requests } = cannedClient(() => EMPTY)
  const transport = awsTransport(client)
  const seen: string[] = []
  const middleware = (text: string) =>
    observing((headers) => {
      seen.push(text)
      headers[`x-${text}`] = String('authorization' in headers)
    })
  client.middlewareStack.add(middleware('build'), { step: 'build', name: 'own' })
  await transport.send('GetItem', request)
  client.middlewareStack.add(middleware('late'), { step: 'finalizeRequest', priority: 'high' })
  client.middlewareStack.add(middleware('first'), { step: 'initialize', priority: 'high' })
  client.middlewareStack.addRelativeTo(middleware('around'), {
    relation: 'before',
    toMiddleware: 'retryMiddleware',
  })
  await transport.send('GetItem', request)
  client.middlewareStack.remove('own')
  await transport.send('GetItem', request)
  expect(seen).toEqual(
    [['build'], ['first', 'build', 'around', 'late'], ['first', 'around', 'late']].flat(),
  )
  // The SDK signs right after its retries, so what is behind them sees the signature.
  expect(requests[1]?.headers).toMatchObject({ 'x-build': 'false', 'x-late': 'true' })
})

test('a middleware that is put in another place runs there', async () => {
  const { client, requests } = cannedClient(() => EMPTY)
  const transport = awsTransport(client)
  const mark = observing((headers) => {
    headers['x-signed'] = String('authorization' in headers)
  })
  client.middlewareStack.add(mark, { step: 'build', name: 'mark' })
  await transport.send('GetItem', request)
  client.middlewareStack.remove('mark')
  client.middlewareStack.add(mark, { step: 'finalizeRequest', name: 'mark' })
  await transport.send('GetItem', request)
  expect(requests.map((sent) => sent.headers['x-signed'])).toEqual(['false', 'true'])
})

test('a replaced send sees each request', async () => {
  const { client, requests } = cannedClient(() => EMPTY)
  const names: string[] = []
  client.send = (command: object) => {
    names.push(command.constructor.name)
    return Promise.resolve({ $metadata: {}, Item: { b: { B: new Uint8Array([1]) } } })
  }
  expect(await awsTransport(client).send('GetItem', request)).toEqual({
    Item: { b: { B: 'AQ==' } },
  })
  expect(names).toHaveLength(1)
  expect(requests).toHaveLength(0)
})

test('credentials that have expired are asked for again', async () => {
  let calls = 0
  const credentials = async (): Promise<object> => ({
    accessKeyId: `key${++calls}`,
    secretAccessKey: 'secret',
    expiration: new Date(Date.now() + 1000),
  })
  const { client, requests } = cannedClient(() => EMPTY, { credentials: credentials as never })
  const transport = awsTransport(client)
  await transport.send('GetItem', request)
  await transport.send('GetItem', request)
  const keys = requests.map(
    (sent) => /Credential=(\w+)/.exec(sent.headers.authorization ?? '')?.[1],
  )
  expect(new Set(keys).size).toBe(2)
})

test('a logger that was given gets the calls', async () => {
  const logged: unknown[] = []
  const nothing = (): void => {}
  const quiet = { debug: nothing, warn: nothing, info: nothing, error: nothing }
  const loggers = [
    { ...quiet, info: (entry: unknown) => logged.push(entry) },
    { ...quiet, info: (entry: unknown) => logged.push(entry) && {} },
    { ...quiet, error: logged.push.bind(logged) },
  ] as const
  for (const logger of loggers) {
    const { client } = cannedClient(() => (logger.error === nothing ? EMPTY : INTERNAL_ERROR), {
      logger: logger as never,
    })
    await awsTransport(client)
      .send('GetItem', request)
      .catch(() => {})
    expect(logged.splice(0)).toEqual([expect.objectContaining({ commandName: 'GetItemCommand' })])
  }
})

test('a response is not copied for a logger that drops it, nor for the default one', async () => {
  const drop = { debug() {}, warn() {}, info() {}, error() {} }
  for (const config of [{}, { logger: drop }]) {
    const { client } = cannedClient(() => EMPTY, config)
    let copies = 0
    client.middlewareStack.add(
      (next, context) => {
        // What the SDK's logger calls to make the copy that it hands over.
        Object.assign(context, { outputFilterSensitiveLog: () => copies++ })
        return next
      },
      { step: 'initialize', priority: 'high' },
    )
    await awsTransport(client).send('GetItem', request)
    expect(copies).toBe(0)
  }
})

test('a refused signature is sent again once, with the clock of the service', async () => {
  const hour = 3_600_000
  const date = (): string => new Date(Date.now() + hour).toUTCString()
  const refused = { ...refusal(400, 'InvalidSignatureException'), headers: { date: date() } }
  const { client, requests } = cannedClient(() => (requests.length === 1 ? refused : EMPTY))
  await awsTransport(client).send('PutItem', { TableName: 'Blog', Item: request.Key })
  const [first, second] = requests.map((sent) => timeOf(sent.headers['x-amz-date']))
  expect(Math.round((second ?? 0) - (first ?? 0)) / hour).toBeCloseTo(1, 1)

  const always = cannedClient(() => ({ ...refused, headers: { date: date() } }))
  const error = await rejection(awsTransport(always.client).send('GetItem', request))
  expect(error).toMatchObject({ name: 'InvalidSignatureException' })
  expect(always.requests).toHaveLength(2)
})

test('a failure that may have written is not sent again, even if it shows that the clock is wrong', async () => {
  const headers = { date: new Date(Date.now() + 3_600_000).toUTCString() }
  for (const answer of [INTERNAL_ERROR, refusal(400, 'ConditionalCheckFailedException')]) {
    const { client, requests } = cannedClient(() => ({ ...answer, headers }))
    await rejection(awsTransport(client).send('PutItem', { TableName: 'Blog', Item: request.Key }))
    expect(requests).toHaveLength(1)
  }
})

function timeOf(stamp: string | undefined): number {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(stamp ?? '') ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}
