const POLYNOMIAL = 0xedb88320
let table: Uint32Array | undefined

/**
 * The checksum that DynamoDB sends with a response in `x-amz-crc32`: of the body's bytes as they
 * travel, after compression.
 *
 * @example
 * crc32(new TextEncoder().encode('123456789')) // => 3421780262
 */
export function crc32(bytes: Uint8Array): number {
  // Asked for at run time, so that what uses it can be bundled where there is no such module.
  const zlib = globalThis.process?.getBuiltinModule?.('node:zlib')
  return zlib?.crc32?.(bytes) ?? tableCrc32(bytes)
}

/** The same without Node's module. */
export function tableCrc32(bytes: Uint8Array): number {
  table ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1
    return value
  })
  let sum = 0xffffffff
  for (const byte of bytes) sum = (sum >>> 8) ^ table[(sum ^ byte) & 255]!
  return (sum ^ 0xffffffff) >>> 0
}
