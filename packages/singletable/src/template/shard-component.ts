import { getOwn } from '../values/own.ts'
import { unexpected } from './codec.ts'
import type { Component } from './component.ts'
import { digitRuns } from './shape.ts'

/** A number that spreads items over several keys: made from the values of attributes, so that
 * whoever knows them knows the key. */
export interface ShardComponent extends Component {
  readonly count: number
  /** The attributes it is made of. */
  readonly by: readonly Component[]
}

/** Makes the placeholder that stands for the shard. `separator` is between the strings that are
 * hashed. */
export function createShard(
  name: string,
  count: number,
  by: readonly Component[],
  separator: string,
): ShardComponent {
  const width = String(count - 1).length
  return {
    name,
    modifiers: [],
    count,
    by,
    width,
    descending: false,
    lossy: false,
    path: false,
    ordered: true,
    shape: [digitRuns('0'.repeat(width))],
    /** Of the number itself, or of an object with the values it is made of; `undefined` if one of
     * them is missing. */
    print: (value) => printShard(value, 'print'),
    encode: (value) => printShard(value, 'encode') ?? '',
    read: Number,
    problem: unexpected('a shard'),
  }

  function printShard(value: unknown, method: 'print' | 'encode'): string | undefined {
    let number = value
    if (typeof value === 'object' && value !== null) {
      const strings: string[] = []
      for (const component of by) {
        // Reading own members is sound for any object.
        const own = getOwn(value as { readonly [name: string]: unknown }, component.name)
        const text = own === undefined || own === null ? undefined : component[method](own)
        if (text === undefined) return undefined
        strings.push(text)
      }
      number = hashText(strings.join(separator)) % count
    }
    return Number(number) < count ? String(number).padStart(width, '0') : undefined
  }
}

/**
 * A 32-bit hash of the text's UTF-8 bytes: FNV-1a, and the last step of MurmurHash3 so that every
 * bit of it depends on every bit of the text. It is part of the keys of stored items, so it stays
 * as it is for ever.
 */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
