import type { TypeTag } from '../../values/attribute-value.ts'
import { ServiceError } from '../../wire/service-error.ts'
import { INVALID } from './request-messages.ts'

/** Messages about keys of tables and indexes. */

const NOT_VALID = 'One or more parameter values are not valid. '

export const KEY_MISMATCH = 'The provided key element does not match the schema'
export const PARTITION_KEY_TOO_LARGE: string = `${INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes`
export const SORT_KEY_TOO_LARGE: string = `${INVALID}Aggregated size of all range keys has exceeded the size limit of 1024 bytes`
export const UPDATED_INDEX_KEY_TYPE =
  'The update expression attempted to update the secondary index key to unsupported type'
export const UPDATED_INDEX_KEY_TOO_LARGE =
  'The update expression attempted to update the secondary index key beyond allowed size limits'

export function keyMissing(name: string): string {
  return `${INVALID}Missing the key ${name} in the item`
}

export function keyTypeMismatch(name: string, expected: TypeTag, actual: TypeTag): string {
  return `${INVALID}Type mismatch for key ${name} expected: ${expected} actual: ${actual}`
}

export function keyEmpty(name: string, type: 'string' | 'binary'): string {
  return `${NOT_VALID}The AttributeValue for a key attribute cannot contain an empty ${type} value. Key: ${name}`
}

export function indexKeyTypeMismatch(options: {
  readonly name: string
  readonly expected: TypeTag
  readonly actual: TypeTag
  readonly index: string
}): string {
  return `${INVALID}Type mismatch for Index Key ${options.name} Expected: ${options.expected} Actual: ${options.actual} IndexName: ${options.index}`
}

export function indexKeyEmpty(name: string, type: 'string' | 'binary', index: string): string {
  return `${NOT_VALID}A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty ${type} value. IndexName: ${index}, IndexKey: ${name}`
}

export function updatedIndexKeyEmpty(type: 'string' | 'binary'): string {
  return `${NOT_VALID}The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty ${type} value.`
}

export function keyUpdated(name: string): string {
  return `${INVALID}Cannot update attribute ${name}. This attribute is part of the key`
}

export function keyNotScalar(name: string, role: 'Key' | 'IndexKey'): string {
  return `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ${role}: ${name}`
}

/** A key value is empty: a transaction is refused for it, not cancelled. */
export class EmptyKeyError extends ServiceError {
  constructor(message: string) {
    super('ValidationException', message)
  }
}
