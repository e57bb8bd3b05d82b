import type { AttributeValue } from '../values/attribute-value.ts'
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

export function readableValue(value: AttributeValue): string {
  if (value.N !== undefined) return value.N
  const text = JSON.stringify(value.S ?? value.BOOL ?? (value.NULL ? null : value))
  // The end of ranges is a character that can't be seen.
  return text.replaceAll('\u{10FFFF}', '\\u{10ffff}')
}
