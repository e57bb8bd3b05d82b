import { SingletableError } from '../errors/singletable-error.ts'
import { transportOf } from '../wire/around-send.ts'
import { NoAnswerError } from '../wire/no-answer-error.ts'
import type { OperationName } from '../wire/operations.ts'
import { ServiceError } from '../wire/service-error.ts'
import { type Service, serviceOf, targetOf } from '../wire/service-of.ts'
import type { Transport } from '../wire/transport.ts'
import { untilAborted } from '../wire/until-aborted.ts'
import { clockOffset } from './clock-offset.ts'
import { type ConnectOptions, readOptions, type Settings } from './connect-options.ts'
import type { Variables } from './credentials/container-credentials.ts'
import {
  type Credentials,
  type CredentialsProvider,
  requireCredentials,
} from './credentials/credentials.ts'
import {
  type CredentialsSource,
  credentialsFrom,
  fixedCredentials,
} from './credentials/credentials-source.ts'
import { type Endpoint, resolveEndpoint, resolveRegion } from './endpoint.ts'
import type { Answer, Exchange, Line } from './exchange.ts'
import { retrying } from './retry.ts'
import { CONTENT_TYPE, type Signer } from './signed-text.ts'

/** A transport to DynamoDB that needs no SDK. */
export interface DirectTransport extends Transport {
  /** Sends each request once; a table uses it, because it repeats requests itself. */
  readonly singleAttempt: Transport
  /** Ends idle sockets now and the others when their requests are done; later requests are
   * refused. */
  close(): void
}

/** What differs between runtimes with sockets and those without. */
export interface Platform<TBody> {
  /** Variables of the process. */
  readonly variables: Variables
  createSigner(region: string): Signer
  /** The way to one host. */
  open(line: Line, settings: Settings): { readonly exchange: Exchange<TBody>; close(): void }
  /** The response in an answer, or throws what the answer is instead: a `ServiceError`, or a
   * `NoAnswerError` if it is damaged. */
  readAnswer(operation: OperationName, answer: Answer<TBody>): object
  /** Where credentials come from that nobody gave. */
  defaultProvider(settings: Settings): CredentialsProvider
  byteLength(text: string): number
}

/** Connects to DynamoDB by the means of a runtime. Nothing is sent before the first request. */
export function connectThrough<TBody>(
  platform: Platform<TBody>,
  options: ConnectOptions,
): DirectTransport {
  const settings = readOptions(options)
  const region = resolveRegion(options.region, platform.variables)
  const clock = { offsetMs: 0 }
  const now = (): number => settings.environment.now() + clock.offsetMs
  const credentials = credentialsSource(platform, settings, now)
  const sign = platform.createSigner(region)
  const routes = {
    dynamodb: createRoute(platform, 'dynamodb', { ...settings, region }),
    streams: createRoute(platform, 'streams', { ...settings, region }),
  }
  let isClosed = false

  const singleAttempt = transportOf(async (operation, request, sendOptions) => {
    const signal = sendOptions?.signal
    signal?.throwIfAborted()
    if (isClosed) throw transportClosed(operation)
    // It becomes part of a header, so it must not be able to end one.
    if (!/^[A-Za-z]+$/.test(operation)) throw unknownOperation(operation)
    const route = routes[serviceOf(operation)]
    const call = { operation, body: print(request), route, sign, now, platform, signal }
    const fixed = { clock: false, credentials: false }
    for (;;) {
      const pending = credentials.get()
      const used = pending instanceof Promise ? await within(pending, signal) : pending
      const signedOffsetMs = clock.offsetMs
      const answer = await sendSigned(call, used, settings.gzip)
      try {
        return platform.readAnswer(operation, answer)
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        const offsetMs = clockOffset(error, answer, {
          now: settings.environment.now(),
          signedOffsetMs,
        })
        if (offsetMs !== undefined && !fixed.clock) {
          fixed.clock = true
          clock.offsetMs = offsetMs
        } else if (isExpired(error, used) && !fixed.credentials) {
          fixed.credentials = true
          if (!(await canReplace(credentials, used, signal))) throw error
        } else throw error
      }
    }
  })
  return {
    ...retrying(singleAttempt, settings.retry, settings.environment),
    singleAttempt,
    close() {
      isClosed = true
      for (const { close } of Object.values(routes)) close()
    },
  }
}

/** The way to one of the two services. */
interface Route<TBody> {
  readonly endpoint: Endpoint
  readonly exchange: Exchange<TBody>
  readonly targetPrefix: string
  close(): void
}

interface Call<TBody> {
  readonly operation: OperationName
  readonly body: string
  readonly route: Route<TBody>
  readonly platform: Platform<TBody>
  readonly sign: Signer
  readonly now: () => number
  readonly signal: AbortSignal | undefined
}

function createRoute<TBody>(
  platform: Platform<TBody>,
  service: Service,
  settings: Settings & { readonly region: string },
): Route<TBody> {
  const endpoint = resolveEndpoint(service, settings, platform.variables)
  const { exchange, close } = platform.open({ ...settings, ...endpoint }, settings)
  return {
    endpoint,
    exchange,
    close,
    targetPrefix: `${targetOf(service)}.`,
  }
}

function sendSigned<TBody>(
  call: Call<TBody>,
  credentials: Credentials,
  isGzip: boolean,
): Promise<Answer<TBody>> {
  const { body, route } = call
  const { host, path } = route.endpoint
  const target = route.targetPrefix + call.operation
  const signature = call.sign({ host, path, target, body, at: call.now() }, credentials)
  return after(signature, ({ date, authorization }) => {
    // Names and values in turn.
    const headers = [
      'host',
      host,
      'content-type',
      CONTENT_TYPE,
      'content-length',
      String(call.platform.byteLength(body)),
      'accept-encoding',
      isGzip ? 'gzip' : 'identity',
      'user-agent',
      'singletable',
      'x-amz-target',
      target,
      'x-amz-date',
      date,
      'authorization',
      authorization,
    ]
    if (credentials.sessionToken) headers.push('x-amz-security-token', credentials.sessionToken)
    return route.exchange({ method: 'POST', path, headers, body }, call.signal)
  })
}

/** At once where the signature is there: most calls wait for nothing but the network. */
function after<T, TNext>(
  value: T | Promise<T>,
  next: (value: T) => Promise<TNext>,
): Promise<TNext> {
  return value instanceof Promise ? value.then(next) : next(value)
}

function credentialsSource<TBody>(
  platform: Platform<TBody>,
  settings: Settings,
  now: () => number,
): CredentialsSource {
  const { credentials } = settings
  if (typeof credentials === 'function') return credentialsFrom(credentials, now)
  if (credentials === undefined) {
    return credentialsFrom(platform.defaultProvider(settings), now)
  }
  return fixedCredentials(requireCredentials(credentials, 'The option "credentials"'))
}

function print(request: object): string {
  try {
    return JSON.stringify(request)
  } catch (cause) {
    // Too deep, or something JSON has no form for: it would fail again.
    throw new NoAnswerError({ sent: false, retryable: false, cause })
  }
}

/** Whether the service refused credentials because their time is over; for short-lived ones that
 * have ended both names are in use. */
function isExpired({ name }: ServiceError, { sessionToken }: Credentials): boolean {
  return /^ExpiredToken/.test(name) || (name === 'UnrecognizedClientException' && !!sessionToken)
}

async function canReplace(
  credentials: CredentialsSource,
  refused: Credentials,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return (await within(credentials.replace(refused), signal)) !== undefined
}

function within<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal === undefined ? promise : untilAborted(promise, signal)
}

function transportClosed(operation: OperationName): SingletableError {
  return new SingletableError('TRANSPORT_CLOSED', {
    what: `${operation} was sent through a transport that is closed.`,
    where: 'connect()',
    fix: 'close the transport after the last request, or connect again',
  })
}

function unknownOperation(operation: unknown): SingletableError {
  return new SingletableError('OPTION_INVALID', {
    what: `${JSON.stringify(operation)} is not an operation of DynamoDB.`,
    where: 'send()',
    fix: "give a name such as 'GetItem'",
  })
}
