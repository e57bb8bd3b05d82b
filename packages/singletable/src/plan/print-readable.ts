import { readableValue } from '../expression/print.ts'
import { getOwn } from '../values/own.ts'
import type { ExpressionPlaceholders } from '../wire/item-operations.ts'

/** An expression for reading, with names and values in place of placeholders: `pk = "USER#alice" AND begins_with(sk, "POST#")`. */
export function printReadable(
  expression: string | undefined,
  { ExpressionAttributeNames = {}, ExpressionAttributeValues = {} }: ExpressionPlaceholders,
): string | undefined {
  return expression?.replace(/[#:]\w+/g, (placeholder) => {
    const name = getOwn(ExpressionAttributeNames, placeholder)
    if (name !== undefined) return name
    const value = getOwn(ExpressionAttributeValues, placeholder)
    return value === undefined ? placeholder : readableValue(value)
  })
}
