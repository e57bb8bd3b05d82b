import { type Codec, type CodecPlace, unexpected } from './codec.ts'
import { digitRuns } from './shape.ts'

/** How long a bucket of time is. Each begins with the strings of those before it, so that a bucket
 * is the beginning of an ISO text. */
export type BucketUnit = 'year' | 'month' | 'day' | 'hour' | 'minute'

/** A part of a time in a key: the bucket it is in, or the time of day in a bucket that is no longer
 * than a day. */
export type TimeForm = BucketUnit | 'time'

/** The earliest time that has an ISO text of the usual length. */
const PATTERN = '0000-01-01T00:00:00.000Z'
const FIRST_MS = Date.parse(PATTERN)
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** Characters of a bucket's text, and how long it lasts where that is always the same. */
const UNITS: { readonly [TUnit in BucketUnit]: readonly [width: number, ms: number] } = {
  year: [4, 0],
  month: [7, 0],
  day: [10, 86_400_000],
  hour: [13, 3_600_000],
  minute: [16, 60_000],
}

/** UTC, to the precision that is given; nothing that would have another order as text than as
 * time. */
const ISO_UTC = /^\d{4}(-\d\d(-\d\d(T\d\d(:\d\d(:\d\d(\.\d+)?)?Z?)?)?)?)?$/

/** Where the time of day is in an ISO text, to the second. */
const [CLOCK_START, CLOCK_END] = [11, 19] as const

/** The text of a time of day: `14:30:00`. */
export function clockText(ms: number): string {
  return new Date(ms).toISOString().slice(CLOCK_START, CLOCK_END)
}

/** Whether times have in a bucket the order of their times of day. */
export function isWithinDay(unit: TimeForm | undefined): boolean {
  return unit !== undefined && unit !== 'time' && UNITS[unit][0] >= UNITS.day[0]
}

/** The time that two parts of a key have: a day, or less, and a time of day. Both are of one
 * kind. */
export function joinTimes(bucket: unknown, clock: unknown): unknown {
  const [day, time] = [bucketTime(bucket), bucketTime(clock)]
  if (day === undefined || time === undefined) return clock
  const text = `${new Date(day).toISOString().slice(0, CLOCK_START)}${clockText(time)}.000Z`
  return timeOfKind(text, clock instanceof Date ? 'date' : typeof clock)
}

function timeOfKind(text: string, kind: string): unknown {
  return kind === 'date' ? new Date(text) : kind === 'number' ? Date.parse(text) : text
}

export function isBucketUnit(word: string): word is BucketUnit {
  return Object.hasOwn(UNITS, word)
}

/** The finer of two units; the one there is, if there is one. */
export function finerUnit(a: BucketUnit | undefined, b: BucketUnit): BucketUnit {
  return a === undefined || UNITS[a][0] < UNITS[b][0] ? b : a
}

/** The time that a value of a bucketed attribute stands for, or the earliest one that its text can
 * mean; `undefined` if it is none. */
export function bucketTime(value: unknown): number | undefined {
  const ms =
    typeof value === 'string'
      ? ISO_UTC.test(value)
        ? parseIso(value.replace('Z', ''))
        : Number.NaN
      : value instanceof Date
        ? value.getTime()
        : typeof value === 'number'
          ? Math.floor(value)
          : Number.NaN
  return ms >= FIRST_MS && ms <= LAST_MS ? ms : undefined
}

/** The first and the last time whose text begins so, as far as it has whole years, months, days,
 * hours and minutes; `undefined` if it has none. */
export function prefixTimes(prefix: string): readonly [number, number] | undefined {
  const [whole = ''] = /^\d{4}(-\d\d(-\d\d(T\d\d(:\d\d)?)?)?)?/.exec(prefix) ?? []
  const low = bucketTime(whole)
  if (low === undefined) return undefined
  const unit = (Object.keys(UNITS) as BucketUnit[]).find((each) => UNITS[each][0] === whole.length)!
  return [low, bucketStart(bucketNumber(low, unit) + 1, unit) - 1]
}

/** What is cut short is filled up, so that JavaScript reads all of it as UTC; digits behind the
 * milliseconds make no difference. */
function parseIso(text: string): number {
  return Date.parse(`${text.slice(0, 23)}${PATTERN.slice(text.length)}`.padEnd(24, 'Z'))
}

/** Numbers the buckets of a unit in the order of time. */
export function bucketNumber(ms: number, unit: BucketUnit): number {
  const date = new Date(ms)
  const year = date.getUTCFullYear()
  const [, length] = UNITS[unit]
  if (length > 0) return Math.floor(ms / length)
  return unit === 'year' ? year : year * 12 + date.getUTCMonth()
}

/** When the bucket of that number begins. */
export function bucketStart(number: number, unit: BucketUnit): number {
  const [, length] = UNITS[unit]
  if (length > 0) return number * length
  const [year, month] = unit === 'year' ? [number, 0] : [Math.floor(number / 12), number % 12]
  // Date.UTC takes small years for those of the twentieth century.
  return new Date(0).setUTCFullYear(year, month, 1)
}

/**
 * A time as the bucket it is in, in UTC: different times give the same text, and later ones never a
 * smaller one. Or as its time of day, to the second.
 */
export function bucketCodec({ kind, separator, invalid }: CodecPlace, unit: TimeForm): Codec {
  const { type } = kind
  const isClock = unit === 'time'
  const start = isClock ? CLOCK_START : 0
  const end = isClock ? CLOCK_END : UNITS[unit][0]
  const width = end - start
  const pattern = '0000-00-00T00:00:00'.slice(start, end)
  if (type !== 'date' && type !== 'text' && type !== 'number') {
    invalid(`can't have ${unit}`, 'use a Date, an ISO text or milliseconds')
  }
  if (pattern.includes(separator)) {
    invalid('its text in a key contains the separator', 'choose another separator')
  }
  const isKind = (value: unknown): boolean =>
    type === 'date' ? value instanceof Date : typeof value === (type === 'text' ? 'string' : type)
  return {
    width,
    ordered: true,
    shape: [digitRuns(pattern)],
    print(value) {
      const ms = isKind(value) ? bucketTime(value) : undefined
      const whole = ms === undefined ? '' : new Date(ms).toISOString().slice(0, end)
      // A text that ends before the bucket does, names a day that no month has, or an hour in no
      // zone, is in none.
      const isWhole = typeof value !== 'string' || /^[^T]*$|Z$/.test(value)
      return whole && isWhole && String(value).startsWith(typeof value === 'string' ? whole : '')
        ? whole.slice(start)
        : undefined
    },
    // A time of day alone is one of the first day of 1970.
    read: (text) => timeOfKind((isClock ? '1970-01-01T' : '') + text + PATTERN.slice(end), type),
    problem: unexpected(
      type === 'date'
        ? 'a valid Date in the years 0 to 9999'
        : type === 'text'
          ? `an ISO text in UTC down to the ${isClock ? 'second' : unit}, such as 2026-11-16T05:30:00.000Z`
          : 'a time in milliseconds since 1970, in the years 0 to 9999',
    ),
  }
}
