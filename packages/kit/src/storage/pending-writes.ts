import type { StorageKey, StorageRange, StorageReader, StorageValue } from 'singletable/engine'

/** Stands in the place of the value of a key that is to be removed. */
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

/** Reads what the file holds as if the pending writes, the older ones first, were in it. */
export function readThrough(layers: readonly PendingWrites[], base: StorageReader): StorageReader {
  return {
    get(key) {
      for (let index = layers.length - 1; index >= 0; index--) {
        const pending = layers[index]!.get(key)
        if (pending !== undefined) return pending === REMOVED ? undefined : pending
      }
      return base.get(key)
    },
    visit(range, visitor) {
      const pending = pendingIn(layers, range)
      const removed = layers.filter((layer) => layer.ranges.length > 0)
      if (pending.length === 0 && removed.length === 0) return base.visit(range, visitor)
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
      base.visit(range, (key, value) => {
        visitPending(key)
        // A pending write of the same key comes after the loop above has stopped at it, in the next turn or at the end.
        if (!going || pending[next]?.[0] === key || removed.some((layer) => layer.removes(key))) {
          return going
        }
        going = visitor(key, value)
        return going
      })
      visitPending()
    },
  }
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
