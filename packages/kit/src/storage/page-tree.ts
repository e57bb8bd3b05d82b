import {
  BRANCH_FLAG,
  DamagedPageError,
  KIND_FLAGS,
  LEAF_FLAG,
  OVERFLOW_FLAG,
  PAGE_HEADER_BYTES,
  type PageFile,
  type TreeRoot,
} from './page-file.ts'

/** How far a tree of LMDB can reach; more is a circle. */
const DEPTH_MAX = 32
const NODE_HEADER_BYTES = 8
const BIG_DATA_FLAG = 1

export interface TreeVisitor {
  /** Each entry in the order of the keys, written as Latin-1; the bytes are good only until the
   * next call. */
  entry(key: string, bytes: Buffer): void
  /** Each page that the tree uses. */
  page(number: number): void
  /** What is wrong with a page; what is below it is passed over. */
  damage(what: string): void
}

/** Walks a tree of LMDB and finds every page of it that can't be right. Also compares what there is
 * with what its meta page says. */
export function walkTree(file: PageFile, tree: TreeRoot, visitor: TreeVisitor): void {
  new TreeWalk(file, tree, visitor, true).run()
}

/** As `walkTree`, without the pages that hold entries, which are nearly all. */
export function walkBranches(
  file: PageFile,
  tree: TreeRoot,
  visitor: Pick<TreeVisitor, 'damage'>,
): void {
  new TreeWalk(file, tree, { entry: () => {}, page: () => {}, ...visitor }, false).run()
}

class TreeWalk {
  readonly #file: PageFile
  readonly #tree: TreeRoot
  readonly #visitor: TreeVisitor
  readonly #readsLeaves: boolean
  #branchPages = 0
  #leafPages = 0
  #overflowPages = 0
  #entries = 0
  #lastKey: Buffer | undefined
  #isLastInLeaf = false

  constructor(file: PageFile, tree: TreeRoot, visitor: TreeVisitor, readsLeaves: boolean) {
    this.#readsLeaves = readsLeaves
    this.#file = file
    this.#tree = tree
    this.#visitor = visitor
  }

  run(): void {
    const { root, depth } = this.#tree
    if (depth > DEPTH_MAX) {
      this.#visitor.damage(`a tree is ${depth} levels deep`)
      return
    }
    if (root >= 0) this.#visit(root, depth)
    this.#compare('branch pages', this.#branchPages, this.#tree.branchPages)
    if (!this.#readsLeaves) return
    this.#compare('leaf pages', this.#leafPages, this.#tree.leafPages)
    this.#compare('overflow pages', this.#overflowPages, this.#tree.overflowPages)
    this.#compare('entries', this.#entries, this.#tree.entries)
  }

  #compare(what: string, found: number, stated: number): void {
    if (found !== stated) {
      this.#visitor.damage(`${found} ${what} were found where the file says ${stated}`)
    }
  }

  #visit(number: number, levels: number): void {
    const isLeaf = levels <= 1
    if (isLeaf && !this.#readsLeaves) {
      if (!this.#file.hasPage(number)) this.#visitor.damage(`refers to page ${number}`)
      return
    }
    try {
      const page = this.#file.page(number)
      this.#visitor.page(number)
      const kind = page.readUInt16LE(18) & KIND_FLAGS
      if (kind !== (isLeaf ? LEAF_FLAG : BRANCH_FLAG)) {
        throw new DamagedPageError(`page ${number} is not a ${isLeaf ? 'leaf' : 'branch'}`)
      }
      if (isLeaf) this.#leafPages++
      else this.#branchPages++
      const nodes = nodesOf(page, number)
      for (const [index, at] of nodes.entries()) {
        if (isLeaf) this.#readEntry(page, number, at)
        else {
          // The first key of a branch is left empty: it stands for all that is smaller.
          if (index > 0) this.#follow(keyAt(page, number, at), number, false)
          this.#visit(childAt(page, at), levels - 1)
        }
      }
    } catch (error) {
      if (!(error instanceof DamagedPageError)) throw error
      this.#visitor.damage(error.message)
    }
  }

  #readEntry(page: Buffer, number: number, at: number): void {
    const key = keyAt(page, number, at)
    this.#follow(key, number, true)
    const length = page.readUInt32LE(at)
    const start = at + NODE_HEADER_BYTES + key.length
    const isBig = (page.readUInt16LE(at + 4) & BIG_DATA_FLAG) !== 0
    if (start + (isBig ? 24 : length) > page.length) {
      throw new DamagedPageError(`an entry of page ${number} reaches beyond its end`)
    }
    this.#entries++
    const bytes = isBig
      ? this.#overflow(Number(page.readBigUInt64LE(start)), length)
      : page.subarray(start, start + length)
    this.#visitor.entry(key.toString('latin1'), bytes)
  }

  /** A value that is too large for a page has pages of its own. */
  #overflow(number: number, length: number): Buffer {
    const count = Math.floor((PAGE_HEADER_BYTES - 1 + length) / this.#file.pageBytes) + 1
    const pages = this.#file.page(number, count)
    if (
      (pages.readUInt16LE(18) & KIND_FLAGS) !== OVERFLOW_FLAG ||
      pages.readUInt32LE(20) !== count
    ) {
      throw new DamagedPageError(`page ${number} does not begin a value of ${length} bytes`)
    }
    for (let page = number; page < number + count; page++) this.#visitor.page(page)
    this.#overflowPages += count
    return pages.subarray(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + length)
  }

  /** Keys only ever grow, also from page to page. Only the first key of a page may be the one that
   * the branch above names. */
  #follow(key: Buffer, number: number, isLeaf: boolean): void {
    const order = this.#lastKey === undefined ? -1 : this.#compareKeys(this.#lastKey, key)
    if (order > 0 || (order === 0 && (this.#isLastInLeaf || !isLeaf))) {
      throw new DamagedPageError(`the keys of page ${number} are out of order`)
    }
    this.#lastKey = Buffer.from(key)
    this.#isLastInLeaf = isLeaf
  }

  /** The free list has numbers for keys. */
  #compareKeys(one: Buffer, other: Buffer): number {
    if (this.#tree !== this.#file.meta.free) return Buffer.compare(one, other)
    const [left, right] = [numberOf(one), numberOf(other)]
    return left < right ? -1 : left > right ? 1 : 0
  }
}

function numberOf(key: Buffer): bigint {
  return key.length === 8 ? key.readBigUInt64LE(0) : 0n
}

/** Where the nodes of a page begin. */
function nodesOf(page: Buffer, number: number): number[] {
  const lower = page.readUInt16LE(20)
  const upper = page.readUInt16LE(22)
  const space = page.length - PAGE_HEADER_BYTES
  if (lower % 2 !== 0 || lower > upper || upper > space || lower === 0) {
    throw new DamagedPageError(`page ${number} does not say what it holds`)
  }
  const nodes: number[] = []
  for (let at = 0; at < lower; at += 2) {
    const node = page.readUInt16LE(PAGE_HEADER_BYTES + at)
    if (node < upper || node + NODE_HEADER_BYTES > space) {
      throw new DamagedPageError(`page ${number} refers to places outside of its contents`)
    }
    nodes.push(node + PAGE_HEADER_BYTES)
  }
  return nodes
}

function keyAt(page: Buffer, number: number, at: number): Buffer {
  const start = at + NODE_HEADER_BYTES
  const end = start + page.readUInt16LE(at + 6)
  if (end > page.length)
    throw new DamagedPageError(`a key of page ${number} reaches beyond its end`)
  return page.subarray(start, end)
}

function childAt(page: Buffer, at: number): number {
  return page.readUInt32LE(at) + page.readUInt16LE(at + 4) * 2 ** 32
}

/** The pages that one transaction gave up: a run of several is its length, negative, and its first
 * page. */
export function* freePages(bytes: Buffer, lastPage: number): Generator<number> {
  const count = bytes.length < 8 ? 0 : Number(bytes.readBigInt64LE(0))
  let run = 1
  for (let at = 8; at <= count * 8 && at + 8 <= bytes.length; at += 8) {
    const id = Number(bytes.readBigInt64LE(at))
    if (id < 0) run = -id
    else {
      const end = id === 0 ? 0 : Math.min(id + run, lastPage + 2)
      for (let page = id; page < end; page++) yield page
      if (id !== 0) run = 1
    }
  }
}
