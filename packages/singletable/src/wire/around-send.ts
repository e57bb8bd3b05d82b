import type { OperationName } from './operations.ts'
import type { SendOptions, Transport } from './transport.ts'

/** Sends a request without its types: what comes back is the response of that operation. */
export type UntypedSend = (
  operation: OperationName,
  request: object,
  options?: SendOptions,
) => Promise<unknown>

/** A transport that sends so. Its types say what request and response an operation has, which the
 * function need not know. */
export function transportOf(send: UntypedSend): Transport {
  return { send: send as Transport['send'] }
}

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
  const inner = transport as { readonly send: UntypedSend }
  return transportOf((operation, request, options) =>
    around({ operation, request, signal: options?.signal }, (sent) =>
      inner.send(operation, sent, options),
    ),
  )
}
