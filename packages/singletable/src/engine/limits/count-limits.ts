/**
 * How many members a request may have where DynamoDB names no number of its own. They are far above
 * what a request can use, and bound the work that one of 16 MB makes.
 */

/** Of ExpressionAttributeNames, and of ExpressionAttributeValues. Expressions of 4 KB can't use as
 * many. */
export const PLACEHOLDERS_MAX_COUNT = 10_000
/** Of AttributesToGet and AttributeUpdates. */
export const LEGACY_ATTRIBUTES_MAX_COUNT = 10_000
/** Of Expected, QueryFilter and ScanFilter. An expression has at most 300 operators. */
export const LEGACY_CONDITIONS_MAX_COUNT = 1000
/** Of AttributeValueList. */
export const LEGACY_VALUES_MAX_COUNT = 10_000
