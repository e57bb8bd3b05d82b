import { Agent, request as httpRequest } from 'node:http'
import type { OperationName } from 'singletable/engine'

/** Something that claims to be DynamoDB. */
export interface Target {
  readonly name: 'engine' | 'local'
  // A conformance test looks at answers of every operation, also of refused and malformed requests; types would only
  // say what the test is there to find out.
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  send(operation: string, request: unknown): Promise<any>
  close(): Promise<void>
}

/** What a target throws when it refuses: the same members as the engine's ServiceError. */
export interface Refusal extends Error {
  // biome-ignore lint/suspicious/noExplicitAny: members differ by exception; tests look at them.
  readonly [member: string]: any
}

/** The referee could not be asked at all, which proves nothing about its behaviour. */
export class RefereeUnavailable extends Error {}

/** A fresh engine. */
export async function engineTarget(): Promise<Target> {
  const { createEngine } = await import('singletable/engine')
  const engine = createEngine()
  return {
    name: 'engine',
    // Tests also send names and requests that the types would refuse.
    send: (operation, request) => engine.send(operation as OperationName, request as never),
    close: () => engine.close(),
  }
}

const STREAMS_OPERATIONS = new Set([
  'DescribeStream',
  'GetRecords',
  'GetShardIterator',
  'ListStreams',
])

const agent = new Agent({ keepAlive: true })

/** DynamoDB Local, spoken to without an SDK, so that requests no SDK would send can be sent. */
export function localTarget(port: number): Target {
  return {
    name: 'local',
    async send(operation, request) {
      const service = STREAMS_OPERATIONS.has(operation) ? 'DynamoDBStreams' : 'DynamoDB'
      const { status, body } = await post(port, {
        target: `${service}_20120810.${operation}`,
        body: JSON.stringify(request),
      })
      const answer = parseAnswer(body, status)
      if (status === 200) return answer
      throw refusal(answer)
    },
    async close() {},
  }
}

interface Post {
  readonly target: string
  readonly body: string
}

interface Answer {
  readonly status: number
  readonly body: string
}

function post(port: number, message: Post): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        agent,
        headers: {
          'x-amz-target': message.target,
          'content-type': 'application/x-amz-json-1.0',
          'content-length': Buffer.byteLength(message.body),
          'x-amz-date': '20260101T000000Z',
          authorization:
            'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x',
        },
      },
      (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          body += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
        response.on('error', (error) => reject(new RefereeUnavailable(error.message)))
      },
    )
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close a kept connection just when it is used again: then nothing was received, so ask again.
      if (request.reusedSocket && error.code === 'ECONNRESET') resolve(post(port, message))
      else reject(new RefereeUnavailable(error.message))
    })
    request.end(message.body)
  })
}

function parseAnswer(body: string, status: number): Record<string, unknown> {
  try {
    return body === '' ? {} : JSON.parse(body)
  } catch {
    throw new RefereeUnavailable(
      `status ${status} with a body that is not JSON: ${body.slice(0, 200)}`,
    )
  }
}

function refusal(answer: Record<string, unknown>): Error {
  const { __type, message, Message, ...members } = answer
  const error = new Error(String(message ?? Message ?? ''))
  error.name = String(__type ?? 'UnknownError').replace(/^.*#/, '')
  return Object.assign(error, members)
}
