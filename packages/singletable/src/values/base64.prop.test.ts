import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  base64ByteString,
  base64Bytes,
  base64Length,
  base64Problem,
  compareBase64,
  isBase64,
} from './base64.ts'

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc
    .array(fc.constantFrom(0, 1, 127, 128, 255), { maxLength: 5 })
    .map((list) => Uint8Array.from(list)),
)
const encoded = (raw: Uint8Array) => Buffer.from(raw).toString('base64')

describe('base64 text', () => {
  it('gives back the bytes that were encoded, and their number', () => {
    fc.assert(
      fc.property(bytes, (raw) => {
        const text = encoded(raw)
        expect(isBase64(text)).toBe(true)
        expect(base64Length(text)).toBe(raw.length)
        expect([...base64Bytes(text)]).toEqual([...raw])
      }),
    )
  })

  it('gives byte strings of any length', () => {
    for (const length of [0, 1, 4095, 4096, 4097, 300_000]) {
      const raw = Buffer.alloc(length, 'a\0\xff', 'latin1')
      expect(base64ByteString(encoded(raw))).toBe(raw.toString('latin1'))
    }
  })

  it('is ordered as its bytes are', () => {
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        expect(Math.sign(compareBase64(encoded(a), encoded(b)))).toBe(Buffer.compare(a, b))
      }),
      { numRuns: 2000 },
    )
  })

  it('is accepted only in the one form an encoder writes', () => {
    const text = fc.string({
      unit: fc.constantFrom('A', 'B', 'Q', '/', '+', '=', '-', '_', 'é', ' '),
      maxLength: 8,
    })
    fc.assert(
      fc.property(text, (candidate) => {
        const canonical = Buffer.from(candidate, 'base64').toString('base64') === candidate
        expect(isBase64(candidate)).toBe(canonical)
      }),
      { numRuns: 3000 },
    )
  })

  it('names the first thing that is wrong with it', () => {
    expect(base64Problem('AAA')).toEqual({ kind: 'length', length: 3 })
    expect(base64Problem('****')).toEqual({ kind: 'alphabet' })
    expect(base64Problem('A===')).toEqual({ kind: 'alphabet' })
    expect(base64Problem('AA=A')).toEqual({ kind: 'alphabet' })
    expect(base64Problem('AB==')).toEqual({ kind: 'tail' })
    expect(base64Problem('AAB=')).toEqual({ kind: 'tail' })
    expect(base64Problem('')).toBeUndefined()
  })
})
