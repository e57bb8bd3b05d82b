import { type Codec, type CodecPlace, unexpected } from './codec.ts'
import { digitRuns } from './shape.ts'

/** How long a bucket of time is. Each begins with the texts of those before it, so that a bucket is the beginning of an ISO text. */
export type BucketUnit = 'year' | 'month' | 'day' | 'hour' | 'minute'

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

/** UTC, to the precision that is given; nothing that would have another order as text than as time. */
const ISO_UTC = /^\d{4}(-\d\d(-\d\d(T\d\d(:\d\d(:\d\d(\.\d+)?)?Z?)?)?)?)?$/

export function isBucketUnit(word: string): word is BucketUnit {
  return Object.hasOwn(UNITS, word)
}

/** The finer of two units; the one there is, if there is one. */
export function finerUnit(a: BucketUnit | undefined, b: BucketUnit): BucketUnit {
  return a === undefined || UNITS[a][0] < UNITS[b][0] ? b : a
}

/** The time that a value of a bucketed attribute stands for, or the earliest one that its text can mean; `undefined` if it is none. */
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

/** The first and the last time whose text begins so, as far as it has whole years, months, days, hours and minutes; `undefined` if it has none. */
export function prefixTimes(prefix: string): readonly [number, number] | undefined {
  const [whole = ''] = /^\d{4}(-\d\d(-\d\d(T\d\d(:\d\d)?)?)?)?/.exec(prefix) ?? []
  const low = bucketTime(whole)
  if (low === undefined) return undefined
  const unit = (Object.keys(UNITS) as BucketUnit[]).find((each) => UNITS[each][0] === whole.length)!
  return [low, bucketStart(bucketNumber(low, unit) + 1, unit) - 1]
}

/** What is cut short is filled up, so that JavaScript reads all of it as UTC; digits behind the milliseconds make no difference. */
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

/** A time as the bucket it is in, in UTC: different times give the same text, and later ones never a smaller one. */
export function bucketCodec({ kind, separator, invalid }: CodecPlace, unit: BucketUnit): Codec {
  const { type } = kind
  const [width] = UNITS[unit]
  const pattern = '0000-00-00T00:00'.slice(0, width)
  if (type !== 'date' && type !== 'text' && type !== 'number') {
    invalid(`is of a kind that ${unit} does not suit`, 'use a Date, an ISO text or milliseconds')
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
      const text = ms === undefined ? undefined : new Date(ms).toISOString().slice(0, width)
      // A text that ends before the bucket does, names a day that no month has, or an hour in no zone, is in none.
      const isWhole = typeof value !== 'string' || /^[^T]*$|Z$/.test(value)
      return text && isWhole && String(value).startsWith(typeof value === 'string' ? text : '')
        ? text
        : undefined
    },
    read(text) {
      const full = text + PATTERN.slice(width)
      return type === 'text' ? full : type === 'date' ? new Date(full) : Date.parse(full)
    },
    problem: unexpected(
      type === 'date'
        ? 'a valid Date in the years 0 to 9999'
        : type === 'text'
          ? `an ISO text in UTC down to the ${unit}, such as 2026-11-16T05:30:00.000Z`
          : 'a time in milliseconds since 1970, in the years 0 to 9999',
    ),
  }
}
