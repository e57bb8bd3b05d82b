import type { StorageKey, StorageRange, StorageReader } from './storage.ts'
import type { StoredItem } from './stored-item.ts'

/** What follows from an item that is stored under a key. */
export type Derive<TResult> = (key: StorageKey, stored: StoredItem) => TResult

const STEP_ENTRIES = 64
const STEP_BYTES = 65_536

/**
 * Derives something from each item of a range, in steps between which others write. The result is
 * for a transaction that goes over the range afterwards: it gives what was derived ahead for items
 * that are still the same, and derives it again for the others.
 */
export function* lookAhead<TResult>(
  reader: StorageReader,
  range: StorageRange,
  derive: Derive<TResult>,
): Generator<void, Derive<TResult>> {
  const known = new Map<StorageKey, { readonly stored: StoredItem; readonly result: TResult }>()
  let { start } = range
  for (;;) {
    const found: [StorageKey, StoredItem][] = []
    let bytes = 0
    reader.visit({ start, end: range.end }, (key, value) => {
      const stored = value as StoredItem
      found.push([key, stored])
      bytes += stored.sizeBytes
      return found.length < STEP_ENTRIES && bytes < STEP_BYTES
    })
    for (const [key, stored] of found) {
      known.set(key, { stored, result: derive(key, stored) })
      yield
      // The first key after this one.
      start = `${key}\0`
    }
    if (found.length === 0) break
  }
  return (key, stored) => {
    const ahead = known.get(key)
    const isSame = ahead && (ahead.stored === stored || stored.isSurelySame(ahead.stored))
    return isSame ? ahead.result : derive(key, stored)
  }
}
