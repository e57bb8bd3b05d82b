import { ServiceError } from '../../wire/service-error.ts'
import type { EngineContext } from '../context.ts'
import { TOKEN_MISMATCH, TRANSACTION_IN_PROGRESS } from '../messages/write-messages.ts'
import type { StorageRange, StorageTransaction } from '../storage/storage.ts'
import { allTokens, tokenKey } from '../storage/storage-keys.ts'

/** A token is remembered so long after the transaction ended. */
export const TOKEN_LIFETIME_MS: number = 10 * 60 * 1000

/** Tokens of TransactWriteItems and of ExecuteTransaction don't know each other. */
export type TokenNamespace = 'items' | 'statements'

interface TokenRecord {
  /** The request as text: a token may come again only with the same request. */
  readonly request: string
  readonly endedMs: number
  readonly outcome: object
}

export interface IdempotentCall<TOutcome extends object> {
  readonly namespace: TokenNamespace
  readonly token: string | undefined
  /** All parameters but the token and what to return. */
  readonly request: unknown
  /** Carries the transaction out; `remember` must run inside the same storage transaction. */
  execute(remember: (transaction: StorageTransaction, outcome: TOutcome) => void): Promise<TOutcome>
}

/**
 * Carries out a transaction at most once per token; a repeated call gets what the first one remembered. The token is held from the first look at it to the end, so that two calls at the
 * same time can't both run, and stored in the same commit as the data, so that a crash can't part them. Only success is remembered.
 */
export async function executeOnce<TOutcome extends object>(
  context: EngineContext,
  call: IdempotentCall<TOutcome>,
): Promise<TOutcome> {
  const { namespace, token } = call
  if (token === undefined) return call.execute(() => {})
  const key = tokenKey(namespace, token)
  if (context.runningTokens.has(key)) {
    throw new ServiceError('TransactionInProgressException', TRANSACTION_IN_PROGRESS)
  }
  const request = canonicalText(call.request)
  const known = context.storage.get(key) as TokenRecord | undefined
  if (known !== undefined && context.environment.now() < known.endedMs + TOKEN_LIFETIME_MS) {
    if (known.request !== request) {
      throw new ServiceError('IdempotentParameterMismatchException', TOKEN_MISMATCH)
    }
    return known.outcome as TOutcome
  }
  context.runningTokens.add(key)
  try {
    return await call.execute((transaction, outcome) => {
      const endedMs = context.environment.now()
      forgetExpired(transaction, key, endedMs)
      transaction.put(key, { request, endedMs, outcome } satisfies TokenRecord)
    })
  } finally {
    context.runningTokens.delete(key)
  }
}

/** Tokens looked at behind the new one, and again at the end of all: more than one, so that old ones can't pile up. */
const FORGET_PER_CALL = 2

/**
 * Random tokens are met behind a random place, growing ones behind the last, where the search goes on from the first, and
 * falling ones at the end.
 */
function forgetExpired(transaction: StorageTransaction, newKey: string, nowMs: number): void {
  const expired: string[] = []
  const all = allTokens()
  const look = (range: StorageRange): number => {
    let seen = 0
    transaction.visit(range, (key, value) => {
      if ((value as TokenRecord).endedMs + TOKEN_LIFETIME_MS <= nowMs) expired.push(key)
      return ++seen < FORGET_PER_CALL
    })
    return seen
  }
  if (look({ start: newKey, end: all.end }) < FORGET_PER_CALL) look(all)
  look({ ...all, reverse: true })
  for (const key of expired) transaction.remove(key)
}

/** Text that is the same for requests that differ only in the order of members. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    return Object.fromEntries(
      Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)),
    )
  })
}
