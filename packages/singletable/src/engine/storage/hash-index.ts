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
 * Each entry has a number, the era in which it was put, for those who may give it another value only in the same.
 *
 * @example
 * const index = new HashIndex<string>()
 * index.put('a', hashOf('a'), 'first', 1)
 * index.get('a', hashOf('a')) // => 'first'
 */
export class HashIndex<TValue> {
  #depth = 1
  #directory: Segment<TValue>[]
  #size = 0

  constructor() {
    const segment = new Segment<TValue>(0, SEGMENT_POSITIONS_MIN)
    this.#directory = [segment, segment]
  }

  /** How many entries there are. */
  get size(): number {
    return this.#size
  }

  get(key: string, hash: number): TValue | undefined {
    const segment = this.#segmentOf(hash)
    return segment.valueAt(segment.find(key, hash))
  }

  /** The key as it was put: the same text, but not another copy of it. */
  ownKey(key: string, hash: number): string | undefined {
    const segment = this.#segmentOf(hash)
    return segment.keyAt(segment.find(key, hash))
  }

  /** Gives a key another value, if it was put in that era, and returns the one it had. */
  replace(key: string, hash: number, value: TValue, era: number): TValue | undefined {
    const segment = this.#segmentOf(hash)
    const at = segment.find(key, hash)
    return segment.eraAt(at) === era ? segment.replaceAt(at, value) : undefined
  }

  /** Adds an entry, in the place of the one with the same key if there is one. */
  put(key: string, hash: number, value: TValue, era: number): void {
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
    segment.setAt(at, key, hash, value, era)
  }

  /** Removes the entry with the key, if there is one. */
  remove(key: string, hash: number): void {
    const segment = this.#segmentOf(hash)
    const at = segment.find(key, hash)
    if (segment.isEmptyAt(at)) return
    segment.removeAt(at)
    this.#size--
  }

  #segmentOf(hash: number): Segment<TValue> {
    return this.#directory[hash >>> (32 - this.#depth)]!
  }

  #makeRoom(hash: number, segment: Segment<TValue>): void {
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
  #install(hash: number, segment: Segment<TValue>, part: number, parts: number): void {
    const length = 2 ** (this.#depth - segment.depth)
    const stretch = length * parts
    const first = (hash >>> (32 - this.#depth)) & ~(stretch - 1)
    this.#directory.fill(segment, first + length * part, first + length * (part + 1))
  }
}

/** What stands at a position, in cells beside each other: a hash, a key, its value and its era. */
const CELLS = 4
const KEY = 1
const VALUE = 2
const ERA = 3

/** Positions are given by the place of their first cell. */
class Segment<TValue> {
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

  valueAt(at: number): TValue | undefined {
    return this.#cells[at + VALUE] as TValue | undefined
  }

  eraAt(at: number): number | undefined {
    return this.#cells[at + ERA] as number | undefined
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

  setAt(at: number, key: string, hash: number, value: TValue, era: number): void {
    const cells = this.#cells
    if (cells[at] === EMPTY) this.#count++
    cells[at] = hash
    cells[at + KEY] = key
    cells[at + VALUE] = value
    cells[at + ERA] = era
  }

  replaceAt(at: number, value: TValue): TValue | undefined {
    const before = this.valueAt(at)
    this.#cells[at + VALUE] = value
    return before
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
  divided(depth: number, positions: number): [Segment<TValue>, Segment<TValue>] {
    const left = new Segment<TValue>(depth, positions)
    const right = depth === this.depth ? left : new Segment<TValue>(depth, positions)
    for (let at = 0; at < this.#cells.length; at += CELLS) {
      if (this.isEmptyAt(at)) continue
      const hash = this.#hashAt(at)
      const part = (hash >>> (32 - depth)) & 1 ? right : left
      part.setAt(part.#emptyFor(hash), this.keyAt(at)!, hash, this.valueAt(at)!, this.eraAt(at)!)
    }
    return [left, right]
  }

  #hashAt(at: number): number {
    return this.#cells[at] as number
  }

  /** Where an entry goes whose key is not there yet. */
  #emptyFor(hash: number): number {
    let position = hash & this.#mask
    while (!this.isEmptyAt(position * CELLS)) position = (position + 1) & this.#mask
    return position * CELLS
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
