import { DefinitionError } from '../errors/definition-error.ts'

export type Handler = (args: unknown) => Promise<unknown>
export interface MiddlewareContext {
  readonly logger?: { readonly info?: unknown; readonly error?: unknown }
}
export type Middleware = (next: Handler, context: MiddlewareContext) => Handler

/** How and where a middleware stands in its stack. */
export interface MiddlewareEntry {
  readonly middleware: Middleware
  readonly name?: string
  readonly aliases?: readonly string[]
  readonly step?: string
  readonly priority?: string
  readonly relation?: string
  readonly toMiddleware?: string
}

/** What a stack of middlewares can be copied to. */
interface MiddlewareTarget {
  add(middleware: Middleware, entry: MiddlewareEntry): void
  addRelativeTo(middleware: Middleware, entry: MiddlewareEntry): void
}
export interface MiddlewareStack extends MiddlewareTarget {
  applyToStack(target: MiddlewareTarget): void
  resolve(handler: Handler, context: MiddlewareContext): Handler
}

/** A command of the SDK, so far as it is used here. */
export interface SdkCommand {
  readonly middlewareStack: MiddlewareStack
  resolveMiddleware: (
    stack: MiddlewareStack | { concat(stack: MiddlewareStack): Pick<MiddlewareStack, 'resolve'> },
    config: unknown,
    options: unknown,
  ) => Handler
}

export interface Sdk {
  /** Makes the command of an operation. */
  command(operation: string, input: unknown): SdkCommand
  /** Whether the SDK has a class for errors of this name. */
  knows(name: string): boolean
}

type SdkModule = Readonly<Record<string, unknown>>

const PACKAGE = '@aws-sdk/client-dynamodb'
let loading: Promise<Sdk> | undefined

/** The SDK, loaded when it is first needed: a program that uses another transport does without it. */
export function loadSdk(): Promise<Sdk> {
  // Bundlers that can't find an import whose failure is caught leave it as it is.
  loading ??= import('@aws-sdk/client-dynamodb').then(sdkOf, (cause: unknown) => {
    loading = undefined
    throw new DefinitionError(
      'OPTION_INVALID',
      {
        what: `The package ${PACKAGE} can't be loaded.`,
        where: 'option "client"',
        fix: `install it beside singletable (npm install ${PACKAGE}), or use another transport`,
      },
      { cause },
    )
  })
  return loading
}

function sdkOf(sdk: SdkModule): Sdk {
  return {
    command(operation, input) {
      const Command = sdk[`${operation}Command`]
      if (typeof Command !== 'function') {
        throw new DefinitionError('OPTION_INVALID', {
          what: `${PACKAGE} has no operation ${operation}.`,
          where: 'option "client"',
          fix: 'update the package, or use another transport for this operation',
        })
      }
      return Reflect.construct(Command, [input])
    },
    knows: (name) => typeof sdk[name] === 'function',
  }
}
