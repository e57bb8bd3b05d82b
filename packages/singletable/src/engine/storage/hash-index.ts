import type { Item } from '../../values/attribute-value.ts'
import type { StorageValue } from './storage.ts'
import { StoredItem } from './stored-item.ts'

/**
 * Positions of a segment. One has few at first, and splits instead of growing beyond these, which takes some milliseconds at most. With
 * smaller segments there are so many of them that they themselves have to be fetched from memory.
 */
const SEGMENT_POSITIONS_MIN = 16
const SEGMENT_POSITIONS_MAX = 2 ** 16

/**
 * The directory stops doubling here, far beyond what memory holds. Only keys made to have equal hashes can fill a segment that cannot be
 * split any more, and it grows then.
 */
const DIRECTORY_DEPTH_MAX = 20

/** Marks an empty position; `hashOf` never gives it. */
const EMPTY = 0

/** The content of an index at one time. */
export interface HashIndexSnapshot {
  readonly directory: readonly Segment[]
  readonly depth: number
  readonly size: number
}

/**
 * Finds values by their key, whatever their number, with as few steps through memory as possible: in a large table each step is a wait for
 * memory, and these waits are most of what it costs. Hash and key stand beside each other, so a key is looked at only if its whole hash
 * agrees, and then hardly ever in vain, while its value is already on the way.
 *
 * That values are in a few large arrays, and not in millions of small objects all over the memory, helps the garbage collector too: it takes down
 * wherever something old gets to know something new.
 *
 * The first bits of the hash choose a segment through a directory, the last ones a position in it, or the next free one after
 * that. A segment that is full is split in two by one more bit of the hash (extendible hashing), so growing never means to move
 * everything at once.
 *
 * A snapshot costs nothing when taken: it raises the index's epoch, and from then on a segment of an older epoch is copied before it is
 * changed.
 *
 * Of a stored item the item alone is kept, with its size apart: one step less to go for every read.
 *
 * @example
 * const index = new HashIndex()
 * index.add('a', hashOf('a'), { n: 1 })
 * index.get('a', hashOf('a')) // => { n: 1 }
 */
export class HashIndex {
  #epoch = 0
  #depth = 1
  #directory: Segment[]
  #isShared = false
  #size = 0

  constructor() {
    const segment = new Segment(0, 0, SEGMENT_POSITIONS_MIN)
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

  /** Gives a key that has a value another one, and returns the one it had. */
  replace(key: string, hash: number, value: StorageValue): StorageValue | undefined {
    let segment = this.#segmentOf(hash)
    const position = segment.find(key, hash)
    if (segment.isEmptyAt(position)) return undefined
    if (segment.epoch !== this.#epoch) segment = this.#copied(hash, segment)
    const before = segment.valueAt(position)
    segment.setValueAt(position, value)
    return before
  }

  /** Adds an entry whose key isn't there yet. */
  add(key: string, hash: number, value: StorageValue): void {
    let segment = this.#segmentOf(hash)
    if (segment.epoch !== this.#epoch) segment = this.#copied(hash, segment)
    while (segment.isFull()) {
      this.#makeRoom(hash, segment)
      segment = this.#segmentOf(hash)
    }
    segment.addAt(segment.find(key, hash), key, hash, value)
    this.#size++
  }

  /** Removes the entry with the key, if there is one, and returns its value. */
  remove(key: string, hash: number): StorageValue | undefined {
    let segment = this.#segmentOf(hash)
    const position = segment.find(key, hash)
    if (segment.isEmptyAt(position)) return undefined
    if (segment.epoch !== this.#epoch) segment = this.#copied(hash, segment)
    const before = segment.valueAt(position)
    segment.removeAt(position)
    this.#size--
    return before
  }

  snapshot(): HashIndexSnapshot {
    this.#epoch++
    this.#isShared = true
    return { directory: this.#directory, depth: this.#depth, size: this.#size }
  }

  /** Puts everything back as it was at the snapshot, which stays usable. */
  restore(snapshot: HashIndexSnapshot): void {
    // Segments of the snapshot are of an epoch before the present one, so they stay as they are.
    this.#directory = snapshot.directory as Segment[]
    this.#isShared = true
    this.#depth = snapshot.depth
    this.#size = snapshot.size
  }

  #segmentOf(hash: number): Segment {
    return this.#directory[hash >>> (32 - this.#depth)]!
  }

  /** The segment as one that may be changed. */
  #copied(hash: number, segment: Segment): Segment {
    const copy = segment.copy(this.#epoch)
    this.#install(hash, copy, 0, 1)
    return copy
  }

  #makeRoom(hash: number, segment: Segment): void {
    const { positions, depth } = segment
    if (positions < SEGMENT_POSITIONS_MAX || depth === DIRECTORY_DEPTH_MAX) {
      const grown = segment.divided(this.#epoch, depth, positions * 2)[0]
      this.#install(hash, grown, 0, 1)
      return
    }
    if (depth === this.#depth) {
      this.#directory = this.#directory.flatMap((each) => [each, each])
      this.#isShared = false
      this.#depth++
    }
    const [left, right] = segment.divided(this.#epoch, depth + 1, positions)
    this.#install(hash, left, 0, 2)
    this.#install(hash, right, 1, 2)
  }

  /** Puts a segment into one of `parts` equal parts of the stretch of the directory that the old segment of this hash has. */
  #install(hash: number, segment: Segment, part: number, parts: number): void {
    if (this.#isShared) this.#directory = this.#directory.slice()
    this.#isShared = false
    const length = 2 ** (this.#depth - segment.depth)
    const stretch = length * parts
    const first = (hash >>> (32 - this.#depth)) & ~(stretch - 1)
    this.#directory.fill(segment, first + length * part, first + length * (part + 1))
  }
}

/** What stands at a position, in cells beside each other: a hash, a key, and the size if the value is a stored item. */
const CELLS = 3
const KEY = 1
const SIZE = 2

interface SegmentContent {
  readonly cells: unknown[]
  readonly values: unknown[]
}

function emptyContent(positions: number): SegmentContent {
  const cells = new Array<unknown>(positions * CELLS).fill(undefined)
  for (let at = 0; at < cells.length; at += CELLS) cells[at] = EMPTY
  return { cells, values: new Array<unknown>(positions).fill(undefined) }
}

class Segment {
  /** How many first bits all hashes in it have in common. */
  readonly depth: number
  readonly positions: number
  /** Since when it may be changed; before that it belongs to snapshots too. */
  readonly epoch: number
  readonly #mask: number
  readonly #cells: unknown[]
  /** Apart from the cells, because the collector notes every place where something old gets something new, and looks for them by stretches of memory. */
  readonly #values: unknown[]
  #count = 0

  constructor(
    epoch: number,
    depth: number,
    positions: number,
    content: SegmentContent = emptyContent(positions),
  ) {
    this.epoch = epoch
    this.depth = depth
    this.positions = positions
    this.#mask = positions - 1
    this.#cells = content.cells
    this.#values = content.values
  }

  copy(epoch: number): Segment {
    const content = { cells: this.#cells.slice(), values: this.#values.slice() }
    const copy = new Segment(epoch, this.depth, this.positions, content)
    copy.#count = this.#count
    return copy
  }

  /** Two thirds full at most: the more is empty, the less often the first position is the wrong one. */
  isFull(): boolean {
    return this.#count * 3 > this.#mask * 2
  }

  isEmptyAt(position: number): boolean {
    return this.#cells[position * CELLS] === EMPTY
  }

  valueAt(position: number): StorageValue | undefined {
    const value = this.#values[position]
    const sizeBytes = this.#cells[position * CELLS + SIZE]
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
      const found = cells[position * CELLS]
      if (found === EMPTY) return position
      if (found === hash && cells[position * CELLS + KEY] === key) return position
      position = (position + 1) & mask
    }
  }

  addAt(position: number, key: string, hash: number, value: StorageValue): void {
    this.#cells[position * CELLS] = hash
    this.#cells[position * CELLS + KEY] = key
    this.setValueAt(position, value)
    this.#count++
  }

  setValueAt(position: number, value: StorageValue): void {
    const isItem = value instanceof StoredItem
    this.#values[position] = isItem ? value.item : value
    this.#cells[position * CELLS + SIZE] = isItem ? value.sizeBytes : undefined
  }

  /** Those that stand behind, because their own position was taken, move up, so that no search stops before it reaches them. */
  removeAt(position: number): void {
    const cells = this.#cells
    const mask = this.#mask
    let free = position
    for (let next = (free + 1) & mask; !this.isEmptyAt(next); next = (next + 1) & mask) {
      const home = this.#hashAt(next) & mask
      // One whose own position lies behind the free one must stay.
      if (((next - home) & mask) < ((next - free) & mask)) continue
      this.#copyAt(free, this, next)
      free = next
    }
    cells.fill(undefined, free * CELLS, free * CELLS + CELLS)
    cells[free * CELLS] = EMPTY
    this.#values[free] = undefined
    this.#count--
  }

  /** Its content in new segments of that depth: one of the same depth, or two where the bit after the common ones divides them. */
  divided(epoch: number, depth: number, positions: number): [Segment, Segment] {
    const left = new Segment(epoch, depth, positions)
    const right = depth === this.depth ? left : new Segment(epoch, depth, positions)
    for (let position = 0; position < this.positions; position++) {
      if (this.isEmptyAt(position)) continue
      const part = (this.#hashAt(position) >>> (32 - depth)) & 1 ? right : left
      part.#append(this, position)
    }
    return [left, right]
  }

  #hashAt(position: number): number {
    return this.#cells[position * CELLS] as number
  }

  /** Adds an entry of another segment, whose key is not here yet. */
  #append(other: Segment, from: number): void {
    let position = other.#hashAt(from) & this.#mask
    while (!this.isEmptyAt(position)) position = (position + 1) & this.#mask
    this.#copyAt(position, other, from)
    this.#count++
  }

  #copyAt(to: number, other: Segment, from: number): void {
    for (let cell = 0; cell < CELLS; cell++) {
      this.#cells[to * CELLS + cell] = other.#cells[from * CELLS + cell]
    }
    this.#values[to] = other.#values[from]
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
