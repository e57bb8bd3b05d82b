import type { AttributeValue } from '../values/attribute-value.ts'
import { compareValues } from '../values/compare.ts'
import { sameValue } from '../values/same-value.ts'
import type { Reference } from './reference.ts'
import type { Where } from './where.ts'

/**
 * The outcome of a comparison of an attribute with values, where the attribute has this value or is
 * absent, as DynamoDB decides it; `undefined` where this is not enough to know. An absent attribute
 * differs from every value, and no other comparison with it is true.
 */
export function holdsFor(
  { operator, operands }: Where,
  value: AttributeValue | undefined,
): boolean | undefined {
  // Comparisons have a reference first.
  const [{ kind, path, codec }, ...given] = operands as [Reference, ...unknown[]]
  if (value === undefined) {
    if (operator === 'attribute_not_exists') return true
    return operator === '<>' ? (kind === 'size' ? undefined : true) : false
  }
  if (operator === 'attribute_exists') return path.length === 1 || undefined
  if (operator === 'attribute_not_exists') return path.length === 1 ? false : undefined
  if (kind === 'size' || path.length > 1 || operator === 'contains') return undefined
  if (operator === 'attribute_type') return Object.hasOwn(value, String(given[0]))
  const encode = (each: unknown): AttributeValue => {
    const issues: [] = []
    const encoded = codec.encode(each, issues)
    // The beginning of a value need not be a value: of an enum, say.
    return issues.length > 0 && typeof each === 'string' ? { S: each } : encoded
  }
  const [low, high = low] = given.map(encode)
  if (operator === 'begins_with') {
    return low?.S === undefined ? undefined : value.S?.startsWith(low.S) === true
  }
  if (operator === 'ignore_case') return value.S?.toLowerCase() === low?.S?.toLowerCase()
  if (operator === '=') return sameValue(value, low)
  if (operator === '<>') return !sameValue(value, low)
  if (operator === 'IN') return given.some((each) => sameValue(value, encode(each)))
  const above = compareValues(value, low!) ?? Number.NaN
  const below = compareValues(value, high!) ?? Number.NaN
  switch (operator) {
    case '>':
      return above > 0
    case '>=':
      return above >= 0
    case '<':
      return below < 0
    case '<=':
      return below <= 0
    default:
      return above >= 0 && below <= 0
  }
}
