import type { EngineContext } from '../context/context.ts'
import { checkConstraints } from '../shapes/check-constraints.ts'
import type { StructureShape } from '../shapes/shape.ts'
import { validateTableName } from '../shapes/table-name.ts'

/**
 * One operation of the service. Its request is read by `shape`: JSON types are right, nulls and
 * unknown members are gone. Then its bounds are checked, and `run` does the rest.
 */
export interface Operation<TRequest, TResponse> {
  readonly shape: StructureShape
  /** Where it is not `checkRequest`, because AWS looks at something else first. */
  check?(shape: StructureShape, request: TRequest): void
  run(context: EngineContext, request: TRequest): TResponse | Promise<TResponse>
}

/** A bad name of the table is reported alone, then everything else that is out of bounds. */
function checkRequest(
  shape: StructureShape,
  request: { readonly TableName?: string | undefined },
): void {
  if (shape.members.has('TableName')) validateTableName(request.TableName)
  checkConstraints(shape, request)
}

/** Checks and runs; the operation's shape has read the request, so it is one of the operation. */
export function runOperation(
  operation: Operation<never, object>,
  context: EngineContext,
  read: object,
): object | Promise<object> {
  const request = read as never
  if (operation.check === undefined) checkRequest(operation.shape, request)
  else operation.check(operation.shape, request)
  return operation.run(context, request)
}
