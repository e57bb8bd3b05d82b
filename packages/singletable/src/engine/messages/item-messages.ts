import { VALUE_MANY_TYPES } from './value-messages.ts'

/** Messages of the single-item and batch operations. */

export const RETURN_VALUES_OLD_ONLY = 'ReturnValues can only be ALL_OLD or NONE'
export const KEYS_DUPLICATED = 'Provided list of item keys contains duplicates'

export function requestItemsMissing(operation: 'BatchWriteItem' | 'BatchGetItem'): string {
  return `The requestItems parameter is required for ${operation}`
}

export function tooManyBatchKeys(table: string): string {
  return `1 validation error detected: Value at 'RequestItems.${table}.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100`
}

export function batchSizeWrong(dump: string): string {
  return `1 validation error detected: Value '${dump}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]`
}

/** Said of a member with no request as well as of one with two. */
export const WRITE_REQUEST_NOT_ONE: string = VALUE_MANY_TYPES
