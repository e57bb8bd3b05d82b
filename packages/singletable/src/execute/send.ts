import { describeCause } from '../errors/describe-cause.ts'
import { OutcomeUnknownError, TransportError } from '../errors/transport-error.ts'
import type { Update } from '../expression/tree.ts'
import type { Schema } from '../schema/model.ts'
import { judgeFailure } from '../wire/judge-failure.ts'
import type { OperationName, Operations } from '../wire/operations.ts'
import { type Call, continueCall, endsCall, waitForRetry, within } from './call.ts'
import { findOversize } from './explain-refusal.ts'
import { isForCaller, translateFailure } from './failure.ts'
import { keepInScope, type QueriedPartition } from './keep-in-scope.ts'
import { sendHooked } from './send-hooked.ts'
import type { TableContext } from './table-context.ts'

/** What may happen if a request is sent twice. */
export interface RequestKind {
  readonly write: boolean
  /** A second write of the same leaves things as the first one left them. */
  readonly idempotent: boolean
  /** It has a token, for as long as which the service does not carry it out twice. */
  readonly token?: boolean
  /** What an update changes, for messages. */
  readonly update?: Update | undefined
}

export const READ: RequestKind = { write: false, idempotent: true }
/** A transaction: if a later attempt is refused, no earlier one was carried out. */
export const WITH_TOKEN: RequestKind = { write: true, idempotent: true, token: true }

/**
 * What subscribers of the channel `singletable:request` get for each request: no keys, no values.
 */
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

/**
 * What subscribers of the channel `singletable:exchange` get: the request and its answer with all
 * their values, for tools on the same machine.
 */
export interface ExchangeEvent extends RequestEvent {
  readonly schema: Schema
  readonly request: object
  /** Undefined if there was none. */
  readonly response: object | undefined
}

// Asked for at run time, so that the library loads, and can be bundled, where there is no such
// module; nobody can subscribe there.
const channels = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel')
const requests = channels?.channel('singletable:request')
const exchanges = channels?.channel('singletable:exchange')

/** DynamoDB remembers a token for ten minutes; a minute is left for clocks and slow networks. */
const TOKEN_MS_MAX = 9 * 60_000

/**
 * Sends one request, again where that is safe: the only place where requests are repeated.
 * `ConditionalCheckFailedException` and `TransactionCanceledException` come out as they are,
 * because only the caller knows what they mean, with `call.unsure`; other errors are ours.
 */
export async function send<TOperation extends OperationName>(
  context: TableContext,
  call: Call,
  operation: TOperation,
  request: Operations[TOperation]['request'],
  kind: RequestKind,
  queried?: QueriedPartition,
): Promise<Operations[TOperation]['response']> {
  keepInScope(context, operation, request, call.place, queried)
  const large = kind.write ? findOversize(request, kind.update) : undefined
  if (large) {
    const [what, fix] = large
    throw new TransportError('REQUEST_REFUSED', { what, where: call.place, fix }, {})
  }
  const sent = () => sendReported(context, call, operation, request, kind)
  return context.hooks?.length ? sendHooked(context, call, operation, request, sent) : sent()
}

/** Sends it, and reports it to those who listen to the channels. */
async function sendReported<TOperation extends OperationName>(
  context: TableContext,
  call: Call,
  operation: TOperation,
  request: Operations[TOperation]['request'],
  kind: RequestKind,
): Promise<Operations[TOperation]['response']> {
  if (!requests?.hasSubscribers && !exchanges?.hasSubscribers) {
    return await attempts(context, call, operation, request, kind)
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
    requests?.publish(event)
    const exchange: ExchangeEvent = { ...event, schema, request, response }
    exchanges?.publish(exchange)
  }
}

async function attempts<TOperation extends OperationName>(
  context: TableContext,
  call: Call,
  operation: TOperation,
  request: Operations[TOperation]['request'],
  { write, idempotent, token, update }: RequestKind,
): Promise<Operations[TOperation]['response']> {
  const { transport, retry, environment } = context
  const { signal, deadlineAt } = call
  const tokenEndsAt = token ? environment.now() + TOKEN_MS_MAX : Number.POSITIVE_INFINITY
  // Whether an attempt got no answer, so that the write may have happened, whatever comes later.
  let unsure = false
  for (let attempt = 1; ; attempt++) {
    try {
      if (attempt > 1) await waitForRetry(context, call, attempt - 1)
      continueCall(context, call)
    } catch (end) {
      throw unsure ? outcomeUnknown(call, end) : end
    }
    if (unsure && environment.now() >= tokenEndsAt) throw outcomeUnknown(call, call.lastFailure)
    try {
      const response = await (signal || deadlineAt
        ? within(context, call, (signal) => transport.send(operation, request, { signal }))
        : transport.send(operation, request))
      retry.giveBack(attempt)
      return response
    } catch (error) {
      // The call's own end says nothing about the request, whatever the caller's reason is called.
      const isEnd = endsCall(call, error)
      const verdict = isEnd ? 'ambiguous' : judgeFailure(error)
      unsure ||= write && verdict === 'ambiguous'
      if (verdict === 'answer') retry.giveBack(attempt)
      if (!isEnd) call.lastFailure = error
      const isSafe = verdict === 'refused' || (verdict === 'ambiguous' && (!write || idempotent))
      if (!isEnd && isSafe && retry.takeRetry(attempt)) {
        call.retries++
        continue
      }
      // What passes was not judged by the service, so that it says nothing about earlier attempts.
      if (isForCaller(error) && !(unsure && verdict === 'refused')) {
        call.unsure = unsure
        throw error
      }
      if (unsure) throw outcomeUnknown(call, error)
      if (isEnd || verdict === 'ours') throw error
      throw signal?.aborted ? signal.reason : translateFailure(call, error, request, update)
    }
  }
}

/** For a write that may have happened, whatever came last. */
export function outcomeUnknown({ place }: Call, cause: unknown): OutcomeUnknownError {
  return new OutcomeUnknownError(
    'OUTCOME_UNKNOWN',
    {
      what: `The write was sent, and no answer says whether it happened: ${describeCause(cause)}`,
      where: place,
      fix: 'read the item before writing again, or write with exactlyOnce(), which asks again and never writes twice',
    },
    { cause },
  )
}
