import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Engine } from 'singletable/engine'
import { answerPreflight, corsHeaders } from './cors.ts'
import { type Guard, guardRequest } from './guard.ts'
import { type HandleOptions, handleRequest, plain, serviceUnavailable } from './handle-request.ts'
import type { ServerLimits } from './limits.ts'
import type { OpenExchange, OpenExchanges } from './open-exchanges.ts'
import type { RequestRecord } from './request-record.ts'
import type { WaitingSockets } from './waiting-sockets.ts'
import { type KnownHeaders, readHeaders, type WireResponse } from './wire-request.ts'

/** What all requests of a server have in common. */
export interface ServerContext {
  readonly engine: Engine
  readonly guard: Guard
  readonly limits: ServerLimits
  readonly exchanges: OpenExchanges
  readonly sockets: WaitingSockets
  readonly handling: HandleOptions
  readonly onRequest: ((record: RequestRecord) => void) | undefined
}

const NO_BYTES = Buffer.alloc(0)
/** The most that a compressed byte can stand for (RFC 1951: 258 bytes take two bits at least). */
const INFLATION_MAX = 1032

/** Takes a request from its headers to its answer. */
export function receiveRequest(
  context: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { guard } = context
  const startedAt = context.onRequest === undefined ? 0 : performance.now()
  const known = readHeaders(request.rawHeaders)
  const exchange: Exchange = {
    context,
    request,
    response,
    known,
    startedAt,
    bodyBytes: 0,
    bodyTakenBytes: 0,
    answerTakenBytes: 0,
  }
  const refused = guardRequest(guard, request.url ?? '', known)
  if (refused !== undefined) {
    answerEarly(exchange, plain(refused, '', undefined))
    return
  }
  if (request.method === 'OPTIONS' && known.origin !== undefined) {
    const { url = '', rawHeaders } = request
    const preflight = { method: 'OPTIONS', url, headers: rawHeaders, body: NO_BYTES }
    answerEarly(exchange, answerPreflight(preflight))
    return
  }
  if (Number(known.contentLength) > context.limits.bodyMaxBytes) {
    answerEarly(exchange, plain(413, '', undefined))
    return
  }
  readBody(exchange)
}

interface Exchange extends OpenExchange {
  readonly context: ServerContext
  readonly known: KnownHeaders
  readonly startedAt: number
  /** Of the body, as it came. */
  bodyBytes: number
}

function readBody(exchange: Exchange): void {
  const { context, request } = exchange
  const { exchanges, limits } = context
  let first: Buffer | undefined
  let rest: Buffer[] | undefined
  let bytes = 0
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length
    const refusal =
      bytes > limits.bodyMaxBytes
        ? plain(413, '', undefined)
        : exchanges.takeBody(exchange, chunk.length)
          ? undefined
          : serviceUnavailable()
    if (refusal !== undefined) {
      request.off('data', onData)
      request.off('end', onEnd)
      first = undefined
      rest = undefined
      answerEarly(exchange, refusal)
      return
    }
    exchange.bodyBytes = bytes
    if (first === undefined) first = chunk
    else if (rest === undefined) rest = [first, chunk]
    else rest.push(chunk)
  }
  const onEnd = (): void => {
    handle(exchange, rest === undefined ? (first ?? NO_BYTES) : Buffer.concat(rest, bytes))
  }
  exchanges.add(exchange)
  request.on('data', onData)
  request.on('end', onEnd)
}

function handle(exchange: Exchange, body: Buffer): void {
  const { context, request, known } = exchange
  const { method = '', url = '', rawHeaders: headers } = request
  context.sockets.busy(request.socket)
  if (known.contentEncoding !== undefined) {
    const grown = Math.min(body.length * INFLATION_MAX, context.limits.bodyMaxBytes)
    if (!context.exchanges.takeBody(exchange, grown)) {
      send(exchange, serviceUnavailable())
      return
    }
  }
  const answer = handleRequest(
    context.engine,
    { method, url, headers, body },
    context.handling,
    known,
  )
  if (!(answer instanceof Promise)) send(exchange, affordable(exchange, answer))
  else void answer.then((response) => send(exchange, affordable(exchange, response)))
}

/** The answer, or that it can't be given, if others that nobody reads hold too much already. */
function affordable(exchange: Exchange, answer: WireResponse): WireResponse {
  const bytes = Buffer.byteLength(answer.body)
  return exchange.context.exchanges.takeAnswer(exchange, bytes) ? answer : serviceUnavailable()
}

/** Answers before the body has come; the rest of it is read and dropped, or the client might lose the answer to a reset connection. */
function answerEarly(exchange: Exchange, answer: WireResponse): void {
  const { context, request } = exchange
  let dropped = 0
  request.on('data', (chunk: Buffer) => {
    dropped += chunk.length
    if (dropped > context.limits.bodyMaxBytes) request.destroy()
  })
  send(exchange, answer)
}

function send(exchange: Exchange, answer: WireResponse): void {
  const { context, request, response, known } = exchange
  const { guard, onRequest, sockets } = context
  sockets.wait(request.socket)
  let { headers } = answer
  if (guard.origins.size > 0) headers = [...headers, ...corsHeaders(guard, known.origin)]
  if (sockets.ending) headers = [...headers, 'Connection', 'close']
  // Node takes names and values in turn, although its types ask for a list that may be changed.
  response.writeHead(answer.statusCode, headers as string[])
  response.end(answer.body)
  if (onRequest === undefined) return
  const { statusCode, requestId, operation, tables, errorName } = answer
  onRequest({
    operation,
    tables: tables ?? [],
    statusCode,
    errorName,
    durationMs: performance.now() - exchange.startedAt,
    requestBytes: exchange.bodyBytes,
    responseBytes: Buffer.byteLength(answer.body),
    requestId,
  })
}
