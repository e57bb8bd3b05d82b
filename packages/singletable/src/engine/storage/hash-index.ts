import type { Item } from '../../values/attribute-value.ts'
import type { StorageValue } from './storage.ts'
import { StoredItem } from './stored-item.ts'

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
 * Finds values by their key, whatever their number, with as few steps through memory as possible: in a large table each step is a wait for
 * memory, and these waits are most of what it costs. Hash, key and value stand beside each other, so a key is looked at only if its whole hash
 * agrees, and then hardly ever in vain, while its value is already on the way.
 *
 * That values are in a few large arrays, and not in millions of small objects all over the memory, helps the garbage collector too: it takes down
 * wherever something old gets to know something new.
 *
 * The first bits of the hash choose a segment through a directory, the last ones a position in it, or the next free one after
 * that. A segment that is full is split in two by one more bit of the hash (extendible hashing), so growing never means to move
 * everything at once.
 *
 * Of a stored item the item alone is kept, with its size beside it: one step less to go for every read.
 *
 * @example
 * const index = new HashIndex()
 * index.put('a', hashOf('a'), { n: 1 })
 * index.get('a', hashOf('a')) // => { n: 1 }
 */
export class HashIndex {
  #depth = 1
  #directory: Segment[]
  #size = 0

  constructor() {
    const segment = new Segment(0, SEGMENT_POSITIONS_MIN)
    this.#directory = [segment, segment]
  }

  /** How many entries there are. */
  get size(): number {
    return this.#size
  }

  get(key: string, hash: number): StorageValue | undefined {
    const segment = this.#segmentOf(hash)
    return segment.valueAt(segment.find(key, hash))
  }

  /** The key as it was put: the same text, but not another copy of it. */
  ownKey(key: string, hash: number): string | undefined {
    const segment = this.#segmentOf(hash)
    return segment.keyAt(segment.find(key, hash))
  }

  /** Gives a key that has a value another one, and returns the one it had. */
  replace(key: string, hash: number, value: StorageValue): StorageValue | undefined {
    const segment = this.#segmentOf(hash)
    const at = segment.find(key, hash)
    if (segment.isEmptyAt(at)) return undefined
    const before = segment.valueAt(at)
    segment.setValueAt(at, value)
    return before
  }

  /** Adds an entry, in the place of the one with the same key if there is one. */
  put(key: string, hash: number, value: StorageValue): void {
    let segment = this.#segmentOf(hash)
    let at = segment.find(key, hash)
    if (segment.isEmptyAt(at)) {
      this.#size++
      while (segment.isFull()) {
        this.#makeRoom(hash, segment)
        segment = this.#segmentOf(hash)
        at = segment.find(key, hash)
      }
    }
    segment.setAt(at, key, hash, value)
  }

  /** Removes the entry with the key, if there is one. */
  remove(key: string, hash: number): void {
    const segment = this.#segmentOf(hash)
    const at = segment.find(key, hash)
    if (segment.isEmptyAt(at)) return
    segment.removeAt(at)
    this.#size--
  }

  #segmentOf(hash: number): Segment {
    return this.#directory[hash >>> (32 - this.#depth)]!
  }

  #makeRoom(hash: number, segment: Segment): void {
    const { positions } = segment
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
  #install(hash: number, segment: Segment, part: number, parts: number): void {
    const length = 2 ** (this.#depth - segment.depth)
    const stretch = length * parts
    const first = (hash >>> (32 - this.#depth)) & ~(stretch - 1)
    this.#directory.fill(segment, first + length * part, first + length * (part + 1))
  }
}

/** What stands at a position, in cells beside each other: a hash, a key, and its value; of a stored item the item, and its size. */
const CELLS = 4
const KEY = 1
const VALUE = 2
const SIZE = 3

/** Positions are given by the place of their first cell. */
class Segment {
  /** How many first bits all hashes in it have in common. */
  readonly depth: number
  readonly positions: number
  readonly #mask: number
  readonly #cells: unknown[]
  #count = 0

  constructor(depth: number, positions: number) {
    this.depth = depth
    this.positions = positions
    this.#mask = positions - 1
    const cells = new Array<unknown>(positions * CELLS).fill(undefined)
    for (let at = 0; at < cells.length; at += CELLS) cells[at] = EMPTY
    this.#cells = cells
  }

  /** Two thirds full at most: the more is empty, the less often the first position is the wrong one. */
  isFull(): boolean {
    return this.#count * 3 > this.#mask * 2
  }

  isEmptyAt(at: number): boolean {
    return this.#cells[at] === EMPTY
  }

  keyAt(at: number): string | undefined {
    return this.#cells[at + KEY] as string | undefined
  }

  valueAt(at: number): StorageValue | undefined {
    const value = this.#cells[at + VALUE]
    const sizeBytes = this.#cells[at + SIZE]
    return sizeBytes === undefined
      ? (value as StorageValue | undefined)
      : new StoredItem(value as Item, sizeBytes as number)
  }

  /** The position of the key, or the empty one where it would go. */
  find(key: string, hash: number): number {
    const cells = this.#cells
    const mask = this.#mask
    let position = hash & mask
    for (;;) {
      const at = position * CELLS
      const found = cells[at]
      if (found === EMPTY) return at
      if (found === hash && cells[at + KEY] === key) return at
      position = (position + 1) & mask
    }
  }

  setAt(at: number, key: string, hash: number, value: StorageValue): void {
    const cells = this.#cells
    if (cells[at] === EMPTY) this.#count++
    cells[at] = hash
    cells[at + KEY] = key
    this.setValueAt(at, value)
  }

  setValueAt(at: number, value: StorageValue): void {
    const isItem = value instanceof StoredItem
    this.#cells[at + VALUE] = isItem ? value.item : value
    this.#cells[at + SIZE] = isItem ? value.sizeBytes : undefined
  }

  /** Those that stand behind, because their own position was taken, move up, so that no search stops before it reaches them. */
  removeAt(at: number): void {
    const cells = this.#cells
    const mask = this.#mask
    let free = at / CELLS
    for (let next = (free + 1) & mask; !this.isEmptyAt(next * CELLS); next = (next + 1) & mask) {
      const home = this.#hashAt(next * CELLS) & mask
      // One whose own position lies behind the free one must stay.
      if (((next - home) & mask) < ((next - free) & mask)) continue
      cells.copyWithin(free * CELLS, next * CELLS, next * CELLS + CELLS)
      free = next
    }
    cells.fill(undefined, free * CELLS, free * CELLS + CELLS)
    cells[free * CELLS] = EMPTY
    this.#count--
  }

  /** Its content in new segments of that depth: one of the same depth, or two where the bit after the common ones divides them. */
  divided(depth: number, positions: number): [Segment, Segment] {
    const left = new Segment(depth, positions)
    const right = depth === this.depth ? left : new Segment(depth, positions)
    for (let at = 0; at < this.#cells.length; at += CELLS) {
      if (this.isEmptyAt(at)) continue
      const part = (this.#hashAt(at) >>> (32 - depth)) & 1 ? right : left
      part.#append(this, at)
    }
    return [left, right]
  }

  #hashAt(at: number): number {
    return this.#cells[at] as number
  }

  /** Adds an entry of another segment, whose key is not here yet. */
  #append(other: Segment, from: number): void {
    let position = other.#hashAt(from) & this.#mask
    while (!this.isEmptyAt(position * CELLS)) position = (position + 1) & this.#mask
    const to = position * CELLS
    for (let cell = 0; cell < CELLS; cell++) this.#cells[to + cell] = other.#cells[from + cell]
    this.#count++
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
