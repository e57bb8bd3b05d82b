/** What is used of the AWS SDK, by its structure: nothing of it is imported, so nothing of it is
 * bundled for programs without it. */

export interface SdkRequest {
  readonly headers: Record<string, string>
  readonly body?: unknown
}

export interface SdkResponse {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** What goes in through the middlewares, and what comes back. */
export interface Args {
  readonly input: object
  readonly request?: SdkRequest
}
export interface Result {
  readonly response?: SdkResponse
  readonly output?: object
}
export type Handler = (args: Args) => Promise<Result>

/** An endpoint as the client's rules give it. */
export interface SdkEndpoint {
  readonly url: URL
  readonly headers?: Readonly<Record<string, readonly string[]>>
  readonly properties?: {
    readonly authSchemes?: readonly Readonly<Record<string, unknown>>[]
  }
}

/** What the middlewares of one call share. The client's own read and write more of it than is named
 * here. */
export interface MiddlewareContext {
  readonly logger?: { readonly info?: unknown; readonly error?: unknown } | undefined
  endpointV2?: SdkEndpoint
  [name: string]: unknown
}
export type Middleware = (next: Handler, context: MiddlewareContext) => Handler

/** How and where a middleware is placed in its stack. */
export interface MiddlewareEntry {
  readonly middleware?: Middleware
  readonly name?: string
  readonly aliases?: readonly string[]
  readonly step?: string
  readonly priority?: string
  readonly relation?: string
  readonly toMiddleware?: string
  readonly tags?: readonly string[]
}

/** What a stack of middlewares can be copied to. */
export interface MiddlewareTarget {
  add(middleware: Middleware, entry: MiddlewareEntry): void
  addRelativeTo(middleware: Middleware, entry: MiddlewareEntry): void
}
export interface MiddlewareStack extends MiddlewareTarget {
  applyToStack(target: MiddlewareTarget): void
  clone(): MiddlewareStack
  remove(middleware: Middleware): boolean
  resolve(handler: Handler, context: MiddlewareContext): Handler
}

type Provider<T> = () => Promise<T> | T

/** The settings of a client after its constructor has resolved them. */
export interface SdkConfig {
  readonly serviceId?: string
  readonly logger?: MiddlewareContext['logger']
  readonly requestHandler: {
    handle(request: unknown, options: unknown): Promise<Result>
  }
  readonly region: Provider<string>
  readonly useFipsEndpoint: Provider<boolean>
  readonly useDualstackEndpoint: Provider<boolean>
  readonly endpointProvider: (parameters: object, context: object) => SdkEndpoint
  /** Present if an endpoint was given to the client. */
  readonly endpoint?: Provider<SdkUrl & { readonly headers?: Readonly<Record<string, unknown>> }>
  readonly isCustomEndpoint?: boolean
  readonly ignoreConfiguredEndpointUrls?: boolean
  /** The endpoint that environment variables or the shared configuration name. */
  readonly serviceConfiguredEndpoint?: Provider<string | undefined>
  readonly accountIdEndpointMode?: Provider<string> | string
  readonly credentials?: Provider<{ readonly accountId?: string }>
  readonly urlParser: (url: URL) => SdkUrl
  readonly streamCollector: (body: unknown) => Promise<Uint8Array>
  readonly utf8Encoder: (bytes: Uint8Array) => string
}

export interface SdkUrl {
  readonly protocol: string
  readonly hostname: string
  readonly port?: number | undefined
  readonly path: string
  readonly query?: Readonly<Record<string, unknown>>
}
