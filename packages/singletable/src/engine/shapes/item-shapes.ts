import {
  LEGACY_ATTRIBUTES_MAX_COUNT,
  LEGACY_CONDITIONS_MAX_COUNT,
  LEGACY_VALUES_MAX_COUNT,
  PLACEHOLDERS_MAX_COUNT,
} from '../limits/count-limits.ts'
import { INDEX_NAME_MAX_LENGTH, INDEX_NAME_MIN_LENGTH } from '../limits/table-limits.ts'
import { NAME_PATTERN_OR_EMPTY } from './name-pattern.ts'
import {
  attributeMap,
  attributeValue,
  boolean,
  list,
  type MemberDefinitions,
  map,
  oneOf,
  type Shape,
  structure,
  text,
} from './shape.ts'

/** Shapes that several operations on items share. The order of enum values is the order in which
 * AWS lists them. */

/** Its bounds are checked by `validateTableName`, which reports it alone. */
export const tableNameShape: Shape = text()
export const returnConsumedCapacity: Shape = oneOf('INDEXES', 'TOTAL', 'NONE')
export const returnItemCollectionMetrics: Shape = oneOf('SIZE', 'NONE')
const returnValues: Shape = oneOf('ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW')
export const returnValuesOnConditionCheckFailure: Shape = oneOf('ALL_OLD', 'NONE')
const conditionalOperator: Shape = oneOf('OR', 'AND')
export const select: Shape = oneOf(
  'SPECIFIC_ATTRIBUTES',
  'COUNT',
  'ALL_ATTRIBUTES',
  'ALL_PROJECTED_ATTRIBUTES',
)
export const names: Shape = map('String', text(), { readMax: PLACEHOLDERS_MAX_COUNT + 1 })
export const values: Shape = { ...attributeMap, readMax: PLACEHOLDERS_MAX_COUNT + 1 }
export const attributesToGet: Shape = list(text(), {
  lengthMin: 1,
  readMax: LEGACY_ATTRIBUTES_MAX_COUNT + 1,
})

const comparisonOperator = oneOf(
  'IN',
  'NULL',
  'BETWEEN',
  'LT',
  'NOT_CONTAINS',
  'EQ',
  'GT',
  'NOT_NULL',
  'NE',
  'LE',
  'BEGINS_WITH',
  'GE',
  'CONTAINS',
)

const legacyValues: Shape = list(attributeValue, { readMax: LEGACY_VALUES_MAX_COUNT + 1 })

export const expected: Shape = map(
  'ExpectedAttributeValue',
  structure({
    Value: attributeValue,
    Exists: boolean,
    ComparisonOperator: comparisonOperator,
    AttributeValueList: legacyValues,
  }),
  { readMax: LEGACY_CONDITIONS_MAX_COUNT + 1 },
)
export const legacyConditions: Shape = map(
  'Condition',
  structure({
    AttributeValueList: legacyValues,
    ComparisonOperator: { required: comparisonOperator },
  }),
  { readMax: LEGACY_CONDITIONS_MAX_COUNT + 1 },
)
export const attributeUpdates: Shape = map(
  'AttributeValueUpdate',
  structure({ Value: attributeValue, Action: oneOf('ADD', 'PUT', 'DELETE') }),
  { readMax: LEGACY_ATTRIBUTES_MAX_COUNT + 1 },
)

/** What PutItem, UpdateItem and DeleteItem have in common. */
export const conditionalWriteMembers: MemberDefinitions = {
  TableName: tableNameShape,
  ConditionExpression: text(),
  ExpressionAttributeNames: names,
  ExpressionAttributeValues: values,
  Expected: expected,
  ConditionalOperator: conditionalOperator,
  ReturnValues: returnValues,
  ReturnConsumedCapacity: returnConsumedCapacity,
  ReturnItemCollectionMetrics: returnItemCollectionMetrics,
  ReturnValuesOnConditionCheckFailure: returnValuesOnConditionCheckFailure,
}

/** What Query and Scan have in common. */
export const readPageMembers: MemberDefinitions = {
  TableName: tableNameShape,
  IndexName: text({
    lengthMin: INDEX_NAME_MIN_LENGTH,
    lengthMax: INDEX_NAME_MAX_LENGTH,
    pattern: NAME_PATTERN_OR_EMPTY,
  }),
  FilterExpression: text(),
  ProjectionExpression: text(),
  ExpressionAttributeNames: names,
  ExpressionAttributeValues: values,
  Select: select,
  ExclusiveStartKey: attributeMap,
  ConsistentRead: boolean,
  ReturnConsumedCapacity: returnConsumedCapacity,
  AttributesToGet: attributesToGet,
  ConditionalOperator: conditionalOperator,
}
