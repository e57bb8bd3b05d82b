import { ConditionFailedError } from '../errors/condition-failed-error.ts'
import {
  TransactionCanceledError,
  type TransactionFailure,
} from '../errors/transaction-canceled-error.ts'
import type { Call } from '../execute/call.ts'
import type { ServiceError } from '../wire/service-error.ts'

/** Sends something; what the service refuses because of items becomes one of our errors, as far as
 * that is possible without models. */
export async function explainRefusal<T>({ place }: Call, sending: () => Promise<T>): Promise<T> {
  try {
    return await sending()
  } catch (cause) {
    const { name, message, CancellationReasons } = Object(cause) as Partial<ServiceError>
    if (CancellationReasons) throw canceled(place, CancellationReasons, cause)
    if (name !== 'ConditionalCheckFailedException') throw cause
    throw new ConditionFailedError(
      'CONDITION_FAILED',
      { what: String(message), where: place, fix: 'read the item, and decide again' },
      { cause },
    )
  }
}

function canceled(
  place: string,
  reasons: NonNullable<ServiceError['CancellationReasons']>,
  cause: unknown,
): TransactionCanceledError {
  const failures = reasons.flatMap(({ Code: reason, Message: message }, index) => {
    const failure: TransactionFailure = {
      index,
      operation: 'statement',
      entity: undefined,
      reason,
      message,
    }
    return reason === 'None' ? [] : [failure]
  })
  const list = failures.map(({ index, reason }) => `statement ${index}: ${reason}`)
  return new TransactionCanceledError(
    {
      what: `Nothing was done: ${list.join('; ')}.`,
      where: place,
      fix: 'see error.failures for the reasons',
    },
    failures,
    { cause },
  )
}
