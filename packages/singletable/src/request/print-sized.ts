import { EXPRESSION_SIZE_MAX_BYTES } from '../expression/limits.ts'
import { type PrintedPlaceholders, printCondition } from '../expression/print.ts'
import type { Condition } from '../expression/tree.ts'
import { refuseInput } from '../schema/input-issues.ts'

/** The text of a condition, which DynamoDB takes up to a size. */
export function printSized(
  condition: Condition,
  placeholders: PrintedPlaceholders,
  place: string,
): string {
  const text = printCondition(condition, placeholders)
  if (text.length <= EXPRESSION_SIZE_MAX_BYTES) return text
  const message = `the condition takes ${text.length} bytes as an expression, and ${EXPRESSION_SIZE_MAX_BYTES} are allowed`
  return refuseInput(message, place, 'split the call, or use fewer values')
}
