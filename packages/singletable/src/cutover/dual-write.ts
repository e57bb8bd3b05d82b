import { contextOf } from '../builder/context-of.ts'
import { DefinitionError } from '../errors/definition-error.ts'
import { systemEnvironment } from '../values/environment.ts'
import { SORT_KEY_MAX_BYTES } from '../values/limits.ts'
import { pause } from '../values/pause.ts'
import { utf8Length } from '../values/utf8.ts'
import { ControlItems } from './control-items.ts'
import {
  Cutover,
  type CutoverState,
  countsFrom,
  knownAt,
  PHASES,
  type Phase,
  type ReadComparison,
} from './cutover.ts'
import { type Hold, Marks, markKey, type Side } from './marks.ts'
import { sameResult } from './same-result.ts'

// biome-ignore lint/suspicious/noExplicitAny: methods of any parameters; their types are kept.
type Methods = { readonly [name: string]: (...parameters: any[]) => Promise<any> }

/** A phase lasts at least twice as long. */
const CACHE_MS = 5_000
/** A write that waits for the live copy looks this often whether it has ended, for a minute. */
const HELD_MS = 100
const HELD_TIMES = 600
/**
 * A live copy needs a moment, so that results that differ are compared again after these pauses.
 */
const LAG_MS = [100, 400, 1_000, 2_000]
/** Writes that come during a repair make it begin again, this often at once. */
const REPAIR_TIMES = 5
/** Of the message of an error, in characters: an item has a size. */
const REASON_MAX = 500

/** For methods that write: the keys of what a call writes. */
export type WriteKeys<TRepository extends object> = {
  readonly [TName in keyof TRepository]?: TRepository[TName] extends (
    ...parameters: infer TParameters
  ) => unknown
    ? (...parameters: TParameters) => string | readonly string[]
    : never
}

export interface DualWriteOptions<TRepository extends object> {
  /** The new table, which has the phase of the move. */
  readonly table: object
  /** Distinguishes several moves into one table. */
  readonly name?: string
  /**
   * Distinguishes several repositories of one move: give each its own name, so that it repairs its
   * own keys.
   */
  readonly repository?: string
  /** The application's calls, on the old store and on the new one. */
  readonly old: TRepository
  readonly new: TRepository
  /**
   * The methods that write; the others read. Each gives a key of what a call writes, or several:
   * the same string for the same thing, whatever the method.
   */
  readonly writes: WriteKeys<TRepository>
  /**
   * Makes `to` hold of this key what `from` holds: reads it from `from`, and writes it to `to`, or
   * deletes it there. Called for a key that one of the stores may have missed a write of.
   */
  readonly repair: (key: string, from: TRepository, to: TRepository) => Promise<unknown>
  /** Whether two results of a read are the same; compares their content unless given. */
  readonly isSame?: (read: keyof TRepository & string, old: unknown, now: unknown) => boolean
  /**
   * The part of the reads that are compared in `shadow-read`, from 0 to 1; all unless given. Each
   * comparison reads the new store.
   */
  readonly comparedShare?: number
  /** Called for a write that one of the stores did not take, and for results that differ. */
  readonly onProblem?: (problem: DualWriteProblem) => void
  /** How long a phase is taken for granted; 5 seconds unless given, and not longer. */
  readonly cacheMs?: number
  /** The clock, for tests that control it. */
  readonly now?: () => number
}

export interface DualWriteProblem {
  readonly kind: 'missed write' | 'different result'
  readonly method: string
  readonly parameters: readonly unknown[]
  readonly cause?: unknown
}

/** What `repair()` has done. */
export interface RepairReport {
  readonly repaired: number
  /** Keys that are still to be repaired, and why. */
  readonly left: readonly { readonly key: string; readonly reason: string }[]
}

export interface DualWrite<TRepository extends object> {
  /** The same methods, each on the store or stores of the phase. */
  readonly repository: TRepository
  /** Waits for comparisons under way, and notes their counts. Call it before a process ends. */
  flush(): Promise<void>
  /** Repairs what one of the stores has missed, and these keys. */
  repair(keys?: readonly string[]): Promise<RepairReport>
}

/**
 * A repository that works on two stores while data moves from one to the other. Which of them is
 * read, and which is written first, is the phase that `singletable cutover` sets.
 */
export function dualWrite<TRepository extends object>(
  options: DualWriteOptions<TRepository>,
): DualWrite<TRepository> {
  const { cacheMs = CACHE_MS, onProblem = () => {}, isSame = defaultIsSame } = options
  const { repository = '' } = options
  const clock = options.now ?? systemEnvironment.now
  requireOptions(options)
  const name = options.name ?? 'default'
  const cutover = new Cutover(options.table, {
    name,
    ...(options.now && { now: options.now }),
  })
  const context = contextOf(options.table, PLACE)
  const marks = new Marks(new ControlItems(context), name, {
    now: options.now ?? (() => context.environment.now()),
    randomBytes: (count) => context.environment.randomBytes(count),
  })
  const stores = { old: options.old as Methods, new: options.new as Methods }
  const writes = new Map(
    Object.entries(options.writes as Record<string, (...parameters: unknown[]) => unknown>),
  )
  const reads = methodNames(options.old, options.new).filter((method) => !writes.has(method))
  const readName = (method: string): string =>
    repository === '' ? method : `${repository}.${method}`
  const comparing = new Set<Promise<void>>()
  /** When the phase began in which the live copy has ended. */
  let drainedFor: number | undefined
  let compared = new Map<string, ReadComparison>()
  /** The count that these comparisons belong to. */
  let comparedFrom: number | undefined
  let addedReads: Promise<void> | undefined
  let known: { readonly state: Promise<CutoverState>; readonly untilMs: number } | undefined

  const current = async (): Promise<CutoverState> => {
    const nowMs = clock()
    if (known === undefined || nowMs >= known.untilMs) {
      const state = cutover.state()
      // A failure is not kept.
      state.catch(() => {
        known = undefined
      })
      known = { state, untilMs: nowMs + cacheMs }
    }
    const state = await known.state
    if (state.phase !== 'off' && state.phase !== 'retired') {
      addedReads ??= cutover.addReads(reads.map(readName)).catch(() => {
        addedReads = undefined
      })
    }
    return state
  }

  const call = (side: 'old' | 'new', method: string, parameters: readonly unknown[]) =>
    stores[side][method]!(...parameters)

  const write = async (method: string, parameters: readonly unknown[]): Promise<unknown> => {
    const given = writes.get(method)?.(...parameters)
    // A call that writes nothing would not be here.
    const keys = keysOf(repository, method, Object(given).length === 0 ? '' : given)
    const state = await current()
    if (state.phase === 'retired') return call('new', method, parameters)
    if (!isMarked(state)) {
      try {
        return await call('old', method, parameters)
      } finally {
        await afterOldAlone(method, keys)
      }
    }
    if (state.isLiveCopy && !(await untilDrained())) return write(method, parameters)
    const holds = await hold(keys, state, method)
    const leads = holds[0]?.leads ?? 'old'
    // The new store is not written in this phase, unless it has something that the old one missed.
    const isOldAlone = state.phase === 'off' && leads === 'old'
    let failure: { readonly cause: unknown } | undefined = isOldAlone
      ? { cause: 'written before the move' }
      : undefined
    try {
      const result = await call(leads, method, parameters)
      if (!isOldAlone) {
        try {
          await call(otherOf(leads), method, parameters)
        } catch (cause) {
          failure = { cause }
        }
      }
      return result
    } catch (cause) {
      // It may have been carried out all the same.
      failure = { cause }
      throw cause
    } finally {
      await end(holds, failure, { method, parameters, isOldAlone })
    }
  }

  /** While calls that write are not marked, only the old store is written. */
  const isMarked = (state: CutoverState): boolean => {
    if (state.phase === 'retired') return true
    if (state.isLiveCopy) return isSwitched(state)
    if (state.revision === 0) return false
    // Nothing is in the new store before, so that all processes can begin at once.
    const isFirst = state.revision === 1
    return !isFirst || clock() >= knownAt(state)
  }

  /** A write that was not marked may have ended when others already wrote both stores. */
  const afterOldAlone = async (method: string, keys: readonly string[]): Promise<void> => {
    const state = await current()
    if (!isMarked(state) || (state.isLiveCopy && !(await untilDrained()))) return
    for (const key of keys) {
      await marks.leave(await marks.hold(key, 'old', method), 'written when the phase changed')
      await settle(key)
    }
  }

  /** Marks all keys. One store leads for all of them: otherwise they are repaired first. */
  const hold = async (
    keys: readonly string[],
    state: CutoverState,
    method: string,
  ): Promise<readonly Hold[]> => {
    const side = leadingSide(state.phase)
    for (let times = 0; times < 2; times++) {
      const holds: Hold[] = []
      for (const key of keys) holds.push(await marks.hold(key, side, method))
      if (holds.every(({ leads }) => leads === holds[0]?.leads)) return holds
      for (const each of holds) await marks.leave(each, 'not written')
      for (const { key } of holds) await settle(key)
    }
    throw new DefinitionError('CUTOVER_REFUSED', {
      what: `The stores have missed writes of these keys: ${keys.join(', ')}.`,
      where: `${PLACE}, ${method}()`,
      fix: 'call repair() of dualWrite',
    })
  }

  /** Removes the marks of a call, or repairs what it wrote if the stores may differ. */
  const end = async (
    holds: readonly Hold[],
    failure: { readonly cause: unknown } | undefined,
    {
      method,
      parameters,
      isOldAlone,
    }: {
      readonly method: string
      readonly parameters: readonly unknown[]
      readonly isOldAlone: boolean
    },
  ): Promise<void> => {
    for (const each of holds) {
      try {
        if (!failure && each.isAlone && (await marks.remove(each))) continue
        await marks.leave(each, failure ? reasonOf(failure.cause) : 'two calls overlapped')
        if (isOldAlone) continue
        const outcome = await settle(each.key)
        if (typeof outcome === 'object') {
          onProblem({ kind: 'missed write', method, parameters, cause: outcome.cause })
        }
      } catch (cause) {
        // The mark is still there, and counts as missed when the time of a call is over.
        onProblem({ kind: 'missed write', method, parameters, cause })
      }
    }
  }

  /**
   * Repairs a key from the store that leads. `busy` if a call that writes it has not ended: then
   * that call does it.
   */
  const settle = async (
    key: string,
  ): Promise<'repaired' | 'clean' | 'busy' | { readonly cause: unknown }> => {
    for (let times = 0; times < REPAIR_TIMES; times++) {
      const claim = await marks.claim(key)
      if (typeof claim === 'string') return claim
      const state = await current()
      // Until it has ended, the live copy brings over what is in the old store.
      const isCopied = state.isLiveCopy && !isMarked(state)
      if (!(isCopied && claim.leads === 'old')) {
        try {
          const to = otherOf(claim.leads)
          await options.repair(
            key.slice(markKey(repository, '').length),
            options[claim.leads],
            options[to],
          )
        } catch (cause) {
          await marks.leave(claim, reasonOf(cause))
          return { cause }
        }
      }
      if (await marks.remove(claim)) return 'repaired'
      await marks.leave(claim, 'two calls overlapped')
    }
    return 'busy'
  }

  /**
   * All processes know the phase by then, so that they change from one store to the other at once.
   */
  const isSwitched = (state: CutoverState): boolean =>
    state.phase === 'write-new+old' && clock() >= knownAt(state)

  /** Waits until the live copy has brought the last writes over; false if the move went back. */
  const untilDrained = async (): Promise<boolean> => {
    for (let times = 0; times < HELD_TIMES; times++) {
      const state = await current()
      if (state.phase !== 'write-new+old') return state.phase === 'retired'
      if (drainedFor === state.changedAt) return true
      const report = await cutover.copyReport()
      if (report?.drainedAt !== undefined && report.drainedAt >= state.changedAt) {
        drainedFor = state.changedAt
        return true
      }
      await pause(systemEnvironment, HELD_MS, undefined)
    }
    throw new DefinitionError('CUTOVER_REFUSED', {
      what: 'The write waits for the live copy, which has not ended.',
      where: PLACE,
      fix: 'run singletable cutover copy, or singletable cutover back',
    })
  }

  /** Whether this read is one of those that are compared. */
  const isChosen = (): boolean => {
    const { comparedShare = 1 } = options
    const [high = 0, low = 0] = context.environment.randomBytes(2)
    return comparedShare === 1 || (high * 256 + low) / 65_536 < comparedShare
  }

  const read = async (method: string, parameters: readonly unknown[]): Promise<unknown> => {
    const state = await current()
    if (isAtLeast(state.phase, 'read-new')) return call('new', method, parameters)
    const result = await call('old', method, parameters)
    if (state.phase === 'shadow-read' && isChosen()) {
      const pauses = state.isLiveCopy ? LAG_MS : [0]
      const work = shadow({ state, method, parameters, first: result, pauses }).finally(() =>
        comparing.delete(work),
      )
      comparing.add(work)
    }
    return result
  }

  const shadow = async ({
    state,
    method,
    parameters,
    first,
    pauses,
  }: {
    readonly state: CutoverState
    readonly method: string
    readonly parameters: readonly unknown[]
    readonly first: unknown
    readonly pauses: readonly number[]
  }): Promise<void> => {
    let problem: { readonly cause?: unknown } | undefined
    try {
      const agrees = async (old: unknown): Promise<boolean> =>
        isSame(method as never, old, await call('new', method, parameters))
      // A write in between makes results differ once; then both are read again.
      let isEqual = await agrees(first)
      for (const delayMs of pauses) {
        if (isEqual) break
        if (delayMs > 0) await pause(systemEnvironment, delayMs, undefined)
        isEqual = await agrees(await call('old', method, parameters))
      }
      if (!isEqual) problem = {}
    } catch (cause) {
      problem = { cause }
    }
    if (comparedFrom !== countsFrom(state)) {
      comparedFrom = countsFrom(state)
      compared = new Map()
    }
    const read = readName(method)
    const { compared: count, different } = compared.get(read) ?? { compared: 0, different: 0 }
    compared.set(read, { compared: count + 1, different: different + (problem ? 1 : 0) })
    if (problem) onProblem({ kind: 'different result', method, parameters, ...problem })
  }

  return {
    // The methods of both stores, by their names.
    repository: new Proxy(options.new, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function' || typeof name !== 'string') return member
        return (...parameters: readonly unknown[]) =>
          writes.has(name) ? write(name, parameters) : read(name, parameters)
      },
    }),
    async flush() {
      await Promise.all(comparing)
      await addedReads
      const counts = compared
      const state = await cutover.state()
      compared = new Map()
      // Somebody may have started to count again meanwhile.
      if (state.phase === 'shadow-read' && comparedFrom === countsFrom(state)) {
        await cutover.addComparisons(state, counts)
      }
    },
    async repair(keys = []) {
      const state = await current()
      if (state.isLiveCopy && isSwitched(state)) await untilDrained()
      const reasons = new Map<string, string>()
      // Others may not write the new store yet, or not the old one any more.
      const isTooSoon = state.phase === 'off' || (!state.isLiveCopy && !isMarked(state))
      const isPossible = !isTooSoon && state.phase !== 'retired'
      if (isPossible) {
        for (const key of keysOf(repository, REPAIR, keys)) {
          const side = leadingSide(state.phase)
          await marks.leave(await marks.hold(key, side, REPAIR), 'repair was asked for')
        }
      }
      const missed = (await cutover.missedWrites()).filter((each) => each.repository === repository)
      let repaired = 0
      for (const { key, method, reason } of missed) {
        if (!writes.has(method) && method !== REPAIR) {
          reasons.set(key, `${method}() is a method of another repository`)
          continue
        }
        if (!isPossible) {
          reasons.set(key, `the phase is ${state.phase}`)
          continue
        }
        const outcome = await settle(markKey(repository, key))
        if (outcome === 'repaired') repaired++
        else if (outcome === 'busy') reasons.set(key, `${reason}; a call has not ended`)
        else if (outcome !== 'clean') {
          reasons.set(key, reasonOf(outcome.cause))
          onProblem({ kind: 'missed write', method, parameters: [], cause: outcome.cause })
        }
      }
      return { repaired, left: [...reasons].map(([key, reason]) => ({ key, reason })) }
    },
  }
}

const PLACE = 'dualWrite()'
/** The method of a mark that `repair()` has made for a key that it was given. */
const REPAIR = 'repair'

function requireOptions({
  repository = '',
  writes,
  repair,
  cacheMs = CACHE_MS,
  comparedShare = 1,
}: {
  readonly repository?: string
  readonly writes: unknown
  readonly repair: unknown
  readonly cacheMs?: number
  readonly comparedShare?: number
}): void {
  const isDeclared =
    !Array.isArray(writes) &&
    Object.values(Object(writes)).every((key) => typeof key === 'function')
  if (!isDeclared || typeof repair !== 'function') {
    throw new DefinitionError('OPTION_INVALID', {
      what: "Nothing says what a write is about, so a write that fails can't be repaired.",
      where: PLACE,
      fix: 'give a key for each method that writes, and repair: writes: { saveUser: (user) => user.id }, repair: async (id, from, to) => { … }',
    })
  }
  if (repository.includes('#')) {
    throw new DefinitionError('OPTION_INVALID', {
      what: `The name of the repository has a "#": "${repository}".`,
      where: PLACE,
      fix: 'leave it out',
    })
  }
  if (!(comparedShare > 0 && comparedShare <= 1)) {
    throw new DefinitionError('OPTION_INVALID', {
      what: `comparedShare is ${comparedShare}: no read, or more than all, would be compared.`,
      where: PLACE,
      fix: 'use a number above 0 and up to 1, such as 0.1 for a tenth of the reads',
    })
  }
  if (cacheMs <= CACHE_MS) return
  throw new DefinitionError('OPTION_INVALID', {
    what: `cacheMs is ${cacheMs}: processes would not know a phase when the next one begins.`,
    where: PLACE,
    fix: `use ${CACHE_MS} or less`,
  })
}

/** The keys of the marks, always in the same order. */
function keysOf(repository: string, method: string, given: unknown): readonly string[] {
  const keys = Array.isArray(given) ? [...new Set(given)].sort() : [given]
  const bytesMax = SORT_KEY_MAX_BYTES - utf8Length(markKey(repository, ''))
  return keys.map((key) => {
    const isKey = typeof key === 'string' && key !== '' && utf8Length(key) <= bytesMax
    if (isKey) return markKey(repository, key)
    throw new DefinitionError('OPTION_INVALID', {
      what: `The key of a write is not a string of 1 to ${bytesMax} bytes.`,
      where: `${PLACE}, ${method}()`,
      fix: 'give the key of what the call writes, such as the id of the user',
    })
  })
}

/** Of objects and of their classes. */
function methodNames(...repositories: readonly object[]): readonly string[] {
  const names = new Set<string>()
  for (const repository of repositories) {
    for (
      let each: object | null = repository;
      each !== null && each !== Object.prototype;
      each = Object.getPrototypeOf(each)
    ) {
      for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(each))) {
        if (typeof value === 'function' && name !== 'constructor') names.add(name)
      }
    }
  }
  return [...names]
}

function leadingSide(phase: Phase): Side {
  return phase === 'write-new+old' ? 'new' : 'old'
}

function otherOf(side: Side): Side {
  return side === 'old' ? 'new' : 'old'
}

function reasonOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, REASON_MAX)
}

function isAtLeast(phase: Phase, other: Phase): boolean {
  return PHASES.indexOf(phase) >= PHASES.indexOf(other)
}

function defaultIsSame(_read: string, old: unknown, now: unknown): boolean {
  return sameResult(old, now)
}
