import { connect } from 'node:net'
import { crc32 } from '../../packages/singletable/src/wire/crc32.ts'

/** A response as its bytes came off the socket. */
export interface RawResponse {
  readonly statusCode: number
  readonly statusLine: string
  /** By names in small letters; several of one name are all there. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly body: Buffer
}

export interface Exchange {
  readonly responses: readonly RawResponse[]
  /** Whether the server ended the connection. */
  readonly closed: boolean
}

export interface ExchangeOptions {
  readonly port: number
  readonly host?: string
  /** Continue when this many responses have come, or when the server ends the connection; default
   * 1. */
  readonly responses?: number
  /** Whether the answers have no bodies, because the requests were HEAD. */
  readonly withoutBodies?: boolean
  /** Give up and take what has come after so long; default 10 seconds. */
  readonly timeoutMs?: number
  /** Look so much longer for what should not come. */
  readonly graceMs?: number
  /** Wait for the end of the connection, whatever comes. */
  readonly untilClosed?: boolean
}

/** Writes the bytes to a new socket, piece by piece, and reads what comes back. No HTTP client has
 * a say. */
export function exchange(
  pieces: readonly (string | Buffer)[],
  options: ExchangeOptions,
): Promise<Exchange> {
  const { port, host = '127.0.0.1', responses = 1, timeoutMs = 10_000 } = options
  return new Promise((resolve) => {
    const socket = connect({ port, host })
    const chunks: Buffer[] = []
    let closed = false
    const finish = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ responses: parseResponses(Buffer.concat(chunks), options), closed })
    }
    const timer = setTimeout(finish, timeoutMs)
    socket.on('connect', async () => {
      for (const piece of pieces) {
        if (socket.destroyed) break
        // The characters of a piece stand for bytes.
        if (!socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)) {
          await new Promise((drained) => {
            socket.once('drain', drained)
            socket.once('close', drained)
          })
        } else if (pieces.length > 1) await new Promise((next) => setTimeout(next, 5))
      }
    })
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (options.untilClosed) return
      if (parseResponses(Buffer.concat(chunks), options).length < responses) return
      if (options.graceMs === undefined) finish()
      else setTimeout(finish, options.graceMs)
    })
    socket.on('end', () => {
      closed = true
    })
    socket.on('error', () => {
      closed = true
    })
    socket.on('close', () => {
      closed = true
      finish()
    })
  })
}

function parseResponses(bytes: Buffer, options: ExchangeOptions): RawResponse[] {
  const found: RawResponse[] = []
  let at = 0
  for (;;) {
    const end = bytes.indexOf('\r\n\r\n', at)
    if (end < 0) return found
    const [statusLine = '', ...lines] = bytes.toString('latin1', at, end).split('\r\n')
    const headers = new Map<string, string[]>()
    for (const line of lines) {
      const colon = line.indexOf(':')
      const name = line.slice(0, colon).toLowerCase()
      headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()])
    }
    const statusCode = Number(statusLine.split(' ')[1])
    const length =
      options.withoutBodies || statusCode === 100 ? 0 : Number(headers.get('content-length') ?? 0)
    const start = end + 4
    if (bytes.length < start + length) return found
    at = start + length
    // Interim responses announce the real one.
    if (statusCode === 100) continue
    found.push({ statusCode, statusLine, headers, body: bytes.subarray(start, at) })
  }
}

/** The checksum of bytes, by code that the server does not use where Node has its own. */
export const checksum = crc32
