import type { AttributeValue } from './attribute-value.ts'
import { base64ByteString } from './base64.ts'
import { digitSpan } from './decimal.ts'

/**
 * Key values as byte strings (units 0…255) whose order is DynamoDB's order of the values. No
 * encoding is the start of another, so the encodings of several key attributes can be joined and
 * still order attribute by attribute.
 *
 * - A type byte comes first.
 * - S and B: the bytes, `00` written as `00 FF`, ended by `00 00`.
 * - N: a byte for negative, zero or positive; for the others the exponent to the base 100, the
 *   digits in pairs plus one, and an end byte below every pair. For negative numbers these bytes
 *   are complemented, which turns their order around.
 */

const TYPE_BINARY = '\x01'
const TYPE_NUMBER = '\x02'
const TYPE_STRING = '\x03'

const TERMINATOR = '\0\0'
const ESCAPED_NUL = '\0\xff'

const NEGATIVE = '\x01'
const NUMBER_ZERO = `${TYPE_NUMBER}\x02`
const POSITIVE = '\x03'

/** Exponents to the base 100 are -65…62; the bias puts them inside a byte. */
const EXPONENT_BIAS = 128

/** The byte string of a key value: an S, an N in canonical form, or a B. */
export function encodeKeyValue(value: AttributeValue): string {
  if (value.S !== undefined) return TYPE_STRING + escapedText(value.S) + TERMINATOR
  if (value.N !== undefined) return encodeNumber(value.N)
  return encodeKeyPrefix(value) + TERMINATOR
}

/** What the encodings of all strings (or binaries) that begin with this value have in common. */
export function encodeKeyPrefix(value: AttributeValue): string {
  if (value.S !== undefined) return TYPE_STRING + escapedText(value.S)
  if (value.B !== undefined)
    return TYPE_BINARY + base64ByteString(value.B).replaceAll('\0', ESCAPED_NUL)
  throw new TypeError('only strings and binaries have prefixes')
}

/** The smallest byte string after every one that starts with the prefix. */
export function successor(prefix: string): string {
  let length = prefix.length
  while (length > 0 && prefix.charCodeAt(length - 1) === 0xff) length--
  if (length === 0) throw new RangeError('no byte string comes after every one that starts so')
  return prefix.slice(0, length - 1) + String.fromCharCode(prefix.charCodeAt(length - 1) + 1)
}

const HASH_UNITS = 8

/** What follows the hash that begins at that place. */
export function afterHash(text: string, hashStart: number): string {
  return text.slice(hashStart + HASH_UNITS)
}

/**
 * A hash of 64 bits as eight units, the same on every machine and in every version: it decides
 * where an item collection is in a scan, also in data on disk. Each lane maps its state one to one
 * for a given unit, so no two strings of one length that differ in a single unit collide.
 */
export function hashKey(encoded: string): string {
  let high = 0x6a09e667 ^ encoded.length
  let low = 0xbb67ae85 ^ encoded.length
  for (let index = 0; index < encoded.length; index++) {
    const unit = encoded.charCodeAt(index)
    high = Math.imul(((high << 7) | (high >>> 25)) ^ unit, 0x9e3779b1)
    low = Math.imul(((low << 13) | (low >>> 19)) ^ unit, 0x85ebca77)
  }
  // Crossing the lanes between the rounds lets every bit of the input reach every bit of the
  // result.
  high = mix(high ^ Math.imul(low, 0x27d4eb2f))
  low = mix(low ^ Math.imul(high, 0x165667b1))
  high = mix(high ^ low)
  return String.fromCharCode(
    high >>> 24,
    (high >>> 16) & 0xff,
    (high >>> 8) & 0xff,
    high & 0xff,
    low >>> 24,
    (low >>> 16) & 0xff,
    (low >>> 8) & 0xff,
    low & 0xff,
  )
}

function mix(lane: number): number {
  let mixed = lane
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return mixed ^ (mixed >>> 16)
}

function escapedText(text: string): string {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit === 0 || unit > 0x7f) return text.slice(0, index) + escapedUtf8(text, index)
  }
  return text
}

/** UTF-8 by hand: an encoder would give bytes that have to be turned into units again. */
function escapedUtf8(text: string, start: number): string {
  let encoded = ''
  for (let index = start; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit === 0) encoded += ESCAPED_NUL
    else if (unit < 0x80) encoded += text[index]
    else if (unit < 0x800) encoded += String.fromCharCode(0xc0 | (unit >> 6), tail(unit))
    else {
      const point = text.codePointAt(index)!
      if (point > 0xffff) {
        encoded += String.fromCharCode(
          0xf0 | (point >> 18),
          tail(point >> 12),
          tail(point >> 6),
          tail(point),
        )
        index++
      } else {
        encoded += String.fromCharCode(0xe0 | (point >> 12), tail(point >> 6), tail(point))
      }
    }
  }
  return encoded
}

function tail(bits: number): number {
  return 0x80 | (bits & 0x3f)
}

function encodeNumber(canonical: string): string {
  if (canonical === '0') return NUMBER_ZERO
  const negative = canonical.startsWith('-')
  const complement = negative ? 0xff : 0
  const { first, last, firstExponent } = digitSpan(canonical)
  const exponent = firstExponent >> 1
  let encoded =
    TYPE_NUMBER +
    (negative ? NEGATIVE : POSITIVE) +
    String.fromCharCode((exponent + EXPONENT_BIAS) ^ complement)
  // An even exponent means that the first digit is the second of its pair.
  let pair = -1
  let half = (firstExponent & 1) === 0
  if (half) pair = 0
  for (let index = first; index <= last; index++) {
    const digit = canonical.charCodeAt(index) - 0x30
    if (digit < 0) continue
    if (half) {
      encoded += String.fromCharCode((pair * 10 + digit + 1) ^ complement)
      half = false
    } else {
      pair = digit
      half = true
    }
  }
  if (half) encoded += String.fromCharCode((pair * 10 + 1) ^ complement)
  return encoded + String.fromCharCode(complement)
}
