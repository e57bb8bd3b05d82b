import type http from 'node:http'
import type { Socket } from 'node:net'
import { NoAnswerError } from '../wire/no-answer-error.ts'
import {
  ANSWER_BYTES_MAX,
  after,
  answerTooLong,
  closedEarly,
  connectionTimeout,
  type Exchange,
  type Line,
  noAnswer,
  requestTimeout,
} from './exchange.ts'
import { onAbort } from './on-abort.ts'

/** Sends through Node's HTTP client with an agent, which may be one for proxies; `false` makes a
 * socket for each request. */
export function agentExchange(line: Line, agent: http.Agent | false): Exchange {
  // Loaded here because most programs need neither, and a cold start pays for both.
  const { getBuiltinModule } = process
  const client =
    line.protocol === 'https:' ? getBuiltinModule('node:https') : getBuiltinModule('node:http')
  const { connectionTimeoutMs, requestTimeoutMs } = line
  return (message, signal) =>
    new Promise((resolve, reject) => {
      let request: http.ClientRequest
      try {
        request = client.request({
          agent,
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
      let isConnected = false
      let isSettled = false
      let cancelConnectionTimeout: (() => void) | undefined

      const settle = (): void => {
        isSettled = true
        cancelRequestTimeout?.()
        cancelConnectionTimeout?.()
        forgetSignal?.()
      }
      const fail = (cause: unknown): void => {
        if (isSettled) return
        settle()
        reject(noAnswer(cause, isConnected))
        request.destroy()
      }
      const abort = (): void => {
        settle()
        reject(signal?.reason)
        request.destroy()
      }
      const cancelRequestTimeout = after(line, requestTimeoutMs, () => fail(requestTimeout(line)))
      const forgetSignal = signal && onAbort(signal, abort)

      request.on('error', fail)
      request.on('close', () => fail(closedEarly()))
      request.on('socket', (socket) => {
        if (request.reusedSocket || !isConnecting(socket)) {
          isConnected = true
          return
        }
        if (isSettled) return
        cancelConnectionTimeout = after(line, connectionTimeoutMs, () =>
          fail(connectionTimeout(line)),
        )
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
          if (size > ANSWER_BYTES_MAX) fail(answerTooLong())
          else chunks.push(chunk)
        })
        response.on('error', fail)
        response.on('end', () => {
          if (isSettled) return
          settle()
          const { statusCode = 0, headers } = response
          resolve({ status: statusCode, headers, body: Buffer.concat(chunks) })
        })
      })
      request.end(message.body)
    })
}

/** Whether the socket is still on its way; for TLS that includes the handshake. An agent may return
 * one that is already connected. */
function isConnecting(socket: Socket & { readonly secureConnecting?: boolean }): boolean {
  return socket.connecting || socket.secureConnecting === true
}
