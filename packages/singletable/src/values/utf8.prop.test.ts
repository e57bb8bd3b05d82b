import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareUtf8, hasLoneSurrogate, utf8Length } from './utf8.ts'

/** Strings that meet at the borders of one, two, three and four bytes. */
const edgeText = fc.string({
  unit: fc.constantFrom(
    '\0',
    'a',
    '\x7f',
    '\x80',
    '\u07ff',
    '\u0800',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '😀',
    '\u{10ffff}',
  ),
  maxLength: 6,
})
const anyText = fc.oneof(edgeText, fc.string({ unit: 'binary' }))

describe('UTF-8 of JavaScript text', () => {
  it('has the length that an encoder gives', () => {
    fc.assert(fc.property(anyText, (text) => utf8Length(text) === Buffer.byteLength(text)))
  })

  it('counts a lone surrogate as the three bytes of U+FFFD', () => {
    expect(utf8Length('\ud800')).toBe(3)
    expect(utf8Length('\udc00\ud800a')).toBe(7)
  })

  it('is ordered as its bytes are', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
      { numRuns: 2000 },
    )
  })

  it('puts U+10000 after U+FFFD, unlike the order of UTF-16 units', () => {
    expect(compareUtf8('\ufffd', '\u{10000}')).toBeLessThan(0)
    expect('\ufffd' < '\u{10000}').toBe(false)
  })

  it('does not exist for a text with a lone surrogate', () => {
    const units = fc.array(fc.constantFrom(0x61, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000))
    fc.assert(
      fc.property(units, (codes) => {
        const text = String.fromCharCode(...codes)
        expect(hasLoneSurrogate(text)).toBe(Buffer.from(text).toString() !== text)
      }),
      { numRuns: 500 },
    )
  })
})
