import type { Engine } from 'singletable/engine'
import { expect } from 'vitest'
import { checksum, type Exchange, exchange, type RawResponse } from './raw-http.ts'

/** One exchange over a raw socket and what must come of it. */
export interface WireCase {
  /** Its number in the corpus or list of controls, where it has one. */
  readonly id?: string
  /** What is sent and what comes back, as a sentence. */
  readonly name: string
  run(server: TestServer): Promise<void>
}

export interface TestServer {
  readonly engine: Engine
  readonly port: number
}

/** The parts of a request. Headers of `undefined` are left out, a list is sent line by line. */
export interface RequestParts {
  readonly method?: string
  readonly path?: string
  readonly version?: string
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly target?: string
  readonly body?: string | Buffer
}

/** What an answer must be. */
export interface Answer {
  readonly status: number
  /** The whole `__type`. */
  readonly type?: string
  /** The text, in `message` or `Message` as the type has it; `null` for none. */
  readonly message?: string | RegExp | null
  /** The whole body as text. */
  readonly text?: string
  /** The body's JSON, or a part of it. */
  readonly json?: object
  readonly headers?: Readonly<Record<string, string | RegExp | undefined>>
}

export const CORAL = 'com.amazon.coral.service#'
export const VALIDATION = 'com.amazon.coral.validate#ValidationException'
export const SERVICE = 'com.amazonaws.dynamodb.v20120810#'
export const NOT_FOUND_PAGE: Answer = { status: 404, text: '<UnknownOperationException/>\n' }
export const UNREADABLE: Answer = {
  status: 400,
  text: `{"__type":"${CORAL}SerializationException"}`,
}
export const UNKNOWN: Answer = {
  status: 400,
  text: `{"__type":"${CORAL}UnknownOperationException"}`,
}
export const NO_TABLES_PAST_Z: object = { TableNames: [] }

/** Parts of a signature that is complete. */
export const AUTHORIZATION =
  'AWS4-HMAC-SHA256 Credential=any/20261116/us-east-1/dynamodb/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=0000'
/** A request that every engine answers alike: no table has a name after this one. */
export const LIST_TABLES = '{"ExclusiveStartTableName":"zzzz"}'

/** The bytes of a request: complete and right but for the parts given. */
export function requestBytes(parts: RequestParts = {}): Buffer {
  const { method = 'POST', path = '/', version = 'HTTP/1.1', target = 'ListTables' } = parts
  const body = Buffer.from(parts.body ?? LIST_TABLES)
  const headers: RequestParts['headers'] = {
    Host: 'localhost',
    'X-Amz-Target': target.includes('.') ? target : `DynamoDB_20120810.${target}`,
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Date': '20261116T120000Z',
    Authorization: AUTHORIZATION,
    'Content-Length': String(body.length),
    ...parts.headers,
  }
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => `${name}: ${each}\r\n`),
  )
  const head = `${method} ${path} ${version}\r\n${lines.join('')}\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), body])
}

/** A case of one request and one answer. */
export function answers(name: string, parts: RequestParts, answer: Answer, id?: string): WireCase {
  return {
    ...(id !== undefined && { id }),
    name,
    async run({ port }) {
      const { responses } = await exchange([requestBytes(parts)], {
        port,
        withoutBodies: parts.method === 'HEAD',
      })
      expect(responses).toHaveLength(1)
      check(responses[0] as RawResponse, answer, parts.method === 'HEAD')
    },
  }
}

/** A case whose bytes no HTTP client would send. The server either ends the connection, or answers
 * once. */
export function bytes(
  name: string,
  pieces: readonly (string | Buffer)[],
  end: 'closed' | 'answered',
  judge: (result: Exchange) => void,
  id?: string,
): WireCase {
  return {
    ...(id !== undefined && { id }),
    name,
    async run({ port }) {
      const wait = end === 'closed' ? { untilClosed: true } : { graceMs: 20 }
      judge(await exchange(pieces, { port, ...wait }))
    },
  }
}

/** Compares an answer, and checks what every answer has: an id, a length and the checksum of the
 * bytes as sent. */
export function check(response: RawResponse, answer: Answer, isHead = false): void {
  const { headers, body } = response
  const only = (name: string): string | undefined => {
    const values = headers.get(name) ?? []
    expect(values.length).toBeLessThanOrEqual(1)
    return values[0]
  }
  const text = body.toString()
  expect({ status: response.statusCode, text: text.slice(0, 2000) }).toMatchObject({
    status: answer.status,
  })
  expect(only('x-amzn-requestid')).toMatch(/^[0-9A-Z]{52}$/)
  expect(only('date')).toMatch(/GMT$/)
  if (!isHead) {
    expect(only('content-length')).toBe(String(body.length))
    expect(only('x-amz-crc32')).toBe(String(checksum(body)))
  }
  if (answer.text !== undefined) expect(text).toBe(answer.text)
  for (const [name, value] of Object.entries(answer.headers ?? {})) {
    const given = only(name)
    if (value instanceof RegExp) expect(given).toMatch(value)
    else expect(given).toBe(value)
  }
  if (answer.json !== undefined) expect(JSON.parse(text)).toMatchObject(answer.json)
  if (answer.type !== undefined) checkError(JSON.parse(text), answer)
}

function checkError(body: Record<string, unknown>, answer: Answer): void {
  const { type, message } = answer
  expect(body.__type).toBe(type)
  // These two spell the member with a capital letter.
  const capital = /#(SerializationException|AccessDeniedException|TransactionCanceledException)$/
  const member = capital.test(type ?? '') ? 'Message' : 'message'
  const other = member === 'message' ? 'Message' : 'message'
  expect(body).not.toHaveProperty(other)
  if (message === null) expect(body).not.toHaveProperty(member)
  else if (message instanceof RegExp) expect(body[member]).toMatch(message)
  else if (message !== undefined) expect(body[member]).toBe(message)
}
