import net from 'node:net'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { ServiceError } from 'singletable/engine'
import { expect, test, vi } from 'vitest'
import { awsTransport } from '../../packages/singletable/src/aws/aws-transport.ts'
import { NoAnswerError } from '../../packages/singletable/src/wire/no-answer-error.ts'
import { type Answer, cannedClient, EMPTY, refusal, rejection } from './canned-client.ts'

const request = { TableName: 'Blog', Key: { pk: { S: 'a' } } }

function errorFor(answer: Answer): Promise<unknown> {
  return rejection(awsTransport(cannedClient(answer).client).send('GetItem', request))
}

test.each([
  [500, 'InternalServerError', 'InternalServerError'],
  [500, 'InternalFailure', 'InternalServerError'],
  [503, 'ServiceUnavailableException', 'ServiceUnavailable'],
  [400, 'ValidationException', 'ValidationException'],
  [400, 'UnrecognizedClientException', 'UnrecognizedClientException'],
  [400, 'ThrottlingException', 'ThrottlingException'],
])('an answer %i %s is a ServiceError named %s', async (status, sent, name) => {
  const error = await errorFor(() => refusal(status, sent))
  expect(error).toBeInstanceOf(ServiceError)
  expect(error).toMatchObject({
    name,
    message: 'no',
    cause: { $metadata: { httpStatusCode: status } },
  })
})

test.each([
  [500, 'InternalServerError'],
  [502, 'ServiceUnavailable'],
  [503, 'ServiceUnavailable'],
])('an answer %i that is not JSON is a ServiceError named %s', async (statusCode, name) => {
  const error = await errorFor(() => ({ statusCode, body: '<html>Bad gateway</html>' }))
  expect(error).toBeInstanceOf(ServiceError)
  expect(error).toMatchObject({ name })
})

test('the reasons of throttling are read under both of their names', async () => {
  const reasons = [{ reason: 'TableReadProvisionedThroughputExceeded', resource: 'arn:aws:x' }]
  for (const [name, member] of [
    ['ThrottlingException', 'throttlingReasons'],
    ['ProvisionedThroughputExceededException', 'ThrottlingReasons'],
  ] as const) {
    const error = await errorFor(() => refusal(400, name, { [member]: reasons }))
    expect(error).toMatchObject({ name, ThrottlingReasons: reasons })
  }
})

test('an error has only the members the service sent', async () => {
  const error = await errorFor(() => refusal(400, 'ConditionalCheckFailedException'))
  expect(Object.keys(error as object).sort()).toEqual(['cause', 'name'])
})

test('an answer that breaks off may stand for a write that happened', async () => {
  const error = await errorFor(() => ({ statusCode: 200, body: '{"Item":' }))
  expect(error).toBeInstanceOf(NoAnswerError)
  expect(error).toMatchObject({ sent: true, retryable: true })
})

test.each([
  ['ECONNRESET', 'read', true],
  ['EPIPE', 'write', true],
  ['ETIMEDOUT', 'read', true],
  ['ETIMEDOUT', 'connect', false],
  ['ECONNREFUSED', 'connect', false],
  ['ENOTFOUND', 'getaddrinfo', false],
  ['EAI_AGAIN', 'getaddrinfo', false],
  ['CERT_HAS_EXPIRED', undefined, false],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', undefined, false],
])(
  'a socket that fails with %s in %s: the request may have arrived is %s',
  async (code, syscall, sent) => {
    const cause = Object.assign(new Error('socket'), { code, syscall })
    const error = await errorFor(() => Promise.reject(cause))
    expect(error).toBeInstanceOf(NoAnswerError)
    expect(error).toMatchObject({ sent, retryable: true })
    expect((error as NoAnswerError).cause).toBe(cause)
  },
)

test('refused and reset connections are distinguished', async () => {
  const server = net.createServer((socket) => socket.once('data', () => socket.resetAndDestroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  const client = new DynamoDBClient({
    region: 'eu-west-1',
    endpoint: `http://127.0.0.1:${port}`,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  })
  const transport = awsTransport(client)
  const reset = await rejection(transport.send('GetItem', request))
  await new Promise((resolve) => server.close(resolve))
  const refused = await rejection(transport.send('GetItem', request))
  client.destroy()
  expect(reset).toMatchObject({ name: 'NoAnswerError', sent: true, retryable: true })
  expect(refused).toMatchObject({ name: 'NoAnswerError', sent: false, retryable: true })
})

test('missing credentials are a ServiceError, and nothing was sent', async () => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE']) {
    vi.stubEnv(name, undefined)
  }
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) {
    vi.stubEnv(name, '/absent/file')
  }
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
  const { client, requests } = cannedClient(() => EMPTY, { credentials: undefined } as never)
  const error = await rejection(
    awsTransport(client).send('PutItem', { TableName: 'Blog', Item: {} }),
  )
  vi.unstubAllEnvs()
  expect(error).toBeInstanceOf(ServiceError)
  expect(error).toMatchObject({
    name: 'CredentialsProviderError',
    cause: { name: 'CredentialsProviderError' },
  })
  expect(requests).toHaveLength(0)
})

test('credentials refused by the service that issues them are not an answer of DynamoDB', async () => {
  const refused = Object.assign(new Error('no role'), {
    name: 'InternalFailure',
    $fault: 'server',
    $metadata: { httpStatusCode: 500 },
  })
  const { client } = cannedClient(() => EMPTY, { credentials: () => Promise.reject(refused) })
  const error = await rejection(awsTransport(client).send('GetItem', request))
  expect(error).toMatchObject({ name: 'CredentialsProviderError', cause: refused })
})

test('what a middleware throws before sending is not worth a retry', async () => {
  const { client, requests } = cannedClient(() => EMPTY)
  const own = new Error('own')
  client.middlewareStack.add(() => () => Promise.reject(own), { step: 'build' })
  const error = await rejection(awsTransport(client).send('GetItem', request))
  expect(error).toMatchObject({ name: 'NoAnswerError', sent: false, retryable: false, cause: own })
  expect(requests).toHaveLength(0)
})

test('an operation the package does not have is named', async () => {
  const { client } = cannedClient(() => EMPTY)
  const error = await rejection(awsTransport(client).send('ListStreams', {}))
  expect(error).toMatchObject({
    code: 'OPTION_INVALID',
    message: expect.stringContaining('ListStreams'),
  })
})

test('values nested deeper than the service allows end in an error', async () => {
  let value: object = { B: 'AQ==' }
  for (let depth = 0; depth < 50_000; depth++) value = { L: [value] }
  const { client, requests } = cannedClient(() => EMPTY)
  const item = { pk: { S: 'a' }, deep: value } as never
  const error = await rejection(
    awsTransport(client).send('PutItem', { TableName: 'Blog', Item: item }),
  )
  expect(error).toMatchObject({ name: 'NoAnswerError', sent: false })
  expect(requests).toHaveLength(0)
})
