import { PrintedPlaceholders } from '../expression/print.ts'
import type { DeleteItemRequest } from '../wire/item-operations.ts'
import type { WritePlan } from './plan.ts'
import { type PlanContext, placeOf } from './plan-context.ts'
import type { DeleteState } from './state.ts'
import { printVersion } from './version.ts'
import { andAlso, printExists, printWhere } from './write-condition.ts'
import { completeRequest } from './write-request.ts'

/** Plans a delete: without a condition unless one is asked for, so deleting what is not there is no error. */
export function planDelete(state: DeleteState, context: PlanContext): WritePlan {
  const { model, version, mustExist, where, returning } = state
  const place = placeOf(context, model, 'delete')
  const key = model.encodeKey(state.key, place, context.warn)
  const request: DeleteItemRequest = { TableName: context.tableName, Key: key }
  const conditional = mustExist || version !== undefined || where !== undefined
  if (conditional) {
    const placeholders = new PrintedPlaceholders()
    let condition = mustExist ? printExists(model, placeholders, context.environment.now()) : ''
    condition = andAlso(condition, printVersion(version, model, place, placeholders))
    condition = andAlso(condition, printWhere(where, model, place, placeholders))
    completeRequest(request, condition, placeholders)
  }
  if (returning === 'ALL_OLD') request.ReturnValues = 'ALL_OLD'
  if (state.capacity !== undefined) request.ReturnConsumedCapacity = state.capacity
  return {
    kind: 'write',
    verb: 'delete',
    model,
    action: { Delete: request },
    key,
    expects: { exists: mustExist, absent: false, version, where: where !== undefined },
    idempotent: !conditional,
    output: undefined,
    returns: returning === 'ALL_OLD' ? 'attributes' : 'nothing',
  }
}
