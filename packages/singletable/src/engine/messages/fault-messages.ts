import { ServiceError } from '../../wire/service-error.ts'
import { CONFLICT } from './write-messages.ts'

/** Messages for what goes wrong in the service itself. */

/** The exceptions a throttled call can be refused with. */
export type ThrottlingErrorName =
  | 'ProvisionedThroughputExceededException'
  | 'ThrottlingException'
  | 'RequestLimitExceeded'

const THROTTLING_MESSAGES: Record<ThrottlingErrorName, string> = {
  ProvisionedThroughputExceededException:
    'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.',
  ThrottlingException: 'Rate exceeded',
  RequestLimitExceeded:
    'Throughput exceeds the current throughput limit for your account. Please contact AWS Support.',
}

export function throttled(
  name: ThrottlingErrorName,
  reason: string,
  resource: string,
): ServiceError {
  return new ServiceError(name, THROTTLING_MESSAGES[name], {
    ThrottlingReasons: [{ reason, resource }],
  })
}

export function internalError(): ServiceError {
  return new ServiceError('InternalServerError', 'Internal server error')
}

export function transactionConflict(): ServiceError {
  return new ServiceError('TransactionConflictException', CONFLICT)
}

export const THROTTLED_MEMBER: string = THROTTLING_MESSAGES.ProvisionedThroughputExceededException
