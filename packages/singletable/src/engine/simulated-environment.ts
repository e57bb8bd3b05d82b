import type { Environment } from '../values/environment.ts'
import { seededRandom } from '../values/seeded-random.ts'

/** An environment whose time stops until it is moved, and whose random numbers follow from a
 * seed. */
export interface SimulatedEnvironment extends Environment {
  /** Moves the clock on, running what falls due on the way, in order, and lets pending promises
   * settle. */
  advance(ms: number): Promise<void>
  /** Sets the clock without running anything: a jump, forwards or back. */
  jump(toMs: number): void
}

/**
 * Makes an environment for deterministic tests.
 *
 * @example
 * const environment = simulatedEnvironment({ seed: 7, now: 1_700_000_000_000 })
 * const engine = createEngine({ environment })
 */
export function simulatedEnvironment(
  options: { readonly seed?: number; readonly now?: number } = {},
): SimulatedEnvironment {
  let now = options.now ?? 1_700_000_000_000
  let order = 0
  const timers = new Map<number, { readonly due: number; readonly callback: () => void }>()
  const random = seededRandom(options.seed ?? 1)

  return {
    now: () => now,
    randomBytes: (count) => Uint8Array.from({ length: count }, () => random() * 256),
    schedule(callback, delayMs) {
      const id = order++
      timers.set(id, { due: now + Math.max(0, delayMs), callback })
      return () => void timers.delete(id)
    },
    async advance(ms) {
      const end = now + ms
      for (;;) {
        await settle()
        let next: { id: number; due: number } | undefined
        for (const [id, timer] of timers) {
          if (timer.due <= end && (next === undefined || timer.due < next.due)) {
            next = { id, due: timer.due }
          }
        }
        if (next === undefined) break
        const timer = timers.get(next.id)
        timers.delete(next.id)
        now = Math.max(now, next.due)
        timer?.callback()
      }
      now = end
      await settle()
    },
    jump(toMs) {
      now = toMs
    },
  }
}

/** Promise chains started by a callback need a few turns to end. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}
