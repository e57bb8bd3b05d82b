import type { OperationName, Operations } from './operations.ts'

/** How a request is sent. */
export interface SendOptions {
  /** Aborts the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Sends a request in the service's JSON shapes and gives its response, or rejects with a
 * `ServiceError`. */
export interface Transport {
  /**
   * The same without repetitions, where `send` repeats requests by itself. A table repeats them
   * too, and two layers would multiply, so it sends through this one if it is there.
   */
  readonly singleAttempt?: Transport
  /**
   * Sends one request. The name of the operation gives the types of request and response.
   *
   * @example
   * const { TableNames } = await engine.send('ListTables', {})
   */
  send<TOperation extends OperationName>(
    operation: TOperation,
    request: Operations[TOperation]['request'],
    options?: SendOptions,
  ): Promise<Operations[TOperation]['response']>
}
