import { type AddressInfo, createServer, type Server } from 'node:net'
import { type Engine, SingletableError } from 'singletable/engine'
import { BodyBudget } from './body-budget.ts'
import { ByteBudget } from './byte-budget.ts'
import { Connection } from './connection.ts'
import { ConnectionTimeouts } from './connection-timeouts.ts'
import { Guard, LOOPBACK_HOSTS } from './guard.ts'
import { DEFAULT_LIMITS, type ServerLimits } from './limits.ts'
import { printKeepAlive } from './print-answer.ts'
import type { RequestRecord } from './request-record.ts'
import type { ServerContext } from './server-context.ts'
import { type Credentials, signatureVerifier } from './verify-signature.ts'
import { WaitingSockets } from './waiting-sockets.ts'

/** What `listen` may be given; everything has a default. */
export interface ListenOptions {
  /** Default 8000; 0 takes any that is free. */
  readonly port?: number
  /** The address to listen on. Default: loopback, `127.0.0.1` and `::1` both. Another one needs
   * `credentials` or `allowInsecureNetwork`. */
  readonly host?: string
  /** Lets clients on other machines in although nothing shows who they are. */
  readonly allowInsecureNetwork?: boolean
  /** Names by which clients may call the server besides loopback's, such as that of a container:
   * `['dynamodb']`. */
  readonly allowedHosts?: readonly string[]
  /** Web origins whose pages may use the server: `['http://localhost:5173']`. Default: none. */
  readonly corsOrigins?: readonly string[]
  /** Key pairs; when given, only requests that are rightly signed with one of them are answered. */
  readonly credentials?: readonly Credentials[]
  /** The region that the engine was made with; default `us-east-1`. */
  readonly region?: string
  /** Called for each answered request, for a log. */
  readonly onRequest?: (record: RequestRecord) => void
  /** Called with what the engine threw that is not an answer of DynamoDB; the client gets a plain
   * 500. */
  readonly onFailure?: (error: unknown, requestId: string) => void
  /** Limits other than the usual ones. */
  readonly limits?: Partial<ServerLimits>
}

/** A server that listens. */
export interface Listener {
  /** For `endpoint` of a client. */
  readonly url: string
  readonly port: number
  /** Takes no more requests, lets those under way be answered, for a while, and closes all
   * connections. The engine stays open. */
  close(): Promise<void>
}

const DEFAULT_PORT = 8000
const PORT_MAX = 65_535
const DEFAULT_REGION = 'us-east-1'
const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1']
const WILDCARD_ADDRESSES = ['0.0.0.0', '::']

/**
 * Serves an engine over HTTP, for clients in any language.
 *
 * @example
 * const engine = createEngine()
 * const server = await listen(engine, { port: 0 })
 * const client = new DynamoDBClient({ endpoint: server.url, region: 'us-east-1', credentials })
 * await server.close()
 * await engine.close()
 */
export async function listen(engine: Engine, options: ListenOptions = {}): Promise<Listener> {
  const port = options.port ?? DEFAULT_PORT
  validate(port, options)
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const context = createContext(engine, options, limits)
  const [first = '127.0.0.1', ...others] =
    options.host === undefined || options.host === 'localhost' ? LOOPBACK_ADDRESSES : [options.host]
  const servers = [await open(context, port, first)]
  const address = servers[0]?.address() as AddressInfo
  for (const host of others) {
    // A machine without IPv6 is served all the same.
    const server = await open(context, address.port, host).catch(() => undefined)
    if (server !== undefined) servers.push(server)
  }
  let closing: Promise<void> | undefined
  return {
    url: `http://${shownHost(first)}:${address.port}`,
    port: address.port,
    close() {
      closing ??= Promise.all(servers.map((server) => close(server, context))).then(() => {})
      context.sockets.end()
      return closing
    },
  }
}

function createContext(
  engine: Engine,
  options: ListenOptions,
  limits: ServerLimits,
): ServerContext {
  const region = options.region ?? DEFAULT_REGION
  const { host, onRequest, onFailure, credentials, allowedHosts = [], corsOrigins = [] } = options
  const guard = new Guard({
    hosts: new Set(
      [...LOOPBACK_HOSTS, ...(host === undefined ? [] : [shownHost(host)]), ...allowedHosts].map(
        (name) => name.toLowerCase(),
      ),
    ),
    anyAddress: host !== undefined && WILDCARD_ADDRESSES.includes(host),
    origins: new Set(corsOrigins),
  })
  return {
    engine,
    guard,
    limits,
    bodies: new BodyBudget(limits.bodiesInFlightMaxBytes),
    answers: new ByteBudget(limits.answersInFlightMaxBytes),
    keepAlive: printKeepAlive(limits.keepAliveTimeoutMs, limits.requestsPerConnectionMax),
    timeouts: new ConnectionTimeouts(limits.timeoutCheckMs),
    sockets: new WaitingSockets(limits.connectionsMax),
    handling: {
      region,
      nameTables: onRequest !== undefined,
      ...(onFailure && { onFailure }),
      ...(credentials && { verify: signatureVerifier({ credentials, region }) }),
    },
    onRequest,
  }
}

function open(context: ServerContext, port: number, host: string): Promise<Server> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    new Connection(context, socket).open()
  })
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => reject(listenFailed(error, host, port))
    server.once('error', onError)
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', onError)
      // A connection that can't be taken, for want of file descriptors say, does not end the
      // others.
      server.on('error', () => {})
      resolve(server)
    })
  })
}

function close(server: Server, { limits, sockets }: ServerContext): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => sockets.destroy(), limits.closeTimeoutMs)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

function shownHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

function validate(port: number, options: ListenOptions): void {
  const { host, allowInsecureNetwork, credentials = [], corsOrigins = [] } = options
  if (!Number.isInteger(port) || port < 0 || port > PORT_MAX) {
    throw invalid(`The port is ${port}.`, `give a whole number from 0 to ${PORT_MAX}`)
  }
  for (const origin of corsOrigins) {
    if (URL.canParse(origin) && new URL(origin).origin === origin) continue
    throw invalid(
      `"${origin}" is not a web origin.`,
      "give scheme, host and port alone, such as 'http://localhost:5173'; there is no way to allow all",
    )
  }
  if (host === undefined || isLoopback(host)) return
  if (allowInsecureNetwork === true || credentials.length > 0) return
  throw invalid(
    `On ${host} other machines could read and write everything.`,
    'give credentials, so that signatures are verified, or set allowInsecureNetwork if the network is private',
  )
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function invalid(what: string, fix: string): SingletableError {
  return new SingletableError('SERVER_OPTION_INVALID', { what, where: 'listen()', fix })
}

function listenFailed(error: NodeJS.ErrnoException, host: string, port: number): SingletableError {
  const [what, fix] =
    error.code === 'EADDRINUSE'
      ? [`Port ${port} is in use.`, 'stop the program that uses it, or choose another port']
      : error.code === 'EACCES'
        ? [`Port ${port} needs rights that this process does not have.`, 'choose a port above 1023']
        : error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND'
          ? [
              `This machine has no address ${host}.`,
              'choose one of its own addresses, or 127.0.0.1',
            ]
          : [
              `The server can't listen: ${error.code ?? error.message}.`,
              'choose another address or port',
            ]
  return new SingletableError(
    'SERVER_LISTEN_FAILED',
    { what, where: `listen() on ${shownHost(host)}:${port}`, fix },
    { cause: error },
  )
}
