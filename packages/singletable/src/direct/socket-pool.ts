import net from 'node:net'
import tls from 'node:tls'
import { type AnswerParser, createAnswerParser, type ParsedAnswer } from './answer-parser.ts'
import {
  type Answer,
  after,
  closedEarly,
  connectionTimeout,
  type Exchange,
  type Line,
  type Message,
  noAnswer,
  requestTimeout,
} from './exchange.ts'
import { onAbort } from './on-abort.ts'

/** Sockets of our own to one host. */
export interface SocketPool {
  readonly exchange: Exchange
  /** Ends idle sockets now, and the others when their request is done. */
  close(): void
}

export interface SocketPoolOptions {
  readonly socketsMax: number
  readonly socketIdleMsMax: number
}

/** One request on its way. */
interface Job {
  readonly message: Message
  /** Nobody waits any more: answered, failed or aborted. */
  isSettled: boolean
  connection: Connection | undefined
  succeed(answer: Answer): void
  fail(cause: unknown, wasConnected: boolean): void
}

interface Connection {
  readonly socket: net.Socket
  readonly parser: AnswerParser
  isConnected: boolean
  job: Job | undefined
  idleSince: number
}

/**
 * Keeps sockets open from request to request and writes HTTP on them itself: Node's own client
 * costs more than all the rest of a call together. The socket used last is used first, so that few
 * stay open when there is little to do. A service ends connections that are idle for long, and a
 * request that meets such an end may have been carried out or not, so a socket is not used again
 * after `socketIdleMsMax`.
 */
export function createSocketPool(
  line: Line,
  { socketsMax, socketIdleMsMax }: SocketPoolOptions,
): SocketPool {
  const { environment } = line
  const all = new Set<Connection>()
  const idle: Connection[] = []
  const waiting = new Set<Job>()
  let tlsSession: Buffer | undefined
  let isClosed = false

  const open = (): Connection => {
    const socket = line.protocol === 'https:' ? openTls(line, tlsSession) : openPlain(line)
    const connection: Connection = {
      socket,
      parser: createAnswerParser(),
      isConnected: false,
      job: undefined,
      idleSince: 0,
    }
    all.add(connection)
    const cancelTimeout = after(line, line.connectionTimeoutMs, () => {
      end(connection, connectionTimeout(line))
    })
    socket.setNoDelay(true)
    socket.setKeepAlive(true, 1_000)
    socket.on('session', (session: Buffer) => {
      tlsSession = session
    })
    socket.once(socket instanceof tls.TLSSocket ? 'secureConnect' : 'connect', () => {
      connection.isConnected = true
      cancelTimeout?.()
    })
    socket.on('data', (chunk) => receive(connection, (parser) => parser.push(chunk)))
    socket.on('end', () => {
      receive(connection, (parser) => parser.end())
      end(connection, closedEarly())
    })
    socket.on('error', (error) => end(connection, error))
    socket.on('close', () => {
      cancelTimeout?.()
      end(connection, closedEarly())
    })
    return connection
  }

  const receive = (
    connection: Connection,
    read: (parser: AnswerParser) => ParsedAnswer | undefined,
  ): void => {
    const { job, parser, socket } = connection
    // Bytes that nobody asked for: whatever they are, the next answer could not be distinguished
    // from them.
    if (job === undefined) {
      end(connection, closedEarly())
      return
    }
    let parsed: ParsedAnswer | undefined
    try {
      parsed = read(parser)
    } catch (error) {
      end(connection, error)
      return
    }
    if (parsed === undefined) return
    connection.job = undefined
    // If the service answered before it had the whole request, the rest of it is still in the way.
    if (parsed.isReusable && socket.writableLength === 0 && !isClosed) release(connection)
    else end(connection, undefined)
    job.succeed(parsed.answer)
  }

  /** The connection is free for the next request. */
  const release = (connection: Connection): void => {
    const [next] = waiting
    if (next !== undefined) {
      waiting.delete(next)
      start(connection, next)
      return
    }
    connection.idleSince = environment.now()
    // An idle socket must not keep the process running.
    connection.socket.unref()
    idle.push(connection)
  }

  /** The connection is over; so is its request, if it has one. */
  const end = (connection: Connection, cause: unknown): void => {
    if (!all.delete(connection)) return
    const position = idle.indexOf(connection)
    if (position !== -1) idle.splice(position, 1)
    connection.socket.destroy()
    const { job } = connection
    connection.job = undefined
    job?.fail(cause, connection.isConnected)
    const [next] = waiting
    if (next !== undefined && all.size < socketsMax) {
      waiting.delete(next)
      start(open(), next)
    }
  }

  const start = (connection: Connection, job: Job): void => {
    connection.job = job
    job.connection = connection
    connection.socket.write(print(job.message))
  }

  /** The idle connection used last, if it is not too old; the others are older still. */
  const reuse = (): Connection | undefined => {
    const newest = idle.pop()
    if (newest === undefined) return undefined
    if (newest.socket.writable && environment.now() - newest.idleSince <= socketIdleMsMax) {
      newest.socket.ref()
      return newest
    }
    for (const connection of [newest, ...idle]) end(connection, undefined)
    return undefined
  }

  return {
    exchange: (message, signal) =>
      new Promise((resolve, reject) => {
        const settle = (): void => {
          job.isSettled = true
          cancelTimeout?.()
          forgetSignal?.()
        }
        const job: Job = {
          message,
          isSettled: false,
          connection: undefined,
          succeed(answer) {
            if (job.isSettled) return
            settle()
            resolve(answer)
          },
          fail(cause, wasConnected) {
            if (job.isSettled) return
            settle()
            reject(noAnswer(cause, wasConnected))
          },
        }
        /** Takes the request back; its connection ends, because an answer may still come through
         * it. */
        const withdraw = (): void => {
          waiting.delete(job)
          if (job.connection?.job === job) end(job.connection, undefined)
        }
        const abort = (): void => {
          settle()
          reject(signal?.reason)
          withdraw()
        }
        const cancelTimeout = after(line, line.requestTimeoutMs, () => {
          job.fail(requestTimeout(line), job.connection?.isConnected ?? false)
          withdraw()
        })
        const forgetSignal = signal && onAbort(signal, abort)
        const connection = reuse() ?? (all.size < socketsMax ? open() : undefined)
        if (connection === undefined) waiting.add(job)
        else start(connection, job)
      }),
    close() {
      isClosed = true
      for (const connection of [...idle]) end(connection, undefined)
    },
  }
}

function openPlain({ hostname, port }: Line): net.Socket {
  return net.connect({ host: hostname, port: Number(port) || 80 })
}

function openTls({ hostname, port }: Line, session: Buffer | undefined): net.Socket {
  return tls.connect({
    host: hostname,
    port: Number(port) || 443,
    ALPNProtocols: ['http/1.1'],
    // An IP address can't be sent as the name of a server.
    ...(net.isIP(hostname) === 0 && { servername: hostname }),
    ...(session !== undefined && { session }),
  })
}

function print({ method, path, headers, body }: Message): string {
  let text = `${method} ${path} HTTP/1.1\r\n`
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`
  return `${text}\r\n${body}`
}
