import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'

/**
 * LMDB's file format (version 2, as lmdb-js writes it), read without LMDB: it maps the file, and a
 * file that is shorter than it says, or whose pages point anywhere, ends the process by a signal.
 *
 * A page is 24 bytes of header (own number 8, transaction 8, padding 2, flags 2, then the ends of
 * its free space, 2 each, or the number of overflow pages, 4) and its contents. Pages 0 and 1 are
 * meta pages, written by turns. All numbers are little-endian.
 */
export const PAGE_HEADER_BYTES = 24
const MAGIC = 0xbeefc0de
const FORMAT_VERSION = 2
const META_BYTES = 168
const PAGE_BYTES_MIN = 512
const PAGE_BYTES_MAX = 65_536
/** Of a meta page whose commit has not been flushed yet. */
const UNFLUSHED_FLAG = 0x1000
const NO_PAGE = -1

export const BRANCH_FLAG = 1
export const LEAF_FLAG = 2
export const OVERFLOW_FLAG = 4
/** Flags that only memory has a use for. */
export const KIND_FLAGS: number = BRANCH_FLAG | LEAF_FLAG | OVERFLOW_FLAG | 8 | 0x20 | 0x40

/** What a meta page says about one of its two trees. */
export interface TreeRoot {
  readonly depth: number
  readonly branchPages: number
  readonly leafPages: number
  readonly overflowPages: number
  readonly entries: number
  /** -1 if the tree is empty. */
  readonly root: number
}

export interface MetaPage {
  readonly pageBytes: number
  readonly lastPage: number
  readonly transaction: number
  readonly isFlushed: boolean
  readonly bootId: number
  /** Pages that may be used again, by the transaction that gave them up. */
  readonly free: TreeRoot
  readonly main: TreeRoot
}

/** Something in the file that can't be as it is. */
export class DamagedPageError extends Error {
  override readonly name = 'DamagedPageError'
}

/** A data file of LMDB, opened for reading alone. */
export class PageFile {
  readonly #file: number
  readonly sizeBytes: number
  /** Those of pages 0 and 1. */
  readonly metas: readonly [MetaPage, MetaPage]
  /** The state that LMDB opens. */
  readonly meta: MetaPage

  constructor(path: string) {
    this.#file = openSync(path, 'r')
    try {
      this.sizeBytes = fstatSync(this.#file).size
      if (this.sizeBytes === 0) throw new DamagedPageError('is empty')
      const first = this.#meta(0)
      const second = this.#meta(first.pageBytes)
      if (second.pageBytes !== first.pageBytes) {
        throw new DamagedPageError(
          `has two page sizes, ${first.pageBytes} and ${second.pageBytes} bytes`,
        )
      }
      this.metas = [first, second]
      const newest = first.transaction >= second.transaction ? first : second
      this.meta = this.#survivor(newest)
    } catch (error) {
      this.close()
      throw error
    }
  }

  get pageBytes(): number {
    return this.meta.pageBytes
  }

  /** How many pages the file has in full. */
  get pages(): number {
    return Math.floor(this.sizeBytes / this.pageBytes)
  }

  hasPage(number: number): boolean {
    return number > 1 && number <= this.meta.lastPage
  }

  /** The bytes of one page, or of several that follow each other. */
  page(number: number, count: number = 1): Buffer {
    if (!this.hasPage(number) || !this.hasPage(number + count - 1)) {
      throw new DamagedPageError(`refers to page ${number} of ${this.meta.lastPage + 1}`)
    }
    const bytes = Buffer.allocUnsafe(count * this.pageBytes)
    if (readSync(this.#file, bytes, 0, bytes.length, number * this.pageBytes) < bytes.length) {
      throw new DamagedPageError(`ends before page ${number + count - 1}, which it uses`)
    }
    const own = Number(bytes.readBigUInt64LE(0))
    if (own === number) return bytes
    throw new DamagedPageError(`has page ${own} in the place of page ${number}`)
  }

  close(): void {
    closeSync(this.#file)
  }

  #meta(offset: number): MetaPage {
    const bytes = Buffer.alloc(META_BYTES)
    readSync(this.#file, bytes, 0, bytes.length, offset)
    if (bytes.readUInt32LE(24) !== MAGIC || bytes.readUInt16LE(28) !== FORMAT_VERSION) {
      throw new DamagedPageError(
        offset === 0 ? 'is not a file of LMDB' : 'has lost its second meta page',
      )
    }
    const meta = readMeta(bytes)
    const { pageBytes } = meta
    if (
      pageBytes < PAGE_BYTES_MIN ||
      pageBytes > PAGE_BYTES_MAX ||
      (pageBytes & (pageBytes - 1)) !== 0
    ) {
      throw new DamagedPageError(`has pages of ${pageBytes} bytes`)
    }
    return meta
  }

  /** After a restart of the machine LMDB goes back from commits that were not flushed to the last
   * that was, in the middle of page 0. */
  #survivor(newest: MetaPage): MetaPage {
    if (newest.isFlushed || newest.bootId === bootId()) return newest
    const bytes = Buffer.alloc(META_BYTES)
    readSync(this.#file, bytes, 0, bytes.length, newest.pageBytes >> 1)
    const flushed = readMeta(bytes)
    return flushed.pageBytes === newest.pageBytes ? flushed : newest
  }
}

function readMeta(bytes: Buffer): MetaPage {
  return {
    pageBytes: bytes.readUInt32LE(48),
    lastPage: Number(bytes.readBigUInt64LE(144)),
    transaction: Number(bytes.readBigUInt64LE(152)),
    isFlushed: (bytes.readUInt16LE(52) & UNFLUSHED_FLAG) === 0,
    bootId: Number(bytes.readBigInt64LE(160)),
    free: readTree(bytes, 48),
    main: readTree(bytes, 96),
  }
}

function readTree(bytes: Buffer, at: number): TreeRoot {
  const root = bytes.readBigInt64LE(at + 40)
  return {
    depth: bytes.readUInt16LE(at + 6),
    branchPages: Number(bytes.readBigUInt64LE(at + 8)),
    leafPages: Number(bytes.readBigUInt64LE(at + 16)),
    overflowPages: Number(bytes.readBigUInt64LE(at + 24)),
    entries: Number(bytes.readBigUInt64LE(at + 32)),
    root: root === -1n ? NO_PAGE : Number(root),
  }
}

/** The start of the id that Linux gives each start of the machine, as LMDB reads it. */
function bootId(): number {
  try {
    return Number.parseInt(readFileSync('/proc/sys/kernel/random/boot_id', 'latin1'), 16)
  } catch {
    return 0
  }
}
