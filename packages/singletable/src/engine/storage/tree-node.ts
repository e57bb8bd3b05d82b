/** How many units of a key, after the skipped ones, a mark holds: six bytes are exact in a double. */
const MARK_UNITS = 6

/**
 * A node of the B+tree in ordered-map.ts. A leaf has one value for each key. An inner node has one child more than keys:
 * `children[i]` holds what is below `keys[i]`, the next one what is at or above it.
 *
 * Reading a key's text means a cache miss for each key compared, which is what makes large trees slow. So next to the keys
 * stand their *marks*: the six units after the first `skip` ones, as one number, in one flat array. Marks order as their
 * keys do except that different keys may have equal marks, and only then are texts compared.
 *
 * All keys that can be looked for in a node lie between two separators of its ancestors, and so begin with whatever these two
 * have in common. `skip` is never longer than that, so nobody has to check the skipped part. It is 0 at both outer edges.
 */
export class TreeNode<TValue> {
  /** The epoch of the map in which this node was made; in a later one the node is shared with a snapshot. */
  readonly epoch: number
  skip: number
  marks: number[]
  keys: string[]
  /** Undefined in a leaf. */
  children: TreeNode<TValue>[] | undefined
  /** Empty in an inner node. */
  values: TValue[]

  constructor(
    epoch: number,
    parts: {
      readonly skip: number
      readonly marks: number[]
      readonly keys: string[]
      readonly children: TreeNode<TValue>[] | undefined
      readonly values: TValue[]
    },
  ) {
    this.epoch = epoch
    this.skip = parts.skip
    this.marks = parts.marks
    this.keys = parts.keys
    this.children = parts.children
    this.values = parts.values
  }
}

export function emptyLeaf<TValue>(epoch: number): TreeNode<TValue> {
  return new TreeNode(epoch, { skip: 0, marks: [], keys: [], children: undefined, values: [] })
}

export function copyNode<TValue>(node: TreeNode<TValue>, epoch: number): TreeNode<TValue> {
  return slice(node, epoch, 0, node.keys.length)
}

/**
 * The mark of a key. The half keeps marks from ever being small integers, so that V8 holds every array of them as plain
 * doubles from its first element on.
 */
export function markOf(key: string, skip: number): number {
  if (skip + MARK_UNITS <= key.length) {
    const high =
      (key.charCodeAt(skip) << 16) | (key.charCodeAt(skip + 1) << 8) | key.charCodeAt(skip + 2)
    const low =
      (key.charCodeAt(skip + 3) << 16) | (key.charCodeAt(skip + 4) << 8) | key.charCodeAt(skip + 5)
    return high * 0x1000000 + low + 0.5
  }
  let mark = 0
  for (let at = skip; at < skip + MARK_UNITS; at++) {
    mark = mark * 256 + (at < key.length ? key.charCodeAt(at) : 0)
  }
  return mark + 0.5
}

/** The number of keys in the node below the given key, whose mark this is. */
export function countBelow(node: TreeNode<unknown>, key: string, mark: number): number {
  const marks = node.marks
  let low = 0
  let high = marks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const found = marks[middle]!
    if (found < mark || (found === mark && node.keys[middle]! < key)) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether the key at this position, as `countBelow` gives it, is the one looked for. */
export function holdsAt(
  node: TreeNode<unknown>,
  index: number,
  key: string,
  mark: number,
): boolean {
  return index < node.marks.length && node.marks[index] === mark && node.keys[index] === key
}

/** The position of the child in which the key belongs. */
export function childIndex(node: TreeNode<unknown>, key: string, mark: number): number {
  const index = countBelow(node, key, mark)
  return holdsAt(node, index, key, mark) ? index + 1 : index
}

export function setSkip(node: TreeNode<unknown>, skip: number): void {
  if (skip === node.skip) return
  node.skip = skip
  for (let index = 0; index < node.keys.length; index++) {
    node.marks[index] = markOf(node.keys[index]!, skip)
  }
}

export function insertAt<TElement>(array: TElement[], index: number, element: TElement): void {
  let at = array.length
  array.push(element)
  // For the short arrays of a node this loop is faster than splice, which also makes an array of what it removed.
  for (; at > index; at--) array[at] = array[at - 1]!
  array[index] = element
}

/**
 * Cuts a node in two at a position and returns what comes right of it. A leaf keeps the keys before the position; an inner node
 * gives up the key at the position, which becomes the separator between the two.
 */
export function cutNode<TValue>(
  node: TreeNode<TValue>,
  at: number,
): { readonly separator: string; readonly right: TreeNode<TValue> } {
  const separator = node.keys[at]!
  const isLeaf = node.children === undefined
  const right = slice(node, node.epoch, isLeaf ? at : at + 1, node.keys.length)
  const left = slice(node, node.epoch, 0, at)
  // Fresh slices are exactly as large as they need be, where shortened arrays would keep their room.
  node.marks = left.marks
  node.keys = left.keys
  node.children = left.children
  node.values = left.values
  return { separator, right }
}

/** Appends the right neighbour, from which the separator parts the node, to the node. */
export function joinNodes<TValue>(
  node: TreeNode<TValue>,
  separator: string,
  right: TreeNode<TValue>,
): void {
  // What three sorted separators have in common is the lesser of what the first two and the last two have.
  const skip = Math.min(node.skip, right.skip)
  setSkip(node, skip)
  if (node.children !== undefined && right.children !== undefined) {
    node.keys.push(separator)
    node.marks.push(markOf(separator, skip))
    for (const child of right.children) node.children.push(child)
  }
  for (const key of right.keys) {
    node.keys.push(key)
    node.marks.push(markOf(key, skip))
  }
  for (const value of right.values) node.values.push(value)
}

/** How many units two texts have in common at their beginning. */
export function commonLength(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  let at = 0
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  return at
}

/** A new node with the keys from `start` to `end`, and in an inner node the children around them. */
function slice<TValue>(
  node: TreeNode<TValue>,
  epoch: number,
  start: number,
  end: number,
): TreeNode<TValue> {
  return new TreeNode(epoch, {
    skip: node.skip,
    marks: node.marks.slice(start, end),
    keys: node.keys.slice(start, end),
    children: node.children?.slice(start, end + 1),
    values: node.values.slice(start, end),
  })
}
