import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { crc32, crc32InScript } from './crc32.ts'

/** Bit by bit, as the standard defines it. */
function slowCrc32(bytes: Uint8Array): number {
  let crc = 0xff_ff_ff_ff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xed_b8_83_20 : crc >>> 1
  }
  return ~crc >>> 0
}

describe.each([
  ['crc32', crc32],
  ['crc32InScript', crc32InScript],
])('%s', (_, checksum) => {
  test.each([
    ['', 0],
    ['a', 0xe8_b7_be_43],
    ['123456789', 0xcb_f4_39_26],
    ['{}', 2_745_614_147],
  ])('of %j is the known value', (text, expected) => {
    expect(checksum(new TextEncoder().encode(text))).toBe(expected)
  })

  test('agrees with the definition for any bytes, also in the middle of a buffer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(9), (bytes, start) => {
        const part = bytes.subarray(Math.min(start, bytes.length))
        expect(checksum(part)).toBe(slowCrc32(part))
      }),
    )
  })
})
