import { digitSpan, parseDecimal } from '../values/decimal.ts'
import type { Codec, CodecPlace } from './codec.ts'
import { DIGITS } from './shape.ts'
import { kindOfValue } from './text-codec.ts'

/** The three kinds of numbers, each by way of decimal text. */
interface Arithmetic {
  /** Exact text of the value, plain or scientific; `undefined` if it is no number of this kind. */
  print(value: unknown): string | undefined
  read(text: string): unknown
}

const ARITHMETIC: { readonly [TType in 'number' | 'bigint' | 'decimal']: Arithmetic } = {
  number: {
    print: (value) =>
      typeof value === 'number' && Number.isFinite(value) ? value.toExponential() : undefined,
    read: Number,
  },
  bigint: {
    print: (value) =>
      typeof value === 'bigint' && -BIGINT_LIMIT < value && value < BIGINT_LIMIT
        ? canonical(String(value))
        : undefined,
    read(text) {
      const plain = canonical(text)
      return plain === undefined || plain.includes('.') ? undefined : BigInt(plain)
    },
  },
  decimal: {
    print: (value) => (typeof value === 'string' ? canonical(value) : undefined),
    read: canonical,
  },
}

/** DynamoDB keeps no number of more digits, and writing out a much longer one takes long. */
const BIGINT_LIMIT = 10n ** 126n

type NumberType = keyof typeof ARITHMETIC

export interface NumberPlace extends CodecPlace {
  readonly type: NumberType
  readonly descending: boolean
}

export function isNumberType(type: string): type is NumberType {
  return Object.hasOwn(ARITHMETIC, type)
}

/** Whole numbers from 0 on in a fixed number of digits. */
export function paddedCodec(place: NumberPlace, width: number): Codec {
  const { type, descending } = place
  const { read } = ARITHMETIC[type]
  const flip = descending ? complement : same
  const toDigits = (value: unknown): string | undefined => {
    if (type === 'number') return Number.isSafeInteger(value) ? String(value) : undefined
    return ARITHMETIC[type].print(value)
  }
  return {
    width,
    ordered: true,
    shape: [Array(width).fill({ letters: DIGITS, many: false })],
    encode(value) {
      const digits = toDigits(value)
      if (digits === undefined || digits.length > width || !isDigits(digits)) {
        place.refuse(
          `is ${shown(value)}, not a whole number from 0 on of at most ${width} digits`,
          'give such a number, widen pad, or declare the attribute with encode: true and no pad',
        )
      }
      return flip(digits.padStart(width, '0'))
    },
    decode(text) {
      if (text.length !== width || !isDigits(text)) return undefined
      const value = read(flip(text))
      return toDigits(value) === undefined ? undefined : value
    },
  }
}

/** Added to exponents, so that those of all doubles (-324…308) and decimals (-130…125) have three digits and no sign. */
const EXPONENT_SHIFT = 400

/**
 * Every number, as a mark for negative, zero or positive, the exponent in three digits, and the significant digits: 12.5 is `p401125`.
 * Of negative numbers each digit is complemented and `Z` ends them, so that more digits mean less: -12.5 is `n598874Z`.
 */
export function signedCodec(place: NumberPlace): Codec {
  const { type, descending } = place
  const { print, read } = ARITHMETIC[type]

  const toText = (value: unknown): string | undefined => {
    const plain = print(value)
    if (plain === undefined) return undefined
    const { digits, exponent } = significant(plain)
    if (digits === '') return 'o'
    const text = String(exponent + EXPONENT_SHIFT).padStart(3, '0') + digits
    return plain.startsWith('-') === descending ? `p${text}` : `n${complement(text)}Z`
  }
  return {
    width: undefined,
    // A positive number that goes on with more digits is greater, so what else can follow must come before all digits.
    ordered: place.next < '0',
    shape: [
      [
        { letters: 'nop', many: false },
        { letters: `${DIGITS}Z`, many: true },
      ],
    ],
    encode(value) {
      return (
        toText(value) ??
        place.refuse(
          `is ${shown(value)}, not a ${type} DynamoDB can keep`,
          `give a ${type === 'decimal' ? 'decimal number as a string' : type}`,
        )
      )
    },
    decode(text) {
      const positive = text.startsWith('p')
      const end = text.length - (positive ? 0 : 1)
      const body = positive ? text.slice(1) : complement(text.slice(1, end))
      if (text !== 'o' && !(body.length > 3 && isDigits(body))) return undefined
      const sign = positive === descending ? '-' : ''
      const exponent = Number(body.slice(0, 3)) - EXPONENT_SHIFT
      const value = read(text === 'o' ? '0' : `${sign}${body[3]}.${body.slice(4)}e${exponent}`)
      // Many texts read as the same number; only one is written for it.
      return value !== undefined && toText(value) === text ? value : undefined
    },
  }
}

/** A number itself is short, and says best what is wrong with it. */
function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : kindOfValue(value)
}

function same(text: string): string {
  return text
}

function canonical(text: string): string | undefined {
  return parseDecimal(text).text
}

/** Each digit taken from 9, which turns the order of texts around; other characters do not become digits. */
function complement(text: string): string {
  let result = ''
  for (let index = 0; index < text.length; index++) {
    result += String.fromCharCode(0x69 - text.charCodeAt(index))
  }
  return result
}

function isDigits(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x30 || unit > 0x39) return false
  }
  return text !== ''
}

/** Significant digits, none for zero, and the power of ten of the first, from what `toExponential` gives or from canonical text. */
function significant(plain: string): { readonly digits: string; readonly exponent: number } {
  const mark = plain.indexOf('e')
  const mantissa = mark < 0 ? plain : plain.slice(0, mark)
  const { first, last, firstExponent } = digitSpan(mantissa)
  if (first < 0) return { digits: '', exponent: 0 }
  return {
    digits: mantissa.slice(first, last + 1).replace('.', ''),
    exponent: mark < 0 ? firstExponent : Number(plain.slice(mark + 1)),
  }
}
