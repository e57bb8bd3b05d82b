import type { Codec, CodecPlace } from './codec.ts'
import { DIGITS, type Run } from './shape.ts'
import { kindOfValue } from './text-codec.ts'

/** Outside these years ISO texts have another length. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** Milliseconds left until the last one, in as many digits as there can be. */
const DESCENDING_WIDTH = 15

const ISO_PATTERN = '0000-00-00T00:00:00.000Z'

/** Dates as ISO texts in UTC, or, in descending order, as the time left until the last date. */
export function dateCodec(place: CodecPlace, descending: boolean): Codec {
  const pattern = descending ? '0'.repeat(DESCENDING_WIDTH) : ISO_PATTERN
  if (pattern.includes(place.separator)) {
    place.invalid(`the date "${place.name}" contains the separator`, 'choose another separator')
  }
  const toText = (ms: number): string =>
    descending ? String(LAST_MS - ms).padStart(DESCENDING_WIDTH, '0') : new Date(ms).toISOString()
  const inRange = (ms: number): boolean => ms >= FIRST_MS && ms <= LAST_MS

  return {
    width: pattern.length,
    ordered: true,
    shape: [
      pattern
        .split('')
        .map((sign): Run => ({ letters: sign === '0' ? DIGITS : sign, many: false })),
    ],
    encode(value) {
      const ms = value instanceof Date ? value.getTime() : Number.NaN
      if (inRange(ms)) return toText(ms)
      return place.refuse(
        value instanceof Date ? 'is not a time in the years 0 to 9999' : `is ${kindOfValue(value)}`,
        'give a valid Date',
      )
    },
    decode(text) {
      const ms = descending ? LAST_MS - Number(text) : Date.parse(text)
      // Texts of other forms parse as well; only one is written for each date.
      return inRange(ms) && toText(ms) === text ? new Date(ms) : undefined
    },
  }
}
