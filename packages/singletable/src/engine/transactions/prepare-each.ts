import { ServiceError } from '../../wire/service-error.ts'
import { EmptyKeyError } from '../messages/key-messages.ts'
import { transactionCanceled } from '../messages/write-messages.ts'
import { cancellationReason } from '../write/apply-writes.ts'

/**
 * Prepares each action of a transaction against its table. The first one that doesn't fit cancels
 * the transaction and is the only reason given; an empty key value alone is an error of the
 * request.
 */
export function prepareEach<TAction, TResult>(
  actions: readonly TAction[],
  prepare: (action: TAction, position: number) => TResult,
): TResult[] {
  return actions.map((action, position) => {
    try {
      return prepare(action, position)
    } catch (error) {
      if (!(error instanceof ServiceError) || error instanceof EmptyKeyError) throw error
      throw transactionCanceled(
        actions.map((_, other) =>
          other === position ? cancellationReason(error) : { Code: 'None' },
        ),
      )
    }
  })
}
