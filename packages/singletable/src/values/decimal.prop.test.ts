import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDecimals,
  compareDecimal,
  decimalSizeBytes,
  parseDecimal,
  subtractDecimals,
} from './decimal.ts'

/** The model: a whole number times ten to a power; 400 is more than any exponent that occurs. */
interface Model {
  readonly digits: bigint
  readonly exponent: number
}
const SCALE = 400

const model: fc.Arbitrary<Model> = fc.oneof(
  fc.record({
    digits: fc.bigInt(-(10n ** 38n) + 1n, 10n ** 38n - 1n),
    exponent: fc.integer({ min: -130, max: 87 }),
  }),
  fc.record({ digits: fc.bigInt(-2000n, 2000n), exponent: fc.integer({ min: -4, max: 4 }) }),
  fc.record({ digits: fc.bigInt(-20n, 20n), exponent: fc.constantFrom(-130, -129, 0, 123, 124) }),
)
const scaled = ({ digits, exponent }: Model): bigint => digits * 10n ** BigInt(SCALE + exponent)
const written = ({ digits, exponent }: Model): string => `${digits}e${exponent}`
const canonical = (value: Model): string => parseDecimal(written(value)).text ?? 'none'
const sign = (value: bigint): number => (value < 0n ? -1 : value > 0n ? 1 : 0)

/** The canonical text by plain arithmetic on a scaled whole number. */
function plain(value: bigint): string | undefined {
  if (value === 0n) return '0'
  const magnitude = value < 0n ? -value : value
  const trimmed = magnitude.toString().replace(/0+$/, '')
  const firstExponent = magnitude.toString().length - 1 - SCALE
  if (firstExponent > 125 || firstExponent < -130 || trimmed.length > 38) return undefined
  const text = magnitude.toString().padStart(SCALE + 1, '0')
  const fraction = text.slice(-SCALE).replace(/0+$/, '')
  return `${value < 0n ? '-' : ''}${text.slice(0, -SCALE)}${fraction === '' ? '' : `.${fraction}`}`
}

describe('decimals against whole numbers', () => {
  it('have the canonical text of their value', () => {
    fc.assert(
      fc.property(model, (value) => {
        expect(canonical(value)).toBe(plain(scaled(value)) ?? 'none')
        expect(parseDecimal(canonical(value)).text).toBe(canonical(value))
      }),
      { numRuns: 2000 },
    )
  })

  it('keep their value however they are written', () => {
    const zeros = fc.nat(5).map((count) => '0'.repeat(count))
    fc.assert(
      fc.property(model, zeros, zeros, fc.nat(45), (value, leading, trailing, shift) => {
        const magnitude = (value.digits < 0n ? -value.digits : value.digits).toString()
        const digits = leading + magnitude.padStart(shift + 1, '0') + trailing
        const point = digits.length - trailing.length - shift
        const text = `${value.digits < 0n ? '-' : '+'}${digits.slice(0, point)}.${digits.slice(point)}E${value.exponent + shift}`
        expect(parseDecimal(text).text ?? 'none').toBe(canonical(value))
      }),
      { numRuns: 1000 },
    )
  })

  it('are ordered by value', () => {
    fc.assert(
      fc.property(model, model, (a, b) => {
        const order = Math.sign(compareDecimal(canonical(a), canonical(b)))
        expect(order).toBe(sign(scaled(a) - scaled(b)))
      }),
      { numRuns: 3000 },
    )
  })

  it('add and subtract exactly, or not at all', () => {
    fc.assert(
      fc.property(model, model, (a, b) => {
        expect(addDecimals(canonical(a), canonical(b))).toBe(plain(scaled(a) + scaled(b)))
        expect(subtractDecimals(canonical(a), canonical(b))).toBe(plain(scaled(a) - scaled(b)))
      }),
      { numRuns: 2000 },
    )
  })

  it('count one byte for each pair of digits from the point outwards', () => {
    fc.assert(
      fc.property(model, (value) => {
        const text = canonical(value)
        const [integer = '', fraction = ''] = text.replace('-', '').split('.')
        const even = (digits: string, padded: string) => (digits.length % 2 === 0 ? digits : padded)
        const pairs =
          (even(integer, `0${integer}`) + even(fraction, `${fraction}0`)).match(/../g) ?? []
        while (pairs[0] === '00') pairs.shift()
        while (pairs.at(-1) === '00') pairs.pop()
        expect(decimalSizeBytes(text)).toBe(1 + pairs.length + (text.startsWith('-') ? 1 : 0))
      }),
      { numRuns: 1000 },
    )
  })
})
