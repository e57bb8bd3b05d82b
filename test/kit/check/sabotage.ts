import type { Item, OperationName, Operations, Transport } from 'singletable/tools'

/** Answers of an operation with something changed in them, or requests with something changed; the rest goes through. */
export interface Sabotage {
  readonly request?: (operation: OperationName, request: LooseRequest) => LooseRequest
  readonly response?: (
    operation: OperationName,
    response: LooseResponse,
    request: LooseRequest,
  ) => LooseResponse
}

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

/** Stands between a table and its engine, and does harm. */
export function sabotaged({ request: turn, response: twist }: Sabotage) {
  return (engine: Transport): Transport => ({
    async send<TOperation extends OperationName>(
      operation: TOperation,
      request: Operations[TOperation]['request'],
      options?: object,
    ): Promise<Operations[TOperation]['response']> {
      // Harm is done to requests and answers of any shape.
      const given = request as unknown as LooseRequest
      const sent = turn?.(operation, given) ?? given
      const response = await engine.send(
        operation,
        sent as unknown as Operations[TOperation]['request'],
        options,
      )
      const twisted = twist?.(operation, response as unknown as LooseResponse, given)
      return (twisted as unknown as Operations[TOperation]['response']) ?? response
    },
  })
}
