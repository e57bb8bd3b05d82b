/** A node has at most this many slots, since the number of a slot takes six bits of a mark. */
export const SLOTS = 64

/** How many units of a key, after the skipped ones, a mark holds: with the slot they stay exact in
 * a double. */
const MARK_UNITS = 5

/** The marks of keys that lie below and above all that begin with what a node's marks skip. */
const MARK_BELOW: number = -SLOTS
const MARK_ABOVE: number = Number.POSITIVE_INFINITY

/**
 * A node of the B+tree in ordered-map.ts. A leaf has one value for each key. An inner node has one
 * child more than keys: the child at position `i` holds what is below the key at position `i`, the
 * next one what is at or above it.
 *
 * Reading a key's text means a cache miss for each key compared, which is what makes large trees
 * slow. So next to the keys are their *marks*: the five units after the first `skip` ones, as one
 * number, in one flat array. Marks order as their keys do except that different keys may agree in
 * these units, and only then are strings compared.
 *
 * Only the marks are kept in order. A key and its value stay in the *slot* where they were first
 * put, and the mark holds the number of the slot in its lowest bits: moving numbers is cheap,
 * moving references makes work for the garbage collector.
 *
 * All keys that can be looked for in a node lie between two separators of its ancestors, and so
 * begin with whatever these two have in common. `skip` is never longer than that, so nobody has to
 * check the skipped part. Only the nodes at both outer edges, and so the root, are *open*: anything
 * may be looked for there. They skip what their own keys have in common, and a key is compared
 * with that before it gets a mark.
 */
export class TreeNode<TValue> {
  /** The epoch of the map in which this node was made; in a later one the node is shared with a
   * snapshot. */
  readonly epoch: number
  skip: number
  isOpen: boolean
  /** In order of the keys. */
  marks: number[]
  /** By slot. */
  keys: string[]
  /** First the leftmost child, then by slot the child right of the key. Undefined in a leaf. */
  children: TreeNode<TValue>[] | undefined
  /** By slot. Empty in an inner node. */
  values: TValue[]

  constructor(epoch: number, start: NodeStart, marks: number[], content: NodeContent<TValue>) {
    this.epoch = epoch
    this.skip = start.skip
    this.isOpen = start.isOpen
    this.marks = marks
    this.keys = content.keys
    this.children = content.children
    this.values = content.values
  }
}

/** How the keys of a node begin. */
export interface NodeStart {
  readonly skip: number
  readonly isOpen: boolean
}

/** What a node holds, in order. */
export interface NodeContent<TValue> {
  readonly keys: string[]
  readonly children: TreeNode<TValue>[] | undefined
  readonly values: TValue[]
}

export function createNode<TValue>(
  epoch: number,
  start: NodeStart,
  content: NodeContent<TValue>,
): TreeNode<TValue> {
  return new TreeNode(epoch, start, marksOf(content.keys, start.skip), content)
}

/** How the keys of a node between these separators begin, at an outer edge if one is missing. */
export function startBetween(
  before: string | undefined,
  after: string | undefined,
  keys: readonly string[],
): NodeStart {
  return before === undefined || after === undefined
    ? openStart(keys)
    : { skip: commonLength(before, after), isOpen: false }
}

/** How the keys of a node begin that two neighbours become. */
export function joinedStart(left: NodeStart, right: NodeStart, keys: readonly string[]): NodeStart {
  return left.isOpen || right.isOpen
    ? openStart(keys)
    : // What three sorted separators have in common is the lesser of what the first two and the last two have.
      { skip: Math.min(left.skip, right.skip), isOpen: false }
}

/** How the keys of a node at an outer edge begin; they are in order. */
export function openStart(keys: readonly string[]): NodeStart {
  return { skip: commonLength(keys[0] ?? '', keys.at(-1) ?? ''), isOpen: true }
}

export function copyNode<TValue>(node: TreeNode<TValue>, epoch: number): TreeNode<TValue> {
  return new TreeNode(epoch, node, node.marks.slice(), {
    keys: node.keys.slice(),
    children: node.children?.slice(),
    values: node.values.slice(),
  })
}

/** The mark with which a key is looked for in a node. */
export function markIn(node: TreeNode<unknown>, key: string): number {
  const { skip } = node
  if (!node.isOpen || skip === 0) return markOf(key, skip)
  const one = node.keys[0]!
  for (let at = 0; at < skip; at++) {
    // After the end of a shorter key there is nothing, which is below everything.
    const difference = at < key.length ? key.charCodeAt(at) - one.charCodeAt(at) : -1
    if (difference !== 0) return difference < 0 ? MARK_BELOW : MARK_ABOVE
  }
  return markOf(key, skip)
}

/**
 * The mark of a key that begins with what is skipped, still without a slot. The half keeps marks
 * from ever being small integers, so that V8 holds every array of them as plain doubles from its
 * first element on.
 */
function markOf(key: string, skip: number): number {
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

/**
 * The number of keys in the node below the given key, whose mark this is; the first ones may be
 * known to be. Of the keys with the same mark the outer ones are looked at first: where a query
 * begins or ends, its item collection lies wholly on one side, and each key looked at is a wait
 * for memory.
 */
export function countBelow(node: TreeNode<unknown>, key: string, mark: number, known = 0): number {
  const { marks } = node
  const next = mark + SLOTS
  const first = countMarksBelow(marks, mark, known)
  if (first === marks.length || marks[first]! >= next || keyAt(node, first) >= key) return first
  const end = countMarksBelow(marks, next, first + 1)
  if (keyAt(node, end - 1) < key) return end
  let low = first + 1
  let high = end - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keyAt(node, middle) < key) low = middle + 1
    else high = middle
  }
  return low
}

/** The number of marks below the given one, of which the first ones are known to be. */
function countMarksBelow(marks: readonly number[], mark: number, known: number): number {
  let low = known
  let high = marks.length
  // Mostly a range ends where it began, in the same child of an inner node.
  if (low > 0 && low < high && marks[low]! >= mark) return low
  while (low < high) {
    const middle = (low + high) >>> 1
    if (marks[middle]! < mark) low = middle + 1
    else high = middle
  }
  return low
}

function keyAt(node: TreeNode<unknown>, position: number): string {
  return node.keys[slotAt(node, position)]!
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
export function childPosition(node: TreeNode<unknown>, key: string): number {
  const mark = markIn(node, key)
  const position = countBelow(node, key, mark)
  return holdsAt(node, position, key, mark) ? position + 1 : position
}

export function slotAt(node: TreeNode<unknown>, position: number): number {
  return node.marks[position]! & (SLOTS - 1)
}

/** Where the child at a position is in `children`. */
export function childSlot(node: TreeNode<unknown>, position: number): number {
  return position === 0 ? 0 : slotAt(node, position - 1) + 1
}

/** Inserts a key at its position, with its value in a leaf, with the child to its right in an inner
 * node. */
export function insertKey<TValue>(
  node: TreeNode<TValue>,
  position: number,
  key: string,
  mark: number,
): void {
  const slotted = fittingMark(node, key, mark) + node.keys.length
  const { marks } = node
  node.keys.push(key)
  let at = marks.length
  marks.push(slotted)
  for (; at > position; at--) marks[at] = marks[at - 1]!
  marks[position] = slotted
}

/** Puts another key in the place of the one at a position. */
export function replaceKey(node: TreeNode<unknown>, position: number, key: string): void {
  const slot = slotAt(node, position)
  node.marks[position] = fittingMark(node, key, markIn(node, key)) + slot
  node.keys[slot] = key
}

/** The mark of a key that comes to a node; an open node, in which no key began like it, skips less
 * from then on. */
function fittingMark(node: TreeNode<unknown>, key: string, mark: number): number {
  if (mark !== MARK_BELOW && mark !== MARK_ABOVE) return mark
  const { marks, keys } = node
  node.skip = commonLength(key, keys[0]!)
  for (let position = 0; position < marks.length; position++) {
    const slot = slotAt(node, position)
    marks[position] = markOf(keys[slot]!, node.skip) + slot
  }
  return markOf(key, node.skip)
}

/** Removes the key at a position, and its value in a leaf, the child to its right in an inner
 * node. */
export function removeKey(node: TreeNode<unknown>, position: number): void {
  const { marks, keys, children, values } = node
  const slot = slotAt(node, position)
  const count = marks.length
  for (let at = position + 1; at < count; at++) marks[at - 1] = marks[at]!
  marks.pop()
  // What is in the last slot moves into the one that became free, so that slots in use are always
  // the first ones.
  const lastSlot = count - 1
  const lastKey = keys.pop()!
  // Without a key there is nothing to compare others with.
  if (node.isOpen && lastSlot === 0) node.skip = 0
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
  { skip, isOpen }: NodeStart,
  content: NodeContent<TValue>,
): void {
  node.skip = skip
  node.isOpen = isOpen
  node.marks = marksOf(content.keys, skip)
  node.keys = content.keys
  node.children = content.children
  node.values = content.values
}

export function contentOf<TValue>(node: TreeNode<TValue>): NodeContent<TValue> {
  // Copies have the right length and kind of elements from the start; then each is set to what
  // belongs there.
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

/** How many units two strings have in common at their beginning. */
function commonLength(one: string, other: string): number {
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
