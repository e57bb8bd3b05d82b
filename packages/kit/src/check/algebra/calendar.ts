import { digits, type Language, literal, oneOf, oneOfStrings, sequence } from './language.ts'

/** What a key says of a time, to the unit: `2026-11-16T05`. */
const UNITS = ['year', 'month', 'day', 'hour', 'minute', 'time'] as const

/** Milliseconds from the first to the last date that has an ISO text of the usual length. */
const SPAN_MS = Date.parse('9999-12-31T23:59:59.999Z') - Date.parse('0000-01-01T00:00:00.000Z')

/** The text of dates in descending order is the time left, in digits of this width. */
export const DESCENDING_MAX: string = String(SPAN_MS).padStart(15, '0')

/** Whether a placeholder's modifier is a bucket of time, or a time of day. */
export function isUnit(word: string): word is (typeof UNITS)[number] {
  return UNITS.some((unit) => unit === word)
}

const numbers = (first: number, last: number): Language =>
  oneOfStrings(Array.from({ length: last - first + 1 }, (_, at) => twoDigits(first + at)))

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

const YEAR = digits(4)
const EVERY_FOURTH = oneOfStrings(Array.from({ length: 24 }, (_, at) => twoDigits((at + 1) * 4)))
/** Those that have a 29th of February. */
const LEAP_YEAR = oneOf([
  sequence(digits(2), EVERY_FOURTH),
  sequence(oneOf([literal('00'), EVERY_FOURTH]), literal('00')),
])
const MONTH = numbers(1, 12)
const MONTHS_OF_31 = oneOfStrings(['01', '03', '05', '07', '08', '10', '12'])
const MONTHS_OF_30 = oneOfStrings(['04', '06', '09', '11'])
const DASH = literal('-')
const DAY = oneOf([
  sequence(YEAR, DASH, MONTHS_OF_31, DASH, numbers(1, 31)),
  sequence(YEAR, DASH, MONTHS_OF_30, DASH, numbers(1, 30)),
  sequence(YEAR, literal('-02-'), numbers(1, 28)),
  sequence(LEAP_YEAR, literal('-02-29')),
])
const HOUR = sequence(DAY, literal('T'), numbers(0, 23))
const COLON = literal(':')
const MINUTE = sequence(HOUR, COLON, numbers(0, 59))

const BUCKETS: { readonly [TUnit in (typeof UNITS)[number]]: Language } = {
  year: YEAR,
  month: sequence(YEAR, DASH, MONTH),
  day: DAY,
  hour: HOUR,
  minute: MINUTE,
  time: sequence(numbers(0, 23), COLON, numbers(0, 59), COLON, numbers(0, 59)),
}

/** The strings of a bucket of time. */
export function bucketStrings(unit: (typeof UNITS)[number]): Language {
  return BUCKETS[unit]
}

/** A time in full: `2026-11-16T05:30:00.000Z`. */
export const ISO_TIME: Language = sequence(
  MINUTE,
  literal(':'),
  numbers(0, 59),
  literal('.'),
  digits(3),
  literal('Z'),
)
