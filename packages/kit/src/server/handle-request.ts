import { crc32 } from 'node:zlib'
import { type Engine, errorBody, operationOf, ServiceError } from 'singletable/engine'
import { checkAuthentication } from './check-authentication.ts'
import { acceptedEncoding, deflateBody } from './deflate-body.ts'
import { inflateBody } from './inflate-body.ts'
import {
  SLICED_ANSWER_MIN_CHARACTERS,
  SLICED_BODY_MIN_BYTES,
  UNCOMPRESSED_BODY_MAX_BYTES,
} from './limits.ts'
import { NOT_JSON, parseBody, parseLargeBody } from './parse-body.ts'
import { requestIds } from './request-id.ts'
import { encodeInSlices } from './sliced-json.ts'
import { tablesOf } from './tables-of.ts'
import {
  type KnownHeaders,
  readHeaders,
  type WireRequest,
  type WireResponse,
} from './wire-request.ts'

/** What `handleRequest` may be given besides engine and request. */
export interface HandleOptions {
  /** Part of the answer to `GET /`; default `us-east-1`. */
  readonly region?: string
  /** Refuses a request whose signature is not right; default: signatures have to be there, but are
   * not verified. */
  readonly verify?: (request: WireRequest) => ServiceError | undefined
  /** Whether answers say which tables the request names, for a log. */
  readonly nameTables?: boolean
  /** Called with what the engine threw that is not an answer of DynamoDB: a bug, or a closed
   * engine. The client gets a plain 500. */
  readonly onFailure?: (error: unknown, requestId: string) => void
}

const CONTENT_TYPES = new Set(['application/x-amz-json-1.0', 'application/json'])
const DEFAULT_CONTENT_TYPE = 'application/x-amz-json-1.0'
const UNKNOWN_OPERATION_PAGE = '<UnknownOperationException/>\n'
/** These answer with no body at all, not even `{}`. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['TagResource', 'UntagResource'])

const nextRequestId = requestIds()

/**
 * Answers one HTTP request, from bytes to bytes, without a socket. The checks come in the order in
 * which AWS makes them, so that of two mistakes the same one is reported. Whether the body's size
 * is allowed has been decided before.
 *
 * @example
 * const engine = createEngine()
 * const request = { method: 'GET', url: '/', headers: [], body: Buffer.alloc(0) }
 * const response = await handleRequest(engine, request)
 * response.statusCode // => 200
 */
export function handleRequest(
  engine: Engine,
  request: WireRequest,
  options: HandleOptions = {},
  known: KnownHeaders = readHeaders(request.headers),
): WireResponse | Promise<WireResponse> {
  const requestId = nextRequestId()
  const { method, url } = request
  const path = pathOf(url)
  if (method !== 'POST' || path !== '/') {
    if (method !== 'GET' || path !== '/') return unknownPage(requestId)
    const health = `healthy: dynamodb.${options.region ?? 'us-east-1'}.amazonaws.com `
    return plain(200, health, 'text/plain', requestId)
  }
  const contentType = baseType(known.contentType)
  const exchange: Exchange = {
    engine,
    request,
    options,
    known,
    requestId,
    contentType: CONTENT_TYPES.has(contentType) ? contentType : DEFAULT_CONTENT_TYPE,
  }
  if (request.body.length === 0) return handleBody(exchange, request.body)
  if (!CONTENT_TYPES.has(contentType)) return unknownPage(requestId)
  const encoding = known.contentEncoding?.trim().toLowerCase()
  if (encoding === undefined || encoding === '' || encoding === 'identity') {
    return handleBody(exchange, request.body)
  }
  return inflateBody(encoding, request.body).then((body) => {
    if (body === 'too large') return plain(413, '', undefined, requestId)
    if (body === 'undecodable') return refuse(exchange, unreadable())
    return handleBody(exchange, body)
  })
}

interface Exchange {
  readonly engine: Engine
  readonly request: WireRequest
  readonly options: HandleOptions
  readonly known: KnownHeaders
  readonly requestId: string
  /** Of the answer. */
  readonly contentType: string
}

function handleBody(exchange: Exchange, body: Buffer): WireResponse | Promise<WireResponse> {
  if (body.length > SLICED_BODY_MIN_BYTES) {
    return parseLargeBody(body).then((json) => handleJson(exchange, json, true))
  }
  return handleJson(exchange, body.length === 0 ? undefined : parseBody(body))
}

function handleJson(
  exchange: Exchange,
  json: unknown,
  isLarge = false,
): WireResponse | Promise<WireResponse> {
  const { engine, request, options, known } = exchange
  if (json === NOT_JSON) return refuse(exchange, unreadable())
  const operation = operationOf(known.target ?? '')
  if (operation === undefined) {
    return refuse(exchange, new ServiceError('UnknownOperationException', ''))
  }
  const refusal = checkAuthentication(request.url, known) ?? options.verify?.(request)
  if (refusal !== undefined) return refuse(exchange, refusal, operation)
  if (json === undefined) return refuse(exchange, unreadable(), operation)
  return engine.sendText(operation, json, { isLarge }).then(
    (text) => succeed(exchange, operation, json, text),
    (error: unknown) => fail(exchange, operation, json, error),
  )
}

function succeed(
  exchange: Exchange,
  operation: string,
  json: unknown,
  answer: string,
): WireResponse | Promise<WireResponse> {
  const { known, options } = exchange
  let text = WITHOUT_BODY.has(operation) ? '' : answer
  if (operation === 'DescribeEndpoints' && known.host !== undefined) {
    text = JSON.stringify({ Endpoints: [{ Address: known.host, CachePeriodInMinutes: 1440 }] })
  }
  const tables = options.nameTables ? tablesOf(json) : undefined
  return encode(exchange, 200, text, { operation, tables })
}

function fail(
  exchange: Exchange,
  operation: string,
  json: unknown,
  error: unknown,
): WireResponse | Promise<WireResponse> {
  const { options, requestId } = exchange
  const tables = options.nameTables ? tablesOf(json) : undefined
  if (error instanceof ServiceError) return refuse(exchange, error, operation, tables)
  options.onFailure?.(error, requestId)
  return refuse(
    exchange,
    new ServiceError('InternalServerError', 'Internal server error'),
    operation,
    tables,
  )
}

function refuse(
  exchange: Exchange,
  error: ServiceError,
  operation?: string,
  tables?: readonly string[],
): WireResponse | Promise<WireResponse> {
  const text = JSON.stringify(errorBody(error))
  return encode(exchange, error.statusCode, text, { operation, tables, errorName: error.name })
}

function unreadable(): ServiceError {
  return new ServiceError('SerializationException', '')
}

type ForTheLog = Pick<WireResponse, 'operation' | 'tables' | 'errorName'>

function encode(
  exchange: Exchange,
  statusCode: number,
  text: string,
  more: ForTheLog,
): WireResponse | Promise<WireResponse> {
  const { known, requestId, contentType } = exchange
  const isCompressed =
    known.acceptEncoding !== undefined && acceptedEncoding(known.acceptEncoding) !== undefined
  if (text.length > SLICED_ANSWER_MIN_CHARACTERS && !isCompressed) {
    return encodeLarge(exchange, statusCode, text, more)
  }
  const bodyBytes = Buffer.byteLength(text)
  if (bodyBytes > UNCOMPRESSED_BODY_MAX_BYTES && known.acceptEncoding !== undefined) {
    const encoding = acceptedEncoding(known.acceptEncoding)
    if (encoding !== undefined) {
      return deflateBody(encoding, Buffer.from(text)).then((body) => {
        const headers = headersOf(crc32(body), body.length, contentType, requestId)
        headers.push('Content-Encoding', encoding)
        return { statusCode, headers, body, bodyBytes: body.length, requestId, ...more }
      })
    }
  }
  return {
    statusCode,
    headers: headersOf(crc32(text), bodyBytes, contentType, requestId),
    body: text,
    bodyBytes,
    requestId,
    operation: more.operation,
    tables: more.tables,
    errorName: more.errorName,
  }
}

/** As `encode`, for an answer that would keep others waiting. */
async function encodeLarge(
  { requestId, contentType }: Exchange,
  statusCode: number,
  text: string,
  more: ForTheLog,
): Promise<WireResponse> {
  const body: Buffer[] = []
  let bodyBytes = 0
  let checksum = 0
  await encodeInSlices(text, (piece) => {
    body.push(piece)
    bodyBytes += piece.length
    checksum = crc32(piece, checksum)
  })
  const headers = headersOf(checksum, bodyBytes, contentType, requestId)
  return { statusCode, headers, body, bodyBytes, requestId, ...more }
}

function headersOf(
  checksum: number,
  bodyBytes: number,
  contentType: string | undefined,
  requestId: string,
): string[] {
  const headers = [
    'x-amzn-RequestId',
    requestId,
    'x-amz-crc32',
    String(checksum),
    'Content-Length',
    String(bodyBytes),
  ]
  if (contentType !== undefined) headers.push('Content-Type', contentType)
  return headers
}

/** An answer that is not JSON: those of AWS's front, before a request reaches the service. */
export function plain(
  statusCode: number,
  text: string,
  contentType: string | undefined,
  requestId: string = nextRequestId(),
): WireResponse {
  const bodyBytes = Buffer.byteLength(text)
  const headers = headersOf(crc32(text), bodyBytes, contentType, requestId)
  return { statusCode, headers, body: text, bodyBytes, requestId }
}

/** The answer when the server has more in hand than it may. */
export function serviceUnavailable(): WireResponse {
  const error = new ServiceError(
    'ServiceUnavailable',
    'The server is handling as many requests as it can. Try again.',
  )
  const text = JSON.stringify(errorBody(error))
  return { ...plain(503, text, DEFAULT_CONTENT_TYPE), errorName: error.name }
}

function unknownPage(requestId: string): WireResponse {
  return plain(404, UNKNOWN_OPERATION_PAGE, undefined, requestId)
}

/** A target such as `http://localhost:8000/?a` is legal in HTTP/1.1, and means the same as
 * `/?a`. */
function pathOf(url: string): string {
  if (url === '/') return url
  const start = /^https?:\/\/[^/?#]*/i.exec(url)?.[0].length ?? 0
  const end = url.indexOf('?', start)
  const path = url.slice(start, end < 0 ? undefined : end)
  return path === '' ? '/' : path
}

/** A content type without parameters and blanks. */
function baseType(header: string | undefined): string {
  if (header === undefined) return ''
  if (CONTENT_TYPES.has(header)) return header
  const end = header.indexOf(';')
  return (end < 0 ? header : header.slice(0, end)).trim().toLowerCase()
}
