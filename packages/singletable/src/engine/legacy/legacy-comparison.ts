import { assert } from '../../errors/assert.ts'
import type { Comparator, Condition, Operand, Path } from '../../expression/tree.ts'
import { type AttributeValue, type TypeTag, typeOf } from '../../values/attribute-value.ts'
import { compareValues } from '../../values/compare.ts'
import { LEGACY_VALUES_MAX_COUNT } from '../limits/count-limits.ts'
import {
  argumentCountWrong,
  operatorNotForType,
  RANGE_REVERSED,
  VALUES_OF_MANY_TYPES,
} from '../messages/legacy-messages.ts'
import { validationError } from '../messages/request-messages.ts'

export interface Comparison {
  readonly operator: string
  readonly values: readonly AttributeValue[]
}

interface OperatorRule {
  readonly valuesMin: number
  readonly valuesMax: number
  /** The types its values may have; undefined for all. */
  readonly types?: readonly TypeTag[]
}

const ORDERED: readonly TypeTag[] = ['S', 'N', 'B']
const SEARCHABLE: readonly TypeTag[] = ['S', 'N', 'B', 'BOOL', 'NULL']

const RULES: ReadonlyMap<string, OperatorRule> = new Map([
  ['EQ', { valuesMin: 1, valuesMax: 1 }],
  ['NE', { valuesMin: 1, valuesMax: 1 }],
  ['LE', { valuesMin: 1, valuesMax: 1, types: ORDERED }],
  ['LT', { valuesMin: 1, valuesMax: 1, types: ORDERED }],
  ['GE', { valuesMin: 1, valuesMax: 1, types: ORDERED }],
  ['GT', { valuesMin: 1, valuesMax: 1, types: ORDERED }],
  ['CONTAINS', { valuesMin: 1, valuesMax: 1, types: SEARCHABLE }],
  ['NOT_CONTAINS', { valuesMin: 1, valuesMax: 1, types: SEARCHABLE }],
  ['BEGINS_WITH', { valuesMin: 1, valuesMax: 1, types: ['S', 'B'] }],
  ['IN', { valuesMin: 1, valuesMax: LEGACY_VALUES_MAX_COUNT, types: ORDERED }],
  ['BETWEEN', { valuesMin: 2, valuesMax: 2, types: ORDERED }],
  ['NULL', { valuesMin: 0, valuesMax: 0 }],
  ['NOT_NULL', { valuesMin: 0, valuesMax: 0 }],
])

const COMPARATORS: ReadonlyMap<string, Comparator> = new Map([
  ['EQ', '='],
  ['NE', '<>'],
  ['LE', '<='],
  ['LT', '<'],
  ['GE', '>='],
  ['GT', '>'],
])

/** One ComparisonOperator with its normalised values, as a condition on the attribute. */
export function legacyComparison(name: string, { operator, values }: Comparison): Condition {
  validateValues(operator, values)
  const path: Path = [name]
  const operand: Operand = { kind: 'path', path }
  const operands = values.map((value): Operand => ({ kind: 'value', value }))
  const [first, second] = operands
  if (first === undefined) return { kind: 'exists', path, negated: operator === 'NULL' }
  if (operator === 'IN') return { kind: 'in', operand, list: operands }
  if (second !== undefined) return { kind: 'between', operand, low: first, high: second }
  const comparator = COMPARATORS.get(operator)
  if (comparator !== undefined) {
    return { kind: 'compare', operator: comparator, left: operand, right: first }
  }
  if (operator === 'BEGINS_WITH') return { kind: 'begins_with', operand, prefix: first }
  const contains: Condition = { kind: 'contains', operand, search: first }
  if (operator === 'CONTAINS') return contains
  // Unlike `NOT contains(…)`, NOT_CONTAINS is false if the attribute is missing.
  return {
    kind: 'and',
    left: { kind: 'exists', path, negated: false },
    right: { kind: 'not', condition: contains },
  }
}

function validateValues(operator: string, values: readonly AttributeValue[]): void {
  const rule = RULES.get(operator)
  assert(rule !== undefined, 'the shape of the request lists the comparison operators')
  if (values.length < rule.valuesMin || values.length > rule.valuesMax) {
    throw validationError(argumentCountWrong(operator))
  }
  const [low, high] = values
  if (low === undefined) return
  const firstType = typeOf(low)
  for (const value of values) {
    const type = typeOf(value)
    if (rule.types !== undefined && !rule.types.includes(type)) {
      throw validationError(operatorNotForType(operator, type))
    }
    if (type !== firstType) throw validationError(VALUES_OF_MANY_TYPES)
  }
  if (high === undefined) return
  if (operator === 'BETWEEN' && (compareValues(low, high) ?? 0) > 0) {
    throw validationError(RANGE_REVERSED)
  }
}
