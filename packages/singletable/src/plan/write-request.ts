import type { PrintedPlaceholders } from '../expression/print.ts'
import type { ExpressionPlaceholders } from '../wire/item-operations.ts'

interface Conditional extends ExpressionPlaceholders {
  ConditionExpression?: string
  ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE'
}

/** Adds the condition and all placeholders. The item that made a condition fail is always asked for, so that the failure can be told by name. */
export function completeRequest(
  request: Conditional,
  condition: string,
  placeholders: PrintedPlaceholders,
): void {
  if (condition !== '') {
    request.ConditionExpression = condition
    request.ReturnValuesOnConditionCheckFailure = 'ALL_OLD'
  }
  const names = placeholders.names()
  if (names !== undefined) request.ExpressionAttributeNames = names
  const values = placeholders.values()
  if (values !== undefined) request.ExpressionAttributeValues = values
}
