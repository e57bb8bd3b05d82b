import type { Handler, Middleware, MiddlewareStack, Sdk, SdkCommand } from './load-sdk.ts'

/** The middlewares of one operation, innermost first, and what tells whether they still are those of the client. */
interface Chain {
  readonly fingerprint: readonly unknown[]
  readonly middlewares: readonly Middleware[]
}

/** The chains of one client by operation. */
export type Chains = Map<string, Chain>

/** Told about the progress of one attempt. */
export interface AttemptObserver {
  /** The client begins to put the request together. */
  onStart(): void
  /** The request is handed over to be sent. */
  onSend(): void
}

/** Stands in for a middleware: the entry stays, since others are placed relative to it, but it does nothing. */
const passThrough: Middleware = (next) => next

/**
 * Makes a command that goes through the client's own middlewares, but once: retries are ours, and two layers of them would multiply.
 * The client stays as it is, and its `send()` is what sends the command, because tracing and mocking packages replace it.
 *
 * The SDK copies and sorts all middlewares on each call, which is a quarter of the cost of a small one. Here their order is kept for as
 * long as the client's stack has the same entries.
 */
export function singleAttempt(
  sdk: Sdk,
  call: { readonly operation: string; readonly input: unknown },
  chains: Chains,
  observer: AttemptObserver,
): SdkCommand {
  const command = sdk.command(call.operation, call.input)
  const resolveMiddleware = command.resolveMiddleware
  command.resolveMiddleware = (clientStack, config, options) => {
    if (!('applyToStack' in clientStack)) {
      return resolveMiddleware.call(command, clientStack, config, options)
    }
    // Of the client's stack a command uses `concat` only, and of what it gives `resolve`.
    const concat = (commandStack: MiddlewareStack): Pick<MiddlewareStack, 'resolve'> => ({
      resolve(send, context) {
        const fingerprint = fingerprintOf(clientStack, context.logger)
        let chain = chains.get(call.operation)
        if (chain === undefined || !isSame(chain.fingerprint, fingerprint)) {
          const sorter = sdk.command(call.operation, {}).middlewareStack
          const stacks = [clientStack, commandStack]
          const silent = isEmpty(context.logger?.info) && isEmpty(context.logger?.error)
          chain = { fingerprint, middlewares: sortMiddlewares(sorter, stacks, silent) }
          chains.set(call.operation, chain)
        }
        observer.onStart()
        let handler: Handler = (args) => {
          observer.onSend()
          return send(args)
        }
        for (const middleware of chain.middlewares) handler = middleware(handler, context)
        return handler
      },
    })
    return resolveMiddleware.call(command, { concat }, config, options)
  }
  return command
}

/** Lets an empty stack of the SDK sort the middlewares of the given ones; the result is innermost first. */
function sortMiddlewares(
  sorter: MiddlewareStack,
  stacks: readonly MiddlewareStack[],
  silent: boolean,
): readonly Middleware[] {
  const sorted: Middleware[] = []
  const recording: MiddlewareStack['add'] = (middleware, entry) => {
    const omitted =
      entry.name === 'retryMiddleware' || (silent && entry.name === 'loggerMiddleware')
    const record: Middleware = (next) => {
      sorted.push(omitted ? passThrough : middleware)
      return next
    }
    const copy = { ...entry, middleware: record }
    if (entry.toMiddleware === undefined) sorter.add(record, copy)
    else sorter.addRelativeTo(record, copy)
  }
  for (const stack of stacks) stack.applyToStack({ add: recording, addRelativeTo: recording })
  sorter.resolve(() => Promise.resolve(), {})
  return sorted
}

function fingerprintOf(stack: MiddlewareStack, logger: unknown): readonly unknown[] {
  const fingerprint = [logger]
  const add: MiddlewareStack['add'] = (middleware, entry) => {
    const { name, aliases, step, priority, relation, toMiddleware } = entry
    fingerprint.push(middleware, name, aliases, step, priority, relation, toMiddleware)
  }
  stack.applyToStack({ add, addRelativeTo: add })
  return fingerprint
}

function isSame(before: readonly unknown[], after: readonly unknown[]): boolean {
  if (before.length !== after.length) return false
  for (let index = 0; index < after.length; index++) {
    if (before[index] !== after[index]) return false
  }
  return true
}

/** A function that consists of parameters and an empty body. */
const EMPTY_FUNCTION = /^[^=|&(]*\([^()]*\)\s*(=>)?\s*\{\s*\}$/

/**
 * Whether a method of a logger does nothing. The SDK prepares filtered copies of request and response even for its default logger, which
 * drops them; for a page of 100 items that is more work than all the rest. The class of that logger is not exported and has another
 * name in a minified bundle, so its source text tells.
 */
function isEmpty(method: unknown): boolean {
  return method === undefined || EMPTY_FUNCTION.test(String(method))
}
