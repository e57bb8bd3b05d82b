import { ServiceError } from '../../wire/service-error.ts'
import { INVALID, validationError } from './request-messages.ts'

/** Messages of the operations on streams. */

export function streamNotFound(arn: string): ServiceError {
  return new ServiceError(
    'ResourceNotFoundException',
    `Requested resource not found: Stream: ${arn} not found`,
  )
}

export function shardNotFound(): ServiceError {
  return new ServiceError(
    'ResourceNotFoundException',
    'Requested resource not found: Shard does not exist',
  )
}

export function invalidStreamArn(): ServiceError {
  return validationError('Invalid StreamArn')
}

export function invalidShardIterator(): ServiceError {
  return validationError('Invalid ShardIterator')
}

export function sequenceNumberMissing(): ServiceError {
  return validationError(`${INVALID}Invalid SequenceNumber`)
}

export function sequenceNumberInvalid(sequenceNumber: string): ServiceError {
  return validationError(`${INVALID}Invalid SequenceNumber: ${sequenceNumber}`)
}

export function sequenceNumberUnexpected(): ServiceError {
  return validationError(`${INVALID}SequenceNumber should not be passed for this iterator type`)
}

export function iteratorExpired(): ServiceError {
  return new ServiceError('ExpiredIteratorException', 'Shard iterator has expired')
}

export function dataTrimmed(): ServiceError {
  return new ServiceError(
    'TrimmedDataAccessException',
    'The data you are trying to access has been trimmed',
  )
}
