import { ServiceError } from '../../wire/service-error.ts'

/** Messages for members of the wrong JSON type. */

export const START_OF_STRUCTURE = 'Start of structure or map found where not expected'
export const UNEXPECTED_FIELD_TYPE = 'Unexpected field type'
export const UNEXPECTED_VALUE_TYPE = 'Unexpected value type in payload'
export const UNEXPECTED_TOKEN = 'Unexpected token received from parser'
export const BLOB_NOT_TEXT = 'only base-64-encoded strings are convertible to bytes'
export const BLOB_BAD_TAIL = 'Invalid last non-pad Base64 character dectected'
export const BLOB_BAD_CHARACTER = 'Invalid Base64 character detected'
/** Ours: AWS's own text for this case is not known. */
export const ILL_FORMED_TEXT = 'Ill-formed Unicode: the string contains a lone surrogate'

export function serializationError(message: string): ServiceError {
  return new ServiceError('SerializationException', message)
}

export function blobBadLength(length: number): string {
  return `Base64 encoded length is expected a multiple of 4 bytes but found: ${length}`
}

export function collectionForScalar(expected: string): string {
  return `Unrecognized collection type class java.lang.${expected}`
}

export function listForMap(valueType: string): string {
  const valueClass =
    valueType === 'String' ? 'java.lang.String' : `com.amazonaws.dynamodb.v20120810.${valueType}`
  return `Unrecognized collection type java.util.Map<java.lang.String, ${valueClass}>`
}

/** The error for a JSON value where a scalar of another type is expected. */
export function wrongScalar(expected: string, json: unknown): ServiceError {
  if (Array.isArray(json)) return serializationError(collectionForScalar(expected))
  if (typeof json === 'object') return serializationError(START_OF_STRUCTURE)
  return serializationError(`${tokenName(json)} cannot be converted to ${expected}`)
}

function tokenName(json: unknown): string {
  if (typeof json === 'boolean') return json ? 'TRUE_VALUE' : 'FALSE_VALUE'
  if (typeof json === 'number') return Number.isInteger(json) ? 'NUMBER_VALUE' : 'DECIMAL_VALUE'
  return 'STRING_VALUE'
}
