import { type Environment, seededRandom, systemEnvironment } from 'singletable/tools'

/** Random numbers that depend only on a seed. */
export interface SeededRandom {
  /** From 0 up to, but not including, 1. */
  next(): number
  /** A whole number from 0 to limit − 1. */
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

/**
 * An environment in which ids and times depend only on the seed: its clock advances by a second at
 * every call.
 */
export function seededEnvironment(random: SeededRandom): Environment {
  return {
    now: clock(),
    randomBytes: (count) => Uint8Array.from({ length: count }, () => random.below(256)),
    schedule: systemEnvironment.schedule,
  }
}

/**
 * The environment of a table that sample data is written to: timestamps are the same in every run.
 * Random bytes are real, because the idempotency tokens of requests are made from them: a service
 * that has seen a token before does nothing.
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
