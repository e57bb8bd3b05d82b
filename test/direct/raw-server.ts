import net from 'node:net'
import tls from 'node:tls'
import { onTestFinished } from 'vitest'

/** A request as it came, and where to answer. */
export interface RawRequest {
  readonly text: string
  readonly socket: net.Socket
  /** How many requests came before it, on all connections. */
  readonly index: number
}

export interface RawServer {
  readonly port: number
  readonly url: string
  readonly requests: readonly RawRequest[]
  /** Connections that were made so far. */
  readonly connections: readonly net.Socket[]
  close(): Promise<void>
}

/** A server that can answer in every wrong way: it gets the sockets themselves. */
export async function rawServer(
  answer: (request: RawRequest) => void,
  secure?: { readonly key: string; readonly cert: string },
): Promise<RawServer> {
  const requests: RawRequest[] = []
  const connections: net.Socket[] = []
  const onConnection = (socket: net.Socket): void => {
    connections.push(socket)
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk
      const end = text.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (end === -1 || Buffer.byteLength(text.slice(end + 4)) < length) return
      const request = { text, socket, index: requests.length }
      text = ''
      requests.push(request)
      answer(request)
    })
  }
  const server = secure ? tls.createServer(secure, onConnection) : net.createServer(onConnection)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  const close = (): Promise<void> => {
    for (const socket of connections) socket.destroy()
    return new Promise((resolve) => server.close(() => resolve()))
  }
  onTestFinished(close)
  return { port, url: `http${secure ? 's' : ''}://127.0.0.1:${port}`, requests, connections, close }
}

/** The bytes of an answer, with the headers that make it whole. */
export function httpAnswer(
  body: string | Buffer,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Buffer {
  const bytes = Buffer.from(body)
  const lines = Object.entries({ 'content-length': String(bytes.length), ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Text\r\n${head}\r\n`), bytes])
}
