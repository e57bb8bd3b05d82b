import type { Item, OperationName, Operations, Transport } from 'singletable/tools'

/** Answers of an operation with something changed in them, or requests with something changed; the
 * rest goes through. */
export interface Sabotage {
  readonly request?: (operation: OperationName, request: LooseRequest) => LooseRequest
  readonly response?: (
    operation: OperationName,
    response: LooseResponse,
    request: LooseRequest,
  ) => LooseResponse
  /** Sent before the request, for nothing. */
  readonly extra?: (operation: OperationName, request: LooseRequest) => LooseCall | undefined
  /** Sent in place of the request; what it answers is not given on. */
  readonly instead?: (operation: OperationName, request: LooseRequest) => LooseCall | undefined
}

type LooseCall = readonly [operation: OperationName, request: LooseRequest]

export type LooseRequest = Readonly<Record<string, unknown>>
export interface LooseResponse {
  readonly Items?: readonly Item[]
  readonly Item?: Item
  readonly Count?: number
  readonly ScannedCount?: number
  readonly LastEvaluatedKey?: Item
  readonly ConsumedCapacity?: { readonly CapacityUnits?: number }
  readonly Responses?: Readonly<Record<string, readonly Item[]>>
}

/** Is between a table and its engine, and does harm. */
export function sabotaged({ request: turn, response: twist, extra, instead }: Sabotage) {
  return (engine: Transport): Transport => ({
    async send<TOperation extends OperationName>(
      operation: TOperation,
      request: Operations[TOperation]['request'],
      options?: object,
    ): Promise<Operations[TOperation]['response']> {
      // Harm is done to requests and answers of any shape.
      const given = request as unknown as LooseRequest
      const sent = turn?.(operation, given) ?? given
      const sendLoose = (name: OperationName, loose: LooseRequest) =>
        engine.send(name, loose as unknown as Operations[OperationName]['request'], options)
      const more = extra?.(operation, given)
      if (more) await sendLoose(...more)
      const other = instead?.(operation, given)
      if (other) {
        await sendLoose(...other)
        return {} as Operations[TOperation]['response']
      }
      // It is the answer to this operation.
      const response = (await sendLoose(operation, sent)) as Operations[TOperation]['response']
      const twisted = twist?.(operation, response as unknown as LooseResponse, given)
      return (twisted as unknown as Operations[TOperation]['response']) ?? response
    },
  })
}
