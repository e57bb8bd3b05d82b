import { assert } from '../../errors/assert.ts'
import type { StorageRange } from './storage.ts'
import {
  childPosition,
  childSlot,
  contentOf,
  copyNode,
  countBelow,
  createNode,
  holdsAt,
  insertKey,
  joinContent,
  joinedStart,
  markIn,
  type NodeContent,
  openStart,
  removeKey,
  replaceKey,
  SLOTS,
  setContent,
  sliceContent,
  slotAt,
  startBetween,
  type TreeNode,
} from './tree-node.ts'

/** The content of a map at one time. */
export interface OrderedMapSnapshot<TValue> {
  readonly root: TreeNode<TValue>
  readonly size: number
}

/** The most that slots allow. At 1 million keys smaller nodes (15, 31) measured slower, as the tree
 * gets higher. */
const NODE_KEYS_MAX = SLOTS - 1

/**
 * A map from byte strings to values that keeps its keys in order: a B+tree. `get`, `put` and
 * `remove` cost the logarithm of the size. A snapshot costs nothing when taken: it raises the map's
 * epoch, and from then on a node of an older epoch is copied before it is changed.
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
  // The inner nodes passed on the last way down, and the position of the child taken in each. Kept
  // between calls only to save making them again.
  readonly #path: TreeNode<TValue>[] = []
  readonly #positions: number[] = []

  constructor(options: { readonly nodeKeysMax?: number } = {}) {
    this.#nodeKeysMax = options.nodeKeysMax ?? NODE_KEYS_MAX
    assert(
      this.#nodeKeysMax >= 2 && this.#nodeKeysMax <= NODE_KEYS_MAX,
      `A node of the tree has room for 2 to ${NODE_KEYS_MAX} keys.`,
    )
    // Joining at a quarter instead of a half keeps alternating puts and removes from splitting and
    // joining each time.
    this.#nodeKeysMin = Math.max(1, this.#nodeKeysMax >> 2)
    this.#root = createNode(0, openStart([]), { keys: [], children: undefined, values: [] })
  }

  get size(): number {
    return this.#size
  }

  get(key: string): TValue | undefined {
    let node = this.#root
    while (node.children !== undefined) {
      node = node.children[childSlot(node, childPosition(node, key))]!
    }
    const mark = markIn(node, key)
    const position = countBelow(node, key, mark)
    return holdsAt(node, position, key, mark) ? node.values[slotAt(node, position)] : undefined
  }

  /** Sets the value of a key and returns the one it had. */
  put(key: string, value: TValue): TValue | undefined {
    const leaf = this.#descend(key)
    const mark = markIn(leaf, key)
    const position = countBelow(leaf, key, mark)
    if (holdsAt(leaf, position, key, mark)) {
      const slot = slotAt(leaf, position)
      const before = leaf.values[slot]
      leaf.values[slot] = value
      return before
    }
    insertKey(leaf, position, key, mark)
    leaf.values.push(value)
    this.#size++
    if (leaf.keys.length > this.#nodeKeysMax) this.#split(leaf, position)
    return undefined
  }

  /** Removes a key and returns the value it had. */
  remove(key: string): TValue | undefined {
    const leaf = this.#descend(key)
    const mark = markIn(leaf, key)
    const position = countBelow(leaf, key, mark)
    if (!holdsAt(leaf, position, key, mark)) return undefined
    const before = leaf.values[slotAt(leaf, position)]
    this.#removeFromLeaf(leaf, position, position + 1)
    return before
  }

  /** Removes the keys from `start` to before `end`, leaf by leaf, and returns how many there
   * were. */
  removeRange(range: { readonly start: string; readonly end: string }): number {
    const sizeBefore = this.#size
    const end = range.end
    let start: string | undefined = range.start
    while (start !== undefined && start < end) {
      const leaf = this.#descend(start)
      const next = this.#separatorAfter(this.#depth)
      const from = countBelow(leaf, start, markIn(leaf, start))
      // The mark of a key that does not belong in this leaf says nothing here, so `end` is looked
      // for only if it does.
      const to =
        next !== undefined && next <= end
          ? leaf.keys.length
          : countBelow(leaf, end, markIn(leaf, end), from)
      if (from < to) this.#removeFromLeaf(leaf, from, to)
      start = next
    }
    return sizeBefore - this.#size
  }

  /** Calls the visitor with each entry in order until it returns `false`. */
  visit(range: StorageRange, visitor: (key: string, value: TValue) => boolean): void {
    if (range.start >= range.end) return
    visitNode(this.#root, range.start, range.end, range.reverse === true ? -1 : 1, visitor)
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
    // The last way down would hold the nodes that have just been left.
    this.#path.length = 0
  }

  #depth = 0

  /** Goes to the leaf where the key belongs, making every node on the way one that may be
   * changed. */
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
    while (node.children !== undefined) {
      const position = childPosition(node, key)
      path[depth] = node
      positions[depth] = position
      depth++
      node = this.#ownChild(node, position)
    }
    this.#depth = depth
    return node
  }

  #ownChild(parent: TreeNode<TValue>, position: number): TreeNode<TValue> {
    const children = parent.children!
    const slot = childSlot(parent, position)
    const child = children[slot]!
    if (child.epoch === this.#epoch) return child
    const copy = copyNode(child, this.#epoch)
    children[slot] = copy
    return copy
  }

  /** The separator left of the node at this depth of the last way down, unless it is at the left
   * edge. */
  #separatorBefore(depth: number): string | undefined {
    for (let above = depth - 1; above >= 0; above--) {
      const position = this.#positions[above]!
      const node = this.#path[above]!
      if (position > 0) return node.keys[slotAt(node, position - 1)]
    }
    return undefined
  }

  /** The separator right of the node at this depth of the last way down, unless it is at the right
   * edge. */
  #separatorAfter(depth: number): string | undefined {
    for (let above = depth - 1; above >= 0; above--) {
      const position = this.#positions[above]!
      const node = this.#path[above]!
      if (position < node.keys.length) return node.keys[slotAt(node, position)]
    }
    return undefined
  }

  /** Splits an overfull node, and then its parents as far as they become overfull. */
  #split(leaf: TreeNode<TValue>, insertedAt: number): void {
    let node = leaf
    let inserted = insertedAt
    for (let depth = this.#depth; ; depth--) {
      const count = node.keys.length
      // Keys that arrive in order always end up last: then the left node stays full, as nothing
      // more will come to it.
      const isAppended = inserted === count - 1
      const appendedAt = node.children === undefined ? count - 1 : count - 2
      const at = isAppended ? appendedAt : count >> 1
      const before = this.#separatorBefore(depth)
      const after = this.#separatorAfter(depth)
      const { separator, right } = this.#cut(node, contentOf(node), at, { before, after })
      if (depth === 0) {
        const content = { keys: [separator], children: [node, right], values: [] }
        this.#root = createNode(this.#epoch, openStart(content.keys), content)
        return
      }
      node = this.#path[depth - 1]!
      inserted = this.#positions[depth - 1]!
      insertKey(node, inserted, separator, markIn(node, separator))
      node.children!.push(right)
      if (node.keys.length <= this.#nodeKeysMax) return
    }
  }

  /**
   * Divides content between a node and a new one right of it. At the position, a leaf's key goes to
   * the right; an inner node's key goes to neither, as it becomes the separator between them.
   */
  #cut(
    node: TreeNode<TValue>,
    content: NodeContent<TValue>,
    at: number,
    around: { readonly before: string | undefined; readonly after: string | undefined },
  ): { readonly separator: string; readonly right: TreeNode<TValue> } {
    const { before, after } = around
    const separator = content.keys[at]!
    const rightFrom = content.children === undefined ? at : at + 1
    const left = sliceContent(content, 0, at)
    const right = sliceContent(content, rightFrom, content.keys.length)
    setContent(node, startBetween(before, separator, left.keys), left)
    const rightStart = startBetween(separator, after, right.keys)
    return { separator, right: createNode(this.#epoch, rightStart, right) }
  }

  #removeFromLeaf(leaf: TreeNode<TValue>, from: number, to: number): void {
    for (let position = to - 1; position >= from; position--) removeKey(leaf, position)
    this.#size -= to - from
    let node = leaf
    for (let depth = this.#depth; depth > 0; depth--) {
      if (node.keys.length >= this.#nodeKeysMin) return
      node = this.#path[depth - 1]!
      this.#joinChildren(node, depth - 1)
    }
    if (node.children?.length === 1) this.#root = node.children[0]!
  }

  /** Joins the child taken on the way down with a neighbour, and parts them in the middle if they
   * are too large for one. */
  #joinChildren(parent: TreeNode<TValue>, depth: number): void {
    const position = Math.max(0, this.#positions[depth]! - 1)
    const slot = slotAt(parent, position)
    const left = this.#ownChild(parent, position)
    const right = parent.children![slot + 1]!
    const content = joinContent(contentOf(left), parent.keys[slot]!, contentOf(right))
    if (content.keys.length <= this.#nodeKeysMax) {
      setContent(left, joinedStart(left, right, content.keys), content)
      removeKey(parent, position)
      return
    }
    this.#positions[depth] = position
    const before = this.#separatorBefore(depth + 1)
    this.#positions[depth] = position + 1
    const after = this.#separatorAfter(depth + 1)
    const parted = this.#cut(left, content, content.keys.length >> 1, { before, after })
    replaceKey(parent, position, parted.separator)
    parent.children![slot + 1] = parted.right
  }
}

/**
 * Visits what a node holds from `start` to before `end`, forwards with a step of 1 and backwards
 * with -1; false when the visitor has ended it. A bound is undefined below a node that lies wholly
 * on the right side of it. The recursion is as deep as the tree is high.
 */
function visitNode<TValue>(
  node: TreeNode<TValue>,
  start: string | undefined,
  end: string | undefined,
  step: 1 | -1,
  visitor: (key: string, value: TValue) => boolean,
): boolean {
  const { children, marks, keys, values } = node
  if (children === undefined) {
    const first = start === undefined ? 0 : countBelow(node, start, markIn(node, start))
    const after = end === undefined ? keys.length : countBelow(node, end, markIn(node, end), first)
    for (let at = step > 0 ? first : after - 1; at >= first && at < after; at += step) {
      const slot = marks[at]! & (SLOTS - 1)
      if (!visitor(keys[slot]!, values[slot]!)) return false
    }
    return true
  }
  const first = start === undefined ? 0 : childPosition(node, start)
  const last =
    end === undefined ? children.length - 1 : countBelow(node, end, markIn(node, end), first)
  for (let at = step > 0 ? first : last; at >= first && at <= last; at += step) {
    const startBelow = at === first ? start : undefined
    const endBelow = at === last ? end : undefined
    const child = children[childSlot(node, at)]!
    if (!visitNode(child, startBelow, endBelow, step, visitor)) return false
  }
  return true
}
