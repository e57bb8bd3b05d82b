import type { Readable } from 'node:stream'
import { errorBody } from '../wire/error-body.ts'
import { ServiceError } from '../wire/service-error.ts'
import type { SendOptions } from '../wire/transport.ts'
import type { EngineSettings } from './context/settings.ts'
import { unknownOperation } from './messages/request-messages.ts'
import { serializationError } from './messages/serialization-messages.ts'
import { operationOf } from './operation-of.ts'

/** The part of an HTTP request of the AWS SDK that matters here. */
interface ClientRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}
interface ClientResponse {
  readonly statusCode: number
  readonly headers: Record<string, string>
  /** What the SDK reads: a stream of Node, or a blob where there is none. */
  readonly body: Readable | Blob
}

/** Configuration for a client of the AWS SDK v3; what the SDK's own types ask for and no more. */
export interface ClientConfig {
  readonly region: string
  readonly endpoint: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  readonly requestHandler: {
    // biome-ignore lint/suspicious/noExplicitAny: the SDK's request type is not ours to import; only `headers` and `body` are read.
    handle(request: any, options?: any): Promise<{ response: any }>
    updateHttpClientConfig(): void
    httpHandlerConfigs(): Record<string, never>
    destroy(): void
  }
}

type Dispatch = (operation: string, request: unknown, options: SendOptions) => Promise<object>

const CONTENT_TYPE = 'application/x-amz-json-1.0'
const decoder = new TextDecoder()

/** A client configuration whose requests are answered by the engine instead of being sent. */
export function clientConfig(settings: EngineSettings, dispatch: Dispatch): ClientConfig {
  let requestNumber = 0
  return {
    region: settings.region,
    // Never connected to: requests go to the handler below. The reserved name makes sure of it.
    endpoint: 'http://engine.invalid',
    credentials: { accessKeyId: 'engine', secretAccessKey: 'engine' },
    requestHandler: {
      async handle(request: ClientRequest, options?: { abortSignal?: AbortSignal }) {
        const headers = {
          'content-type': CONTENT_TYPE,
          'x-amzn-requestid': `ENGINE${String(++requestNumber).padStart(46, '0')}`,
        }
        const answer = await answerRequest(dispatch, request, options?.abortSignal)
        return { response: { ...answer, headers } satisfies ClientResponse }
      },
      updateHttpClientConfig() {},
      httpHandlerConfigs: () => ({}),
      destroy() {},
    },
  }
}

async function answerRequest(
  dispatch: Dispatch,
  request: ClientRequest,
  signal: AbortSignal | undefined,
): Promise<Pick<ClientResponse, 'statusCode' | 'body'>> {
  try {
    signal?.throwIfAborted()
    const target = request.headers['x-amz-target'] ?? request.headers['X-Amz-Target'] ?? ''
    const body = parseBody(request.body)
    const operation = operationOf(target)
    if (operation === undefined) throw unknownOperation()
    const response = await dispatch(operation, body, { signal })
    return { statusCode: 200, body: bodyOf(response) }
  } catch (error) {
    if (signal?.aborted === true) throw abortError()
    if (!(error instanceof ServiceError)) throw error
    return { statusCode: error.statusCode, body: bodyOf(errorBody(error)) }
  }
}

function parseBody(body: unknown): unknown {
  const text = body instanceof Uint8Array ? decoder.decode(body) : String(body)
  try {
    return JSON.parse(text)
  } catch {
    throw serializationError('')
  }
}

function bodyOf(response: object): Readable | Blob {
  const text = JSON.stringify(response)
  const streams = globalThis.process?.getBuiltinModule?.('node:stream')
  return streams === undefined ? new Blob([text]) : streams.Readable.from([Buffer.from(text)])
}

/** The SDK knows an aborted request by this name. */
function abortError(): Error {
  const error = new Error('Request aborted')
  error.name = 'AbortError'
  return error
}
