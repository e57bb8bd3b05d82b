import { INVALID } from './request-messages.ts'

/** Messages about attribute values, names and sizes. */

export const VALUE_EMPTY =
  'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes'
export const VALUE_MANY_TYPES =
  'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes'
export const NULL_NOT_TRUE: string = `${INVALID}Null attribute value types must have the value of true`
export const STRING_SET_EMPTY: string = `${INVALID}An string set  may not be empty`
export const NUMBER_SET_EMPTY: string = `${INVALID}An number set  may not be empty`
export const BINARY_SET_EMPTY: string = `${INVALID}Binary sets should not be empty`
export const NUMBER_SET_DUPLICATES = 'Input collection contains duplicates'
export const NESTING_TOO_DEEP =
  'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit'
export const NAME_EMPTY: string = `${INVALID}Empty attribute name`
export const NAME_TOO_LONG: string = `${INVALID}Attribute name is too large, must be less than 65536 bytes`

export const NUMBER_EMPTY = 'The parameter cannot be converted to a numeric value'
export const NUMBER_OVERFLOW =
  'Number overflow. Attempting to store a number with magnitude larger than supported range'
export const NUMBER_UNDERFLOW =
  'Number underflow. Attempting to store a number with magnitude smaller than supported range'
export const NUMBER_DIGITS = 'Attempting to store more than 38 significant digits in a Number'

export const ITEM_TOO_LARGE = 'Item size has exceeded the maximum allowed size'
export const UPDATED_ITEM_TOO_LARGE = 'Item size to update has exceeded the maximum allowed size'

export function numberMalformed(text: string): string {
  return `The parameter cannot be converted to a numeric value: ${text}`
}

export function stringSetDuplicates(elements: readonly string[]): string {
  return `${INVALID}Input collection [${elements.join(', ')}] contains duplicates.`
}

export function binarySetDuplicates(elements: readonly string[]): string {
  return `${INVALID}Input collection [${elements.join(', ')}]of type BS contains duplicates.`
}
