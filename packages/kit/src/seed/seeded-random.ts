import type { Environment } from 'singletable/tools'

/** Numbers that depend on a seed alone. */
export interface SeededRandom {
  /** From 0 up to, but not including, 1. */
  next(): number
  /** A whole number of 0 to limit − 1. */
  below(limit: number): number
  pick<T>(list: readonly T[]): T
}

const START_MS = Date.UTC(2026, 0, 1)

/** A small generator with 32 bits of state (mulberry32): good enough for made-up data, and the same everywhere. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    pick(list) {
      const found = list[below(list.length)]
      if (found === undefined) throw new Error('There is nothing to pick from.')
      return found
    },
  }
}

/** A world in which ids and timestamps depend on the seed alone: its clock goes on by a minute whenever it is asked. */
export function seededEnvironment(random: SeededRandom): Environment {
  let nowMs = START_MS
  return {
    now: () => {
      nowMs += 60_000
      return nowMs
    },
    randomBytes: (count) => Uint8Array.from({ length: count }, () => random.below(256)),
    schedule(callback, delayMs) {
      const timer = setTimeout(callback, delayMs)
      return () => clearTimeout(timer)
    },
  }
}
