/** What a hash index finds by its key. */
export interface Keyed {
  readonly key: string
}

/**
 * Positions of a segment. One has few at first, and splits instead of growing beyond these, which takes some milliseconds at most. With
 * smaller segments there are so many of them that they themselves have to be fetched from memory.
 */
const SEGMENT_POSITIONS_MIN = 16
const SEGMENT_POSITIONS_MAX = 2 ** 17

/**
 * The directory stops doubling here, far beyond what memory holds. Only keys made to have equal hashes can fill a segment that cannot be
 * split any more, and it grows then.
 */
const DIRECTORY_DEPTH_MAX = 20

/** Marks an empty position; `hashOf` never gives it. */
const EMPTY = 0

/**
 * Finds entries by their key, whatever their number, with as few steps through memory as possible: in a large table each step is a wait
 * for memory, and these waits are most of the cost of a read. The hashes stand beside each other in a flat array, so an entry is looked
 * at only if its whole hash agrees, and then hardly ever in vain.
 *
 * The first bits of the hash choose a segment through a directory, the last ones a position in it, or the next free one after
 * that. A segment that is half full is split in two by one more bit of the hash (extendible hashing), so growing never means to move
 * everything at once.
 *
 * @example
 * const index = new HashIndex<{ key: string; n: number }>()
 * index.put({ key: 'a', n: 1 })
 * index.get('a') // => { key: 'a', n: 1 }
 */
export class HashIndex<TEntry extends Keyed> {
  #depth = 1
  #directory: Segment<TEntry>[]

  constructor() {
    const segment = new Segment<TEntry>(0, SEGMENT_POSITIONS_MIN)
    this.#directory = [segment, segment]
  }

  get(key: string): TEntry | undefined {
    const hash = hashOf(key)
    const segment = this.#directory[hash >>> (32 - this.#depth)]!
    const { hashes, mask } = segment
    for (let position = hash & mask; ; position = (position + 1) & mask) {
      const found = hashes[position]
      if (found === hash) {
        const entry = segment.entries[position]!
        if (entry.key === key) return entry
      } else if (found === EMPTY) return undefined
    }
  }

  /** Adds an entry, in the place of the one with the same key if there is one. */
  put(entry: TEntry): void {
    const hash = hashOf(entry.key)
    let segment = this.#directory[hash >>> (32 - this.#depth)]!
    let position = segment.find(hash, entry.key)
    if (segment.hashes[position] === EMPTY && segment.isFull()) {
      do {
        this.#makeRoom(hash, segment)
        segment = this.#directory[hash >>> (32 - this.#depth)]!
      } while (segment.isFull())
      position = segment.find(hash, entry.key)
    }
    segment.set(position, hash, entry)
  }

  /** Removes the entry with the key, if there is one. */
  remove(key: string): void {
    const hash = hashOf(key)
    const segment = this.#directory[hash >>> (32 - this.#depth)]!
    const position = segment.find(hash, key)
    if (segment.hashes[position] !== EMPTY) segment.removeAt(position)
  }

  #makeRoom(hash: number, segment: Segment<TEntry>): void {
    const positions = segment.mask + 1
    if (positions < SEGMENT_POSITIONS_MAX || segment.depth === DIRECTORY_DEPTH_MAX) {
      const grown = segment.divided(segment.depth, positions * 2)[0]
      this.#install(hash, grown, 0, 1)
      return
    }
    if (segment.depth === this.#depth) {
      this.#directory = this.#directory.flatMap((each) => [each, each])
      this.#depth++
    }
    const [left, right] = segment.divided(segment.depth + 1, positions)
    this.#install(hash, left, 0, 2)
    this.#install(hash, right, 1, 2)
  }

  /** Puts a segment into one of `parts` equal parts of the stretch of the directory that the old segment of this hash has. */
  #install(hash: number, segment: Segment<TEntry>, part: number, parts: number): void {
    const length = 2 ** (this.#depth - segment.depth)
    const stretch = length * parts
    const first = (hash >>> (32 - this.#depth)) & ~(stretch - 1)
    this.#directory.fill(segment, first + length * part, first + length * (part + 1))
  }
}

class Segment<TEntry extends Keyed> {
  /** How many first bits all hashes in it have in common. */
  readonly depth: number
  readonly mask: number
  readonly hashes: Int32Array
  readonly entries: (TEntry | undefined)[]
  #count = 0

  constructor(depth: number, positions: number) {
    this.depth = depth
    this.mask = positions - 1
    this.hashes = new Int32Array(positions)
    this.entries = new Array<TEntry | undefined>(positions).fill(undefined)
  }

  /** Half full at most: the more is empty, the less often the first position is the wrong one. */
  isFull(): boolean {
    return this.#count * 2 > this.mask
  }

  /** The position of the key, or the empty one where it would go. */
  find(hash: number, key: string): number {
    const { hashes, entries, mask } = this
    let position = hash & mask
    while (hashes[position] !== EMPTY) {
      if (hashes[position] === hash && entries[position]!.key === key) return position
      position = (position + 1) & mask
    }
    return position
  }

  set(position: number, hash: number, entry: TEntry): void {
    if (this.hashes[position] === EMPTY) this.#count++
    this.hashes[position] = hash
    this.entries[position] = entry
  }

  /** Those that stand behind, because their own position was taken, move up, so that no search stops before it reaches them. */
  removeAt(removed: number): void {
    const { hashes, entries, mask } = this
    let free = removed
    for (let next = (free + 1) & mask; hashes[next] !== EMPTY; next = (next + 1) & mask) {
      const home = hashes[next]! & mask
      // One whose own position lies behind the free one must stay.
      if (((next - home) & mask) < ((next - free) & mask)) continue
      hashes[free] = hashes[next]!
      entries[free] = entries[next]
      free = next
    }
    hashes[free] = EMPTY
    entries[free] = undefined
    this.#count--
  }

  /** Its content in new segments of that depth: one of the same depth, or two where the bit after the common ones divides them. */
  divided(depth: number, positions: number): [Segment<TEntry>, Segment<TEntry>] {
    const left = new Segment<TEntry>(depth, positions)
    const right = depth === this.depth ? left : new Segment<TEntry>(depth, positions)
    for (let position = 0; position <= this.mask; position++) {
      const hash = this.hashes[position]!
      if (hash === EMPTY) continue
      const part = (hash >>> (32 - depth)) & 1 ? right : left
      part.append(hash, this.entries[position]!)
    }
    return [left, right]
  }

  /** Adds an entry whose key is not there yet. */
  append(hash: number, entry: TEntry): void {
    let position = hash & this.mask
    while (this.hashes[position] !== EMPTY) position = (position + 1) & this.mask
    this.set(position, hash, entry)
  }
}

/** Two units at a time; the last mixing lets all of them reach the first bits as well as the last. */
export function hashOf(key: string): number {
  const { length } = key
  let hash = length
  let at = 0
  for (; at + 1 < length; at += 2) {
    const pair = key.charCodeAt(at) | (key.charCodeAt(at + 1) << 8)
    hash = Math.imul((hash ^ (hash >>> 15)) + pair, 0x2c1b3c6d)
  }
  if (at < length) hash = Math.imul((hash ^ (hash >>> 15)) + key.charCodeAt(at), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  hash ^= hash >>> 16
  return hash === EMPTY ? 1 : hash
}
