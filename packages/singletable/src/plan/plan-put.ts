import { PrintedPlaceholders } from '../expression/print.ts'
import { keyFromItem } from '../schema/index-keys.ts'
import type { PutItemRequest } from '../wire/item-operations.ts'
import type { Expectations, WritePlan } from './plan.ts'
import { type PlanContext, placeOf } from './plan-context.ts'
import type { PutState } from './state.ts'
import { printVersion } from './version.ts'
import { andAlso, printAbsent, printWhere } from './write-condition.ts'
import { completeRequest } from './write-request.ts'

const NOTHING_EXPECTED: Expectations = {
  exists: false,
  absent: false,
  version: undefined,
  where: false,
}

/** Plans a put or a create: the whole item, and the condition it is written on. */
export function planPut(state: PutState, context: PlanContext): WritePlan {
  const { model, verb, returning } = state
  const place = placeOf(context, model, verb)
  const { item, output, version } = model.encodeNew(state.input, context.environment, place)
  const expected = verb === 'create' ? undefined : version
  const request: PutItemRequest = { TableName: context.tableName, Item: item }

  let expects = NOTHING_EXPECTED
  const absent = verb === 'create' || (model.version !== undefined && expected === undefined)
  if (absent || expected !== undefined || state.where !== undefined) {
    const placeholders = new PrintedPlaceholders()
    let condition = absent ? printAbsent(model, placeholders, context.environment.now()) : ''
    condition = andAlso(condition, printVersion(expected, model, place, placeholders))
    condition = andAlso(condition, printWhere(state.where, model, place, placeholders))
    expects = { exists: false, absent, version: expected, where: state.where !== undefined }
    completeRequest(request, condition, placeholders)
  }
  if (returning === 'ALL_OLD') request.ReturnValues = 'ALL_OLD'
  if (state.capacity !== undefined) request.ReturnConsumedCapacity = state.capacity
  return {
    kind: 'write',
    verb,
    model,
    action: { Put: request },
    key: keyFromItem(model.schema.primary, item),
    expects,
    // After an attempt without an answer, a put that fails on an item equal to its own has happened.
    idempotent: !expects.where,
    output,
    returns: returning === 'NEW' ? 'output' : returning === 'ALL_OLD' ? 'attributes' : 'nothing',
  }
}
