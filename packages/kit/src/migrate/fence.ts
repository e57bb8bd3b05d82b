import {
  type OperationName,
  type Operations,
  ServiceError,
  type Transport,
} from 'singletable/tools'

type TransactWriteItem = Operations['TransactWriteItems']['request']['TransactItems'][number]

/** What every write of a migration depends on. */
export interface Fence {
  /** Holds while the lock is the one that the work began with. */
  readonly check: TransactWriteItem
  /** The error of a process that has lost the lock. */
  lost(): Error
}

/**
 * A transport whose writes are transactions with the check of the lock. Nothing is written after
 * the lock was lost, not even by a process that has not noticed it yet.
 *
 * The writes are sent one after the other: transactions that check the same item at the same time
 * refuse each other. (AWS Developer Guide, "Transaction conflict handling in DynamoDB".)
 */
export function fenced(transport: Transport, fence: Fence): Transport {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(send: () => Promise<T>): Promise<T> => {
    const answer = last.then(send)
    last = answer.catch(() => undefined)
    return answer
  }
  return {
    async send<TOperation extends OperationName>(
      operation: TOperation,
      request: Operations[TOperation]['request'],
      options?: Parameters<Transport['send']>[2],
    ): Promise<Operations[TOperation]['response']> {
      const actions = actionsOf(operation, request)
      if (actions === undefined) return transport.send(operation, request, options)
      const isSingle = operation !== 'TransactWriteItems'
      const TransactItems = [...actions, fence.check]
      try {
        return await inTurn(() => transport.send('TransactWriteItems', { TransactItems }, options))
      } catch (error) {
        const reasons = (error instanceof ServiceError && error.CancellationReasons) || []
        if (reasons.at(-1)?.Code === 'ConditionalCheckFailed') throw fence.lost()
        throw isSingle ? asSingle(error) : error
      }
    },
  }
}

/** The writes of a request; undefined if it only reads. */
function actionsOf(
  operation: OperationName,
  request: object,
): readonly TransactWriteItem[] | undefined {
  switch (operation) {
    // The operation says which request it is.
    case 'TransactWriteItems':
      return (request as Operations['TransactWriteItems']['request']).TransactItems
    case 'UpdateItem':
      return [{ Update: request } as TransactWriteItem]
    case 'PutItem':
      return [{ Put: request } as TransactWriteItem]
    case 'DeleteItem':
      return [{ Delete: request } as TransactWriteItem]
    default:
      return undefined
  }
}

/** The error that the write of one item gives in place of a cancelled transaction. */
function asSingle(error: unknown): unknown {
  const [reason] = (error instanceof ServiceError && error.CancellationReasons) || []
  const message = reason?.Message ?? ''
  if (reason?.Code === 'ConditionalCheckFailed')
    return new ServiceError('ConditionalCheckFailedException', message)
  if (reason?.Code === 'ValidationError') return new ServiceError('ValidationException', message)
  return error
}
