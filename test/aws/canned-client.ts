import { Readable } from 'node:stream'
import * as newest from '@aws-sdk/client-dynamodb'
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import * as oldest from '@aws-sdk/client-dynamodb-oldest'

/** A request as the SDK hands it over to be sent. */
export interface SentRequest {
  readonly protocol: string
  readonly hostname: string
  readonly port?: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface CannedAnswer {
  readonly statusCode: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Answer = (
  request: SentRequest,
  signal: AbortSignal | undefined,
) => CannedAnswer | Promise<CannedAnswer>

/** The answer of a service that has nothing to say. */
export const EMPTY: CannedAnswer = { statusCode: 200, body: '{}' }

/** An answer that refuses with an error of this name. */
export function refusal(statusCode: number, name: string, members: object = {}): CannedAnswer {
  const body = { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'no', ...members }
  return { statusCode, body: JSON.stringify(body) }
}

/** The newest SDK that is installed here, and the oldest that is supported. */
export const SDKS: readonly (readonly [string, typeof newest])[] = [
  ['newest', newest],
  // Classes of the same names and members, whose types differ in private parts.
  ['oldest', oldest as unknown as typeof newest],
]

/** A client whose requests are recorded and answered by a function instead of being sent. */
export function cannedClient(
  answer: Answer,
  config: DynamoDBClientConfig = {},
  Client = DynamoDBClient,
): { readonly client: DynamoDBClient; readonly requests: readonly SentRequest[] } {
  const requests: SentRequest[] = []
  const client = new Client({
    region: 'eu-west-1',
    endpoint: 'http://service.invalid',
    credentials: { accessKeyId: 'first', secretAccessKey: 'secret' },
    maxAttempts: 5,
    requestHandler: {
      async handle(request: SentRequest, options?: { abortSignal?: AbortSignal }) {
        requests.push({ ...request, headers: { ...request.headers } })
        const { statusCode, body, headers = {} } = await answer(request, options?.abortSignal)
        return { response: { statusCode, headers, body: Readable.from([Buffer.from(body)]) } }
      },
      updateHttpClientConfig() {},
      httpHandlerConfigs: () => ({}),
      destroy() {},
    },
    ...config,
  })
  return { client, requests }
}

type Args = { readonly request?: { readonly headers: Record<string, string> } }

/** A middleware that calls a function with the headers of the request, which there are none of yet
 * in the first steps. */
export function observing(observe: (headers: Record<string, string>) => void) {
  return <TNext extends (args: never) => unknown>(next: TNext): TNext => {
    const handler = (args: Args): unknown => {
      observe(args.request?.headers ?? {})
      return next(args as never)
    }
    // It takes and gives what the next handler does, whatever the step.
    return handler as unknown as TNext
  }
}

/** What a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`expected a rejection, got ${JSON.stringify(value)}`)
    },
    (error: unknown) => error,
  )
}
