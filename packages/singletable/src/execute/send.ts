import { channel } from 'node:diagnostics_channel'
import { OutcomeUnknownError } from '../errors/transport-error.ts'
import type { OperationName, Operations } from '../wire/operations.ts'
import { type Call, continueCall, deadlineExceeded, waitForRetry } from './call.ts'
import { judgeFailure, translateFailure } from './failure.ts'
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
  readonly verb: string
  readonly operation: OperationName
  readonly index: string | undefined
  readonly durationMs: number
  readonly retries: number
  readonly consumedCapacity: unknown
  readonly error: unknown
}

const requests = channel('singletable:request')

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
  if (requests.hasSubscribers) return observed(context, call, operation, request, kind)
  return attempts(context, call, operation, request, kind)
}

async function attempts<TOperation extends OperationName>(
  context: TableContext,
  call: Call,
  operation: TOperation,
  request: Operations[TOperation]['request'],
  kind: RequestKind,
): Promise<Operations[TOperation]['response']> {
  for (let attempt = 1; ; attempt++) {
    continueCall(context, call)
    try {
      const response = await (call.signal === undefined && call.deadlineAt === undefined
        ? context.transport.send(operation, request)
        : sendWithin(context, call, operation, request))
      if (attempt > 1) {
        context.budget.tokens = Math.min(BUDGET_TOKENS_MAX, context.budget.tokens + 1)
      }
      return response
    } catch (error) {
      const verdict = judgeFailure(error)
      if (verdict === 'ours') throw error
      if (verdict === 'ambiguous' && kind.write) call.ambiguous = true
      const ended = call.signal?.aborted === true || error === DEADLINE
      const again =
        !ended &&
        (verdict === 'refused' || (verdict === 'ambiguous' && (!kind.write || kind.idempotent))) &&
        attempt < context.retry.attemptsMax &&
        context.budget.tokens >= RETRY_COST_TOKENS
      if (!again) throw finalError(call, error, kind)
      context.budget.tokens -= RETRY_COST_TOKENS
      call.retries++
      try {
        await waitForRetry(context, call, attempt)
      } catch (end) {
        throw finalError(call, call.signal?.aborted ? end : error, kind, end)
      }
    }
  }
}

/** Thrown inside when the time is over while a request is under way. */
const DEADLINE = new Error('the deadline passed')

/** Sends with a signal of our own, so that neither an abort nor the deadline has to wait for a transport that does not listen. */
function sendWithin<TOperation extends OperationName>(
  context: TableContext,
  call: Call,
  operation: TOperation,
  request: Operations[TOperation]['request'],
): Promise<Operations[TOperation]['response']> {
  const { signal, deadlineAt } = call
  const { environment, transport } = context
  return new Promise((resolve, reject) => {
    const controller = new AbortController()
    const stop = (reason: unknown): void => {
      finish()
      controller.abort(reason)
      reject(reason)
    }
    const onAbort = (): void => stop(signal?.reason)
    const cancel =
      deadlineAt === undefined
        ? undefined
        : environment.schedule(() => stop(DEADLINE), deadlineAt - environment.now())
    const finish = (): void => {
      cancel?.()
      signal?.removeEventListener('abort', onAbort)
    }
    signal?.addEventListener('abort', onAbort)
    transport.send(operation, request, { signal: controller.signal }).then(
      (response) => {
        finish()
        resolve(response)
      },
      (error) => {
        finish()
        reject(error)
      },
    )
  })
}

/** What the caller gets: for a write that may have happened always `OutcomeUnknownError`, whatever came last. */
function finalError(call: Call, error: unknown, kind: RequestKind, end?: unknown): unknown {
  const aborted = call.signal?.aborted === true
  const unknown =
    kind.write && (call.ambiguous || ((aborted || error === DEADLINE) && end === undefined))
  if (unknown && judgeFailure(error) !== 'answer') {
    return new OutcomeUnknownError(
      'OUTCOME_UNKNOWN',
      {
        what: 'The write was sent, and no answer came that says whether it happened.',
        where: call.place,
        fix: 'read the item before writing again, or use a transaction: its token makes a repetition harmless',
      },
      { cause: aborted ? call.signal?.reason : error },
    )
  }
  if (aborted) return call.signal?.reason
  if (error === DEADLINE || end !== undefined) return end ?? deadlineExceeded(call)
  return translateFailure(call, error)
}

/** As `attempts`, and tells the channel; apart from it so that an unobserved call pays nothing. */
async function observed<TOperation extends OperationName>(
  context: TableContext,
  call: Call,
  operation: TOperation,
  request: Operations[TOperation]['request'],
  kind: RequestKind,
): Promise<Operations[TOperation]['response']> {
  const start = context.environment.now()
  const retriesBefore = call.retries
  const publish = (response: unknown, error: unknown): void => {
    const event: RequestEvent = {
      table: context.name,
      entity: call.entity,
      verb: call.verb,
      operation,
      // Only requests that read an index have this member; a union of all requests can't say so.
      index: (request as { IndexName?: string }).IndexName,
      durationMs: context.environment.now() - start,
      retries: call.retries - retriesBefore,
      consumedCapacity: (response as { ConsumedCapacity?: unknown } | undefined)?.ConsumedCapacity,
      error,
    }
    requests.publish(event)
  }
  try {
    const response = await attempts(context, call, operation, request, kind)
    publish(response, undefined)
    return response
  } catch (error) {
    publish(undefined, error)
    throw error
  }
}
