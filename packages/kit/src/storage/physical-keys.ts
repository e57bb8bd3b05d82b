import type { StorageKey } from 'singletable/engine'
import type { PhysicalKey } from './lmdb-file.ts'

/**
 * Keys of the storage may be longer than LMDB takes, and must still be in the order of all their
 * bytes. So a key is cut into pieces. Keys live in *spaces*, and begin in the top space. In a space
 * a key of up to `DIRECT_BYTES_MAX` bytes is stored as it is. Of a longer one the first
 * `DIRECT_BYTES_MAX` bytes and a zero byte make up a *marker*, which is the name of another space
 * where the rest of the key lives, and where it may be cut again.
 *
 * That keeps the order: in a space no direct key is longer than the head of a marker, so what is
 * between two keys with the same head can only be another key with that head, and those are all in
 * the marker's space. The direct key that equals the head comes right before the marker, as it
 * should.
 *
 * | first byte | then | value |
 * | --- | --- | --- |
 * | 00 | a name | about the file itself |
 * | 01 | key, or head and 00 | value, or marker |
 * | 02 | number of the space in 6 bytes, rest of a key, or its head and 00 | value, or marker |
 */
export const DIRECT_BYTES_MAX = 1900

export type Space = string
export const TOP: Space = '\x01'

export function spaceOf(number: number): Space {
  const high = Math.floor(number / 0x1000000)
  const low = number % 0x1000000
  return String.fromCharCode(
    2,
    (high >>> 16) & 255,
    (high >>> 8) & 255,
    high & 255,
    (low >>> 16) & 255,
    (low >>> 8) & 255,
    low & 255,
  )
}

/** The first key after all of the space. */
export function spaceEnd(space: Space): PhysicalKey {
  if (space === TOP) return '\x02'
  let number = 0
  for (let index = 1; index < space.length; index++) {
    number = number * 256 + space.charCodeAt(index)
  }
  return spaceOf(number + 1)
}

export function isLong(rest: StorageKey): boolean {
  return rest.length > DIRECT_BYTES_MAX
}

export function headOf(rest: StorageKey): StorageKey {
  return rest.slice(0, DIRECT_BYTES_MAX)
}

export function tailOf(rest: StorageKey): StorageKey {
  return rest.slice(DIRECT_BYTES_MAX)
}

export function markerKey(space: Space, head: StorageKey): PhysicalKey {
  return `${space}${head}\0`
}

/** Whether what follows the space in a key of LMDB makes it a marker. */
export function isMarker(rest: string): boolean {
  return rest.length > DIRECT_BYTES_MAX
}
