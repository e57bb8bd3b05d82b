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
const CLOCK_STEP_MS = 1_000

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

/** A world in which ids and times of sample data depend on the seed alone: its clock goes on by a second whenever it is asked. */
export function seededEnvironment(random: SeededRandom): Environment {
  return {
    now: clock(),
    randomBytes: (count) => Uint8Array.from({ length: count }, () => random.below(256)),
    schedule: systemEnvironment.schedule,
  }
}

/**
 * The world of a table that sample data is written into: timestamps are the same in every run. Random bytes are real ones, because the tokens of
 * requests are made of them: a service that has seen a token before carries nothing out.
 */
export function writingEnvironment(): Environment {
  return { ...systemEnvironment, now: clock() }
}

function clock(): () => number {
  let nowMs = START_MS
  return () => {
    nowMs += CLOCK_STEP_MS
    return nowMs
  }
}
