import { getOwn } from '../../values/own.ts'
import type { LegacyCondition, QueryRequest } from '../../wire/item-operations.ts'
import type { Index } from '../catalog/table.ts'
import { NOT_INDEXABLE } from '../messages/legacy-messages.ts'
import {
  CONDITIONS_COUNT,
  KEY_CONDITION_NOT_SUPPORTED,
  KEY_CONDITION_TYPE,
  keyConditionMissing,
} from '../messages/query-messages.ts'
import { validationError } from '../messages/request-messages.ts'

const INDEXABLE = new Set(['EQ', 'LT', 'LE', 'GT', 'GE', 'BETWEEN', 'BEGINS_WITH'])

/**
 * Compares KeyConditions with the index's key schema, attribute by attribute, as AWS does for them;
 * key condition expressions are checked in another order. Keys of several attributes are left to
 * the analysis of key ranges, but for the operators.
 */
export function validateKeyConditions(
  index: Index,
  keyConditions: NonNullable<QueryRequest['KeyConditions']>,
): void {
  const count = Object.keys(keyConditions).length
  const [partition, sort] = [index.partition[0], index.sort[0]]
  if (partition !== undefined && index.partition.length === 1 && index.sort.length <= 1) {
    if (count < 1 || count > 2) throw validationError(CONDITIONS_COUNT)
    if (sort === undefined && count > 1) throw validationError(KEY_CONDITION_NOT_SUPPORTED)
    const partitionCondition = getOwn(keyConditions, partition.name)
    if (partitionCondition === undefined) throw validationError(keyConditionMissing(partition.name))
    validateOperator(partitionCondition)
    validateType(partitionCondition, partition.type)
    if (partitionCondition.ComparisonOperator !== 'EQ') {
      throw validationError(KEY_CONDITION_NOT_SUPPORTED)
    }
    if (sort !== undefined && count > 1) {
      const sortCondition = getOwn(keyConditions, sort.name)
      if (sortCondition === undefined) throw validationError(keyConditionMissing(sort.name))
      validateOperator(sortCondition)
      validateType(sortCondition, sort.type)
    }
    return
  }
  for (const name of Object.keys(keyConditions)) validateOperator(keyConditions[name]!)
}

function validateOperator({ ComparisonOperator: operator }: LegacyCondition): void {
  if (operator === undefined || !INDEXABLE.has(operator)) throw validationError(NOT_INDEXABLE)
}

function validateType(condition: LegacyCondition, type: 'S' | 'N' | 'B'): void {
  for (const value of condition.AttributeValueList ?? []) {
    if (value[type] === undefined) throw validationError(KEY_CONDITION_TYPE)
  }
}
