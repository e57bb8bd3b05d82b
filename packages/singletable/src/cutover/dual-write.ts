import { DefinitionError } from '../errors/definition-error.ts'
import { systemEnvironment } from '../values/environment.ts'
import { pause } from '../values/pause.ts'
import {
  Cutover,
  type CutoverState,
  knownAt,
  PHASES,
  type Phase,
  type ReadComparison,
} from './cutover.ts'
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

export interface DualWriteOptions<TRepository extends object> {
  /** The new table, which has the phase of the move. */
  readonly table: object
  /** Distinguishes several moves into one table. */
  readonly name?: string
  /** The application's calls, on the old store and on the new one. */
  readonly old: TRepository
  readonly new: TRepository
  /** The names of the methods that write; the others read. */
  readonly writes: readonly (keyof TRepository & string)[]
  /** Whether two results of a read are the same; compares their content unless given. */
  readonly isSame?: (read: keyof TRepository & string, old: unknown, now: unknown) => boolean
  /** Called for a write that one of the stores did not take, and for results that differ. */
  readonly onProblem?: (problem: DualWriteProblem) => void
  /** How long a phase is taken for granted; 5 seconds unless given. */
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

export interface DualWrite<TRepository extends object> {
  /** The same methods, each on the store or stores of the phase. */
  readonly repository: TRepository
  /** Waits for comparisons under way, and notes their counts. Call it before a process ends. */
  flush(): Promise<void>
  /** Repeats the writes that one of the stores missed; gives how many. */
  replay(): Promise<number>
}

/**
 * A repository that works on two stores while data moves from one to the other. Which of them is
 * read, and which is written first, is the phase that `singletable cutover` sets.
 */
export function dualWrite<TRepository extends object>(
  options: DualWriteOptions<TRepository>,
): DualWrite<TRepository> {
  const { cacheMs = CACHE_MS, onProblem = () => {}, isSame = defaultIsSame } = options
  const clock = options.now ?? systemEnvironment.now
  const cutover = new Cutover(options.table, {
    ...(options.name !== undefined && { name: options.name }),
    ...(options.now && { now: options.now }),
  })
  const stores = { old: options.old as Methods, new: options.new as Methods }
  const writes = new Set<string>(options.writes)
  const comparing = new Set<Promise<void>>()
  /** When the phase began in which the live copy has ended. */
  let drainedFor: number | undefined
  let compared = new Map<string, ReadComparison>()
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
    return known.state
  }

  const call = (side: 'old' | 'new', method: string, parameters: readonly unknown[]) =>
    stores[side][method]!(...parameters)

  const write = async (method: string, parameters: readonly unknown[]): Promise<unknown> => {
    const state = await current()
    const { phase, isLiveCopy } = state
    if (phase === 'off') return call('old', method, parameters)
    if (phase === 'retired') return call('new', method, parameters)
    if (isLiveCopy && !isSwitched(state)) {
      const result = await call('old', method, parameters)
      // It may have ended after the live copy read the last writes.
      const later = await current()
      if (isSwitched(later) && (await untilDrained())) await second('new', method, parameters)
      return result
    }
    if (isLiveCopy && !(await untilDrained())) return write(method, parameters)
    const first = phase === 'write-new+old' ? 'new' : 'old'
    const result = await call(first, method, parameters)
    await second(first === 'old' ? 'new' : 'old', method, parameters)
    return result
  }

  /** The store that has the write later may fail: then the write is kept. */
  const second = async (
    side: 'old' | 'new',
    method: string,
    parameters: readonly unknown[],
  ): Promise<void> => {
    try {
      await call(side, method, parameters)
    } catch (cause) {
      onProblem({ kind: 'missed write', method, parameters, cause })
      const reason = cause instanceof Error ? cause.message : String(cause)
      await cutover.addMissedWrite({ side, method, parameters, reason })
    }
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
      where: 'dualWrite()',
      fix: 'run singletable cutover copy, or singletable cutover back',
    })
  }

  const read = async (method: string, parameters: readonly unknown[]): Promise<unknown> => {
    const state = await current()
    if (isAtLeast(state.phase, 'read-new')) return call('new', method, parameters)
    const result = await call('old', method, parameters)
    if (state.phase === 'shadow-read') {
      const pauses = state.isLiveCopy ? LAG_MS : [0]
      const work = shadow(method, parameters, result, pauses).finally(() => comparing.delete(work))
      comparing.add(work)
    }
    return result
  }

  const shadow = async (
    method: string,
    parameters: readonly unknown[],
    first: unknown,
    pauses: readonly number[],
  ): Promise<void> => {
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
    const { compared: count, different } = compared.get(method) ?? { compared: 0, different: 0 }
    compared.set(method, { compared: count + 1, different: different + (problem ? 1 : 0) })
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
      const reads = compared
      compared = new Map()
      const state = await cutover.state()
      if (state.phase === 'shadow-read') await cutover.addComparisons(state, reads)
    },
    async replay() {
      const missed = await cutover.missedWrites()
      for (const each of missed) {
        await call(each.side, each.method, each.parameters)
        await cutover.removeMissedWrite(each)
      }
      return missed.length
    },
  }
}

function isAtLeast(phase: Phase, other: Phase): boolean {
  return PHASES.indexOf(phase) >= PHASES.indexOf(other)
}

function defaultIsSame(_read: string, old: unknown, now: unknown): boolean {
  return sameResult(old, now)
}
