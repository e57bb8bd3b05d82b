import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { NoAnswerError } from '../wire/no-answer-error.ts'
import type { Environment } from './environment.ts'

/** Where and how requests are sent. */
export interface Line {
  readonly environment: Environment
  /** `http:` or `https:`. */
  readonly protocol: string
  readonly hostname: string
  /** Empty for the protocol's own. */
  readonly port: string
  /** `false` for a socket of its own. */
  readonly agent: http.Agent | false
  readonly connectionTimeoutMs: number
  readonly requestTimeoutMs: number
}

export interface Message {
  readonly method: string
  readonly path: string
  /** Names and values in turn: so Node writes them as they are. */
  readonly headers: readonly string[]
  readonly body: string | undefined
}

export interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

/** Names of what is thrown before a connection stands: the host is not found, refuses, or can't prove who it is. */
const UNCONNECTED_CODES =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UNABLE_TO_.*|.*CERT.*)$/

/** DynamoDB answers with 16 MB of data at most, which JSON and Base64 can make larger. */
export const ANSWER_BYTES_MAX: number = 64 * 1024 * 1024

/**
 * Sends one HTTP request and gives the whole answer, whatever its status. Rejects with a `NoAnswerError`, or with the signal's reason at
 * once when it is aborted; the socket is then destroyed, because an answer may still come through it.
 */
export function exchange(line: Line, message: Message, signal?: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { environment, connectionTimeoutMs, requestTimeoutMs } = line
    let request: http.ClientRequest
    try {
      request = (line.protocol === 'https:' ? https : http).request({
        agent: line.agent,
        host: line.hostname,
        port: line.port,
        method: message.method,
        path: message.path,
        headers: message.headers,
      })
    } catch (cause) {
      reject(new NoAnswerError({ sent: false, retryable: false, cause }))
      return
    }
    // Before the connection stands, nothing of the request can have left this machine.
    let isConnected = false
    let isSettled = false
    let cancelConnectionTimeout: (() => void) | undefined

    const settle = (): void => {
      isSettled = true
      cancelRequestTimeout?.()
      cancelConnectionTimeout?.()
      signal?.removeEventListener('abort', onAbort)
    }
    const fail = (cause: unknown): void => {
      if (isSettled) return
      settle()
      const sent = isConnected && !isUnconnected(cause)
      reject(new NoAnswerError({ sent, retryable: true, cause }))
      request.destroy()
    }
    const onAbort = (): void => {
      settle()
      reject(signal?.reason)
      request.destroy()
    }
    const cancelRequestTimeout = after(environment, requestTimeoutMs, () => {
      fail(timeoutError(`No answer came within ${requestTimeoutMs} ms.`))
    })
    signal?.addEventListener('abort', onAbort)

    request.on('error', fail)
    request.on('close', () => fail(new Error('The connection was closed before the answer.')))
    request.on('socket', (socket) => {
      if (request.reusedSocket || !isConnecting(socket)) {
        isConnected = true
        return
      }
      if (isSettled) return
      cancelConnectionTimeout = after(environment, connectionTimeoutMs, () => {
        fail(timeoutError(`No connection stood within ${connectionTimeoutMs} ms.`))
      })
      socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
        isConnected = true
        cancelConnectionTimeout?.()
      })
    })
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > ANSWER_BYTES_MAX) {
          fail(new Error(`The answer is longer than ${ANSWER_BYTES_MAX} bytes.`))
        } else chunks.push(chunk)
      })
      response.on('error', fail)
      response.on('end', () => {
        if (isSettled) return
        settle()
        const [first] = chunks
        const body = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
      })
    })
    request.end(message.body)
  })
}

function after(
  environment: Environment,
  delayMs: number,
  callback: () => void,
): (() => void) | undefined {
  return Number.isFinite(delayMs) ? environment.schedule(callback, delayMs) : undefined
}

/** Whether the socket is still on its way; for TLS that includes the handshake. An agent may hand out one that stands already. */
function isConnecting(socket: Socket & { readonly secureConnecting?: boolean }): boolean {
  return socket.connecting || socket.secureConnecting === true
}

function isUnconnected(cause: unknown): boolean {
  const { syscall, code } = Object(cause) as NodeJS.ErrnoException
  return syscall === 'connect' || UNCONNECTED_CODES.test(code ?? '')
}

function timeoutError(message: string): Error {
  return Object.assign(new Error(message), { name: 'TimeoutError', code: 'ETIMEDOUT' })
}
