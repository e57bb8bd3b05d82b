import type { FilterTest } from 'singletable/tools'
import { compareValues } from './compare-values.ts'
import type { Values } from './item-values.ts'
import { sameValue } from './same-value.ts'

/**
 * Whether a value passes a test of a filter, decided here as DynamoDB documents it. What is not
 * there passes no comparison, except that it differs from everything.
 */
export function holdsFilter(
  { operator }: FilterTest,
  value: unknown,
  operands: readonly unknown[],
  isDecimal = false,
): boolean {
  const [operand, high] = operands
  if (operator === 'exists') return (value !== undefined) === operand
  if (value === undefined) return operator === 'ne'
  const order = compareValues(value, operand, isDecimal) ?? Number.NaN
  switch (operator) {
    case 'eq':
      return sameValue(value, operand)
    case 'ne':
      return !sameValue(value, operand)
    case 'lt':
      return order < 0
    case 'lte':
      return order <= 0
    case 'gt':
      return order > 0
    case 'gte':
      return order >= 0
    case 'between':
      return order >= 0 && (compareValues(value, high, isDecimal) ?? Number.NaN) <= 0
    case 'in':
      return operands.some((each) => sameValue(value, each))
    case 'beginsWith':
      return typeof value === 'string' && value.startsWith(String(operand))
    default:
      return typeof value === 'string'
        ? value.includes(String(operand))
        : elementsOf(value).some((element) => sameValue(element, operand))
  }
}

function elementsOf(value: unknown): readonly unknown[] {
  return value instanceof Set || Array.isArray(value) ? [...value] : []
}

/** The values that a test compares with. */
export function operandsOf({ operands, whole }: FilterTest, members: Values): readonly unknown[] {
  const values = operands.map((each) =>
    each.input === undefined ? each.value : members.get(each.input),
  )
  const [first] = values
  return whole && Array.isArray(first) ? first : values
}
