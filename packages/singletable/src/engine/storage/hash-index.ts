/** What a hash index finds by its key. It knows the key's hash, so that it can be found again without looking at the key. */
export interface Keyed {
  readonly key: string
  /** What `hashOf` gives for the key. */
  readonly hash: number
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
 * Finds entries by their key, whatever their number, and holds a value for each, with as few steps through memory as possible: in a large
 * table each step is a wait for memory, and these waits are most of what it costs. Hash, entry and value stand beside each other, so an entry
 * is looked at only if its whole hash agrees, and then hardly ever in vain, while its value is already on the way.
 *
 * Values are here, and not in the entries, because of the garbage collector too: it takes down where an old object gets to know
 * a new one, and to do so in a few large arrays is much cheaper than in millions of small objects all over the memory.
 *
 * The first bits of the hash choose a segment through a directory, the last ones a position in it, or the next free one after
 * that. A segment that is full is split in two by one more bit of the hash (extendible hashing), so growing never means to move
 * everything at once.
 *
 * @example
 * const index = new HashIndex<{ key: string; hash: number }, number>()
 * index.put({ key: 'a', hash: hashOf('a') }, 1)
 * index.get('a') // => 1
 */
export class HashIndex<TEntry extends Keyed, TValue> {
  #depth = 1
  #directory: Segment<TEntry, TValue>[]
  #size = 0

  constructor() {
    const segment = new Segment<TEntry, TValue>(0, SEGMENT_POSITIONS_MIN)
    this.#directory = [segment, segment]
  }

  /** How many entries are here. */
  get size(): number {
    return this.#size
  }

  /** The value of the entry with the key. */
  get(key: string): TValue | undefined {
    const hash = hashOf(key)
    const segment = this.#segmentOf(hash)
    const at = segment.find(hash, key)
    return segment.valueAt(at)
  }

  /** The entry with the key, which may have been put together anew; its hash must be the key's. */
  find(key: string, hash: number): TEntry | undefined {
    const segment = this.#segmentOf(hash)
    return segment.entryAt(segment.find(hash, key))
  }

  /** The value of an entry that is here: of this very one, not of another with its key. */
  valueOf(entry: TEntry): TValue | undefined {
    const segment = this.#segmentOf(entry.hash)
    return segment.valueAt(segment.findEntry(entry))
  }

  /** Gives an entry that is here another value, and returns the one it had. */
  replace(entry: TEntry, value: TValue): TValue | undefined {
    const segment = this.#segmentOf(entry.hash)
    return segment.replaceAt(segment.findEntry(entry), value)
  }

  /** Adds an entry, in the place of the one with the same key if there is one. */
  put(entry: TEntry, value: TValue): void {
    const { key, hash } = entry
    let segment = this.#segmentOf(hash)
    let at = segment.find(hash, key)
    if (segment.isEmptyAt(at) && segment.isFull()) {
      do {
        this.#makeRoom(hash, segment)
        segment = this.#segmentOf(hash)
      } while (segment.isFull())
      at = segment.find(hash, key)
    }
    if (segment.isEmptyAt(at)) this.#size++
    segment.setAt(at, entry, value)
  }

  /** Removes the entry with the key, if there is one. */
  remove(key: string): void {
    const hash = hashOf(key)
    const segment = this.#segmentOf(hash)
    const at = segment.find(hash, key)
    if (segment.isEmptyAt(at)) return
    segment.removeAt(at)
    this.#size--
  }

  #segmentOf(hash: number): Segment<TEntry, TValue> {
    return this.#directory[hash >>> (32 - this.#depth)]!
  }

  #makeRoom(hash: number, segment: Segment<TEntry, TValue>): void {
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
  #install(hash: number, segment: Segment<TEntry, TValue>, part: number, parts: number): void {
    const length = 2 ** (this.#depth - segment.depth)
    const stretch = length * parts
    const first = (hash >>> (32 - this.#depth)) & ~(stretch - 1)
    this.#directory.fill(segment, first + length * part, first + length * (part + 1))
  }
}

/** What stands at a position: a hash, an entry and its value, in three cells. */
const CELLS = 3

/** Positions are given by the place of their first cell. */
class Segment<TEntry extends Keyed, TValue> {
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

  entryAt(at: number): TEntry | undefined {
    return this.#cells[at + 1] as TEntry | undefined
  }

  valueAt(at: number): TValue | undefined {
    return this.#cells[at + 2] as TValue | undefined
  }

  /** The position of the key, or the empty one where it would go. */
  find(hash: number, key: string): number {
    const cells = this.#cells
    const mask = this.#mask
    let position = hash & mask
    for (;;) {
      const at = position * CELLS
      const found = cells[at]
      if (found === EMPTY) return at
      if (found === hash && (cells[at + 1] as TEntry).key === key) return at
      position = (position + 1) & mask
    }
  }

  /** The position of the entry, or an empty one. */
  findEntry(entry: TEntry): number {
    const cells = this.#cells
    const mask = this.#mask
    let position = entry.hash & mask
    for (;;) {
      const at = position * CELLS
      if (cells[at + 1] === entry || cells[at] === EMPTY) return at
      position = (position + 1) & mask
    }
  }

  setAt(at: number, entry: TEntry, value: TValue): void {
    const cells = this.#cells
    if (cells[at] === EMPTY) this.#count++
    cells[at] = entry.hash
    cells[at + 1] = entry
    cells[at + 2] = value
  }

  replaceAt(at: number, value: TValue): TValue | undefined {
    const before = this.#cells[at + 2] as TValue | undefined
    this.#cells[at + 2] = value
    return before
  }

  /** Those that stand behind, because their own position was taken, move up, so that no search stops before it reaches them. */
  removeAt(at: number): void {
    const cells = this.#cells
    const mask = this.#mask
    let free = at / CELLS
    for (let next = (free + 1) & mask; cells[next * CELLS] !== EMPTY; next = (next + 1) & mask) {
      const home = (cells[next * CELLS] as number) & mask
      // One whose own position lies behind the free one must stay.
      if (((next - home) & mask) < ((next - free) & mask)) continue
      for (let cell = 0; cell < CELLS; cell++)
        cells[free * CELLS + cell] = cells[next * CELLS + cell]
      free = next
    }
    cells[free * CELLS] = EMPTY
    cells[free * CELLS + 1] = undefined
    cells[free * CELLS + 2] = undefined
    this.#count--
  }

  /** Its content in new segments of that depth: one of the same depth, or two where the bit after the common ones divides them. */
  divided(depth: number, positions: number): [Segment<TEntry, TValue>, Segment<TEntry, TValue>] {
    const left = new Segment<TEntry, TValue>(depth, positions)
    const right = depth === this.depth ? left : new Segment<TEntry, TValue>(depth, positions)
    for (let at = 0; at < this.#cells.length; at += CELLS) {
      if (this.isEmptyAt(at)) continue
      const entry = this.entryAt(at)!
      const part = (entry.hash >>> (32 - depth)) & 1 ? right : left
      part.#append(entry, this.valueAt(at)!)
    }
    return [left, right]
  }

  /** Adds an entry whose key is not there yet. */
  #append(entry: TEntry, value: TValue): void {
    this.setAt(this.findEntry(entry), entry, value)
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
