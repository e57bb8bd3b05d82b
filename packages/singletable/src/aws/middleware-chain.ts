import type {
  Handler,
  Middleware,
  MiddlewareContext,
  MiddlewareEntry,
  MiddlewareStack,
} from './sdk-types.ts'

/** The sorted middlewares of a client, innermost first, and what shows whether they still are those
 * of the client. */
export interface Chain {
  readonly fingerprint: readonly unknown[]
  readonly middlewares: readonly Middleware[]
}

/** A middleware of ours and its place. */
export type OwnMiddleware = readonly [Middleware, MiddlewareEntry & { readonly name: string }]

/** Takes the place of a middleware: the entry stays, since others are placed relative to it, but it
 * does nothing. */
const passThrough: Middleware = (next) => next

/**
 * The middlewares of the client in their order, with ours in the places of those that commands
 * bring along, and without the one that retries. The SDK copies and sorts all of them on each call,
 * which is a quarter of the cost of a small one; here the order is kept for as long as the client's
 * stack has the same entries.
 */
export function chainOf(
  before: Chain | undefined,
  clientStack: MiddlewareStack,
  own: readonly OwnMiddleware[],
  logger: MiddlewareContext['logger'],
): Chain {
  const fingerprint: unknown[] = [logger]
  const entries: (readonly [Middleware, MiddlewareEntry])[] = []
  const add: MiddlewareStack['add'] = (middleware, entry) => {
    const { name, aliases, step, priority, relation, toMiddleware } = entry
    fingerprint.push(middleware, name, aliases, step, priority, relation, toMiddleware)
    entries.push([middleware, entry])
  }
  clientStack.applyToStack({ add, addRelativeTo: add })
  if (before !== undefined && isSame(before.fingerprint, fingerprint)) return before
  // Newer clients bring a serializer of their own, to whose place ours goes; with older ones all of
  // ours come last, as those of commands do.
  const named = new Map(own.map((each) => [each[1].name, each]))
  const replaced = entries.map((each) => named.get(each[1].name ?? '') ?? each)
  const all = [...replaced, ...own.filter((each) => !replaced.includes(each))]
  const sorter = clientStack.clone()
  for (const [middleware] of entries) sorter.remove(middleware)
  const silent = isEmpty(logger?.info) && isEmpty(logger?.error)
  return { fingerprint, middlewares: sortMiddlewares(sorter, all, silent) }
}

/** The chain as one handler for one call. */
export function resolveChain(
  { middlewares }: Chain,
  send: Handler,
  context: MiddlewareContext,
): Handler {
  let handler = send
  for (const middleware of middlewares) handler = middleware(handler, context)
  return handler
}

/** Lets an empty stack of the SDK sort middlewares; the result is innermost first. */
function sortMiddlewares(
  sorter: MiddlewareStack,
  entries: readonly (readonly [Middleware, MiddlewareEntry])[],
  silent: boolean,
): readonly Middleware[] {
  const sorted: Middleware[] = []
  for (const [middleware, entry] of entries) {
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
  sorter.resolve(() => Promise.resolve({}), {})
  return sorted
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
 * Whether a method of a logger does nothing. The SDK prepares filtered copies of request and
 * response even for its default logger, which drops them; for a page of 100 items that is more work
 * than all the rest. The class of that logger is not exported and has another name in a minified
 * bundle, so its source text is looked at.
 */
function isEmpty(method: unknown): boolean {
  return method === undefined || EMPTY_FUNCTION.test(String(method))
}
