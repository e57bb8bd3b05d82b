import { ItemPacker } from './item-packer.ts'
import type { StorageValue } from './storage.ts'
import { StoredItem, type TextKeeper } from './stored-item.ts'

/** Rows of a chunk, which is what has to be copied when a row of a snapshot changes. */
const CHUNK_BITS = 14
const CHUNK_ROWS = 2 ** CHUNK_BITS
const CHUNK_MASK = CHUNK_ROWS - 1
/** The first chunk has few rows at first, and doubles, as most storages stay small. */
const FIRST_CHUNK_ROWS = 16

/** A row's cells, next to each other: its key, its value, and the size if that is a stored item. */
const CELLS = 3
const VALUE = 1
const SIZE = 2

/** This many writes ago, an object that is still there has outlived the small collections, and
 * counts as old. */
const RECENT_VALUES = 2 ** 15
/** This many recent values move to their rows at a time: the waits for memory in a short loop
 * overlap. */
const MOVED_TOGETHER = 2 ** 8

/** Ends the list of free rows. */
const NO_ROW = -1

/** The epoch of a chunk that belongs to a snapshot: none that may be changed. */
const NO_EPOCH = -1

/** The content of all rows at one time. */
export interface RowsSnapshot {
  readonly chunks: readonly unknown[][]
  readonly end: number
  readonly firstFree: number
}

/**
 * The entries of a storage, each in a numbered row, which stays the same as long as the entry is
 * there. Those that come one after another get rows next to each other.
 *
 * A value that takes the place of another one is first kept in a ring of recent values, and the row
 * says where. V8's collector notes every place where something old got to know something new, and
 * looks for these places by stretches of memory: if each value went to its row at once, nearly
 * every write in a large table would add a stretch. The ring has a few; and a value that moves on
 * from there to its row is old itself.
 *
 * A snapshot raises the epoch, and from then on a chunk of an older epoch is copied before it is
 * changed.
 *
 * Of a stored item the item alone is kept, with its size apart: one step less to go for every read.
 *
 * @example
 * const rows = new Rows()
 * const row = rows.add('a', { n: 1 })
 * rows.valueAt(row) // => { n: 1 }
 */
export class Rows implements TextKeeper {
  readonly #packer = new ItemPacker()
  #epoch = 0
  #chunks: unknown[][] = [emptyCells(FIRST_CHUNK_ROWS)]
  /** Of each chunk, since when it may be changed; before that it belongs to snapshots too. */
  #epochs: number[] = [0]
  /** Rows from here on were never used. */
  #end = 0
  /** The first row that is free again. Such a row has the next one in the place of its size. */
  #firstFree = NO_ROW
  #recent: unknown[] = []
  /** The row of each recent value. */
  #recentRows: number[] = []
  #nextRecent = 0

  keyAt(row: number): string {
    return this.#chunks[row >>> CHUNK_BITS]![(row & CHUNK_MASK) * CELLS] as string
  }

  valueAt(row: number): StorageValue {
    const cells = this.#chunks[row >>> CHUNK_BITS]!
    const at = (row & CHUNK_MASK) * CELLS
    let value = cells[at + VALUE]
    if (typeof value === 'number') value = this.#recent[value]
    const sizeBytes = cells[at + SIZE]
    return sizeBytes === undefined
      ? (value as StorageValue)
      : StoredItem.packed(this.#packer, value as string, sizeBytes as number, this, row)
  }

  /**
   * Replaces the text of an item by its JSON. That is the same item, so a chunk that belongs to a
   * snapshot is not copied before. The row may have another item by now, or none.
   */
  keepJson(row: number, packed: string, json: string): void {
    const cells = this.#chunks[row >>> CHUNK_BITS]
    if (cells === undefined) return
    const at = (row & CHUNK_MASK) * CELLS + VALUE
    // A long text is a tree of parts; looking at a character makes it one piece of memory.
    json.charCodeAt(0)
    const value = cells[at]
    if (typeof value === 'number') {
      if (this.#recent[value] === packed) this.#recent[value] = json
    } else if (value === packed) cells[at] = json
  }

  /** Packs a value that is to be added or to replace another one, so that this is quick then. */
  prepare(value: StorageValue): void {
    if (value instanceof StoredItem) value.packedBy(this.#packer)
  }

  /** Makes a row for a new entry. */
  add(key: string, value: StorageValue): number {
    const row = this.#freeRow()
    const cells = this.#writableChunk(row)
    const at = (row & CHUNK_MASK) * CELLS
    const isItem = value instanceof StoredItem
    cells[at] = key
    cells[at + VALUE] = isItem ? value.packedBy(this.#packer) : value
    cells[at + SIZE] = isItem ? value.sizeBytes : undefined
    return row
  }

  /** Gives an entry another value. */
  replace(row: number, value: StorageValue): void {
    const cells = this.#writableChunk(row)
    const at = (row & CHUNK_MASK) * CELLS
    const isItem = value instanceof StoredItem
    const content = isItem ? value.packedBy(this.#packer) : value
    const place = cells[at + VALUE]
    if (typeof place === 'number') this.#recent[place] = content
    else cells[at + VALUE] = this.#addRecent(row, content)
    cells[at + SIZE] = isItem ? value.sizeBytes : undefined
  }

  /** Removes an entry; its row is then free for another one. */
  remove(row: number): void {
    const cells = this.#writableChunk(row)
    const at = (row & CHUNK_MASK) * CELLS
    const place = cells[at + VALUE]
    if (typeof place === 'number') this.#recent[place] = undefined
    cells[at] = undefined
    cells[at + VALUE] = undefined
    cells[at + SIZE] = this.#firstFree
    this.#firstFree = row
  }

  snapshot(): RowsSnapshot {
    this.#moveToRows(0, this.#recent.length)
    this.#forgetRecent()
    this.#epoch++
    return { chunks: this.#chunks.slice(), end: this.#end, firstFree: this.#firstFree }
  }

  /** Puts everything back as it was at the snapshot, which stays usable. */
  restore(snapshot: RowsSnapshot): void {
    this.#forgetRecent()
    this.#chunks = snapshot.chunks.slice()
    this.#epochs = this.#chunks.map(() => NO_EPOCH)
    this.#end = snapshot.end
    this.#firstFree = snapshot.firstFree
  }

  #freeRow(): number {
    const row = this.#firstFree
    if (row === NO_ROW) {
      this.#makeRoom()
      return this.#end++
    }
    const cells = this.#chunks[row >>> CHUNK_BITS]!
    this.#firstFree = cells[(row & CHUNK_MASK) * CELLS + SIZE] as number
    return row
  }

  #makeRoom(): void {
    const last = this.#chunks.length - 1
    const cells = this.#chunks[last]!
    const rows = cells.length / CELLS
    if (this.#end < last * CHUNK_ROWS + rows) return
    if (rows === CHUNK_ROWS) {
      this.#chunks.push(emptyCells(CHUNK_ROWS))
      this.#epochs.push(this.#epoch)
    } else {
      this.#chunks[last] = cells.concat(emptyCells(rows))
      this.#epochs[last] = this.#epoch
    }
  }

  /** The cells of the row's chunk, as ones that may be changed. */
  #writableChunk(row: number): unknown[] {
    const chunk = row >>> CHUNK_BITS
    if (this.#epochs[chunk] !== this.#epoch) {
      this.#chunks[chunk] = this.#chunks[chunk]!.slice()
      this.#epochs[chunk] = this.#epoch
    }
    return this.#chunks[chunk]!
  }

  #addRecent(row: number, content: unknown): number {
    const place = this.#nextRecent
    this.#nextRecent = (place + 1) % RECENT_VALUES
    if (place < this.#recent.length && place % MOVED_TOGETHER === 0) {
      this.#moveToRows(place, place + MOVED_TOGETHER)
    }
    this.#recent[place] = content
    this.#recentRows[place] = row
    return place
  }

  /**
   * Moves values from the ring to their rows, unless these have none any more. The chunks of these
   * rows may be changed: they were when the values came, and a snapshot moves all values first.
   */
  #moveToRows(from: number, to: number): void {
    const recent = this.#recent
    for (let place = from; place < to; place++) {
      const row = this.#recentRows[place]!
      const cells = this.#chunks[row >>> CHUNK_BITS]!
      const at = (row & CHUNK_MASK) * CELLS + VALUE
      if (cells[at] === place) cells[at] = recent[place]
      recent[place] = undefined
    }
  }

  #forgetRecent(): void {
    this.#recent = []
    this.#recentRows = []
    this.#nextRecent = 0
  }
}

function emptyCells(rows: number): unknown[] {
  return new Array<unknown>(rows * CELLS).fill(undefined)
}
