import type { OperationName, Operations } from '../wire/operations.ts'

/** A request that is about to be sent. */
export interface HookedRequest<TOperation extends OperationName = OperationName> {
  readonly operation: TOperation
  /** A copy: changing it changes nothing, so that no hook can leave out keys or a scope. */
  readonly request: Operations[TOperation]['request']
  readonly table: string
  /** The model, where the call is of one. */
  readonly entity: string | undefined
  /** The method that was called: `put`, `query`. */
  readonly verb: string
  /** The access pattern, where the call is one. */
  readonly pattern: string | undefined
}

/** The same when the answer is there. */
export interface HookedAnswer<TOperation extends OperationName = OperationName>
  extends HookedRequest<TOperation> {
  /** A copy; `undefined` if there was no answer. */
  readonly response: Operations[TOperation]['response'] | undefined
  readonly error: unknown
  /** With all retries. */
  readonly durationMs: number
}

/** One member for each operation, so that `operation` determines the type of the request. */
type Each<TKind extends 'request' | 'answer'> = {
  [TOperation in OperationName]: TKind extends 'request'
    ? HookedRequest<TOperation>
    : HookedAnswer<TOperation>
}[OperationName]

/** Functions that are called around each request of a table, and awaited. */
export interface Hooks {
  /** Called before a request is sent. What it throws rejects the call, and nothing is sent. */
  before?(request: Each<'request'>): unknown
  /**
   * Called when the request is answered or has failed. What it throws is only reported, because the
   * request was carried out.
   */
  after?(answer: Each<'answer'>): unknown
}
