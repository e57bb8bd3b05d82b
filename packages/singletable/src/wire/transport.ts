import type { OperationName, Operations } from './operations.ts'

export interface SendOptions {
  readonly signal?: AbortSignal | undefined
}

/** Sends a request in the service's JSON shapes and gives its response, or rejects with a `ServiceError`. */
export interface Transport {
  send<TOperation extends OperationName>(
    operation: TOperation,
    request: Operations[TOperation]['request'],
    options?: SendOptions,
  ): Promise<Operations[TOperation]['response']>
}
