import { expect, test } from 'vitest'
import { crc32, tableCrc32 } from './crc32.ts'

test.each([
  ['', 0],
  ['a', 0xe8_b7_be_43],
  ['123456789', 0xcb_f4_39_26],
  // As DynamoDB sends it with an empty object.
  ['{}', 2_745_614_147],
])('the checksum of %j is the known value', (text, expected) => {
  expect(crc32(new TextEncoder().encode(text))).toBe(expected)
  expect(tableCrc32(new TextEncoder().encode(text))).toBe(expected)
})

test('the checksum of a part of a buffer is that of its bytes alone', () => {
  const bytes = new TextEncoder().encode('xx123456789xx')
  expect(crc32(bytes.subarray(2, 11))).toBe(0xcb_f4_39_26)
})
