import { DefinitionError } from '../errors/definition-error.ts'
import type { OperationName } from '../wire/operations.ts'
import { readResponse } from '../wire/read-response.ts'
import { metadataOf, readRefusal } from '../wire/refusal.ts'
import { serviceOf, targetOf } from '../wire/service-of.ts'
import { findEndpoint } from './find-endpoint.ts'
import { type Chain, chainOf, type OwnMiddleware, resolveChain } from './middleware-chain.ts'
import type {
  Handler,
  Middleware,
  MiddlewareContext,
  MiddlewareStack,
  SdkConfig,
  SdkEndpoint,
  SdkRequest,
  SdkResponse,
  SdkUrl,
} from './sdk-types.ts'
import { toWireForm } from './wire-form.ts'

/** A command for the `send()` of a client, and how far its request got. */
export interface StructuralCommand {
  /** The request as on the wire: binary values are Base64 text. */
  readonly input: object
  resolveMiddleware(stack: MiddlewareStack, config: SdkConfig, options: object): Handler
  /**
   * Whether the request was handed over to be sent. A client whose `send` was replaced never
   * starts; what it throws counts as the service's.
   */
  readonly sent: boolean
  /** What the service answered, to distinguish it from what a mock or a middleware returns. */
  readonly output: object | undefined
}

type CommandClass = new (input: object) => StructuralCommand

/** Makes the commands of one client. */
export function commandMaker(): (operation: OperationName, input: object) => StructuralCommand {
  const classes = new Map<OperationName, CommandClass>()
  return (operation, input) => {
    const Command = classes.get(operation) ?? commandClass(operation)
    classes.set(operation, Command)
    return new Command(input)
  }
}

/**
 * A class that does what the SDK's command for the operation does, without the SDK: a client asks a
 * command for nothing but `resolveMiddleware`. The middlewares that commands bring along (endpoint,
 * serializer, deserializer) are ours, under the SDK's names, because the client's own are placed
 * next to them. All others are the client's: signing, user agent, plugins, whatever a program
 * added.
 */
function commandClass(operation: OperationName): CommandClass {
  const service = targetOf(serviceOf(operation))
  const name = `${operation}Command`
  let chain: Chain | undefined
  let own: readonly OwnMiddleware[] | undefined
  // The computed name becomes the name of the class, which tracing packages show.
  const named = {
    [name]: class implements StructuralCommand {
      readonly input: object
      sent = true
      output: object | undefined

      constructor(input: object) {
        this.input = input
      }

      resolveMiddleware(stack: MiddlewareStack, config: SdkConfig, options: object): Handler {
        own ??= ownMiddlewares(requireClient(config, operation), operation, service)
        chain = chainOf(chain, stack, own, config.logger)
        this.sent = false
        const context: MiddlewareContext = {
          logger: config.logger,
          clientName: `${config.serviceId?.replaceAll(' ', '')}Client`,
          commandName: name,
          inputFilterSensitiveLog: same,
          outputFilterSensitiveLog: same,
          __smithy_context: { service, operation, commandInstance: this },
        }
        const send: Handler = (args) => {
          this.sent = true
          return config.requestHandler.handle(args.request, options)
        }
        return resolveChain(chain, send, context)
      }
    },
  }
  return named[name] as CommandClass
}

function same<T>(value: T): T {
  return value
}

/** Of a client that can't send the operation nothing useful would come back. */
function requireClient(config: SdkConfig, operation: OperationName): SdkConfig {
  const refuse = (what: string, fix: string): never => {
    throw new DefinitionError('OPTION_INVALID', { what, where: 'option "client"', fix })
  }
  if (typeof config.endpointProvider !== 'function' || typeof config.urlParser !== 'function') {
    refuse("The AWS SDK's client is too old.", 'update @aws-sdk/client-dynamodb to 3.650 or newer')
  }
  const isStreams = /stream/i.test(config.serviceId ?? '')
  if (isStreams !== (serviceOf(operation) === 'streams')) {
    refuse(
      `A client of ${config.serviceId} has no operation ${operation}.`,
      `give a ${isStreams ? 'DynamoDBClient' : 'DynamoDBStreamsClient'} of the AWS SDK`,
    )
  }
  return config
}

/** The middlewares that a command of the SDK adds to those of its client, under the SDK's names and
 * in its places. */
function ownMiddlewares(
  config: SdkConfig,
  operation: OperationName,
  service: string,
): readonly OwnMiddleware[] {
  const endpoint: Middleware = (next, context) => async (args) => {
    context.endpointV2 = await findEndpoint(config, operation, args.input, context)
    useAuthScheme(context)
    return next(args)
  }
  const serializer: Middleware = (next, context) => async (args) => {
    const { url, headers = {} } = context.endpointV2 as SdkEndpoint
    const request = new CommandRequest(config.urlParser(url))
    request.headers['x-amz-target'] = `${service}.${operation}`
    for (const name in headers) request.headers[name] = String(headers[name])
    // A middleware of the program may have put bytes in.
    request.body = JSON.stringify(toWireForm(args.input))
    return next({ ...args, request })
  }
  const deserializer: Middleware = (next, context) => async (args) => {
    // The innermost handler is the client's request handler, which gives nothing but a response.
    const { response } = (await next(args)) as { response: SdkResponse }
    const output = await readAnswer(operation, response, config)
    // Put there for each call by the command itself.
    const { commandInstance } = context.__smithy_context as { commandInstance: { output: object } }
    commandInstance.output = output
    return { response, output }
  }
  const SERIALIZER = 'serializerMiddleware'
  return [
    [serializer, { name: SERIALIZER, step: 'serialize', tags: ['SERIALIZER'] }],
    [
      endpoint,
      {
        name: 'endpointV2Middleware',
        tags: ['ENDPOINT_PARAMETERS', 'ENDPOINT_V2', 'ENDPOINT'],
        relation: 'before',
        toMiddleware: SERIALIZER,
      },
    ],
    [deserializer, { name: 'deserializerMiddleware', step: 'deserialize', tags: ['DESERIALIZER'] }],
  ]
}

/** Signs as the endpoint's rules say, for the client's signing middleware. */
function useAuthScheme(context: MiddlewareContext): void {
  const scheme = context.endpointV2?.properties?.authSchemes?.[0]
  if (scheme === undefined) return
  const { signingRegion, signingName, signingRegionSet, properties } = scheme
  context.signing_region = signingRegion
  context.signing_service = signingName
  const { selectedHttpAuthScheme } = context.__smithy_context as {
    readonly selectedHttpAuthScheme?: { readonly httpAuthOption?: { signingProperties?: object } }
  }
  const option = selectedHttpAuthScheme?.httpAuthOption
  if (option === undefined) return
  option.signingProperties = Object.assign(
    option.signingProperties ?? {},
    { signing_region: signingRegion, signing_service: signingName },
    { signingRegion, signingName, signingRegionSet },
    properties,
  )
}

/** A request as the SDK's middlewares and handlers know it, by its members. */
class CommandRequest implements SdkRequest {
  readonly method = 'POST'
  readonly protocol: string
  readonly hostname: string
  readonly port: number | undefined
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Record<string, string>
  body: unknown

  constructor({ protocol, hostname, port, path, query = {} }: SdkUrl) {
    this.protocol = protocol
    this.hostname = hostname
    this.port = port
    this.path = path.endsWith('/') ? path : `${path}/`
    this.query = query
    this.headers = { 'content-type': 'application/x-amz-json-1.0' }
  }

  clone(): CommandRequest {
    const copy = new CommandRequest(this)
    Object.assign(copy.headers, this.headers)
    copy.body = this.body
    return copy
  }
}

/** The response in an answer, or throws an error with the members that the SDK's errors have. */
async function readAnswer(
  operation: OperationName,
  response: SdkResponse,
  config: SdkConfig,
): Promise<object> {
  const { statusCode: status, headers, body } = response
  const text = config.utf8Encoder(await collectBody(body, config))
  if (status >= 300) {
    // The client sets its clock by the headers of a refused signature.
    throw Object.defineProperty(readRefusal(status, headers, text), '$response', {
      value: response,
    })
  }
  return Object.assign(readResponse(operation, text), { $metadata: metadataOf(status, headers) })
}

interface NodeStream {
  on(event: string, listener: (chunk: Uint8Array) => void): void
}

/** The bytes of a body. For the streams of Node this takes less time than the client's own
 * collector, which pipes into another stream. */
function collectBody(body: unknown, config: SdkConfig): Promise<Uint8Array> | Uint8Array {
  if (body instanceof Uint8Array) return body
  const stream = body as Partial<NodeStream> | undefined
  if (typeof stream?.on !== 'function') return config.streamCollector(body)
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    const on = stream.on?.bind(stream) as NodeStream['on']
    on('data', (chunk) => chunks.push(chunk))
    on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Uint8Array) : concat(chunks)))
    on('error', reject)
    // Comes last, and changes nothing unless the stream was cut off without a word.
    on('close', () => reject(new Error('The answer was cut off.')))
  })
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let position = 0
  for (const chunk of chunks) {
    whole.set(chunk, position)
    position += chunk.length
  }
  return whole
}
