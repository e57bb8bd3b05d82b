/** A node has at most so many slots, since the number of a slot takes six bits of a mark. */
export const SLOTS = 64

/** How many units of a key, after the skipped ones, a mark holds: with the slot they stay exact in a double. */
const MARK_UNITS = 5

/**
 * A node of the B+tree in ordered-map.ts. A leaf has one value for each key. An inner node has one child more than keys:
 * the child at position `i` holds what is below the key at position `i`, the next one what is at or above it.
 *
 * Reading a key's text means a cache miss for each key compared, which is what makes large trees slow. So next to the keys
 * stand their *marks*: the five units after the first `skip` ones, as one number, in one flat array. Marks order as their
 * keys do except that different keys may agree in these units, and only then are texts compared.
 *
 * Only the marks are kept in order. A key and its value stay in the *slot* where they were first put, and the mark holds the
 * number of the slot in its lowest bits: moving numbers is cheap, moving references makes work for the garbage collector.
 *
 * All keys that can be looked for in a node lie between two separators of its ancestors, and so begin with whatever these two
 * have in common. `skip` is never longer than that, so nobody has to check the skipped part. It is 0 at both outer edges.
 */
export class TreeNode<TValue> {
  /** The epoch of the map in which this node was made; in a later one the node is shared with a snapshot. */
  readonly epoch: number
  skip: number
  /** In order of the keys. */
  marks: number[]
  /** By slot. */
  keys: string[]
  /** First the leftmost child, then by slot the child right of the key. Undefined in a leaf. */
  children: TreeNode<TValue>[] | undefined
  /** By slot. Empty in an inner node. */
  values: TValue[]

  constructor(epoch: number, skip: number, marks: number[], content: NodeContent<TValue>) {
    this.epoch = epoch
    this.skip = skip
    this.marks = marks
    this.keys = content.keys
    this.children = content.children
    this.values = content.values
  }
}

/** What a node holds, in order. */
export interface NodeContent<TValue> {
  readonly keys: string[]
  readonly children: TreeNode<TValue>[] | undefined
  readonly values: TValue[]
}

export function createNode<TValue>(
  epoch: number,
  skip: number,
  content: NodeContent<TValue>,
): TreeNode<TValue> {
  return new TreeNode(epoch, skip, marksOf(content.keys, skip), content)
}

export function copyNode<TValue>(node: TreeNode<TValue>, epoch: number): TreeNode<TValue> {
  return new TreeNode(epoch, node.skip, node.marks.slice(), {
    keys: node.keys.slice(),
    children: node.children?.slice(),
    values: node.values.slice(),
  })
}

/**
 * The mark of a key, still without a slot. The half keeps marks from ever being small integers, so that V8 holds every array
 * of them as plain doubles from its first element on.
 */
export function markOf(key: string, skip: number): number {
  if (skip + MARK_UNITS <= key.length) {
    const high =
      (key.charCodeAt(skip) << 16) | (key.charCodeAt(skip + 1) << 8) | key.charCodeAt(skip + 2)
    const low = (key.charCodeAt(skip + 3) << 8) | key.charCodeAt(skip + 4)
    return (high * 0x10000 + low) * SLOTS + 0.5
  }
  let units = 0
  for (let at = skip; at < skip + MARK_UNITS; at++) {
    units = units * 256 + (at < key.length ? key.charCodeAt(at) : 0)
  }
  return units * SLOTS + 0.5
}

/** The number of keys in the node below the given key, whose mark this is. */
export function countBelow(node: TreeNode<unknown>, key: string, mark: number): number {
  const marks = node.marks
  let low = 0
  let high = marks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const found = marks[middle]!
    if (found < mark || (found < mark + SLOTS && node.keys[found & (SLOTS - 1)]! < key)) {
      low = middle + 1
    } else high = middle
  }
  return low
}

/** Whether the key at this position, which `countBelow` gave for it, is the one looked for. */
export function holdsAt(
  node: TreeNode<unknown>,
  position: number,
  key: string,
  mark: number,
): boolean {
  const marks = node.marks
  if (position >= marks.length) return false
  const found = marks[position]!
  return found < mark + SLOTS && node.keys[found & (SLOTS - 1)] === key
}

/** The position of the child in which the key belongs. */
export function childPosition(node: TreeNode<unknown>, key: string, mark: number): number {
  const position = countBelow(node, key, mark)
  return holdsAt(node, position, key, mark) ? position + 1 : position
}

export function slotAt(node: TreeNode<unknown>, position: number): number {
  return node.marks[position]! & (SLOTS - 1)
}

/** Where the child at a position stands in `children`. */
export function childSlot(node: TreeNode<unknown>, position: number): number {
  return position === 0 ? 0 : slotAt(node, position - 1) + 1
}

/** Inserts a key at its position, with its value in a leaf, with the child to its right in an inner node. */
export function insertKey<TValue>(
  node: TreeNode<TValue>,
  position: number,
  key: string,
  mark: number,
): void {
  const marks = node.marks
  const slotted = mark + node.keys.length
  node.keys.push(key)
  let at = marks.length
  marks.push(slotted)
  for (; at > position; at--) marks[at] = marks[at - 1]!
  marks[position] = slotted
}

/** Removes the key at a position, and its value in a leaf, the child to its right in an inner node. */
export function removeKey(node: TreeNode<unknown>, position: number): void {
  const { marks, keys, children, values } = node
  const slot = slotAt(node, position)
  const count = marks.length
  for (let at = position + 1; at < count; at++) marks[at - 1] = marks[at]!
  marks.pop()
  // What is in the last slot moves into the one that became free, so that slots in use are always the first ones.
  const lastSlot = count - 1
  const lastKey = keys.pop()!
  const lastChild = children?.pop()
  const lastValue = children === undefined ? values.pop() : undefined
  if (slot === lastSlot) return
  keys[slot] = lastKey
  if (children === undefined) values[slot] = lastValue
  else children[slot + 1] = lastChild!
  let at = 0
  while ((marks[at]! & (SLOTS - 1)) !== lastSlot) at++
  marks[at] = marks[at]! - lastSlot + slot
}

export function setContent<TValue>(
  node: TreeNode<TValue>,
  skip: number,
  content: NodeContent<TValue>,
): void {
  node.skip = skip
  node.marks = marksOf(content.keys, skip)
  node.keys = content.keys
  node.children = content.children
  node.values = content.values
}

export function contentOf<TValue>(node: TreeNode<TValue>): NodeContent<TValue> {
  // Copies have the right length and kind of elements from the start; then each is set to what belongs there.
  const keys = node.keys.slice()
  const children = node.children?.slice()
  const values = node.values.slice()
  for (let position = 0; position < keys.length; position++) {
    const slot = slotAt(node, position)
    keys[position] = node.keys[slot]!
    if (children === undefined) values[position] = node.values[slot]!
    else children[position + 1] = node.children![slot + 1]!
  }
  return { keys, children, values }
}

/** The keys from `start` to before `end`, and in an inner node the children around them. */
export function sliceContent<TValue>(
  content: NodeContent<TValue>,
  start: number,
  end: number,
): NodeContent<TValue> {
  return {
    keys: content.keys.slice(start, end),
    children: content.children?.slice(start, end + 1),
    values: content.values.slice(start, end),
  }
}

/** The content of two neighbours as one; the separator between inner nodes becomes a key of it. */
export function joinContent<TValue>(
  left: NodeContent<TValue>,
  separator: string,
  right: NodeContent<TValue>,
): NodeContent<TValue> {
  if (left.children === undefined || right.children === undefined) {
    const values = left.values.concat(right.values)
    return { keys: left.keys.concat(right.keys), children: undefined, values }
  }
  const keys = left.keys.concat(separator, right.keys)
  return { keys, children: left.children.concat(right.children), values: [] }
}

/** How many units two texts have in common at their beginning. */
export function commonLength(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  let at = 0
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  return at
}

function marksOf(keys: readonly string[], skip: number): number[] {
  const marks: number[] = []
  for (let slot = 0; slot < keys.length; slot++) marks.push(markOf(keys[slot]!, skip) + slot)
  return marks
}
