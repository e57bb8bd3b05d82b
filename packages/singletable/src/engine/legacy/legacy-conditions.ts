import { allOf, anyOf } from '../../expression/build.ts'
import type { Condition } from '../../expression/tree.ts'
import type {
  ConditionalOperator,
  ExpectedAttributeValue,
  LegacyCondition,
  PutItemRequest,
} from '../../wire/item-operations.ts'
import { validateAttributeName } from '../attributes/attribute-name.ts'
import { normaliseValue } from '../attributes/normalise-value.ts'
import { LEGACY_CONDITIONS_MAX_COUNT } from '../limits/count-limits.ts'
import {
  absentWithValue,
  CONDITIONAL_OPERATOR_ALONE,
  CONDITIONAL_OPERATOR_FOR_ONE,
  existsWithOperator,
  existsWithoutValue,
  listWithoutOperator,
  operatorWithoutValue,
  tooManyAttributes,
  valueWithList,
} from '../messages/legacy-messages.ts'
import { CONDITIONS_COUNT } from '../messages/query-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { legacyComparison } from './legacy-comparison.ts'

/** The condition that `Expected` stands for; undefined if it asks for nothing. */
export function expectedCondition(
  expected: PutItemRequest['Expected'],
  operator: ConditionalOperator | undefined,
): Condition | undefined {
  if (expected === undefined && operator === undefined) return undefined
  const parts: Condition[] = []
  for (const [name, expectation] of conditionEntries(expected ?? {})) {
    validateAttributeName(name)
    parts.push(expectedPart(name, expectation))
  }
  return join(parts, operator)
}

/** The condition that QueryFilter or ScanFilter stands for; undefined if it asks for nothing. */
export function filterCondition(
  filter: Readonly<Record<string, LegacyCondition>> | undefined,
  operator: ConditionalOperator | undefined,
): Condition | undefined {
  if (filter === undefined && operator === undefined) return undefined
  return join(comparisons(filter ?? {}), operator)
}

/**
 * The condition that KeyConditions stands for. Whether the index can answer it is said by
 * `validateKeyConditions`, which must come before the condition is taken apart as a key condition.
 */
export function keyConditionsCondition(
  keyConditions: Readonly<Record<string, LegacyCondition>>,
): Condition {
  const condition = join(comparisons(keyConditions), undefined)
  if (condition === undefined) throw validationError(CONDITIONS_COUNT)
  return condition
}

function comparisons(conditions: Readonly<Record<string, LegacyCondition>>): Condition[] {
  const parts: Condition[] = []
  for (const [name, condition] of conditionEntries(conditions)) {
    validateAttributeName(name)
    const { ComparisonOperator: operator, AttributeValueList: list = [] } = condition
    const values = list.map((value) => normaliseValue(value))
    parts.push(legacyComparison(name, { operator, values }))
  }
  return parts
}

function conditionEntries<T>(conditions: Readonly<Record<string, T>>): [string, T][] {
  const entries = Object.entries(conditions)
  if (entries.length > LEGACY_CONDITIONS_MAX_COUNT) {
    throw validationError(tooManyAttributes(LEGACY_CONDITIONS_MAX_COUNT))
  }
  return entries
}

function expectedPart(name: string, expectation: ExpectedAttributeValue): Condition {
  const {
    ComparisonOperator: operator,
    AttributeValueList: list,
    Value: value,
    Exists: exists,
  } = expectation
  if (operator !== undefined && exists !== undefined) {
    throw validationError(existsWithOperator(name))
  }
  if (list !== undefined && value !== undefined) throw validationError(valueWithList(name))
  if (operator !== undefined) {
    const given = list ?? (value === undefined ? undefined : [value])
    if (given === undefined && operator !== 'NULL' && operator !== 'NOT_NULL') {
      throw validationError(operatorWithoutValue(operator, name))
    }
    const values = (given ?? []).map((element) => normaliseValue(element))
    return legacyComparison(name, { operator, values })
  }
  if (list !== undefined) throw validationError(listWithoutOperator(name))
  if (exists === false) {
    if (value !== undefined) throw validationError(absentWithValue(name))
    return legacyComparison(name, { operator: 'NULL', values: [] })
  }
  if (value === undefined) throw validationError(existsWithoutValue(exists, name))
  return legacyComparison(name, { operator: 'EQ', values: [normaliseValue(value)] })
}

function join(
  parts: readonly Condition[],
  operator: ConditionalOperator | undefined,
): Condition | undefined {
  if (operator !== undefined && parts.length < 2) {
    throw validationError(
      parts.length === 0 ? CONDITIONAL_OPERATOR_ALONE : CONDITIONAL_OPERATOR_FOR_ONE,
    )
  }
  return operator === 'OR' ? anyOf(parts) : allOf(parts)
}
