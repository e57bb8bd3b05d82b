import { assert } from '../../errors/assert.ts'
import type { Rows } from './rows.ts'

/** Positions of a segment. One has few at first, and splits instead of growing beyond these, which
 * takes some milliseconds at most. */
const SEGMENT_POSITIONS_MIN = 16
const SEGMENT_POSITIONS_MAX = 2 ** 16

/**
 * The directory stops doubling here, far beyond what memory holds. Only keys made to have equal
 * hashes can fill a segment that cannot be split any more, and it grows then.
 */
const DIRECTORY_DEPTH_MAX = 20

/** Marks an empty position; `hashOf` never gives it. */
const EMPTY = 0

/** The content of an index at one time. */
export interface HashIndexSnapshot {
  readonly directory: readonly Segment[]
  readonly depth: number
}

/**
 * Finds the row of a key, whatever the number of rows, with as few steps through memory as
 * possible: in a large table each step is a wait for memory, and these waits are most of what it
 * costs. A key is looked at only if its whole hash agrees, and then hardly ever in vain. Hashes
 * and numbers of rows are in typed arrays: small, and nothing the garbage collector has to look at.
 *
 * The first bits of the hash choose a segment through a directory, the last ones a position in it,
 * or the next free one after that. A segment that is full is split in two by one more bit of the
 * hash (extendible hashing), so growing never means to move everything at once.
 *
 * A snapshot costs nothing when taken: it raises the index's epoch, and from then on a segment of
 * an older epoch is copied before it is changed.
 */
export class HashIndex {
  readonly #rows: Rows
  #epoch = 0
  #depth = 1
  #directory: Segment[]
  #isShared = false

  constructor(rows: Rows) {
    this.#rows = rows
    const segment = new Segment(0, 0, SEGMENT_POSITIONS_MIN)
    this.#directory = [segment, segment]
  }

  /** The row of the key, or undefined if it has none. */
  find(key: string, hash: number): number | undefined {
    const { entries, mask } = this.#segmentOf(hash)
    for (let position = hash & mask; ; position = (position + 1) & mask) {
      const found = entries[position * 2]!
      if (found === EMPTY) return undefined
      if (found !== hash) continue
      const row = entries[position * 2 + 1]!
      if (this.#rows.keyAt(row) === key) return row
    }
  }

  /** Adds a row, whose key isn't there yet. */
  add(hash: number, row: number): void {
    let segment = this.#writableSegment(hash)
    while (segment.isFull()) {
      this.#makeRoom(hash, segment)
      segment = this.#segmentOf(hash)
    }
    segment.add(hash, row)
  }

  /** Removes a row, which must be there. */
  remove(hash: number, row: number): void {
    this.#writableSegment(hash).remove(hash, row)
  }

  snapshot(): HashIndexSnapshot {
    this.#epoch++
    this.#isShared = true
    return { directory: this.#directory, depth: this.#depth }
  }

  /** Puts everything back as it was at the snapshot, which stays usable. */
  restore(snapshot: HashIndexSnapshot): void {
    // Segments of the snapshot are of an epoch before the present one, so they stay as they are.
    this.#directory = snapshot.directory as Segment[]
    this.#isShared = true
    this.#depth = snapshot.depth
  }

  #segmentOf(hash: number): Segment {
    return this.#directory[hash >>> (32 - this.#depth)]!
  }

  /** The segment as one that may be changed. */
  #writableSegment(hash: number): Segment {
    const segment = this.#segmentOf(hash)
    if (segment.epoch === this.#epoch) return segment
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

  /** Puts a segment into one of `parts` equal parts of the stretch of the directory that the old
   * segment of this hash has. */
  #install(hash: number, segment: Segment, part: number, parts: number): void {
    if (this.#isShared) this.#directory = this.#directory.slice()
    this.#isShared = false
    const length = 2 ** (this.#depth - segment.depth)
    const stretch = length * parts
    const first = (hash >>> (32 - this.#depth)) & ~(stretch - 1)
    this.#directory.fill(segment, first + length * part, first + length * (part + 1))
  }
}

class Segment {
  /** How many first bits all hashes in it have in common. */
  readonly depth: number
  /** Since when it may be changed; before that it belongs to snapshots too. */
  readonly epoch: number
  readonly positions: number
  readonly mask: number
  /** At each position a hash and a row. */
  readonly entries: Int32Array
  #count = 0

  constructor(
    epoch: number,
    depth: number,
    positions: number,
    entries: Int32Array = new Int32Array(positions * 2),
  ) {
    this.epoch = epoch
    this.depth = depth
    this.positions = positions
    this.mask = positions - 1
    this.entries = entries
  }

  copy(epoch: number): Segment {
    const copy = new Segment(epoch, this.depth, this.positions, this.entries.slice())
    copy.#count = this.#count
    return copy
  }

  /** Two thirds full at most: the more is empty, the less often the first position is the wrong
   * one. */
  isFull(): boolean {
    return this.#count * 3 > this.mask * 2
  }

  add(hash: number, row: number): void {
    let position = hash & this.mask
    while (this.#hashAt(position) !== EMPTY) position = (position + 1) & this.mask
    this.#set(position, hash, row)
    this.#count++
  }

  /** Those that follow, because their own position was taken, move up, so that no search stops
   * before it reaches them. */
  remove(hash: number, row: number): void {
    const { mask } = this
    let free = hash & mask
    while (this.#rowAt(free) !== row || this.#hashAt(free) !== hash) {
      assert(this.#hashAt(free) !== EMPTY, 'A row is removed from the index only if it is there.')
      free = (free + 1) & mask
    }
    for (let next = (free + 1) & mask; this.#hashAt(next) !== EMPTY; next = (next + 1) & mask) {
      const home = this.#hashAt(next) & mask
      // One whose own position lies behind the free one must stay.
      if (((next - home) & mask) < ((next - free) & mask)) continue
      this.#set(free, this.#hashAt(next), this.#rowAt(next))
      free = next
    }
    this.#set(free, EMPTY, 0)
    this.#count--
  }

  /** Its content in new segments of that depth: one of the same depth, or two where the bit after
   * the common ones divides them. */
  divided(epoch: number, depth: number, positions: number): [Segment, Segment] {
    const left = new Segment(epoch, depth, positions)
    const right = depth === this.depth ? left : new Segment(epoch, depth, positions)
    for (let position = 0; position < this.positions; position++) {
      const hash = this.#hashAt(position)
      if (hash === EMPTY) continue
      const part = (hash >>> (32 - depth)) & 1 ? right : left
      part.add(hash, this.#rowAt(position))
    }
    return [left, right]
  }

  #hashAt(position: number): number {
    return this.entries[position * 2]!
  }

  #rowAt(position: number): number {
    return this.entries[position * 2 + 1]!
  }

  #set(position: number, hash: number, row: number): void {
    this.entries[position * 2] = hash
    this.entries[position * 2 + 1] = row
  }
}

/** Two units at a time; the last mixing lets all of them reach the first bits as well as the
 * last. */
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
