import { readableValue } from '../expression/print.ts'
import type { GetItemRequest } from '../wire/item-operations.ts'
import { definedMembers } from './defined-members.ts'
import { readUnits } from './explain-query.ts'
import type { Explanation, GetPlan } from './plan.ts'
import { type PlanContext, placeOf } from './plan-context.ts'
import { createProjection } from './projection.ts'
import type { GetState } from './state.ts'

/** One item by its primary key. */
export function planGet(state: GetState, context: PlanContext): GetPlan {
  const { model, select, includeExpired } = state
  // Reads take a key with its prefix whether or not anyone is told.
  const { tableName, warn = () => {} } = context
  const projection = select && createProjection(state, select, model.schema.primary)
  const request = definedMembers<GetItemRequest>({
    TableName: tableName,
    Key: model.encodeKey(state.key, placeOf(context, model, 'get'), warn),
    ConsistentRead: state.consistentRead || undefined,
    ReturnConsumedCapacity: state.capacity,
    ...projection?.request,
  })
  return { kind: 'get', model, request, partial: projection?.unasked ?? false, includeExpired }
}

export function explainGet(state: GetState, context: PlanContext): Explanation {
  const { model, request, partial } = planGet(state, context)
  return {
    operation: 'GetItem',
    entity: model.name,
    index: 'primary',
    refused: [],
    keyCondition: Object.entries(request.Key)
      .map(([name, value]) => `${name} = ${readableValue(value)}`)
      .join(' AND '),
    requests: '1',
    capacity: `${readUnits(state.consistentRead)} of the item`,
    notes: partial ? ['select() saves traffic, not read units: the whole item is paid for'] : [],
  }
}
