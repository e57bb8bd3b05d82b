import { type Environment, seededRandom, systemEnvironment } from 'singletable/tools'

/** Numbers that depend on a seed alone. */
export interface SeededRandom {
  /** From 0 up to, but not including, 1. */
  next(): number
  /** A whole number of 0 to limit − 1. */
  below(limit: number): number
  pick<T>(list: readonly T[]): T
}

const START_MS = Date.UTC(2026, 0, 1)

/** The library's generator with the choices that sample data needs. */
export function createRandom(seed: number): SeededRandom {
  const next = seededRandom(seed)
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
    schedule: systemEnvironment.schedule,
  }
}
