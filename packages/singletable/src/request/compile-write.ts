import { PrintedPlaceholders, printUpdate } from '../expression/print.ts'
import type { WriteItemRequest, WritePlan } from '../plan/plan.ts'
import type { TransactWriteItem } from '../wire/item-operations.ts'
import { printSized } from './print-sized.ts'

/** What is printed of a plan. */
type PrintedWrite = Pick<
  WritePlan,
  | 'tableName'
  | 'place'
  | 'key'
  | 'item'
  | 'condition'
  | 'update'
  | 'returns'
  | 'capacity'
  | 'handmade'
>

/** The request of a put, an update, a delete or a check. */
export function compileWrite(plan: PrintedWrite): WriteItemRequest {
  const { tableName, place, key, item, condition, update, returns, capacity, handmade } = plan
  if (handmade) return item ? { ...handmade, Item: item } : handmade
  const placeholders = new PrintedPlaceholders()
  const conditionText = condition && printSized(condition, placeholders, place)
  const updateText = update && printUpdate(update, placeholders)
  const request: WriteItemRequest = { TableName: tableName }
  if (item === undefined) request.Key = key
  else request.Item = item
  if (updateText) request.UpdateExpression = updateText
  if (conditionText !== undefined) {
    request.ConditionExpression = conditionText
    // The item that made it fail is always asked for, so that the failure can be reported by name.
    request.ReturnValuesOnConditionCheckFailure = 'ALL_OLD'
  }
  const names = placeholders.names()
  if (names !== undefined) request.ExpressionAttributeNames = names
  const values = placeholders.values()
  if (values !== undefined) request.ExpressionAttributeValues = values
  if (returns !== undefined) request.ReturnValues = returns
  if (capacity !== undefined) request.ReturnConsumedCapacity = capacity
  return request
}

/** The same as a part of a transaction, which gives nothing back. */
export function compileAction(plan: PrintedWrite & Pick<WritePlan, 'action'>): TransactWriteItem {
  const { ReturnValues, ReturnConsumedCapacity, ...request } = compileWrite(plan)
  return { [plan.action]: request }
}
