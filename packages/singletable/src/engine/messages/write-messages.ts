import type { Item } from '../../values/attribute-value.ts'
import { type CancellationReason, ServiceError } from '../../wire/service-error.ts'

/** Messages about conditions, transactions and item collections. */

export const CONDITION_FAILED = 'The conditional request failed'
export const DUPLICATE_ITEM = 'Duplicate primary key exists in table'
export const COLLECTION_TOO_LARGE = 'Collection size exceeded.'
export const CONFLICT = 'Transaction is ongoing for the item'
export const TRANSACTION_SAME_ITEM =
  'Transaction request cannot include multiple operations on one item'
export const TRANSACTION_IN_PROGRESS =
  'Another transaction with the same ClientRequestToken is in progress'
export const TRANSACTION_RESULT_TOO_LARGE =
  'Items returned by a transaction size cannot exceed 4 MB'
export const TOKEN_MISMATCH =
  'The request uses the same client token as a previous, but non-identical request. Do not reuse a client token with different requests, unless the requests are identical'

export function transactionTooLarge(sizeBytes: number): string {
  return `Transaction payload size cannot exceed 4MB. Payload Size: ${sizeBytes}`
}

export function conditionFailed(item: Item | undefined): ServiceError {
  return new ServiceError(
    'ConditionalCheckFailedException',
    CONDITION_FAILED,
    item === undefined ? {} : { Item: item },
  )
}

export function duplicateItem(): ServiceError {
  return new ServiceError('DuplicateItemException', DUPLICATE_ITEM)
}

export function collectionTooLarge(): ServiceError {
  return new ServiceError('ItemCollectionSizeLimitExceededException', COLLECTION_TOO_LARGE)
}

export function transactionCanceled(reasons: readonly CancellationReason[]): ServiceError {
  const codes = reasons.map((reason) => reason.Code).join(', ')
  return new ServiceError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  )
}
