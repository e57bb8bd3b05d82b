import { digitSpan, integerOf, readDecimal } from '../values/decimal.ts'
import { type Codec, type CodecPlace, unexpected } from './codec.ts'
import { DIGITS, digitRuns } from './shape.ts'

/** Added to exponents, so that all of them (-130…125) have three digits and no sign. */
const EXPONENT_SHIFT = 400

/** Numbers, in a fixed number of digits if there is a width. */
export function numberCodec(
  { kind: { type }, descending, next }: CodecPlace,
  width: number | undefined,
): Codec {
  const isType = type === 'decimal' ? 'string' : type
  const canonical = (value: unknown): string | undefined =>
    // The type has been looked at, so this is one of the three kinds of numbers.
    typeof value === isType ? readDecimal(value as number | bigint | string).text : undefined
  const read = type === 'number' ? Number : type === 'bigint' ? integerOf : canonical

  if (width !== undefined) {
    const turn = descending ? complement : String
    return {
      width,
      ordered: true,
      shape: [digitRuns('0'.repeat(width))],
      print(value) {
        const digits = canonical(value)
        if (digits === undefined || digits.length > width || /\D/.test(digits)) return undefined
        return turn(digits.padStart(width, '0'))
      },
      read: (text) => read(turn(text)),
      problem: unexpected(
        `a whole number of at most ${width} digits, 0 or more`,
        'give one, widen pad, or declare the attribute with encode: true and no pad',
      ),
    }
  }
  return {
    width,
    // A positive number that continues with more digits is greater, so what else can follow must
    // come before all digits.
    ordered: next < '0',
    shape: [
      [
        { letters: 'nop', many: false },
        { letters: `${DIGITS}Z`, many: true },
      ],
    ],
    /**
     * Every number, as a mark for negative, zero or positive, the exponent in three digits, and the
     * significant digits: 12.5 is `p401125`. Of negative numbers each digit is complemented and `Z`
     * ends them, so that more digits mean less: -12.5 is `n598874Z`.
     */
    print(value) {
      const plain = canonical(value)
      if (plain === undefined || plain === '0') return plain && 'o'
      const { first, last, firstExponent } = digitSpan(plain)
      const digits = plain.slice(first, last + 1).replace('.', '')
      const text = `${firstExponent + EXPONENT_SHIFT}${digits}`
      return plain.startsWith('-') === descending ? `p${text}` : `n${complement(text)}Z`
    },
    read(text) {
      if (text === 'o') return read('0')
      const positive = text.startsWith('p')
      const digits = positive ? text.slice(1) : complement(text.slice(1, -1))
      const exponent = Number(digits.slice(0, 3)) - EXPONENT_SHIFT
      return read(
        `${positive === descending ? '-' : ''}${digits[3]}.${digits.slice(4)}e${exponent}`,
      )
    },
    problem: unexpected(`a ${type} DynamoDB can keep`),
  }
}

/** Each digit taken from 9, which reverses the order of strings. */
function complement(text: string): string {
  return text.replace(/\d/g, (digit) => String(9 - Number(digit)))
}
