import type { Environment, TimerOptions } from '../values/environment.ts'
import { seededRandom } from '../values/seeded-random.ts'
import { turnsOfEventLoop } from './context/turns.ts'

/** An environment whose time stops until it is moved, and whose random numbers follow from a
 * seed. */
export interface SimulatedEnvironment extends Environment {
  /** Moves the clock on, running what falls due on the way, in order, and lets pending promises
   * settle. */
  advance(ms: number): Promise<void>
  /** Sets the clock without running anything: a jump, forwards or back. */
  jump(toMs: number): void
}

export interface SimulatedOptions {
  /** Of the random numbers; 1 unless given. */
  readonly seed?: number
  /** The time it is at first, in milliseconds since 1970. */
  readonly now?: number
  /**
   * Moves the clock on by itself when a call does nothing but wait, for example before a retry;
   * `true` unless given. With `false` such a call waits for `advance()`.
   */
  readonly autoAdvance?: boolean
}

interface Timer extends TimerOptions {
  readonly due: number
  readonly everyMs: number
  readonly callback: () => void
}

/**
 * Makes an environment for deterministic tests.
 *
 * @example
 * const environment = simulatedEnvironment({ seed: 7, now: 1_700_000_000_000 })
 * const engine = createEngine({ environment })
 */
export function simulatedEnvironment(options: SimulatedOptions = {}): SimulatedEnvironment {
  const { seed = 1, autoAdvance = true } = options
  let now = options.now ?? 1_700_000_000_000
  let order = 0
  let moving = 0
  let isQueued = false
  const timers = new Map<number, Timer>()
  const random = seededRandom(seed)
  const nextTurn = turnsOfEventLoop()

  const run = async (end: number): Promise<void> => {
    moving++
    try {
      for (;;) {
        await settle()
        let next: { readonly id: number; readonly due: number } | undefined
        for (const [id, timer] of timers) {
          const due = dueOf(timer)
          if (due <= end && (next === undefined || due < next.due)) next = { id, due }
        }
        if (next === undefined) break
        const { callback } = timers.get(next.id)!
        timers.delete(next.id)
        now = Math.max(now, next.due)
        callback()
      }
      // As if the turns that were left out had run.
      for (const [id, timer] of timers) {
        const { due, everyMs } = timer
        if (due > end) continue
        timers.set(id, { ...timer, due: due + (Math.floor((end - due) / everyMs) + 1) * everyMs })
      }
      now = Math.max(now, end)
      await settle()
    } finally {
      moving--
    }
    waitForIdle()
  }

  /** Once everything else has come to rest, moves on to what a call waits for. */
  const waitForIdle = (): void => {
    if (!autoAdvance || isQueued) return
    isQueued = [...timers.values()].some(({ waited }) => waited)
    if (!isQueued) return
    void nextTurn().then(() => {
      isQueued = false
      const dues = Array.from(timers.values(), ({ waited, due }) => (waited ? due : []))
      if (moving === 0 && dues.flat().length > 0) void run(Math.min(...dues.flat()))
    })
  }

  return {
    now: () => now,
    randomBytes: (count) => Uint8Array.from({ length: count }, () => random() * 256),
    schedule(callback, delayMs, options) {
      const id = order++
      const everyMs = Math.max(0, delayMs)
      timers.set(id, { ...options, due: now + everyMs, everyMs, callback })
      waitForIdle()
      return () => void timers.delete(id)
    },
    advance: (ms) => run(now + ms),
    jump(toMs) {
      now = toMs
    },
  }
}

/** When it runs: of work that is repeated, the first turn that has some. */
function dueOf({ due, everyMs, workAtMs }: Timer): number {
  const startMs = workAtMs && everyMs > 0 ? workAtMs() : due
  return startMs > due ? due + Math.ceil((startMs - due) / everyMs) * everyMs : due
}

/** Promise chains started by a callback need a few turns to end. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}
