import type { Environment } from '../values/environment.ts'
import { NoAnswerError } from '../wire/no-answer-error.ts'

/** Where and how patiently requests are sent. */
export interface Line {
  readonly environment: Environment
  /** `http:` or `https:`. */
  readonly protocol: string
  /** Without the brackets of an IPv6 address. */
  readonly hostname: string
  /** Empty for the protocol's own. */
  readonly port: string
  readonly connectionTimeoutMs: number
  readonly requestTimeoutMs: number
}

/** An HTTP request. Whoever makes one answers for it that no text in it has a line break where none
 * belongs. */
export interface Message {
  readonly method: string
  readonly path: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: string
}

export interface Answer<TBody = Buffer> {
  readonly status: number
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: TBody
}

/**
 * Sends one HTTP request and gives the whole answer, whatever its status. Rejects with a
 * `NoAnswerError`, or with the signal's reason at once when it is aborted; the socket is then
 * destroyed, because an answer may still come through it.
 */
export type Exchange<TBody = Buffer> = (
  message: Message,
  signal: AbortSignal | undefined,
) => Promise<Answer<TBody>>

/** DynamoDB answers with 16 MB of data at most, which JSON and Base64 can make larger. */
export const ANSWER_BYTES_MAX: number = 64 * 1024 * 1024

/** Names of what is thrown before there is a connection: the host is not found, refuses, or can't
 * show who it is. */
const UNCONNECTED_CODES =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UNABLE_TO_.*|.*CERT.*)$/

/** The error for an exchange that failed. Before there was a connection, nothing of the request can
 * have left this machine. */
export function noAnswer(cause: unknown, wasConnected: boolean): NoAnswerError {
  const { syscall, code } = Object(cause) as NodeJS.ErrnoException
  const isUnconnected = syscall === 'connect' || UNCONNECTED_CODES.test(code ?? '')
  return new NoAnswerError({ sent: wasConnected && !isUnconnected, retryable: true, cause })
}

export function connectionTimeout({ connectionTimeoutMs }: Line): Error {
  return timeoutError(`There was no connection within ${connectionTimeoutMs} ms.`)
}

export function requestTimeout({ requestTimeoutMs }: Line): Error {
  return timeoutError(`No answer came within ${requestTimeoutMs} ms.`)
}

function timeoutError(message: string): Error {
  return Object.assign(new Error(message), { name: 'TimeoutError', code: 'ETIMEDOUT' })
}

/** What is wrong with a connection that ends too early. */
export function closedEarly(): Error {
  const message = 'The connection was closed before the answer was complete.'
  return Object.assign(new Error(message), { code: 'ECONNRESET' })
}

export function answerTooLong(): Error {
  return new Error(`The answer is longer than ${ANSWER_BYTES_MAX} bytes.`)
}

/** Calls back after this many milliseconds, or never if there is no limit; the result cancels. */
export function after(
  { environment }: Line,
  delayMs: number,
  callback: () => void,
): (() => void) | undefined {
  return Number.isFinite(delayMs) ? environment.schedule(callback, delayMs) : undefined
}

export function wrongChecksum(checksum: unknown): Error {
  return new Error(`The answer does not match its checksum, ${checksum}.`)
}

/** It came, so the request may have been carried out, but its result is not known. */
export function damaged(cause: unknown): NoAnswerError {
  return new NoAnswerError({ sent: true, retryable: true, cause })
}
