import type { GetItemRequest } from '../wire/item-operations.ts'
import type { Explanation, GetPlan } from './plan.ts'
import { type PlanContext, placeOf } from './plan-context.ts'
import { readableValue } from './print-readable.ts'
import { createProjection, internalNames, unaskedNames } from './projection.ts'
import type { GetState } from './state.ts'

/** One item by its primary key. `verb` stands in messages. */
export function planGet(state: GetState, context: PlanContext, verb = 'get'): GetPlan {
  const { model, select, includeExpired, capacity } = state
  const Key = model.encodeKey(state.key, placeOf(context, model, verb), warnOf(context))
  const request: GetItemRequest = { TableName: context.tableName, Key }
  if (state.consistentRead) request.ConsistentRead = true
  if (capacity !== undefined) request.ReturnConsumedCapacity = capacity
  let partial: GetPlan['partial'] = false
  if (select !== undefined) {
    const internal = internalNames(model, model.schema.primary, includeExpired)
    Object.assign(request, createProjection(select, internal))
    partial = unaskedNames(model, select, internal)
  }
  return { kind: 'get', model, request, partial, includeExpired }
}

/** Reads take a key with its prefix whether or not anyone is told. */
function warnOf({ warn }: PlanContext): (message: string) => void {
  return warn ?? ignore
}

function ignore(): void {}

export function explainGet(state: GetState, context: PlanContext): Explanation {
  const { model, request, partial } = planGet(state, context)
  const keyCondition = Object.entries(request.Key)
    .map(([name, value]) => `${name} = ${readableValue(value)}`)
    .join(' AND ')
  return {
    operation: 'GetItem',
    entity: model.name,
    index: 'primary',
    refused: [],
    keyCondition,
    requests: '1',
    capacity: `${state.consistentRead ? '1 read unit' : '0.5 read units'} per 4 KB of the item`,
    notes: partial ? ['select() saves traffic, not read units: the whole item is paid for'] : [],
  }
}
