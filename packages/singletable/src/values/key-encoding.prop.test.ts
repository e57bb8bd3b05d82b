import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttributeValue } from './attribute-value.ts'
import { compareValues } from './compare.ts'
import { parseDecimal } from './decimal.ts'
import { encodeKeyPrefix, encodeKeyValue, hashKey, successor } from './key-encoding.ts'

const text: fc.Arbitrary<AttributeValue> = fc
  .oneof(
    fc.string({
      unit: fc.constantFrom('\0', '\x01', 'a', 'b', '\x7f', 'é', '\uffff', '😀'),
      maxLength: 5,
    }),
    fc.string({ unit: 'binary' }),
    fc.string(),
  )
  .map((S) => ({ S }))
const binary: fc.Arbitrary<AttributeValue> = fc
  .oneof(fc.array(fc.constantFrom(0, 1, 254, 255), { maxLength: 5 }), fc.array(fc.nat(255)))
  .map((bytes) => ({ B: Buffer.from(bytes).toString('base64') }))
const number: fc.Arbitrary<AttributeValue> = fc
  .oneof(
    fc.tuple(fc.bigInt(-2000n, 2000n), fc.integer({ min: -4, max: 4 })),
    fc.tuple(fc.bigInt(-(10n ** 38n) + 1n, 10n ** 38n - 1n), fc.integer({ min: -130, max: 87 })),
    fc.tuple(fc.bigInt(-20n, 20n), fc.constantFrom(-130, -129, 124)),
  )
  .map(([digits, exponent]) => ({ N: parseDecimal(`${digits}e${exponent}`).text ?? '0' }))

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const semantic = (a: AttributeValue, b: AttributeValue): number =>
  Math.sign(compareValues(a, b) ?? Number.NaN)

describe('encoded keys', () => {
  it.each([
    ['strings', text],
    ['numbers', number],
    ['binaries', binary],
  ])('of %s are ordered as the values are', (_, values) => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(order(encodeKeyValue(a), encodeKeyValue(b))).toBe(semantic(a, b))
      }),
      { numRuns: 5000 },
    )
  })

  it('of several attributes are ordered attribute by attribute', () => {
    const key = fc.tuple(text, number, binary, text)
    const encode = (values: readonly AttributeValue[]) => values.map(encodeKeyValue).join('')
    // Changing one attribute only makes pairs that agree up to it.
    const pair = fc.tuple(key, key, fc.nat(4)).map(([a, b, from]) => {
      return [a, [...a.slice(0, from), ...b.slice(from)]] as const
    })
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const first = a.map((value, index) => semantic(value, b[index]!)).find((sign) => sign !== 0)
        expect(order(encode(a), encode(b))).toBe(first ?? 0)
      }),
      { numRuns: 3000 },
    )
  })

  it('consist of bytes', () => {
    fc.assert(
      fc.property(fc.oneof(text, number, binary), (value) => {
        const encoded = encodeKeyValue(value)
        expect(Buffer.from(encoded, 'latin1').toString('latin1')).toBe(encoded)
      }),
    )
  })

  it('lie between a prefix and its successor just if the value begins with it', () => {
    fc.assert(
      fc.property(text, text, fc.nat(5), (value, other, cut) => {
        const points = [...(value.S ?? '')]
        const prefixes = [points.slice(0, cut).join(''), other.S ?? '']
        for (const prefix of prefixes) {
          const start = encodeKeyPrefix({ S: prefix })
          const encoded = encodeKeyValue(value)
          const inside = start <= encoded && encoded < successor(start)
          expect(inside).toBe(value.S?.startsWith(prefix))
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('of binaries lie in the range of a prefix too', () => {
    const start = encodeKeyPrefix({ B: Buffer.from([1, 0]).toString('base64') })
    const inside = (...bytes: number[]) => {
      const encoded = encodeKeyValue({ B: Buffer.from(bytes).toString('base64') })
      return start <= encoded && encoded < successor(start)
    }
    expect([inside(1), inside(1, 0), inside(1, 0, 0), inside(1, 0, 255), inside(1, 1)]).toEqual([
      false,
      true,
      true,
      true,
      false,
    ])
  })
})

describe('the successor of a prefix', () => {
  it('drops trailing FF before it counts up', () => {
    expect(successor('a')).toBe('b')
    expect(successor('a\xff\xff')).toBe('b')
    expect(successor('\x00')).toBe('\x01')
  })

  it('does not exist for an empty prefix', () => {
    expect(() => successor('')).toThrow(RangeError)
    expect(() => successor('\xff')).toThrow(RangeError)
  })
})

describe('the hash of a key', () => {
  it('never changes, since data on disk is laid out by it', () => {
    const hex = (key: string) => Buffer.from(hashKey(key), 'latin1').toString('hex')
    expect([hex(''), hex('a'), hex(encodeKeyValue({ S: 'USER#1' }))]).toMatchInlineSnapshot(`
      [
        "e03315333ae42662",
        "2938be8c5b7a20b9",
        "5e564995cae0e70e",
      ]
    `)
  })

  it('spreads keys that differ little over all bytes, without collision', () => {
    const count = 20_000
    const seen = new Set<string>()
    const buckets = Array.from({ length: 8 }, () => new Uint32Array(256))
    for (let key = 0; key < count; key++) {
      const hash = hashKey(encodeKeyValue({ S: `USER#${key}` }))
      seen.add(hash)
      for (let position = 0; position < 8; position++) {
        buckets[position]![hash.charCodeAt(position)]!++
      }
    }
    expect(seen.size).toBe(count)
    for (const bucket of buckets) {
      const mean = count / 256
      const chiSquare = bucket.reduce((sum, hits) => sum + (hits - mean) ** 2 / mean, 0)
      // 255 degrees of freedom: the mean is 255 and the standard deviation 22.6.
      expect(chiSquare).toBeLessThan(255 + 6 * 22.6)
    }
  })
})
