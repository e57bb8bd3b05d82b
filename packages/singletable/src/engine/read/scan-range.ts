import { successor } from '../../values/key-encoding.ts'
import type { Index } from '../catalog/table.ts'
import type { StorageRange } from '../storage/storage.ts'

const HASHES = 4_294_967_296

/**
 * The entries of one segment of a scan. Entries are ordered by the hash of their partition key, so
 * each segment is a range of hashes: all ranges together are the index, none overlap, and an item
 * collection is never cut.
 */
export function scanRange(index: Index, segment: number, totalSegments: number): StorageRange {
  return {
    start:
      segment === 0 ? index.prefix : index.prefix + hashStart((segment * HASHES) / totalSegments),
    end:
      segment === totalSegments - 1
        ? successor(index.prefix)
        : index.prefix + hashStart(((segment + 1) * HASHES) / totalSegments),
  }
}

function hashStart(hash: number): string {
  const first = Math.floor(hash)
  return String.fromCharCode(
    Math.floor(first / 16_777_216) & 255,
    (first >>> 16) & 255,
    (first >>> 8) & 255,
    first & 255,
  )
}
