import type { Attribute, ModelIndex } from 'singletable/tools'

const DAY_MS = 24 * 3600 * 1000
const UNIT_MS = {
  year: 366 * DAY_MS,
  month: 31 * DAY_MS,
  day: DAY_MS,
  hour: 3600 * 1000,
  minute: 60 * 1000,
}
const PATTERN = '0000-01-01T00:00:00.000Z'

/** Where buckets of all lengths begin. */
const FIRST_MS = Date.UTC(2026, 0, 1)

/** Times on both sides of the ends of buckets, and when all of them are over. */
export interface TimeValues {
  readonly values: readonly unknown[]
  /** Undefined where the clock makes no difference. */
  readonly nowMs: number | undefined
}

/** For an attribute that a partition key has buckets of: undefined if it has none that are counted
 * up. */
export function timeValues({ hash }: ModelIndex, attribute: Attribute): TimeValues | undefined {
  const buckets = hash
    .flatMap(({ template }) => template?.components ?? [])
    .filter(({ name, unit }) => name === attribute.name && unit !== undefined)
    .sort((a, b) => (b.width ?? 0) - (a.width ?? 0))
  const [finest] = buckets
  // The time of day is in no partition key.
  if (finest?.unit === undefined || finest.unit === 'time') return undefined
  const { startMs, width } = finest
  const length = UNIT_MS[finest.unit]
  const first = startMs === undefined ? FIRST_MS : beginning(startMs + length, width)
  const times = [-1, 0, 1, length / 2, length, length + 1, 2 * length + 1].map((ms) => first + ms)
  const { type } = attribute.definition
  return {
    values: times.map((ms) =>
      type === Number ? ms : type === String ? new Date(ms).toISOString() : new Date(ms),
    ),
    // What is later than now is not found where a range has no end.
    nowMs: startMs === undefined ? undefined : first + 4 * length,
  }
}

function beginning(ms: number, width: number | undefined): number {
  return Date.parse(new Date(ms).toISOString().slice(0, width) + PATTERN.slice(width))
}
