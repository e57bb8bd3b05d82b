/** Limits of DynamoDB's data model. Sizes are bytes, 1 KB is 1024. (AWS Developer Guide,
 * quotas.) */

export const ITEM_SIZE_MAX_BYTES = 409_600
export const PARTITION_KEY_MAX_BYTES = 2048
export const SORT_KEY_MAX_BYTES = 1024

/** The attribute's own value is level 1, the elements of a list or map are one level deeper than
 * it; an empty one counts that level too. */
export const NESTING_DEPTH_MAX = 32

/** 64 KB itself is refused. */
export const ATTRIBUTE_NAME_MAX_BYTES = 65_535
/** For names used as a key of a table or an index, or listed in a projection's NonKeyAttributes. */
export const KEY_ATTRIBUTE_NAME_MAX_BYTES = 255

/** Significant digits: without leading and trailing zeros. */
export const NUMBER_DIGITS_MAX = 38
/** Exponent of the first digit of the largest number, 9.99…E+125. */
export const NUMBER_EXPONENT_MAX = 125
/** Exponent of the first digit of the smallest positive number, 1E-130. */
export const NUMBER_EXPONENT_MIN = -130

/** Items of one BatchGetItem. */
export const BATCH_GET_KEYS_MAX = 100
/** Puts and deletes of one BatchWriteItem. */
export const BATCH_WRITE_MAX = 25
/** Actions of one transaction. */
export const TRANSACTION_ACTIONS_MAX = 100
/** A page of a query or scan ends with the item that reaches this size, before any filter. */
export const PAGE_SIZE_MAX_BYTES = 1_048_576

export const LOCAL_INDEXES_MAX = 5
export const GLOBAL_INDEXES_MAX = 20
/** Names in NonKeyAttributes, of all indexes together. */
export const PROJECTED_PER_TABLE_MAX = 100
/** Of tables with local indexes. */
export const ITEM_COLLECTION_MAX_BYTES = 10_737_418_240
