import type { TypeTag } from '../../values/attribute-value.ts'
import { LONG_TYPE_NAMES } from './expression-messages.ts'
import { INVALID } from './request-messages.ts'

/** Messages about the parameters that expressions have replaced: Expected, AttributeUpdates,
 * KeyConditions, QueryFilter, ScanFilter, AttributesToGet. */

export const CONDITIONAL_OPERATOR_ALONE =
  'ConditionalOperator cannot be used without Filter or Expected'
export const CONDITIONAL_OPERATOR_FOR_ONE =
  'ConditionalOperator can only be used when Filter or Expected has two or more elements'

export const VALUES_OF_MANY_TYPES: string = `${INVALID}AttributeValues inside AttributeValueList must be of same type`
export const RANGE_REVERSED =
  'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound'

export function tooManyAttributes(max: number): string {
  return `${INVALID}Too many attributes in one parameter; the limit is ${max}`
}

export function argumentCountWrong(operator: string): string {
  return `${INVALID}Invalid number of argument(s) for the ${operator} ComparisonOperator`
}

export function operatorNotForType(operator: string, type: TypeTag): string {
  return `${INVALID}ComparisonOperator ${operator} is not valid for ${type} AttributeValue type`
}

export function existsWithOperator(name: string): string {
  return `${INVALID}Exists and ComparisonOperator cannot be used together for Attribute: ${name}`
}

export function valueWithList(name: string): string {
  return `${INVALID}Value and AttributeValueList cannot be used together for Attribute: ${name}`
}

export function operatorWithoutValue(operator: string, name: string): string {
  return `${INVALID}Value or AttributeValueList must be used with ComparisonOperator: ${operator} for Attribute: ${name}`
}

export function listWithoutOperator(name: string): string {
  return `${INVALID}AttributeValueList can only be used with a ComparisonOperator for Attribute: ${name}`
}

export function existsWithoutValue(exists: true | undefined, name: string): string {
  return `${INVALID}Value must be provided when Exists is ${exists ?? 'null'} for Attribute: ${name}`
}

export function absentWithValue(name: string): string {
  return `${INVALID}Value cannot be used when Exists is false for Attribute: ${name}`
}

export const NOT_INDEXABLE = 'Attempted conditional constraint is not an indexable operation'

export const UPDATE_WITHOUT_VALUE: string = `${INVALID}Only DELETE action is allowed when no attribute value is specified`
export const UPDATE_TYPE_MISMATCH = 'Type mismatch for attribute to update'

export function addNotForType(type: TypeTag): string {
  return `${INVALID}ADD action is not supported for the type ${LONG_TYPE_NAMES[type]}`
}

export function deleteNotForType(type: TypeTag): string {
  return `${INVALID}DELETE action with value is not supported for the type ${LONG_TYPE_NAMES[type]}`
}

export function attributeNameDuplicated(name: string): string {
  return `${INVALID}Duplicate value in attribute name: ${name}`
}
