import type { StorageKey, StoredItem } from 'singletable/engine'
import type { PendingWrites } from './pending-writes.ts'

const LARGE_BYTES = 65_536
const KEYS_MAX = 1000

/**
 * Large items that were read from the file and that somebody still holds. Reading one takes more
 * than a millisecond, and a transaction looks at all its items once more, at once, to see whether
 * they are still the same.
 */
export class LargeValues {
  readonly #values = new Map<StorageKey, WeakRef<StoredItem>>()

  get(key: StorageKey): StoredItem | undefined {
    return this.#values.size === 0 ? undefined : this.#values.get(key)?.deref()
  }

  keep(key: StorageKey, value: StoredItem): void {
    if (value.sizeBytes < LARGE_BYTES) return
    // The last place is for what was read last.
    this.#values.delete(key)
    this.#values.set(key, new WeakRef(value))
    if (this.#values.size > KEYS_MAX) this.#values.delete(this.#values.keys().next().value!)
  }

  /** Drops what was written over. */
  forget({ entries, ranges }: PendingWrites): void {
    if (this.#values.size === 0) return
    for (const key of entries.keys()) this.#values.delete(key)
    if (ranges.length > 0) this.clear()
  }

  clear(): void {
    this.#values.clear()
  }
}
