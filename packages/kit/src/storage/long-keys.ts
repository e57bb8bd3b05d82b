import type { StorageKey } from 'singletable/engine'
import type { PhysicalKey } from './lmdb-file.ts'
import { headOf, isLong, markerKey, type Space, spaceOf, TOP, tailOf } from './physical-keys.ts'

/** The value of a marker: which space it leads to, and how many keys and markers live there. It
 * goes when the last of them goes. */
export interface Marker {
  readonly space: number
  readonly children: number
}

/** What the markers of a group of writes are made from. */
export interface LongKeySource {
  /** The marker in the file before the group. */
  marker(key: PhysicalKey): Marker | undefined
  /** Whether the file had a value under this key before the group. */
  has(key: PhysicalKey): boolean
  /** The last number that was given to a space before the group; none is given twice. */
  lastSpace(): number
}

/** Where the long keys of one group of writes are, and the markers that change with them. */
export class LongKeys {
  readonly #source: LongKeySource
  readonly #markers = new Map<PhysicalKey, Marker | undefined>()
  readonly #present = new Map<PhysicalKey, boolean>()
  #lastSpace: number | undefined

  constructor(source: LongKeySource) {
    this.#source = source
  }

  /** The last number given to a space, if the group has needed a new one. */
  get lastSpace(): number | undefined {
    return this.#lastSpace
  }

  /** Markers to write, or to remove where undefined. */
  get markers(): ReadonlyMap<PhysicalKey, Marker | undefined> {
    return this.#markers
  }

  /** Where the value of the key is to be put. */
  put(key: StorageKey): PhysicalKey {
    const path: PhysicalKey[] = []
    let space: Space = TOP
    let rest = key
    for (; isLong(rest); rest = tailOf(rest)) {
      const at = markerKey(space, headOf(rest))
      let marker = this.#marker(at)
      if (marker === undefined) {
        this.#lastSpace = (this.#lastSpace ?? this.#source.lastSpace()) + 1
        marker = { space: this.#lastSpace, children: 0 }
        this.#markers.set(at, marker)
        this.#count(path.at(-1), 1)
      }
      path.push(at)
      space = spaceOf(marker.space)
    }
    const found = space + rest
    if (!this.#has(found)) this.#count(path.at(-1), 1)
    this.#present.set(found, true)
    return found
  }

  /** Where the value of the key is, if there is one. */
  remove(key: StorageKey): PhysicalKey | undefined {
    const path: PhysicalKey[] = []
    let space: Space = TOP
    let rest = key
    for (; isLong(rest); rest = tailOf(rest)) {
      const at = markerKey(space, headOf(rest))
      const marker = this.#marker(at)
      if (marker === undefined) return undefined
      path.push(at)
      space = spaceOf(marker.space)
    }
    const found = space + rest
    if (!this.#has(found)) return undefined
    this.#present.set(found, false)
    // A marker whose space is empty goes, and is one less in the space where it was.
    for (let at = path.pop(); at !== undefined; at = path.pop()) {
      if (this.#count(at, -1) > 0) break
      this.#markers.set(at, undefined)
    }
    return found
  }

  #marker(at: PhysicalKey): Marker | undefined {
    return this.#markers.has(at) ? this.#markers.get(at) : this.#source.marker(at)
  }

  #has(key: PhysicalKey): boolean {
    return this.#present.get(key) ?? this.#source.has(key)
  }

  /** Adds to the children of a marker, if there is one, and returns how many it has then. */
  #count(at: PhysicalKey | undefined, change: number): number {
    const marker = at === undefined ? undefined : this.#marker(at)
    if (at === undefined || marker === undefined) return 0
    const children = marker.children + change
    this.#markers.set(at, { space: marker.space, children })
    return children
  }
}
