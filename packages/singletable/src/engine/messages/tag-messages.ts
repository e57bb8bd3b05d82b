import { ServiceError } from '../../wire/service-error.ts'
import { INVALID } from './request-messages.ts'

/** Messages about tags and the resources they are on. The misspelt ones are AWS's. */

export const TAGS_EMPTY = 'Atleast one Tag needs to be provided as Input.'
export const TAG_KEYS_EMPTY = 'Atleast one Tag Key needs to be provided as Input.'
export const TOO_MANY_TAGS = 'Number of Tags exceed the current limit for the provided ResourceArn'

export function tagKeyInvalid(key: string): string {
  return `The Tag Key provided is invalid, Key: ${key}`
}
export function tagValueInvalid(value: string | null): string {
  return `The Tag Value provided is invalid, Value: ${value}`
}
export function tagKeyReserved(key: string): string {
  return `Tag Key cannot be prefixed with aws:, Key: ${key}`
}
export function tagKeyRepeated(key: string): string {
  return `Duplicate Tag Keys provided as input: Duplicate Tag Key found ${key}`
}

export function arnWithoutPrefix(arn: string): string {
  return `${INVALID}ARNs must start with 'arn:': ${arn}`
}
export function arnInvalid(arn: string): string {
  return `Invalid TableArn: Invalid ResourceArn provided as input ${arn}`
}
export function arnOfIndex(arn: string): string {
  return `${INVALID}Invalid resource arn provided, only table or stream is accepted. Provided resource arn: ${arn}`
}

export function taggedResourceNotFound(arn: string): ServiceError {
  return new ServiceError(
    'ResourceNotFoundException',
    `Requested resource not found: ResourcArn: ${arn} not found`,
  )
}

/** ListTagsOfResource doesn't distinguish a missing table from one the caller may not see. */
export function taggedResourceDenied(arn: string, accountId: string): ServiceError {
  return new ServiceError(
    'AccessDeniedException',
    `User: arn:aws:iam::${accountId}:root is not authorized to perform: dynamodb:ListTagsOfResource on resource: ${arn}`,
  )
}
