import { httpDate } from './http-date.ts'
import type { WireResponse } from './wire-request.ts'

/** The phrases that HTTP gives its numbers; clients don't read them. */
const PHRASES: ReadonlyMap<number, string> = new Map([
  [200, 'OK'],
  [400, 'Bad Request'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [408, 'Request Timeout'],
  [413, 'Payload Too Large'],
  [417, 'Expectation Failed'],
  [431, 'Request Header Fields Too Large'],
  [500, 'Internal Server Error'],
  [503, 'Service Unavailable'],
])
const OK = 'HTTP/1.1 200 OK\r\n'

export const CLOSE = 'Connection: close\r\n'
export const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

/** The head of an answer. `connection` are the lines about what becomes of the connection. */
export function printHead(
  answer: WireResponse,
  more: readonly string[] | undefined,
  connection: string,
): string {
  const { statusCode, headers } = answer
  let text = statusCode === 200 ? OK : statusLine(statusCode)
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`
  if (more !== undefined) {
    for (let at = 0; at < more.length; at += 2) text += `${more[at]}: ${more[at + 1]}\r\n`
  }
  return `${text}Date: ${httpDate()}\r\n${connection}\r\n`
}

/** Says how long a connection is kept for the next request, and for how many. */
export function printKeepAlive(timeoutMs: number, requestsMax: number): string {
  const seconds = Math.floor(timeoutMs / 1000)
  return `Connection: keep-alive\r\nKeep-Alive: timeout=${seconds}, max=${requestsMax}\r\n`
}

/** The whole answer to something that is not a request, as short as possible. */
export function printRefusal(statusCode: number): string {
  return `${statusLine(statusCode)}Connection: close\r\nContent-Length: 0\r\n\r\n`
}

function statusLine(statusCode: number): string {
  return `HTTP/1.1 ${statusCode} ${PHRASES.get(statusCode) ?? 'Unknown'}\r\n`
}
