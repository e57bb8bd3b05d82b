import * as zlib from 'node:zlib'

/** The polynomial of IEEE 802.3, lowest bit first. */
const POLYNOMIAL = 0xed_b8_83_20
const TABLES = 8

/** What `byte` does to a checksum when `table` more bytes follow it, for each table and byte in a row. */
let effects: Int32Array | undefined

/**
 * The checksum that DynamoDB sends with a response in `x-amz-crc32`: of the body's bytes as they travel, after compression.
 *
 * @example
 * crc32(new TextEncoder().encode('123456789')) // => 3421780262
 */
export const crc32: (bytes: Uint8Array) => number =
  // Node has it since 20.15 and 22.2; as a named import it would keep the module from loading on older ones.
  typeof zlib.crc32 === 'function' ? (bytes) => zlib.crc32(bytes) : crc32InScript

/** The same, eight bytes at a time by tables, for a Node that has none of its own. */
export function crc32InScript(bytes: Uint8Array): number {
  effects ??= makeEffects()
  const table = effects
  const length = bytes.length
  let crc = -1
  let at = 0
  // All indexes lie within their arrays: the assertions keep a check per byte out of the only hot loop.
  for (const end = length - 7; at < end; at += 8) {
    const low =
      crc ^ (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24))
    crc =
      table[1792 + (low & 255)]! ^
      table[1536 + ((low >>> 8) & 255)]! ^
      table[1280 + ((low >>> 16) & 255)]! ^
      table[1024 + (low >>> 24)]! ^
      table[768 + bytes[at + 4]!]! ^
      table[512 + bytes[at + 5]!]! ^
      table[256 + bytes[at + 6]!]! ^
      table[bytes[at + 7]!]!
  }
  for (; at < length; at++) crc = table[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8)
  return ~crc >>> 0
}

function makeEffects(): Int32Array {
  const table = new Int32Array(TABLES * 256)
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1
    table[byte] = crc
  }
  for (let at = 256; at < table.length; at++) {
    const before = table[at - 256] ?? 0
    table[at] = (table[before & 255] ?? 0) ^ (before >>> 8)
  }
  return table
}
