import { assert } from '../../errors/assert.ts'
import {
  childIndex,
  commonLength,
  copyNode,
  countBelow,
  cutNode,
  emptyLeaf,
  holdsAt,
  insertAt,
  joinNodes,
  markOf,
  setSkip,
  TreeNode,
} from './tree-node.ts'

/** Keys from `start` (included) to `end` (excluded). */
export interface KeyRange {
  readonly start: string
  readonly end: string
  readonly reverse?: boolean
}

/** The content of a map at one time. */
export interface OrderedMapSnapshot<TValue> {
  readonly root: TreeNode<TValue>
  readonly size: number
}

/** Measured best for maps of 10 thousand to 1 million keys; one below a power of two, where arrays double their room. */
const NODE_KEYS_MAX = 63

/**
 * A map from byte strings to values that keeps its keys in order: a B+tree. `get`, `put` and `remove` cost the logarithm of the size.
 * A snapshot costs nothing when taken: it raises the map's epoch, and from then on a node of an older epoch is copied before
 * it is changed.
 *
 * The map must not be changed from inside a visitor.
 *
 * @example
 * const map = new OrderedMap<number>()
 * map.put('b', 2)
 * map.put('a', 1)
 * map.visit({ start: 'a', end: 'z' }, (key, value) => value < 2) // visits 'a', then 'b', where it stops
 */
export class OrderedMap<TValue> {
  readonly #nodeKeysMax: number
  readonly #nodeKeysMin: number
  #epoch = 0
  #size = 0
  #root: TreeNode<TValue>
  // The inner nodes passed on the last way down, and the position of the child taken in each. Kept between calls only to
  // save making them anew.
  readonly #path: TreeNode<TValue>[] = []
  readonly #positions: number[] = []

  constructor(options: { readonly nodeKeysMax?: number } = {}) {
    this.#nodeKeysMax = options.nodeKeysMax ?? NODE_KEYS_MAX
    assert(this.#nodeKeysMax >= 2, 'A node of the tree must have room for two keys.')
    // Joining at a quarter instead of a half keeps alternating puts and removes from splitting and joining each time.
    this.#nodeKeysMin = Math.max(1, this.#nodeKeysMax >> 2)
    this.#root = emptyLeaf(0)
  }

  get size(): number {
    return this.#size
  }

  get(key: string): TValue | undefined {
    let node = this.#root
    let skip = 0
    let mark = markOf(key, 0)
    while (node.children !== undefined) {
      node = node.children[childIndex(node, key, mark)]!
      if (node.skip !== skip) {
        skip = node.skip
        mark = markOf(key, skip)
      }
    }
    const index = countBelow(node, key, mark)
    return holdsAt(node, index, key, mark) ? node.values[index] : undefined
  }

  /** Sets the value of a key and returns the one it had. */
  put(key: string, value: TValue): TValue | undefined {
    const leaf = this.#descend(key)
    const mark = markOf(key, leaf.skip)
    const index = countBelow(leaf, key, mark)
    if (holdsAt(leaf, index, key, mark)) {
      const before = leaf.values[index]
      leaf.values[index] = value
      return before
    }
    insertAt(leaf.marks, index, mark)
    insertAt(leaf.keys, index, key)
    insertAt(leaf.values, index, value)
    this.#size++
    if (leaf.keys.length > this.#nodeKeysMax) this.#split(leaf, index)
    return undefined
  }

  /** Removes a key and returns the value it had. */
  remove(key: string): TValue | undefined {
    const leaf = this.#descend(key)
    const mark = markOf(key, leaf.skip)
    const index = countBelow(leaf, key, mark)
    if (!holdsAt(leaf, index, key, mark)) return undefined
    const before = leaf.values[index]
    this.#removeFromLeaf(leaf, index, index + 1)
    return before
  }

  /** Removes the keys from `start` to before `end`, leaf by leaf, and returns how many there were. */
  removeRange(range: { readonly start: string; readonly end: string }): number {
    const sizeBefore = this.#size
    const end = range.end
    let start: string | undefined = range.start
    while (start !== undefined && start < end) {
      const leaf = this.#descend(start)
      const next = this.#separatorAfter(this.#depth)
      const from = countBelow(leaf, start, markOf(start, leaf.skip))
      // The mark of a key that does not belong in this leaf says nothing here, so `end` is looked for only if it does.
      const to =
        next !== undefined && next <= end
          ? leaf.keys.length
          : countBelow(leaf, end, markOf(end, leaf.skip))
      if (from < to) this.#removeFromLeaf(leaf, from, to)
      start = next
    }
    return sizeBefore - this.#size
  }

  clear(): void {
    this.#root = emptyLeaf(this.#epoch)
    this.#size = 0
    this.#path.length = 0
  }

  /** Calls the visitor with each entry in order until it returns `false`. */
  visit(range: KeyRange, visitor: (key: string, value: TValue) => boolean): void {
    if (range.start >= range.end) return
    if (range.reverse === true) visitBackwards(this.#root, range.start, range.end, visitor)
    else visitForwards(this.#root, range.start, range.end, visitor)
  }

  snapshot(): OrderedMapSnapshot<TValue> {
    this.#epoch++
    return { root: this.#root, size: this.#size }
  }

  /** Puts everything back as it was at the snapshot, which stays usable. */
  restore(snapshot: OrderedMapSnapshot<TValue>): void {
    // Nodes of the snapshot are of an epoch before the present one, so they stay as they are.
    this.#root = snapshot.root
    this.#size = snapshot.size
  }

  #depth = 0

  /** Goes to the leaf where the key belongs, making every node on the way one that may be changed. */
  #descend(key: string): TreeNode<TValue> {
    const epoch = this.#epoch
    const path = this.#path
    const positions = this.#positions
    let node = this.#root
    if (node.epoch !== epoch) {
      node = copyNode(node, epoch)
      this.#root = node
    }
    let depth = 0
    let skip = 0
    let mark = markOf(key, 0)
    while (node.children !== undefined) {
      const position = childIndex(node, key, mark)
      path[depth] = node
      positions[depth] = position
      depth++
      node = this.#ownChild(node.children, position)
      if (node.skip !== skip) {
        skip = node.skip
        mark = markOf(key, skip)
      }
    }
    this.#depth = depth
    return node
  }

  #ownChild(children: TreeNode<TValue>[], position: number): TreeNode<TValue> {
    const child = children[position]!
    if (child.epoch === this.#epoch) return child
    const copy = copyNode(child, this.#epoch)
    children[position] = copy
    return copy
  }

  /** The separator left of the node at this depth of the last way down, unless it stands at the left edge. */
  #separatorBefore(depth: number): string | undefined {
    for (let above = depth - 1; above >= 0; above--) {
      const position = this.#positions[above]!
      if (position > 0) return this.#path[above]!.keys[position - 1]
    }
    return undefined
  }

  /** The separator right of the node at this depth of the last way down, unless it stands at the right edge. */
  #separatorAfter(depth: number): string | undefined {
    for (let above = depth - 1; above >= 0; above--) {
      const keys = this.#path[above]!.keys
      const position = this.#positions[above]!
      if (position < keys.length) return keys[position]
    }
    return undefined
  }

  /** Splits an overfull node, and then its parents as far as they become overfull. */
  #split(leaf: TreeNode<TValue>, insertedAt: number): void {
    let node = leaf
    let inserted = insertedAt
    for (let depth = this.#depth; ; depth--) {
      const count = node.keys.length
      // Keys that arrive in order always end up last: then the left node stays full, as nothing more will come to it.
      const middle = node.children === undefined ? count - 1 : count - 2
      const { separator, right } = cutNode(node, inserted === count - 1 ? middle : count >> 1)
      const before = this.#separatorBefore(depth)
      const after = this.#separatorAfter(depth)
      setSkip(node, before === undefined ? 0 : commonLength(before, separator))
      setSkip(right, after === undefined ? 0 : commonLength(separator, after))
      if (depth === 0) {
        this.#root = new TreeNode(this.#epoch, {
          skip: 0,
          marks: [markOf(separator, 0)],
          keys: [separator],
          children: [node, right],
          values: [],
        })
        return
      }
      node = this.#path[depth - 1]!
      inserted = this.#positions[depth - 1]!
      insertAt(node.marks, inserted, markOf(separator, node.skip))
      insertAt(node.keys, inserted, separator)
      insertAt(node.children!, inserted + 1, right)
      if (node.keys.length <= this.#nodeKeysMax) return
    }
  }

  #removeFromLeaf(leaf: TreeNode<TValue>, from: number, to: number): void {
    leaf.marks.splice(from, to - from)
    leaf.keys.splice(from, to - from)
    leaf.values.splice(from, to - from)
    this.#size -= to - from
    let node = leaf
    for (let depth = this.#depth; depth > 0; depth--) {
      if (node.keys.length >= this.#nodeKeysMin) return
      node = this.#path[depth - 1]!
      this.#joinChildren(node, Math.max(0, this.#positions[depth - 1]! - 1))
    }
    if (node.children?.length === 1) this.#root = node.children[0]!
  }

  /** Joins two neighbouring children of a node, and parts them again in the middle if they are too large for one. */
  #joinChildren(parent: TreeNode<TValue>, position: number): void {
    const children = parent.children!
    const left = this.#ownChild(children, position)
    joinNodes(left, parent.keys[position]!, children[position + 1]!)
    if (left.keys.length <= this.#nodeKeysMax) {
      parent.marks.splice(position, 1)
      parent.keys.splice(position, 1)
      children.splice(position + 1, 1)
    } else {
      const { separator, right } = cutNode(left, left.keys.length >> 1)
      parent.marks[position] = markOf(separator, parent.skip)
      parent.keys[position] = separator
      children[position + 1] = right
    }
  }
}

type Visitor<TValue> = (key: string, value: TValue) => boolean

// A bound is undefined below a node that lies wholly on the right side of it. The recursion is as deep as the tree is high.

function visitForwards<TValue>(
  node: TreeNode<TValue>,
  start: string | undefined,
  end: string | undefined,
  visitor: Visitor<TValue>,
): boolean {
  const children = node.children
  if (children === undefined) {
    const { keys, values } = node
    const last = end === undefined ? keys.length : countBelow(node, end, markOf(end, node.skip))
    let index = start === undefined ? 0 : countBelow(node, start, markOf(start, node.skip))
    for (; index < last; index++) {
      if (!visitor(keys[index]!, values[index]!)) return false
    }
    return true
  }
  const first = start === undefined ? 0 : childIndex(node, start, markOf(start, node.skip))
  const last =
    end === undefined ? children.length - 1 : countBelow(node, end, markOf(end, node.skip))
  for (let index = first; index <= last; index++) {
    const startBelow = index === first ? start : undefined
    const endBelow = index === last ? end : undefined
    if (!visitForwards(children[index]!, startBelow, endBelow, visitor)) return false
  }
  return true
}

function visitBackwards<TValue>(
  node: TreeNode<TValue>,
  start: string | undefined,
  end: string | undefined,
  visitor: Visitor<TValue>,
): boolean {
  const children = node.children
  if (children === undefined) {
    const { keys, values } = node
    const first = start === undefined ? 0 : countBelow(node, start, markOf(start, node.skip))
    let index = end === undefined ? keys.length : countBelow(node, end, markOf(end, node.skip))
    for (index--; index >= first; index--) {
      if (!visitor(keys[index]!, values[index]!)) return false
    }
    return true
  }
  const first = start === undefined ? 0 : childIndex(node, start, markOf(start, node.skip))
  const last =
    end === undefined ? children.length - 1 : countBelow(node, end, markOf(end, node.skip))
  for (let index = last; index >= first; index--) {
    const startBelow = index === first ? start : undefined
    const endBelow = index === last ? end : undefined
    if (!visitBackwards(children[index]!, startBelow, endBelow, visitor)) return false
  }
  return true
}
