import type { Socket } from 'node:net'
import { answerByHead } from './answer-by-head.ts'
import type { BodyHolder } from './body-budget.ts'
import { BodyBuffer } from './body-buffer.ts'
import { bodyFraming } from './body-framing.ts'
import { ChunkedBody } from './chunked-body.ts'
import { corsHeaders } from './cors.ts'
import { handleRequest, plain, serviceUnavailable } from './handle-request.ts'
import { EMPTY_LINES_MAX } from './limits.ts'
import { isHopeless, parseHead, type RequestHead } from './parse-head.ts'
import { CLOSE, CONTINUE, printHead, printRefusal } from './print-answer.ts'
import type { ServerContext } from './server-context.ts'
import { type KnownHeaders, readHeaders, type WireResponse } from './wire-request.ts'

/** What a connection is at. */
type Phase =
  /** Nothing of the next request has come. */
  | 'idle'
  /** A part of a request's head has come, or, on a new connection, nothing yet. */
  | 'head'
  | 'body'
  /** The request has been answered before its body came, which is read and dropped, or the client
   * might lose the answer to a reset. */
  | 'dropping'
  /** A whole request has come. */
  | 'busy'
  /** The client has not taken the answer yet. */
  | 'sending'
  /** We have said that we are done; what still comes is dropped. */
  | 'closing'

const HEAD_END = Buffer.from('\r\n\r\n')
const NO_BYTES = Buffer.alloc(0)
const CARRIAGE_RETURN = 0x0d
const LINE_FEED = 0x0a
/** The most that a compressed byte can stand for (RFC 1951: 258 bytes take two bits at least). */
const INFLATION_MAX = 1032

/**
 * One socket that speaks HTTP/1.1. Requests are answered one after the other, in their order: while
 * one is in hand, and until its answer has been taken, nothing more is read, so a client can't make
 * the server hold more than one request and one answer for it.
 */
export class Connection implements BodyHolder {
  readonly #context: ServerContext
  readonly #socket: Socket
  #phase: Phase = 'head'
  /** Since when the phase lasts, or the request has been coming, as far as a look at it has found
   * that out. */
  #since: number | undefined
  /** What has come and could not be read yet. */
  #rest: Buffer | undefined
  /** How much of an incomplete head has been looked at. */
  #seenBytes = 0
  #emptyLines = 0
  #requests = 0
  #isPaused = false
  #hasClientEnded = false

  #head: RequestHead | undefined
  #known: KnownHeaders | undefined
  #startedAt = 0
  /** Whether the connection ends with this request. */
  #isLast = false
  /** What is missing of a body with a length. */
  #leftBytes = 0
  #chunks: ChunkedBody | undefined
  #body: BodyBuffer | undefined
  #bodyBytes = 0
  #droppedBytes = 0
  #bodyTakenBytes = 0
  #answerTakenBytes = 0

  constructor(context: ServerContext, socket: Socket) {
    this.#context = context
    this.#socket = socket
  }

  open(): void {
    const { sockets, timeouts } = this.#context
    const socket = this.#socket
    socket.on('data', (chunk: Buffer) => this.#onData(chunk))
    socket.on('end', () => {
      this.#hasClientEnded = true
      this.#heedEnd()
    })
    // What is wrong with a socket is followed by its end.
    socket.on('error', () => {})
    socket.on('close', () => {
      timeouts.delete(this)
      this.#phase = 'closing'
      this.#rest = undefined
      this.#release()
    })
    timeouts.add(this)
    sockets.add(socket)
  }

  /** Ends what takes too long. */
  look(now: number): void {
    if (this.#since === undefined) {
      this.#since = now
      return
    }
    const { limits } = this.#context
    const isOver = (limitMs: number): boolean => now - (this.#since ?? now) >= limitMs
    switch (this.#phase) {
      case 'idle':
        if (isOver(limits.keepAliveTimeoutMs)) this.#close()
        break
      case 'head':
        if (!isOver(limits.headersTimeoutMs)) break
        if (this.#rest === undefined) this.#close()
        else this.#refuse(408)
        break
      case 'body':
        if (isOver(limits.requestTimeoutMs)) this.#refuse(408)
        break
      case 'dropping':
        if (isOver(limits.requestTimeoutMs)) this.#socket.destroy()
        break
      case 'sending':
        if (isOver(limits.answerTimeoutMs)) this.#socket.destroy()
        break
      case 'closing': {
        const isTaken = this.#socket.writableFinished
        if (isOver(isTaken ? limits.keepAliveTimeoutMs : limits.answerTimeoutMs)) {
          this.#socket.destroy()
        }
        break
      }
    }
  }

  #onData(chunk: Buffer): void {
    if (this.#phase === 'closing') this.#drop(chunk.length)
    else {
      const rest = this.#rest
      const input = rest === undefined ? chunk : Buffer.concat([rest, chunk])
      if (this.#isReading) this.#read(input)
      else this.#keep(input)
    }
  }

  get #isReading(): boolean {
    return this.#phase !== 'busy' && this.#phase !== 'sending' && this.#phase !== 'closing'
  }

  /** Puts off what the client sent before it had its answer. */
  #keep(input: Buffer): void {
    this.#rest = input
    this.#isPaused = true
    this.#socket.pause()
  }

  #read(input: Buffer): void {
    this.#rest = undefined
    let at = 0
    while (at < input.length) {
      if (this.#phase === 'idle' || this.#phase === 'head') at = this.#readHead(input, at)
      else if (this.#phase === 'body' || this.#phase === 'dropping') at = this.#readBody(input, at)
      else break
    }
    if (at < input.length && this.#phase !== 'closing') this.#keep(input.subarray(at))
    if (this.#hasClientEnded) this.#heedEnd()
  }

  /** Continues with what was deferred. */
  #resume(): void {
    if (this.#rest !== undefined && this.#isReading) this.#read(this.#rest)
    else if (this.#hasClientEnded) this.#heedEnd()
    if (this.#isPaused && this.#phase !== 'busy' && this.#phase !== 'sending') {
      this.#isPaused = false
      this.#socket.resume()
    }
  }

  /** The client sends no more; what it has asked for is answered. */
  #heedEnd(): void {
    if (this.#phase === 'idle' || this.#phase === 'dropping') this.#close()
    else if (this.#phase === 'body') this.#refuse(400)
    else if (this.#phase === 'head') {
      if (this.#rest === undefined) this.#close()
      else this.#refuse(400)
    }
  }

  /** Reads a head, or keeps what there is of one, and says where it ended. */
  #readHead(input: Buffer, from: number): number {
    const { limits } = this.#context
    let start = from
    while (input[start] === CARRIAGE_RETURN && input[start + 1] === LINE_FEED) {
      start += 2
      if (++this.#emptyLines > EMPTY_LINES_MAX) return this.#refuse(400)
    }
    if (start === input.length) return start
    const end = input.indexOf(HEAD_END, start + Math.max(0, this.#seenBytes - HEAD_END.length))
    const bytes = (end < 0 ? input.length : end + HEAD_END.length) - start
    if (bytes > limits.headersMaxBytes) return this.#refuse(431)
    if (end < 0) return this.#keepHead(input.subarray(start))
    this.#seenBytes = 0
    this.#emptyLines = 0
    const head = parseHead(input.toString('latin1', start, end))
    if (head === undefined) return this.#refuse(400)
    if (head.headers.length > 2 * limits.headersMaxCount) return this.#refuse(431)
    this.#begin(head)
    return end + HEAD_END.length
  }

  #keepHead(beginning: Buffer): number {
    const isHalfAnEmptyLine = beginning.length === 1 && beginning[0] === CARRIAGE_RETURN
    if (!isHalfAnEmptyLine && isHopeless(beginning, Math.max(0, this.#seenBytes - 1))) {
      return this.#refuse(400)
    }
    this.#seenBytes = beginning.length
    this.#rest = beginning
    if (this.#phase === 'idle') this.#enter('head')
    return Number.POSITIVE_INFINITY
  }

  #begin(head: RequestHead): void {
    const { limits, onRequest } = this.#context
    // Nobody is given a way through to somewhere else.
    if (head.method === 'CONNECT') {
      this.#socket.destroy()
      this.#phase = 'closing'
      return
    }
    const known = readHeaders(head.headers)
    const framing = bodyFraming(head.version, known)
    if (framing === undefined) {
      this.#refuse(400)
      return
    }
    if (this.#phase === 'idle') this.#enter('body')
    else this.#phase = 'body'
    this.#head = head
    this.#known = known
    this.#isLast =
      ++this.#requests >= limits.requestsPerConnectionMax || !keepsAlive(head.version, known)
    this.#startedAt = onRequest === undefined ? 0 : performance.now()
    this.#bodyBytes = 0
    this.#chunks = framing === 'chunked' ? new ChunkedBody(limits.headersMaxBytes) : undefined
    this.#leftBytes = framing === 'chunked' ? 0 : framing
    const answer = answerByHead(this.#context, head, known)
    if (known.expect !== undefined && head.version === '1.1') {
      const isMet = answer === undefined && known.expect.toLowerCase() === '100-continue'
      if (!isMet) {
        // Whether the body comes after this is not known, so what comes after it can't be
        // distinguished from the body.
        this.#isLast = true
        this.#answerEarly(answer ?? plain(417, '', undefined))
        return
      }
      if (framing !== 0) this.#socket.write(CONTINUE, 'latin1')
    }
    if (answer !== undefined) this.#answerEarly(answer)
    else if (framing === 0) this.#handle(NO_BYTES)
  }

  #readBody(input: Buffer, start: number): number {
    const chunks = this.#chunks
    if (chunks === undefined) {
      const end = Math.min(input.length, start + this.#leftBytes)
      this.#leftBytes -= end - start
      this.#takeBody(input, start, end)
      if (this.#leftBytes === 0) this.#endBody()
      return end
    }
    const end = chunks.read(input, start, (piece, from, to) => this.#takeBody(piece, from, to))
    if (end === undefined) return this.#refuse(400)
    if (chunks.isComplete) this.#endBody()
    return end
  }

  #takeBody(input: Buffer, start: number, end: number): void {
    const { limits, bodies } = this.#context
    const bytes = end - start
    if (this.#phase !== 'body') {
      this.#drop(bytes)
      return
    }
    this.#bodyBytes += bytes
    if (this.#bodyBytes > limits.bodyMaxBytes) this.#answerEarly(plain(413, '', undefined))
    else if (!bodies.take(bytes, this)) this.#answerEarly(serviceUnavailable())
    else {
      this.#bodyTakenBytes += bytes
      this.#body ??= new BodyBuffer()
      this.#body.append(input, start, end)
    }
  }

  giveUpBody(): void {
    this.#answerEarly(serviceUnavailable())
  }

  #drop(bytes: number): void {
    this.#droppedBytes += bytes
    if (this.#droppedBytes > this.#context.limits.bodyMaxBytes) this.#socket.destroy()
  }

  #endBody(): void {
    if (this.#phase === 'body') this.#handle(this.#body?.take() ?? NO_BYTES)
    else if (this.#phase === 'dropping') this.#finishRequest()
  }

  #handle(body: Buffer): void {
    const { engine, handling, sockets, bodies, limits } = this.#context
    const head = this.#head as RequestHead
    const known = this.#known as KnownHeaders
    this.#body = undefined
    this.#phase = 'busy'
    bodies.complete(this)
    sockets.busy(this.#socket)
    if (known.contentEncoding !== undefined) {
      const grown = Math.min(body.length * INFLATION_MAX, limits.bodyMaxBytes)
      if (!bodies.takeForWhole(grown, this)) {
        this.#answer(serviceUnavailable())
        return
      }
      this.#bodyTakenBytes += grown
    }
    const { method, url, headers } = head
    const answer = handleRequest(engine, { method, url, headers, body }, handling, known)
    if (!(answer instanceof Promise)) this.#answer(answer)
    else {
      void answer.then((response) => {
        this.#answer(response)
        this.#resume()
      })
    }
  }

  #answer(answer: WireResponse): void {
    if (this.#socket.destroyed) return
    const { bodyBytes } = answer
    if (this.#context.answers.take(bodyBytes)) {
      this.#answerTakenBytes += bodyBytes
      this.#send(answer)
    } else this.#send(serviceUnavailable())
    this.#finishRequest()
  }

  /** Answers before the body has come. */
  #answerEarly(answer: WireResponse): void {
    this.#body = undefined
    this.#release()
    this.#phase = 'dropping'
    this.#droppedBytes = 0
    this.#send(answer)
    if (this.#isLast) this.#close()
    else if (this.#leftBytes === 0 && this.#chunks === undefined) this.#finishRequest()
  }

  #send(answer: WireResponse): void {
    const { guard, onRequest, sockets, keepAlive } = this.#context
    const socket = this.#socket
    sockets.wait(socket)
    if (sockets.ending) this.#isLast = true
    const { body, bodyBytes } = answer
    const cors = guard.origins.size === 0 ? undefined : corsHeaders(guard, this.#known?.origin)
    const head = printHead(answer, cors, this.#isLast ? CLOSE : keepAlive)
    if (this.#head?.method === 'HEAD') socket.write(head, 'latin1', this.#onTaken)
    else if (typeof body === 'string') {
      const isAscii = bodyBytes === body.length
      socket.write(head + body, isAscii ? 'latin1' : 'utf8', this.#onTaken)
    } else if (Buffer.isBuffer(body)) {
      socket.write(Buffer.concat([Buffer.from(head, 'latin1'), body]), this.#onTaken)
    } else {
      socket.cork()
      socket.write(head, 'latin1')
      for (const piece of body) socket.write(piece, this.#onTaken)
      socket.uncork()
    }
    if (onRequest === undefined) return
    const { statusCode, requestId, operation, tables, errorName } = answer
    onRequest({
      operation,
      tables: tables ?? [],
      statusCode,
      errorName,
      durationMs: performance.now() - this.#startedAt,
      requestBytes: this.#bodyBytes,
      responseBytes: bodyBytes,
      requestId,
    })
  }

  /** After an answer: the next request, when this one has been taken. */
  #finishRequest(): void {
    if (this.#isLast) this.#close()
    else if (this.#socket.writableLength > 0) this.#enter('sending')
    else {
      this.#release()
      this.#enter('idle')
    }
  }

  /** Something that was written has been taken; whether all of it has is another question. */
  readonly #onTaken = (): void => {
    if (this.#socket.writableLength > 0) return
    if (this.#phase === 'closing') this.#release()
    if (this.#phase !== 'sending') return
    this.#finishRequest()
    this.#resume()
  }

  #enter(phase: Phase): void {
    this.#phase = phase
    this.#since = undefined
  }

  /** Ends the connection for something that is not a request, and says why unless the request has
   * had its answer. */
  #refuse(statusCode: number): number {
    this.#body = undefined
    if (this.#phase !== 'dropping') this.#socket.write(printRefusal(statusCode), 'latin1')
    this.#close()
    return Number.POSITIVE_INFINITY
  }

  /** Sends what there is to send and no more. What the client still sends is read, so that it does
   * not get a reset before it has read our answer. */
  #close(): void {
    this.#enter('closing')
    this.#rest = undefined
    this.#droppedBytes = 0
    if (this.#socket.writableLength === 0) this.#release()
    if (this.#context.sockets.ending) this.#socket.destroySoon()
    else this.#socket.end()
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#socket.resume()
  }

  #release(): void {
    this.#context.bodies.complete(this)
    this.#context.bodies.give(this.#bodyTakenBytes)
    this.#context.answers.give(this.#answerTakenBytes)
    this.#bodyTakenBytes = 0
    this.#answerTakenBytes = 0
  }
}

function keepsAlive(version: RequestHead['version'], { connection }: KnownHeaders): boolean {
  if (connection === undefined) return version === '1.1'
  const options = connection
    .toLowerCase()
    .split(',')
    .map((option) => option.trim())
  return !options.includes('close') && (version === '1.1' || options.includes('keep-alive'))
}
