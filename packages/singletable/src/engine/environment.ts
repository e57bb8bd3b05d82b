/** Everything the engine takes from the world around it: clock, random numbers and timers. */
export interface Environment {
  /** Milliseconds since 1970. */
  now(): number
  /** The next number in [0, 1). */
  random(): number
  /** Calls back once after so many milliseconds; the result cancels. A pending call doesn't keep the process alive. */
  schedule(callback: () => void, delayMs: number): () => void
}

/** The real clock, random source and timers; what an engine has by default. */
export function systemEnvironment(): Environment {
  return {
    now: () => Date.now(),
    random: () => Math.random(),
    schedule(callback, delayMs) {
      const timer = setTimeout(callback, delayMs)
      timer.unref()
      return () => clearTimeout(timer)
    },
  }
}

/** A world whose time stands still until it is moved, and whose random numbers follow from a seed. */
export interface SimulatedEnvironment extends Environment {
  /** Moves the clock on, running what falls due on the way, in order, and lets pending promises settle. */
  advance(ms: number): Promise<void>
  /** Sets the clock without running anything: a jump, forwards or back. */
  jump(toMs: number): void
  /** The next bytes of the seeded random numbers, so that a table can live in the same world as its engine. */
  randomBytes(count: number): Uint8Array
}

/**
 * Makes a world for deterministic tests.
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
    random,
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

/** Numbers in [0, 1) that follow from the seed alone (the mulberry32 recurrence). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Promise chains started by a callback need a few turns to end. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}
