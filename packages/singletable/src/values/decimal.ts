import { NUMBER_DIGITS_MAX, NUMBER_EXPONENT_MAX, NUMBER_EXPONENT_MIN } from './limits.ts'

/**
 * DynamoDB's numbers: exact decimals of up to 38 digits. The *canonical text* of a number is plain
 * decimal, never scientific, with no needless zero or sign (`-0.5`, `1200`), so equal numbers are
 * equal strings. All functions but `parseDecimal` take it for granted.
 */

export type DecimalProblem = 'empty' | 'malformed' | 'overflow' | 'underflow' | 'digits'

export type DecimalResult =
  | { readonly text: string; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: DecimalProblem }

const ZERO = 0x30
const NINE = 0x39
const PLUS = 0x2b
const MINUS = 0x2d
const POINT = 0x2e

/** A double holds every decimal of 15 digits exactly enough to order and, for integers, to add. */
const SHORT_LENGTH_MAX = 15

/** Far more than any text has digits, so an exponent held here is out of range whatever is before
 * it. */
const EXPONENT_CAP = 1e15

/** Every integer of 126 digits has fewer. */
const INTEGER_BITS_MAX = 420

/** Reads a number as DynamoDB does and gives its canonical text, or the first problem in the order
 * of AWS's checks. */
export function parseDecimal(text: string): DecimalResult {
  if (isShortInteger(text)) return { text }
  if (text.length === 0) return { problem: 'empty' }
  const length = text.length
  let index = 0
  const negative = text.charCodeAt(0) === MINUS
  if (negative || text.charCodeAt(0) === PLUS) index = 1

  let digitCount = 0
  let digitsBeforePoint = -1
  let firstNonZero = -1
  let lastNonZero = -1
  const start = index
  for (; index < length; index++) {
    const code = text.charCodeAt(index)
    if (code >= ZERO && code <= NINE) {
      if (code !== ZERO) {
        if (firstNonZero < 0) firstNonZero = digitCount
        lastNonZero = digitCount
      }
      digitCount++
    } else if (code === POINT && digitsBeforePoint < 0) {
      digitsBeforePoint = digitCount
    } else break
  }
  if (digitCount === 0) return { problem: 'malformed' }
  let exponent = 0
  if (index < length) {
    exponent = parseExponent(text, index)
    if (Number.isNaN(exponent)) return { problem: 'malformed' }
  }
  if (firstNonZero < 0) return { text: '0' }
  const pointAt = digitsBeforePoint < 0 ? digitCount : digitsBeforePoint
  const firstExponent = pointAt - 1 - firstNonZero + exponent
  if (firstExponent > NUMBER_EXPONENT_MAX) return { problem: 'overflow' }
  if (firstExponent < NUMBER_EXPONENT_MIN) return { problem: 'underflow' }
  if (lastNonZero - firstNonZero >= NUMBER_DIGITS_MAX) return { problem: 'digits' }

  // Digits are counted without the point, which is before those from `pointAt` on.
  const from = start + firstNonZero + (firstNonZero < pointAt ? 0 : 1)
  const end = start + lastNonZero + (lastNonZero < pointAt ? 1 : 2)
  const point = start + pointAt
  const digits =
    from < point && point < end
      ? text.slice(from, point) + text.slice(point + 1, end)
      : text.slice(from, end)
  const plain = printPlain(digits, firstExponent)
  return { text: negative ? `-${plain}` : plain }
}

/** A number in any of JavaScript's forms, read as DynamoDB does. */
export function readDecimal(value: number | bigint | string): DecimalResult {
  // Writing out a longer integer takes long.
  if (typeof value === 'bigint' && BigInt.asIntN(INTEGER_BITS_MAX, value) !== value) {
    return { problem: 'overflow' }
  }
  return parseDecimal(String(value))
}

/** The number as an integer, if it is one. */
export function integerOf(text: string): bigint | undefined {
  const plain = parseDecimal(text).text
  return plain === undefined || plain.includes('.') ? undefined : BigInt(plain)
}

/** Orders two numbers: negative, zero or positive. */
export function compareDecimal(a: string, b: string): number {
  if (a === b) return 0
  if (a.length <= SHORT_LENGTH_MAX && b.length <= SHORT_LENGTH_MAX) return Number(a) - Number(b)
  const negative = a.charCodeAt(0) === MINUS
  if (negative !== (b.charCodeAt(0) === MINUS)) return negative ? -1 : 1
  // Without leading zeros, more digits before the point mean a greater magnitude; else text order
  // is the order of the digits.
  const byLength = integerEnd(a) - integerEnd(b)
  const magnitude = byLength !== 0 ? byLength : a < b ? -1 : 1
  return negative ? -magnitude : magnitude
}

/** The exact sum, or `undefined` if it is out of range or needs more than 38 digits. */
export function addDecimals(a: string, b: string): string | undefined {
  if (isShortInteger(a) && isShortInteger(b)) return String(Number(a) + Number(b))
  return combine(a, b, 1n)
}

/** The exact difference, or `undefined` if it is out of range or needs more than 38 digits. */
export function subtractDecimals(a: string, b: string): string | undefined {
  if (isShortInteger(a) && isShortInteger(b)) return String(Number(a) - Number(b))
  return combine(a, b, -1n)
}

/**
 * What a number counts in an item's size: one byte, one more if it is negative, and one for each
 * pair of significant digits, paired from the decimal point outwards.
 */
export function decimalSizeBytes(canonical: string): number {
  if (canonical === '0') return 1
  // Most numbers are these, for which a look at the end is enough.
  if (isShortInteger(canonical)) return integerSizeBytes(canonical)
  const { digits, firstExponent } = digitSpan(canonical)
  const straddles = digits % 2 === 0 && firstExponent % 2 === 0
  const sign = canonical.charCodeAt(0) === MINUS ? 1 : 0
  return 1 + ((digits + 1) >> 1) + (straddles ? 1 : 0) + sign
}

/** The same for a whole number: pairs begin at the point, so zeros at the end count only where they
 * fill a pair. */
function integerSizeBytes(canonical: string): number {
  const sign = canonical.charCodeAt(0) === MINUS ? 1 : 0
  let pairs = (canonical.length - sign + 1) >> 1
  for (let end = canonical.length; canonical.endsWith('00', end); end -= 2) pairs--
  return 1 + pairs + sign
}

export interface DigitSpan {
  /** Where in the text the first and last digits other than zero are. */
  readonly first: number
  readonly last: number
  /** How many significant digits there are. */
  readonly digits: number
  /** The power of ten of the first significant digit. */
  readonly firstExponent: number
}

/** Where the significant digits of a canonical number other than zero are. */
export function digitSpan(canonical: string): DigitSpan {
  let first = -1
  let last = -1
  let point = canonical.length
  for (let index = 0; index < canonical.length; index++) {
    const code = canonical.charCodeAt(index)
    if (code === POINT) point = index
    else if (code > ZERO) {
      if (first < 0) first = index
      last = index
    }
  }
  const pointInside = first < point && point < last ? 1 : 0
  return {
    first,
    last,
    digits: last - first + 1 - pointInside,
    firstExponent: first < point ? point - 1 - first : point - first,
  }
}

/** True for `0` and for integers of few digits that are already in canonical form. */
function isShortInteger(text: string): boolean {
  const length = text.length
  if (length === 0 || length > SHORT_LENGTH_MAX) return false
  let index = text.charCodeAt(0) === MINUS ? 1 : 0
  if (index === length) return false
  if (text.charCodeAt(index) === ZERO) return length === 1
  for (; index < length; index++) {
    const code = text.charCodeAt(index)
    if (code < ZERO || code > NINE) return false
  }
  return true
}

/** The exponent that starts with the `e` at that place, held to ±EXPONENT_CAP; NaN if it is
 * malformed. */
function parseExponent(text: string, start: number): number {
  if (text[start] !== 'e' && text[start] !== 'E') return Number.NaN
  let index = start + 1
  const sign = text.charCodeAt(index)
  if (sign === MINUS || sign === PLUS) index++
  if (index >= text.length) return Number.NaN
  let exponent = 0
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (!(code >= ZERO && code <= NINE)) return Number.NaN
    if (exponent < EXPONENT_CAP) exponent = exponent * 10 + (code - ZERO)
  }
  return sign === MINUS ? -exponent : exponent
}

function printPlain(digits: string, firstExponent: number): string {
  if (firstExponent < 0) return `0.${'0'.repeat(-firstExponent - 1)}${digits}`
  const integerDigits = firstExponent + 1
  if (digits.length <= integerDigits) return digits + '0'.repeat(integerDigits - digits.length)
  return `${digits.slice(0, integerDigits)}.${digits.slice(integerDigits)}`
}

function integerEnd(canonical: string): number {
  const point = canonical.indexOf('.')
  return point < 0 ? canonical.length : point
}

/** `a + sign · b`, on integers scaled by the longer fraction: at most 126 digits before the point
 * and 168 after it. */
function combine(a: string, b: string, sign: bigint): string | undefined {
  const fraction = Math.max(fractionLength(a), fractionLength(b))
  const sum = scaled(a, fraction) + sign * scaled(b, fraction)
  const negative = sum < 0n
  const digits = (negative ? -sum : sum).toString().padStart(fraction + 1, '0')
  const integer = digits.slice(0, digits.length - fraction)
  const plain = fraction === 0 ? integer : `${integer}.${digits.slice(-fraction)}`
  return parseDecimal(negative ? `-${plain}` : plain).text
}

function fractionLength(canonical: string): number {
  const point = canonical.indexOf('.')
  return point < 0 ? 0 : canonical.length - point - 1
}

function scaled(canonical: string, fraction: number): bigint {
  const padding = '0'.repeat(fraction - fractionLength(canonical))
  return BigInt(canonical.replace('.', '') + padding)
}
