import type { OperationName, Operations } from '../wire/operations.ts'
import type { SendOptions, Transport } from '../wire/transport.ts'

/** One request on its way. */
export interface Passage {
  readonly operation: OperationName
  readonly request: object
  readonly signal: AbortSignal | undefined
}

/** A transport that does something around each request of another one. */
export function aroundSend(
  transport: Transport,
  around: (passage: Passage, send: (request: object) => Promise<unknown>) => Promise<unknown>,
): Transport {
  return {
    send<TOperation extends OperationName>(
      operation: TOperation,
      request: Operations[TOperation]['request'],
      options?: SendOptions,
    ): Promise<Operations[TOperation]['response']> {
      const passage = { operation, request, signal: options?.signal ?? undefined }
      // What comes back is the answer to the request that was sent, of the same operation.
      return around(passage, (sent) =>
        transport.send(operation, sent as typeof request, options),
      ) as Promise<Operations[TOperation]['response']>
    },
  }
}
