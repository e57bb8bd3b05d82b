import { createHash } from 'node:crypto'
import { expectedEntries, type StoredItem } from 'singletable/engine'
import { FLUSHED_KEY } from './lmdb-file.ts'
import type { Marker } from './long-keys.ts'
import { isMarker, spaceOf, TOP } from './physical-keys.ts'
import { decodeValue } from './value-codec.ts'

/** Of the engine's layout of keys: the record of a table, the figures of an index, its entries, and
 * ranges that are still to be removed. */
const TABLE = '\x02'
const STATISTICS = '\x03'
const ENTRY = '\x04'
const PENDING_DELETES = '\x0c'
/** The kind, the id of the table and the id of the index. */
const INDEX_BYTES = 7
const SPACE_BYTES = 7

interface Figures {
  readonly items: number
  readonly bytes: number
}

/**
 * Checks entries in the order of their keys: the checksum of each value, that there are as many as
 * the storage and the engine have counted, and that the entries of each secondary index are those
 * of the table's items. For the last, sums over both are compared, so that memory does not grow
 * with the items.
 */
export class EntryCheck {
  readonly #report: (what: string) => void
  /** What the engine has counted, by the ids of table and index. */
  readonly #stated = new Map<string, Figures>()
  readonly #found = new Map<string, { items: number; bytes: number }>()
  /** Of each space: what its marker counts, and where the keys in it begin. */
  readonly #spaces = new Map<string, { readonly children: number; readonly beginning: string }>()
  readonly #children = new Map<string, number>()
  /** What an item has in the secondary indexes, by the id of its table. */
  readonly #expected = new Map<string, ReturnType<typeof expectedEntries>>()
  /** By table and index: the sum of what is there less the sum of what the items say; zero if they
   * are the same. */
  readonly #differences = new Map<string, bigint>()
  /** Indexes that are still being filled from the table's items. */
  readonly #filling = new Set<string>()
  #entries = 0
  #items = 0
  #isRemoving = false

  constructor(report: (what: string) => void) {
    this.#report = report
  }

  entry(key: string, bytes: Buffer): void {
    this.#entries++
    const value = decodeValue(key, Buffer.from(bytes))
    if (value === undefined) {
      // A changed key shows here as well: the checksum is over both.
      if (key !== FLUSHED_KEY) {
        const hex = Buffer.from(key, 'latin1').toString('hex')
        this.#report(
          `The value under the key ${hex} (${bytes.length} bytes) is not what was written.`,
        )
      }
      return
    }
    if (key[0] === '\0') return
    const isTop = key.startsWith(TOP)
    const space = isTop ? TOP : key.slice(0, SPACE_BYTES)
    const rest = key.slice(space.length)
    if (!isTop) this.#children.set(space, (this.#children.get(space) ?? 0) + 1)
    const beginning = isTop ? rest : (this.#spaces.get(space)?.beginning ?? '')
    if (isMarker(rest)) {
      const { space: number, children } = value as Marker
      this.#spaces.set(spaceOf(number), { children, beginning: beginning.slice(0, INDEX_BYTES) })
    } else this.#count(beginning, value)
  }

  end(): { readonly entries: number; readonly items: number } {
    for (const space of new Set([...this.#spaces.keys(), ...this.#children.keys()])) {
      const { children } = this.#spaces.get(space) ?? { children: 0 }
      const found = this.#children.get(space) ?? 0
      if (found !== children) {
        this.#report(
          `${found} entries with one long beginning were found where ${children} are counted.`,
        )
      }
    }
    for (const index of new Set([...this.#stated.keys(), ...this.#found.keys()])) {
      const stated = this.#stated.get(index)
      const found = this.#found.get(index) ?? { items: 0, bytes: 0 }
      // What is left of a deleted table or index is no longer counted.
      if (stated === undefined && this.#isRemoving) continue
      const { items, bytes } = stated ?? { items: 0, bytes: 0 }
      if (found.items === items && found.bytes === bytes) continue
      const [table, number] = idsOf(index)
      this.#report(
        `Index ${number} of table ${table} has ${found.items} items of ${found.bytes} bytes where ${items} of ${bytes} bytes are counted.`,
      )
    }
    for (const [index, difference] of this.#differences) {
      // What is left of a deleted index has figures no more.
      if (difference === 0n || !this.#stated.has(index) || this.#filling.has(index)) continue
      const [table, number] = idsOf(index)
      this.#report(
        `The entries of index ${number} of table ${table} are not those of the table's items.`,
      )
    }
    return { entries: this.#entries, items: this.#items }
  }

  #count(beginning: string, value: object): void {
    const index = beginning.slice(1, INDEX_BYTES)
    if (beginning[0] === TABLE) {
      const { id, indexes } = value as {
        readonly id: number
        readonly indexes: readonly { readonly id: number; readonly filling?: boolean }[]
      }
      this.#expected.set(tableBytes(id), expectedEntries(value))
      for (const each of indexes) {
        if (each.filling) this.#filling.add(tableBytes(id) + indexBytes(each.id))
      }
    } else if (beginning[0] === STATISTICS) this.#stated.set(index, value as Figures)
    else if (beginning[0] === PENDING_DELETES) this.#isRemoving = true
    else if (beginning[0] === ENTRY) {
      this.#items++
      const found = this.#found.get(index) ?? { items: 0, bytes: 0 }
      found.items++
      found.bytes += (value as { readonly sizeBytes: number }).sizeBytes
      this.#found.set(index, found)
      this.#compare(index, value as StoredItem)
    }
  }

  #compare(index: string, stored: StoredItem): void {
    const table = index.slice(0, 4)
    if (index.slice(4) !== PRIMARY) {
      this.#add(index, digest(stored.item))
      return
    }
    for (const { indexId, item } of this.#expected.get(table)?.(stored) ?? []) {
      this.#add(table + indexBytes(indexId), -digest(item))
    }
  }

  #add(index: string, difference: bigint): void {
    this.#differences.set(index, (this.#differences.get(index) ?? 0n) + difference)
  }
}

/** The id of the primary index. */
const PRIMARY = '\0\0'

function tableBytes(id: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(id)
  return bytes.toString('latin1')
}

function indexBytes(id: number): string {
  return String.fromCharCode(id >>> 8, id & 255)
}

/** The same for items that differ only in the order of members. */
function digest(item: object): bigint {
  const text = JSON.stringify(item, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
  return createHash('sha256').update(text).digest().readBigUInt64BE(0)
}

function idsOf(index: string): readonly [table: number, index: number] {
  const bytes = Buffer.from(index, 'latin1')
  return [bytes.readUInt32BE(0), bytes.readUInt16BE(4)]
}
