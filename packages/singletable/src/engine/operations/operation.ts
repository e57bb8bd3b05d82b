import type { EngineContext } from '../context/context.ts'
import type { StructureShape } from '../shapes/shape.ts'

/**
 * One operation of the service. `run` gets a request that was read by `shape`: JSON types are right, nulls and unknown members are
 * gone. Bounds are checked by `run`, because operations differ in what they check first.
 */
export interface Operation<TRequest, TResponse> {
  readonly shape: StructureShape
  run(context: EngineContext, request: TRequest): TResponse | Promise<TResponse>
}
