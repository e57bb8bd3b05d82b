/**
 * The ordered key-value store under the engine. A key is a *byte string*: a JavaScript string whose
 * units are all in 0…255, ordered by unit, so that memory compares it as it is and a disk store
 * writes it as Latin-1 bytes.
 */
export type StorageKey = string

/**
 * Plain data (objects, arrays, strings, numbers, booleans). A stored value is never changed
 * afterwards, neither by the engine nor by the storage: memory may keep the object itself, a disk
 * store encodes it.
 */
export type StorageValue = object

/** Keys from `start` (included) to `end` (excluded). */
export interface StorageRange {
  readonly start: StorageKey
  readonly end: StorageKey
  readonly reverse?: boolean
}

/** Called for each entry in order; return `false` to stop. */
export type StorageVisitor = (key: StorageKey, value: StorageValue) => boolean

/** What can be read, inside a transaction and outside. */
export interface StorageReader {
  /** The value of a key, or undefined if it has none. */
  get(key: StorageKey): StorageValue | undefined
  /**
   * Calls the visitor with each entry of the range in order, or in reverse order. The visitor may
   * read, but nothing may be written before the visit has ended: collect first, then write. A range
   * whose start is not before its end is empty.
   */
  visit(range: StorageRange, visitor: StorageVisitor): void
}

/** What the callback of a transaction reads and writes with; it reads its own writes. */
export interface StorageTransaction extends StorageReader {
  /** Sets the value of a key, whether it had one or not. */
  put(key: StorageKey, value: StorageValue): void
  /** Removes a key; one that isn't there is no error. */
  remove(key: StorageKey): void
  /** Removes all keys from `start` (included) to `end` (excluded). */
  removeRange(range: { readonly start: StorageKey; readonly end: StorageKey }): void
}

/** A point in time of a whole storage, kept by the storage that made it. */
export interface StorageSnapshot {
  readonly storageSnapshot: true
}

/** An ordered key-value store with transactions and snapshots. `storageContract` tests an
 * implementation. */
export interface Storage extends StorageReader {
  /**
   * Runs the callback alone: no other transaction sees or makes a change while it runs. It reads
   * its own writes. If it throws, none of its writes remain and the promise rejects with that
   * error. The promise resolves when the writes are as durable as this storage makes them; many
   * transactions may share one flush. Callbacks run, and promises settle, in the order of the
   * calls.
   *
   * The transaction given to the callback is of no use after it has returned, so a callback doesn't
   * await anything. Starting a transaction inside a callback is an error, and so are `snapshot`,
   * `restore` and `close` there.
   */
  transaction<TResult>(callback: (transaction: StorageTransaction) => TResult): Promise<TResult>
  /**
   * Does what a later `put` of this value would begin with, as far as that takes long: so that a
   * transaction with large values is short. Storages that do nothing ahead don't have it.
   */
  prepare?(value: StorageValue): void
  /** Remembers everything as it is now. */
  snapshot(): StorageSnapshot
  /** Puts everything back as it was at the snapshot, which stays usable. */
  restore(snapshot: StorageSnapshot): Promise<void>
  /** Gives up what the storage holds. Every later call fails with `STORAGE_CLOSED`, except that
   * closing again does nothing. */
  close(): Promise<void>
}
