import { expect, test } from 'vitest'
import { decodeValue, ValueEncoder } from './value-codec.ts'

const encoder = new ValueEncoder(1024)
const VALUES: readonly object[] = [
  {},
  { text: 'plain', list: [1, -1.5, true, null, { a: [] }] },
  { text: 'é and ÿ are one byte wide' },
  { text: '€ and 😀 and a lone \ud800 are not' },
  { ['__proto__']: { S: 'x' }, constructor: 'y' },
  { long: 'x'.repeat(5000) },
  { long: '€'.repeat(5000) },
]

test('a value is decoded as it was encoded, whatever its characters and length', () => {
  const encoded = VALUES.map((value) => encoder.encode('key', value))
  for (const [index, value] of VALUES.entries()) {
    expect(JSON.stringify(decodeValue('key', encoded[index]!))).toBe(JSON.stringify(value))
  }
})

test('a value of every length of up to 64 bytes is decoded, wherever its bytes lie', () => {
  for (let length = 0; length < 64; length++) {
    const value = { text: 'x'.repeat(length) }
    const bytes = encoder.encode('key', value)
    for (let shift = 0; shift < 4; shift++) {
      const shifted = Buffer.alloc(bytes.length + shift).subarray(shift)
      bytes.copy(shifted)
      expect(decodeValue('key', shifted)).toEqual(value)
    }
  }
})

test('every flipped bit is found out', () => {
  const bytes = Buffer.from(encoder.encode('key', { text: 'some text', n: 12 }))
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    bytes[bit >> 3]! ^= 1 << (bit & 7)
    expect(decodeValue('key', bytes)).toBeUndefined()
    bytes[bit >> 3]! ^= 1 << (bit & 7)
  }
  expect(decodeValue('key', bytes)).toEqual({ text: 'some text', n: 12 })
})

test('a value under another key, cut off or prolonged is found out', () => {
  const bytes = encoder.encode('key', { text: 'some text' })
  expect(decodeValue('kez', bytes)).toBeUndefined()
  expect(decodeValue('ke', bytes)).toBeUndefined()
  for (let length = 0; length < bytes.length; length++) {
    expect(decodeValue('key', bytes.subarray(0, length))).toBeUndefined()
  }
  expect(decodeValue('key', Buffer.concat([bytes, Buffer.alloc(1)]))).toBeUndefined()
})
