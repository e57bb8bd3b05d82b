import { DefinitionError } from '../errors/definition-error.ts'

/** A length of time: `{ days: 7 }`, `{ hours: 1, minutes: 30 }`, or a text such as `'7d'` and
 * `'1h30m'`. */
export type Duration = string | DurationParts

export interface DurationParts {
  readonly weeks?: number
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
}

/** Days of 24 hours: a time to live knows no calendar. */
const SECONDS = {
  weeks: 7 * 86_400,
  days: 86_400,
  hours: 3_600,
  minutes: 60,
  seconds: 1,
} as const

type Unit = keyof typeof SECONDS

const UNITS: { readonly [letter: string]: Unit } = {
  w: 'weeks',
  d: 'days',
  h: 'hours',
  m: 'minutes',
  s: 'seconds',
}

/** Dates end there: a greater time is none. */
const DURATION_SECONDS_MAX = 8_640_000_000_000

/**
 * The milliseconds of a duration.
 *
 * @example
 * durationMs('1h30m') // => 5400000
 * durationMs({ days: 7 }) // => 604800000
 */
export function durationMs(duration: Duration): number {
  const parts = typeof duration === 'string' ? parseDuration(duration) : entriesOf(duration)
  let seconds = 0
  for (const [unit, count] of parts) {
    if (!Object.hasOwn(SECONDS, unit)) refuse(`"${unit}" is not a unit of time`)
    if (typeof count !== 'number' || !(count >= 0)) refuse(`${unit} is not a number of 0 or more`)
    // The unit was looked up above.
    seconds += (count as number) * SECONDS[unit as Unit]
  }
  if (parts.length === 0 || !(seconds <= DURATION_SECONDS_MAX)) refuse('it is not a length of time')
  return seconds * 1000
}

function entriesOf(duration: DurationParts): [string, unknown][] {
  return Object.entries(Object(duration)).filter(([, count]) => count !== undefined)
}

/** Numbers with units, the greater ones first, each once. */
function parseDuration(text: string): [string, number][] {
  const match = /^(?:\d{1,12}[wdhms])+$/.test(text) ? text.match(/\d+[wdhms]/g) : null
  const parts = (match ?? []).map((part): [string, number] => [
    UNITS[part.at(-1)!]!,
    Number(part.slice(0, -1)),
  ])
  const order = parts.map(([unit]) => SECONDS[unit as Unit])
  if (order.some((seconds, at) => at > 0 && seconds >= order[at - 1]!)) return []
  return parts
}

function refuse(what: string): never {
  throw new DefinitionError('OPTION_INVALID', {
    what: `The duration can't be used: ${what}.`,
    where: 'a time to live',
    fix: "write it as { days: 7 }, { hours: 1, minutes: 30 }, '7d' or '1h30m'",
  })
}
