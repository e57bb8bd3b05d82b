import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import * as sdk from '@aws-sdk/client-dynamodb'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { defineSchema, Table } from 'singletable'
import { connect, NoAnswerError, ServiceError } from 'singletable/direct'
import { crc32 } from 'singletable/engine'
import { describe, expect, test } from 'vitest'
import { awsTransport } from '../../packages/singletable/src/aws/aws-transport.ts'
import { rejection } from '../aws/canned-client.ts'
import { httpAnswer, rawServer } from './raw-server.ts'

const request = { TableName: 'Blog', Key: { pk: { S: 'a' } } }
const options = {
  region: 'eu-west-1',
  credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
}

const schema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    User: {
      key: { pk: 'USER#${name}' },
      attributes: { name: { type: String, required: true }, visits: { type: Number } },
    },
  },
})
const ITEM = httpAnswer(
  JSON.stringify({ Item: { pk: { S: 'USER#a' }, _type: { S: 'User' }, name: { S: 'a' } } }),
)

/** What the two transports make of one answer. */
async function both(bytes: Buffer): Promise<{ direct: unknown; aws: unknown }> {
  const server = await rawServer(({ socket }) => socket.end(bytes))
  const direct = connect({ ...options, endpoint: server.url, retry: { attemptsMax: 1 } })
  const client = new DynamoDBClient({ ...options, endpoint: server.url })
  const settle = (promise: Promise<unknown>): Promise<unknown> =>
    promise.catch((error: unknown) => error)
  const answers = {
    direct: await settle(direct.send('GetItem', request)),
    aws: await settle(awsTransport(client).send('GetItem', request)),
  }
  direct.close()
  client.destroy()
  return answers
}

/** Everything about an error that a caller can see; strings of parsers apart, which are not the
 * service's. */
function shown(error: unknown): unknown {
  if (error instanceof NoAnswerError) {
    return { kind: 'NoAnswerError', sent: error.sent, retryable: error.retryable }
  }
  if (!(error instanceof ServiceError)) return error
  const { $metadata, name } = error.cause as {
    $metadata: { httpStatusCode: number; requestId?: string }
    name: string
  }
  return {
    kind: 'ServiceError',
    ...error,
    cause: undefined,
    message: name === 'SyntaxError' ? '' : error.message,
    status: $metadata.httpStatusCode,
    requestId: $metadata.requestId,
  }
}

const refused = (status: number, body: object | string, headers = {}): Buffer =>
  httpAnswer(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: {
      'x-amzn-RequestId': 'REQUEST7',
      'content-type': 'application/x-amz-json-1.0',
      ...headers,
    },
  })
const service = (name: string): string => `com.amazonaws.dynamodb.v20120810#${name}`
const coral = (name: string): string => `com.amazon.coral.service#${name}`

const ANSWERS: readonly (readonly [string, Buffer])[] = [
  [
    'a condition that failed',
    refused(400, {
      __type: service('ConditionalCheckFailedException'),
      message: 'The conditional request failed',
    }),
  ],
  [
    'a condition that failed, with the item',
    refused(400, {
      __type: service('ConditionalCheckFailedException'),
      message: 'no',
      Item: { pk: { S: 'a' }, b: { B: 'AQID' }, n: { N: '1' } },
    }),
  ],
  [
    'a cancelled transaction',
    refused(400, {
      __type: service('TransactionCanceledException'),
      Message: 'Transaction cancelled',
      CancellationReasons: [
        { Code: 'None' },
        {
          Code: 'ConditionalCheckFailed',
          Message: 'no',
          Item: { pk: { S: 'a' }, b: { BS: ['AQ=='] } },
        },
      ],
    }),
  ],
  [
    'throttling with reasons',
    refused(400, {
      __type: service('ProvisionedThroughputExceededException'),
      message: 'slow',
      ThrottlingReasons: [{ reason: 'TableReadKeyRangeThroughputExceeded', resource: 'arn:aws:x' }],
    }),
  ],
  [
    'throttling with reasons in lower case',
    refused(400, {
      __type: coral('ThrottlingException'),
      message: 'slow',
      throttlingReasons: [
        { reason: 'TableWriteProvisionedThroughputExceeded', resource: 'arn:aws:x' },
      ],
    }),
  ],
  [
    'a limit of requests',
    refused(400, { __type: service('RequestLimitExceeded'), message: 'slow' }),
  ],
  [
    'a request that is not valid',
    refused(400, {
      __type: 'com.amazon.coral.validate#ValidationException',
      message: 'One or more parameter values were invalid',
    }),
  ],
  [
    'a table that is not there',
    refused(400, {
      __type: service('ResourceNotFoundException'),
      message: 'Requested resource not found',
    }),
  ],
  [
    'a type without a namespace',
    refused(400, { __type: 'ResourceInUseException', message: 'Table already exists: a' }),
  ],
  [
    'a type with an address behind it',
    refused(400, {
      __type: `${service('LimitExceededException')}:http://internal.amazon.com/`,
      message: 'x',
    }),
  ],
  [
    'a type in a header',
    refused(400, { message: 'x' }, { 'x-amzn-ErrorType': 'AccessDeniedException:http://x/' }),
  ],
  ['a code instead of a type', refused(400, { code: 'ValidationException', message: 'x' })],
  [
    'a text with a capital',
    refused(400, {
      __type: coral('SerializationException'),
      Message: 'NUMBER_VALUE cannot be converted to String',
    }),
  ],
  ['no text', refused(400, { __type: coral('SerializationException') })],
  [
    'access denied',
    refused(400, { __type: coral('AccessDeniedException'), Message: 'User: x is not authorized' }),
  ],
  [
    'a token that is not valid',
    refused(400, {
      __type: coral('UnrecognizedClientException'),
      message: 'The security token included in the request is invalid.',
    }),
  ],
  [
    'a token that has ended',
    refused(400, {
      __type: coral('ExpiredTokenException'),
      message: 'The security token included in the request is expired',
    }),
  ],
  [
    'a signature that is not right',
    refused(400, {
      __type: coral('InvalidSignatureException'),
      message: 'The request signature we calculated does not match',
    }),
  ],
  [
    'an error of the service',
    refused(500, {
      __type: service('InternalServerError'),
      message: 'The request could not be completed',
    }),
  ],
  [
    'an error of the service of another name',
    refused(500, { __type: coral('InternalFailure'), message: 'x' }),
  ],
  [
    'a service that is not available',
    refused(503, { __type: coral('ServiceUnavailableException'), message: 'x' }),
  ],
  [
    'a known error with a status of the service',
    refused(503, { __type: service('ThrottlingException'), message: 'x' }),
  ],
  ['an empty object', refused(400, {})],
  ['an empty body', refused(400, '')],
  ['an empty body of a service that failed', refused(500, '')],
  [
    'the page of a proxy, 502',
    refused(502, '<html>Bad gateway</html>', { 'content-type': 'text/html' }),
  ],
  [
    'the page of a proxy, 503',
    refused(503, '<html>Unavailable</html>', { 'content-type': 'text/html' }),
  ],
  ['the page of a proxy, 500', refused(500, '<html>Oops</html>', { 'content-type': 'text/html' })],
  [
    'the page of a proxy, 403',
    refused(403, '<html>Forbidden</html>', { 'content-type': 'text/html' }),
  ],
  ['too much, refused without a body', refused(413, '')],
  ['an answer that breaks off and says it is whole', httpAnswer('{"Item":')],
  ['an answer that breaks off', httpAnswer('{"Item":', { headers: { 'content-length': '100' } })],
  ['no answer at all', Buffer.alloc(0)],
  [
    'an item',
    httpAnswer(
      JSON.stringify({
        Item: { pk: { S: 'ä𝄞' }, b: { B: 'AQID' }, m: { M: { l: { L: [{ NULL: true }] } } } },
      }),
    ),
  ],
  ['nothing', httpAnswer('{}')],
  ['success without a body', httpAnswer('')],
  ['the status 204', Buffer.from('HTTP/1.1 204 No Content\r\n\r\n')],
]

describe('both transports give the same for', () => {
  test.each(ANSWERS)('%s', async (_, bytes) => {
    const { direct, aws } = await both(bytes)
    expect(shown(direct)).toEqual(shown(aws))
  })

  const names = Object.entries(sdk)
    .filter(([, value]) => typeof value === 'function' && value.prototype instanceof Error)
    .map(([name]) => name)
    .filter((name) => name !== 'DynamoDBServiceException')
  test.each(names)('%s with the status 500', async (name) => {
    const { direct, aws } = await both(refused(500, { __type: service(name), message: 'x' }))
    expect(shown(direct)).toEqual(shown(aws))
  })
})

test.each([
  ['200', httpAnswer('')],
  ['204', Buffer.from('HTTP/1.1 204 No Content\r\n\r\n')],
  ['of another service', httpAnswer('{"status":"ok"}')],
  ['that says it is an error', httpAnswer('{"__type":"InternalServerError","message":"x"}')],
])(
  'an empty or foreign answer %s is none: reads are sent again, the outcome of a write is unknown',
  async (_, empty) => {
    let left = 1
    const server = await rawServer(({ socket }) => socket.write(left-- > 0 ? empty : ITEM))
    const direct = connect({ ...options, endpoint: server.url })
    const client = new DynamoDBClient({ ...options, endpoint: server.url })
    for (const transport of [direct, client]) {
      const { User } = new Table({ name: 'Users', schema, client: transport }).entities
      left = 1
      expect(await User.get({ name: 'a' }).execute()).toEqual({ name: 'a' })
      left = 1
      const add = User.update({ name: 'a' }).add('visits', 1)
      expect(await rejection(add.execute())).toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    }
    direct.close()
    client.destroy()
  },
)

test.each(['Query', 'Scan', 'BatchGetItem', 'TransactGetItems'] as const)(
  'an empty object is not an answer to %s, which always has results',
  async (operation) => {
    const server = await rawServer(({ socket }) => socket.write(httpAnswer('{}')))
    const direct = connect({ ...options, endpoint: server.url, retry: { attemptsMax: 1 } })
    const sent = direct.send(operation, {} as never)
    expect(await rejection(sent)).toMatchObject({
      message: expect.stringContaining(`not one to ${operation}`),
    })
    direct.close()
  },
)

test('an operation that answers with nothing may do so', async () => {
  const server = await rawServer(({ socket }) => socket.write(httpAnswer('')))
  const direct = connect({ ...options, endpoint: server.url })
  const request = { ResourceArn: 'arn', Tags: [] }
  expect(await direct.send('TagResource', request)).toEqual({})
  direct.close()
})

test('the list of answers has no two that are equal', () => {
  const hashes = ANSWERS.map(([, bytes]) => createHash('sha256').update(bytes).digest('hex'))
  expect(new Set(hashes).size).toBe(ANSWERS.length)
})

describe('the checksum of an answer', () => {
  const item = JSON.stringify({ Item: { pk: { S: 'a' } } })
  const answering = async (bytes: Buffer, more = {}): Promise<unknown> => {
    const server = await rawServer(({ socket }) => socket.write(bytes))
    const direct = connect({ ...options, endpoint: server.url, retry: { attemptsMax: 1 }, ...more })
    return direct.send('GetItem', request).finally(() => direct.close())
  }
  const checked = (body: string | Buffer, checksum: number, headers = {}): Buffer =>
    httpAnswer(body, { headers: { 'x-amz-crc32': String(checksum), ...headers } })

  test('lets an answer pass that has it', async () => {
    expect(await answering(checked(item, crc32(Buffer.from(item))))).toEqual(JSON.parse(item))
  })

  test('makes a changed answer no answer, so that nobody takes it for data', async () => {
    const changed = item.replace('"a"', '"b"')
    const error = await rejection(answering(checked(changed, crc32(Buffer.from(item)))))
    expect(error).toBeInstanceOf(NoAnswerError)
    expect(error).toMatchObject({ sent: true, retryable: true })
  })

  test('is that of the compressed bytes', async () => {
    const zipped = gzipSync(item)
    const answer = checked(zipped, crc32(zipped), { 'content-encoding': 'gzip' })
    expect(await answering(answer, { gzip: true })).toEqual(JSON.parse(item))
  })

  test('does not save what can not be decompressed', async () => {
    const broken = Buffer.from('no gzip')
    const answer = checked(broken, crc32(broken), { 'content-encoding': 'gzip' })
    expect(await rejection(answering(answer))).toMatchObject({ name: 'NoAnswerError', sent: true })
  })
})

test('an attribute named __proto__ arrives like any other', async () => {
  const body = '{"Item":{"__proto__":{"S":"a"}}}'
  const server = await rawServer(({ socket }) => socket.end(httpAnswer(body)))
  const direct = connect({ ...options, endpoint: server.url })
  const { Item } = await direct.send('GetItem', request)
  expect(Object.keys(Item ?? {})).toEqual(['__proto__'])
  direct.close()
})
