import { channel } from 'node:diagnostics_channel'
import { SingletableError } from '../errors/singletable-error.ts'
import { OutcomeUnknownError } from '../errors/transport-error.ts'
import type { Schema } from '../schema/model.ts'
import { judgeFailure } from '../wire/judge-failure.ts'
import type { OperationName, Operations } from '../wire/operations.ts'
import { type Call, continueCall, waitForRetry, within } from './call.ts'
import { translateFailure } from './failure.ts'
import { keepInScope } from './keep-in-scope.ts'
import type { TableContext } from './table-context.ts'

/** What may happen if a request is sent twice. */
export interface RequestKind {
  readonly write: boolean
  /** A second write of the same leaves things as the first one left them. */
  readonly idempotent: boolean
}

export const READ: RequestKind = { write: false, idempotent: true }

/** What subscribers of the channel `singletable:request` get for each request: no keys, no values. */
export interface RequestEvent {
  readonly table: string
  readonly entity: string | undefined
  /** The access pattern, where the call is one. */
  readonly pattern: string | undefined
  readonly verb: string
  readonly operation: OperationName
  readonly index: string | undefined
  readonly durationMs: number
  readonly retries: number
  readonly consumedCapacity: unknown
  readonly error: unknown
}

/** What subscribers of the channel `singletable:exchange` get: the request and its answer with all their values, for tools on the same machine. */
export interface ExchangeEvent extends RequestEvent {
  readonly schema: Schema
  readonly request: object
  /** Undefined if there was none. */
  readonly response: object | undefined
}

const requests = channel('singletable:request')
const exchanges = channel('singletable:exchange')

const BUDGET_TOKENS_MAX = 500
const RETRY_COST_TOKENS = 5

/**
 * Sends one request, again where that is safe: the only place where requests are repeated. `ConditionalCheckFailedException` and
 * `TransactionCanceledException` come out as they are, because only the caller knows what they mean; other errors are ours.
 */
export async function send<TOperation extends OperationName>(
  context: TableContext,
  call: Call,
  operation: TOperation,
  request: Operations[TOperation]['request'],
  kind: RequestKind,
): Promise<Operations[TOperation]['response']> {
  keepInScope(context, operation, request, call.place)
  if (!requests.hasSubscribers && !exchanges.hasSubscribers) {
    return attempts(context, call, operation, request, kind)
  }
  const { environment, name, pattern, schema } = context
  const start = environment.now()
  const retriesBefore = call.retries
  let response: Operations[TOperation]['response'] | undefined
  let failure: unknown
  try {
    response = await attempts(context, call, operation, request, kind)
    return response
  } catch (error) {
    failure = error
    throw error
  } finally {
    const event: RequestEvent = {
      table: name,
      entity: call.entity,
      pattern,
      verb: call.verb,
      operation,
      // Only requests that read an index have this member; a union of all requests can't say so.
      index: (request as { IndexName?: string }).IndexName,
      durationMs: environment.now() - start,
      retries: call.retries - retriesBefore,
      // As above.
      consumedCapacity: (response as { ConsumedCapacity?: unknown } | undefined)?.ConsumedCapacity,
      error: failure,
    }
    requests.publish(event)
    const exchange: ExchangeEvent = { ...event, schema, request, response }
    exchanges.publish(exchange)
  }
}

async function attempts<TOperation extends OperationName>(
  context: TableContext,
  call: Call,
  operation: TOperation,
  request: Operations[TOperation]['request'],
  { write, idempotent }: RequestKind,
): Promise<Operations[TOperation]['response']> {
  const { transport, retry, budget } = context
  const { signal, deadlineAt } = call
  for (let attempt = 1; ; attempt++) {
    continueCall(context, call)
    try {
      const response = await (signal || deadlineAt
        ? within(context, call, (signal) => transport.send(operation, request, { signal }))
        : transport.send(operation, request))
      if (attempt > 1) budget.tokens = Math.min(BUDGET_TOKENS_MAX, budget.tokens + 1)
      return response
    } catch (error) {
      const verdict = judgeFailure(error)
      if (verdict === 'ours') throw error
      if (verdict === 'ambiguous' && write) call.ambiguous = true
      let last = error
      if (
        !signal?.aborted &&
        !SingletableError.is(error) &&
        (verdict === 'refused' || (verdict === 'ambiguous' && (!write || idempotent))) &&
        attempt < retry.attemptsMax &&
        budget.tokens >= RETRY_COST_TOKENS
      ) {
        budget.tokens -= RETRY_COST_TOKENS
        call.retries++
        try {
          await waitForRetry(context, call, attempt)
          continue
        } catch (end) {
          last = end
        }
      }
      // For a write that may have happened, whatever came last.
      if (write && call.ambiguous && verdict !== 'answer') throw outcomeUnknown(call, error)
      throw signal?.aborted ? signal.reason : translateFailure(call, last)
    }
  }
}

function outcomeUnknown({ place, signal }: Call, error: unknown): OutcomeUnknownError {
  return new OutcomeUnknownError(
    'OUTCOME_UNKNOWN',
    {
      what: 'The write was sent, and no answer came that says whether it happened.',
      where: place,
      fix: 'read the item before writing again, or use a transaction, whose token makes a repetition harmless',
    },
    { cause: signal?.aborted ? signal.reason : error },
  )
}
