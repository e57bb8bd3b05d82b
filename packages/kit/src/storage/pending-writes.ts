import type { StorageKey, StorageRange, StorageValue, StorageVisitor } from 'singletable/engine'

/** The value of a key that is to be removed. */
export const REMOVED: unique symbol = Symbol('removed')
export type PendingValue = StorageValue | typeof REMOVED

interface Span {
  readonly start: StorageKey
  readonly end: StorageKey
}

/** How to take back one write. */
type Undo =
  | { readonly key: StorageKey; readonly before: PendingValue | undefined }
  | { readonly dropped: readonly (readonly [StorageKey, PendingValue])[] }

/** Writes that are not in the file yet: ranges to remove first, then keys to put or to remove. */
export class PendingWrites {
  readonly entries: Map<StorageKey, PendingValue> = new Map()
  readonly ranges: Span[] = []
  readonly #undo: Undo[] = []

  get isEmpty(): boolean {
    return this.entries.size === 0 && this.ranges.length === 0
  }

  /** What is known here of a key; undefined if nothing is. */
  get(key: StorageKey): PendingValue | undefined {
    const value = this.entries.get(key)
    if (value !== undefined || this.ranges.length === 0) return value
    return this.removes(key) ? REMOVED : undefined
  }

  /** Whether a range that is to be removed holds the key. */
  removes(key: StorageKey): boolean {
    return this.ranges.some(({ start, end }) => key >= start && key < end)
  }

  set(key: StorageKey, value: PendingValue): void {
    this.#undo.push({ key, before: this.entries.get(key) })
    this.entries.set(key, value)
  }

  removeRange({ start, end }: Span): void {
    if (start >= end) return
    const dropped = [...this.entries].filter(([key]) => key >= start && key < end)
    for (const [key] of dropped) this.entries.delete(key)
    this.ranges.push({ start, end })
    this.#undo.push({ dropped })
  }

  /** What was written so far can no longer be taken back. */
  keep(): void {
    if (this.#undo.length > 0) this.#undo.length = 0
  }

  /** Takes back everything since `keep`. */
  takeBack(): void {
    for (let step = this.#undo.pop(); step !== undefined; step = this.#undo.pop()) {
      if ('dropped' in step) {
        this.ranges.pop()
        for (const [key, value] of step.dropped) this.entries.set(key, value)
      } else if (step.before === undefined) this.entries.delete(step.key)
      else this.entries.set(step.key, step.before)
    }
  }
}

/** Visits what the file holds as if the pending writes, those of the first layer being the oldest,
 * were in it. */
export function visitThrough(
  layers: readonly PendingWrites[],
  range: StorageRange,
  visitor: StorageVisitor,
  visitFile: (range: StorageRange, visitor: StorageVisitor) => void,
): void {
  const pending = pendingIn(layers, range)
  const removing = layers.filter((layer) => layer.ranges.length > 0)
  if (pending.length === 0 && removing.length === 0) {
    visitFile(range, visitor)
    return
  }
  const isBefore = range.reverse
    ? (one: StorageKey, other: StorageKey) => one > other
    : (one: StorageKey, other: StorageKey) => one < other
  let next = 0
  let going = true
  const visitPending = (until?: StorageKey): void => {
    for (; going && next < pending.length; next++) {
      const [key, value] = pending[next]!
      if (until !== undefined && !isBefore(key, until)) return
      if (value !== REMOVED) going = visitor(key, value)
    }
  }
  visitFile(range, (key, value) => {
    visitPending(key)
    if (!going) return false
    // What is pending for the same key is visited before the next one, instead of what the file
    // has.
    if (pending[next]?.[0] === key || removing.some((layer) => layer.removes(key))) return true
    going = visitor(key, value)
    return going
  })
  visitPending()
}

/** The pending writes of the range in its order, each key once. */
function pendingIn(
  layers: readonly PendingWrites[],
  { start, end, reverse }: StorageRange,
): (readonly [StorageKey, PendingValue])[] {
  const found = new Map<StorageKey, PendingValue>()
  for (const layer of layers) {
    if (layer.ranges.length > 0) {
      for (const key of found.keys()) if (layer.removes(key)) found.set(key, REMOVED)
    }
    for (const [key, value] of layer.entries) {
      if (key >= start && key < end) found.set(key, value)
    }
  }
  const sign = reverse ? -1 : 1
  return [...found].sort(([one], [other]) => (one < other ? -sign : sign))
}
