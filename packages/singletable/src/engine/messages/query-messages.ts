import { INVALID } from './request-messages.ts'

/** Messages of Query and Scan. */

export const KEY_CONDITION_MISSING =
  'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.'
export const CONSISTENT_READ_ON_GLOBAL_INDEX =
  'Consistent reads are not supported on global secondary indexes'
export const SPECIFIC_ATTRIBUTES_MISSING =
  'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES'
export const PROJECTED_ATTRIBUTES_WITHOUT_INDEX =
  'ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName'
export const QUERY_LIMIT_TOO_SMALL =
  "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1"

export const START_KEY_INVALID = 'The provided starting key is invalid'
export const SCAN_START_KEY_INVALID =
  'The provided starting key is invalid: The provided key element does not match the schema'
export function startKeyEmpty(problem: string): string {
  return `${START_KEY_INVALID}: ${problem}`
}
export const START_KEY_OUTSIDE =
  'The provided starting key is outside query boundaries based on provided conditions'
export const START_KEY_NOT_IN_RANGE =
  'The provided starting key does not match the range key predicate'
export const SINGLE_ITEM_NOT_RESTARTABLE =
  'The query can return at most one row and cannot be restarted'

export const TOTAL_SEGMENTS_MISSING =
  'The TotalSegments parameter is required but was not present in the request when Segment parameter is present'
export const SEGMENT_MISSING =
  'The Segment parameter is required but was not present in the request when parameter TotalSegments is present'

export const CONDITIONS_COUNT = 'Conditions can be of length 1 or 2 only'
export const ONE_CONDITION_PER_KEY =
  'KeyConditionExpressions must only contain one condition per key'
export const MANY_NAMES_IN_CONDITION =
  'Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition'
export const NO_KEY_IN_CONDITION =
  'Invalid condition in KeyConditionExpression: No key attribute specified'
export const NESTED_OPERATIONS = 'KeyConditionExpressions cannot contain nested operations'
export const NESTED_ATTRIBUTES =
  'Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes'
export const KEY_CONDITION_NOT_SUPPORTED = 'Query key condition not supported'
export const KEY_CONDITION_TYPE: string = `${INVALID}Condition parameter type does not match schema type`

export function segmentTooLarge(segment: number, total: number): string {
  return `The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: ${segment} is not less than TotalSegments: ${total}`
}

export function startKeyInOtherSegment(segment: number, total: number): string {
  return `The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: ${total} Segment: ${segment}`
}

export function startKeyOfHashOnlyTable(dump: string): string {
  return `The provided exclusive start key is invalid: ExclusiveStartKey: ${dump}`
}

export function indexMissing(index: string): string {
  return `The table does not have the specified index: ${index}`
}

export function indexNotReady(index: string): string {
  return `Cannot read from backfilling global secondary index: ${index}`
}

export function operatorNotForKeys(operator: string): string {
  return `Invalid operator used in KeyConditionExpression: ${operator}`
}

export function keyMustBeFirstOperand(operator: string): string {
  return `Invalid condition in KeyConditionExpression: ${operator} operator must have the key attribute as its first operand`
}

export function keyConditionMissing(name: string): string {
  return `Query condition missed key schema element: ${name}`
}

export function filterOnKey(name: string): string {
  return `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`
}

export function legacyFilterOnKey(name: string): string {
  return `QueryFilter can only contain non-primary key attributes: Primary key attribute: ${name}`
}

export function allAttributesNotProjected(index: string): string {
  return `${INVALID}Select type ALL_ATTRIBUTES is not supported for global secondary index ${index} because its projection type is not ALL`
}

export function attributesNotProjected(index: string, names: readonly string[]): string {
  return `${INVALID}Global secondary index ${index} does not project [${names.join(', ')}]`
}

export function filterNotProjected(index: string, names: readonly string[]): string {
  return `${INVALID}Secondary index ${index} does not project one or more filter attributes: [${names.join(', ')}]`
}

export function projectionWithSelect(
  parameter: 'ProjectionExpression' | 'AttributesToGet',
  select: string,
): string {
  const wanted = select === 'COUNT' ? 'only the Count' : select
  return `Cannot specify the ${parameter} when choosing to get ${wanted}`
}

/** Of keys with several attributes. */
export function partitionKeysNeedEquality(names: readonly string[]): string {
  return `HASH key attributes ${names.join(', ')} must have equality conditions specified in the query`
}
export function sortKeysNeedEquality(names: readonly string[], last: string): string {
  return `RANGE key attributes ${names.join(', ')} must have equality conditions specified in the query because a condition is present on key attribute ${last}`
}
