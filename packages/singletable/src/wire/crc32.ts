import * as zlib from 'node:zlib'

/**
 * The checksum that DynamoDB sends with a response in `x-amz-crc32`: of the body's bytes as they travel, after compression.
 *
 * @example
 * crc32(new TextEncoder().encode('123456789')) // => 3421780262
 */
export function crc32(bytes: Uint8Array): number {
  return zlib.crc32(bytes)
}
