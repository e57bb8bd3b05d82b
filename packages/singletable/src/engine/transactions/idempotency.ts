import { hexText } from '../../values/hex.ts'
import { ServiceError } from '../../wire/service-error.ts'
import type { EngineContext } from '../context/context.ts'
import { inTurns } from '../context/turns.ts'
import { TOKEN_MISMATCH, TRANSACTION_IN_PROGRESS } from '../messages/write-messages.ts'
import type { StorageRange, StorageTransaction } from '../storage/storage.ts'
import { allTokens, tokenKey } from '../storage/storage-keys.ts'

/** A token is remembered so long after the transaction ended. */
export const TOKEN_LIFETIME_MS: number = 10 * 60 * 1000

/** Tokens of TransactWriteItems and of ExecuteTransaction don't know each other. */
export type TokenNamespace = 'items' | 'statements'

interface TokenRecord {
  /** SHA-256 of the request: a token may come again only with the same request, which may have
   * megabytes. */
  readonly request: string
  readonly endedMs: number
  readonly outcome: object
}

export interface IdempotentCall<TOutcome extends object> {
  readonly namespace: TokenNamespace
  readonly token: string | undefined
  /** All parameters but the token and what to return. */
  readonly request: readonly unknown[]
  /** Carries the transaction out; `remember` must run inside the same storage transaction. */
  execute(remember: (transaction: StorageTransaction, outcome: TOutcome) => void): Promise<TOutcome>
}

/**
 * Carries out a transaction at most once per token; a repeated call gets what the first one
 * remembered. The token is held from the first look at it to the end, so that two calls at the same
 * time can't both run, and stored in the same commit as the data, so that a crash can't part them.
 * Only success is remembered.
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
  context.runningTokens.add(key)
  try {
    return await executeHolding(context, call, key)
  } finally {
    context.runningTokens.delete(key)
  }
}

async function executeHolding<TOutcome extends object>(
  context: EngineContext,
  call: IdempotentCall<TOutcome>,
  key: string,
): Promise<TOutcome> {
  const request = await inTurns(context, requestDigest(call.request, context.isLarge === true))
  const known = context.storage.get(key) as TokenRecord | undefined
  if (known !== undefined && context.environment.now() < known.endedMs + TOKEN_LIFETIME_MS) {
    if (known.request !== request) {
      throw new ServiceError('IdempotentParameterMismatchException', TOKEN_MISMATCH)
    }
    return known.outcome as TOutcome
  }
  return call.execute((transaction, outcome) => {
    const endedMs = context.environment.now()
    forgetExpired(transaction, key, endedMs)
    transaction.put(key, { request, endedMs, outcome } satisfies TokenRecord)
  })
}

/** Tokens looked at behind the new one, and again at the end of all: more than one, so that old
 * ones can't pile up. */
const FORGET_PER_CALL = 2

/**
 * Random tokens are met behind a random place, growing ones behind the last, where the search
 * continues from the first, and falling ones at the end.
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

/** The same for requests that differ only in the order of members. */
function* requestDigest(
  actions: readonly unknown[],
  isLarge: boolean,
): Generator<void, string | Promise<string>> {
  const digest = sha256()
  for (const action of actions) {
    if (isLarge) yield* canonicalSteps(action, (text) => digest.update(text))
    else digest.update(canonicalText(action))
    digest.update('\n')
    yield
  }
  return digest.hex()
}

interface Digest {
  update(text: string): void
  hex(): string | Promise<string>
}

/** Piece by piece where Node's module is there; elsewhere at the end, of all pieces. */
function sha256(): Digest {
  const hash = globalThis.process?.getBuiltinModule?.('node:crypto')?.createHash('sha256')
  if (hash !== undefined) {
    return { update: (text) => void hash.update(text), hex: () => hash.digest('hex') }
  }
  let whole = ''
  return {
    update(text) {
      whole += text
    },
    async hex() {
      return hexText(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(whole))))
    },
  }
}

const encoder = new TextEncoder()

/** Elements of a list, or members of a map, that are a step. */
const STEP_MEMBERS = 4096

/** Gives the canonical text of a value to `take`, long lists and maps in steps. */
function* canonicalSteps(value: unknown, take: (text: string) => void): Generator<void, void> {
  if (typeof value !== 'object' || value === null) return take(canonicalText(value))
  const isList = Array.isArray(value)
  const names = isList ? undefined : namesOf(value)
  const members = isList ? value : names!.map((name) => (value as Record<string, unknown>)[name])
  take(isList ? '[' : '{')
  const isLong = members.length > STEP_MEMBERS
  let text = ''
  for (const [index, member] of members.entries()) {
    if (names !== undefined) text += `${JSON.stringify(names[index])}:`
    if (isLong) text += canonicalText(member)
    else {
      take(text)
      yield* canonicalSteps(member, take)
      text = ''
    }
    text += ','
    if (!isLong || index % STEP_MEMBERS !== 0) continue
    take(text)
    text = ''
    yield
  }
  take(`${text}${isList ? ']' : '}'}`)
}

function namesOf(value: object): string[] {
  const names = Object.keys(value)
  return names.length > 1 ? names.sort() : names
}

function canonicalText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  let text = ''
  if (Array.isArray(value)) {
    for (const element of value) text += `${canonicalText(element)},`
    return `[${text}]`
  }
  const members = value as Record<string, unknown>
  for (const name of namesOf(members)) {
    text += `${JSON.stringify(name)}:${canonicalText(members[name])},`
  }
  return `{${text}}`
}
