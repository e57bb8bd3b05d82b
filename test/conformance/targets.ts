import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine, OperationName, Storage } from 'singletable/engine'

/** Something that claims to be DynamoDB. */
export interface Target {
  readonly name: 'engine' | 'local'
  // A conformance test looks at answers of every operation, also of refused and malformed requests;
  // types would only say what the test is there to find out.
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  send(operation: string, request: unknown): Promise<any>
  close(): Promise<void>
}

/** What a target throws when it refuses: the same members as the engine's ServiceError. */
export interface Refusal extends Error {
  // biome-ignore lint/suspicious/noExplicitAny: members differ by exception; tests look at them.
  readonly [member: string]: any
}

/** The referee could not be asked at all, which shows nothing about its behaviour. */
export class RefereeUnavailable extends Error {}

/** A fresh engine. */
export async function engineTarget(): Promise<Target> {
  const { createEngine } = await import('singletable/engine')
  return targetOf(createEngine())
}

function targetOf(engine: Engine): Target {
  return {
    name: 'engine',
    // Tests also send names and requests that the types would refuse.
    send: (operation, request) => engine.send(operation as OperationName, request as never),
    close: () => engine.close(),
  }
}

let durable: { readonly storage: Storage; readonly emptied: Storage } | undefined
let folder: string | undefined

/** A fresh engine on LMDB. The tests of one file share the storage, which is made empty after each,
 * because opening takes longer than most tests. */
export async function durableTarget(): Promise<Target> {
  const { createEngine } = await import('singletable/engine')
  durable ??= await openDurable()
  return targetOf(createEngine({ storage: durable.emptied }))
}

async function openDurable(): Promise<NonNullable<typeof durable>> {
  const { lmdbStorage } = await import('@singletable/kit/storage')
  // What a test needs is in memory on Linux, where nothing has to be flushed.
  const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  folder = mkdtempSync(join(base, 'singletable-conformance-'))
  const storage = lmdbStorage(folder, { durability: 'os' })
  const empty = storage.snapshot()
  const emptied: Storage = {
    get: (key) => storage.get(key),
    visit: (range, visitor) => storage.visit(range, visitor),
    transaction: (callback) => storage.transaction(callback),
    snapshot: () => storage.snapshot(),
    restore: (snapshot) => storage.restore(snapshot),
    close: () => storage.restore(empty),
  }
  return { storage, emptied }
}

/** Ends what the durable targets of this file have shared. */
export async function closeDurable(): Promise<void> {
  await durable?.storage.close()
  durable = undefined
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
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
      // The server may close a kept connection just when it is used again: then nothing was
      // received, so ask again.
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
