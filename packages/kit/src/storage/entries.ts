import type { StorageKey, StorageRange, StorageValue, StorageVisitor } from 'singletable/engine'
import type { LmdbFile, PhysicalKey, PhysicalWrite, ReadPoint } from './lmdb-file.ts'
import { LongKeys, type Marker } from './long-keys.ts'
import { type PendingWrites, REMOVED } from './pending-writes.ts'
import {
  headOf,
  isLong,
  isMarker,
  markerKey,
  type Space,
  spaceEnd,
  spaceOf,
  TOP,
  tailOf,
} from './physical-keys.ts'
import { storageDamaged } from './storage-errors.ts'
import { decodeValue, ValueEncoder } from './value-codec.ts'

/** Where the last number of a space is kept. */
const LAST_SPACE_KEY: PhysicalKey = '\0last-space'

/** A step of encoding ends with the value that reaches this size. */
const STEP_BYTES = 65_536

/** Takes one write; false to get no more. */
type PhysicalWriter = (write: PhysicalWrite) => boolean

/** The entries of the storage as they are in the file: keys cut where LMDB needs it, values
 * encoded. */
export class Entries {
  readonly #file: LmdbFile
  readonly #path: string
  readonly #encoder = new ValueEncoder()

  constructor(file: LmdbFile, path: string) {
    this.#file = file
    this.#path = path
  }

  get(key: StorageKey, point: ReadPoint): StorageValue | undefined {
    const at = isLong(key) ? this.#locate(key, point) : TOP + key
    return at === undefined ? undefined : this.#value(at, point)
  }

  visit(range: StorageRange, point: ReadPoint, visitor: StorageVisitor): void {
    if (range.start >= range.end) return
    this.#visitSpace(TOP, '', range, point, (key, at, bytes) =>
      visitor(key, this.#decode(at, bytes)),
    )
  }

  /**
   * Everything that is pending as writes to the file, given its state before; undefined if there
   * are more than `writesMax` of them. A step ends with the write that makes it large.
   */
  *list(
    pending: PendingWrites,
    point: ReadPoint,
    writesMax: number,
  ): Generator<void, PhysicalWrite[] | undefined> {
    const writes: PhysicalWrite[] = []
    const complete = yield* this.write(pending, point, (write) => writes.push(write) < writesMax)
    return complete ? writes : undefined
  }

  /** Passes on everything that is pending as writes to the file, given its state before, until
   * `write` returns false; returns whether it never did. */
  *write(
    pending: PendingWrites,
    point: ReadPoint,
    write: PhysicalWriter,
  ): Generator<void, boolean> {
    const longKeys = new LongKeys({
      marker: (at) => this.#value(at, point) as Marker | undefined,
      has: (at) => this.#file.get(at, point) !== undefined,
      lastSpace: () => this.#lastSpace(point),
    })
    let stepBytes = 0
    const put = (key: PhysicalKey, value: StorageValue): boolean => {
      const bytes = this.#encoder.encode(key, value)
      stepBytes += bytes.length
      return write({ key, bytes })
    }
    const remove = (key: StorageKey): boolean => {
      const at = isLong(key) ? longKeys.remove(key) : TOP + key
      return at === undefined || write({ key: at, bytes: undefined })
    }
    for (const { start, end } of pending.ranges) {
      if (!this.#visitSpace(TOP, '', { start, end }, point, remove)) return false
    }
    for (const [key, value] of pending.entries) {
      const more =
        value === REMOVED ? remove(key) : put(isLong(key) ? longKeys.put(key) : TOP + key, value)
      if (!more) return false
      if (stepBytes < STEP_BYTES) continue
      stepBytes = 0
      yield
    }
    for (const [at, marker] of longKeys.markers) {
      if (marker === undefined) write({ key: at, bytes: undefined })
      else put(at, marker)
    }
    if (longKeys.lastSpace !== undefined) put(LAST_SPACE_KEY, { last: longKeys.lastSpace })
    return true
  }

  /** Makes the file as it was at another point, in no more memory than two entries need. */
  writeDifference(from: ReadPoint, to: ReadPoint, write: (write: PhysicalWrite) => void): void {
    const everything = { start: TOP, end: EVERYTHING_END, reverse: false }
    const before = this.#file.range(everything, from)[Symbol.iterator]()
    const after = this.#file.range(everything, to)[Symbol.iterator]()
    let old = copyOf(before.next())
    let wanted = copyOf(after.next())
    while (old !== undefined || wanted !== undefined) {
      if (wanted === undefined || (old !== undefined && old.key < wanted.key)) {
        write({ key: old!.key, bytes: undefined })
        old = copyOf(before.next())
      } else if (old === undefined || wanted.key < old.key) {
        write({ key: wanted.key, bytes: wanted.value })
        wanted = copyOf(after.next())
      } else {
        if (!old.value.equals(wanted.value)) write({ key: wanted.key, bytes: wanted.value })
        old = copyOf(before.next())
        wanted = copyOf(after.next())
      }
    }
  }

  #lastSpace(point: ReadPoint): number {
    const stored = this.#value(LAST_SPACE_KEY, point) as { readonly last: number } | undefined
    return stored?.last ?? 0
  }

  #locate(key: StorageKey, point: ReadPoint): PhysicalKey | undefined {
    let space: Space = TOP
    let rest = key
    for (; isLong(rest); rest = tailOf(rest)) {
      const marker = this.#value(markerKey(space, headOf(rest)), point) as Marker | undefined
      if (marker === undefined) return undefined
      space = spaceOf(marker.space)
    }
    return space + rest
  }

  #value(at: PhysicalKey, point: ReadPoint): StorageValue | undefined {
    const bytes = this.#file.get(at, point)
    return bytes === undefined ? undefined : this.#decode(at, bytes)
  }

  #decode(at: PhysicalKey, bytes: Buffer): StorageValue {
    const value = decodeValue(at, bytes)
    if (value !== undefined) return value
    throw storageDamaged(
      this.#path,
      `The value under the key ${Buffer.from(at, 'latin1').toString('hex')} (${bytes.length} bytes) is not what was written.`,
    )
  }

  /** Visits the keys of a space; `prefix` is what was cut off before. False ends the visit, also
   * those around it. */
  #visitSpace(
    space: Space,
    prefix: StorageKey,
    range: { readonly start: StorageKey; readonly end?: StorageKey; readonly reverse?: boolean },
    point: ReadPoint,
    visitor: (key: StorageKey, at: PhysicalKey, bytes: Buffer) => boolean,
  ): boolean {
    const { start, end, reverse = false } = range
    const physical = {
      start: isLong(start) ? markerKey(space, headOf(start)) : space + start,
      end: physicalEnd(space, end),
      reverse,
    }
    for (const { key: at, value: bytes } of this.#file.range(physical, point)) {
      const rest = at.slice(space.length)
      if (!isMarker(rest)) {
        if (!visitor(prefix + rest, at, bytes)) return false
        continue
      }
      const head = headOf(rest)
      const marker = this.#decode(at, bytes) as Marker
      const inner = {
        start: isLong(start) && headOf(start) === head ? tailOf(start) : '',
        ...(end !== undefined && isLong(end) && headOf(end) === head ? { end: tailOf(end) } : {}),
        reverse,
      }
      if (!this.#visitSpace(spaceOf(marker.space), prefix + head, inner, point, visitor)) {
        return false
      }
    }
    return true
  }
}

/** After all spaces; their first byte is 1 or 2. */
const EVERYTHING_END: PhysicalKey = '\x03'

/** The first key that is no longer part of the range. A marker with the head of a long end has keys
 * before the end, so it is. */
function physicalEnd(space: Space, end: StorageKey | undefined): PhysicalKey {
  if (end === undefined) return spaceEnd(space)
  return isLong(end) ? `${markerKey(space, headOf(end))}\0` : space + end
}

/** Bytes of LMDB are good only until the next step, but here two ranges are read at a time. */
function copyOf(
  step: IteratorResult<{ key: PhysicalKey; value: Buffer }>,
): { key: PhysicalKey; value: Buffer } | undefined {
  return step.done === true
    ? undefined
    : {
        key: step.value.key,
        value: Buffer.from(step.value.value.subarray(0, step.value.value.length)),
      }
}
