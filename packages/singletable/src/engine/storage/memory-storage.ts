import { assert } from '../../errors/assert.ts'
import { SingletableError } from '../../errors/singletable-error.ts'
import { OrderedMap, type OrderedMapSnapshot } from './ordered-map.ts'
import type {
  Storage,
  StorageKey,
  StorageRange,
  StorageSnapshot,
  StorageTransaction,
  StorageValue,
  StorageVisitor,
} from './storage.ts'

/**
 * A storage that lives in memory and as long as the process. Transactions run at once, before `transaction` returns; snapshots
 * and restoring them cost the same whatever the size.
 *
 * @example
 * const storage = memoryStorage()
 * await storage.transaction((transaction) => transaction.put('a', { n: 1 }))
 * storage.get('a') // => { n: 1 }
 */
export function memoryStorage(): Storage {
  return new MemoryStorage()
}

/** How to take back one write: the value a key had before (undefined if none), or the whole map before a range was removed. */
type Undo =
  | { readonly key: StorageKey; readonly before: StorageValue | undefined }
  | { readonly map: OrderedMapSnapshot<StorageValue> }

/** Ranges of up to so many entries are taken back one by one, larger ones by a snapshot of the map. */
const RANGE_LISTED_MAX = 64

class MemoryStorage implements Storage {
  readonly #map = new OrderedMap<StorageValue>()
  readonly #undo: Undo[] = []
  #inTransaction = false
  #visits = 0
  #closed = false
  // One object serves all transactions, as there is never more than one at a time.
  readonly #transaction: StorageTransaction = {
    get: (key) => this.get(key),
    visit: (range, visitor) => this.visit(range, visitor),
    put: (key, value) => {
      this.#requireWritable()
      this.#undo.push({ key, before: this.#map.put(key, value) })
    },
    remove: (key) => {
      this.#requireWritable()
      const before = this.#map.remove(key)
      if (before !== undefined) this.#undo.push({ key, before })
    },
    removeRange: (range) => {
      this.#requireWritable()
      this.#removeRange(range.start, range.end)
    },
  }

  get(key: StorageKey): StorageValue | undefined {
    this.#requireOpen('get')
    return this.#map.get(key)
  }

  visit(range: StorageRange, visitor: StorageVisitor): void {
    this.#requireOpen('visit')
    this.#visits++
    try {
      this.#map.visit(range, visitor)
    } finally {
      this.#visits--
    }
  }

  transaction<TResult>(callback: (transaction: StorageTransaction) => TResult): Promise<TResult> {
    try {
      this.#requireOpen('transaction')
      this.#requireOutside('A transaction')
      return Promise.resolve(this.#run(callback))
    } catch (error) {
      return Promise.reject(error)
    }
  }

  snapshot(): StorageSnapshot {
    this.#requireOpen('snapshot')
    this.#requireOutside('A snapshot')
    return new MemorySnapshot(this, this.#map.snapshot())
  }

  async restore(snapshot: StorageSnapshot): Promise<void> {
    this.#requireOpen('restore')
    this.#requireOutside('Restoring')
    assert(
      snapshot instanceof MemorySnapshot && snapshot.storage === this,
      'A snapshot is restored only by the storage that made it.',
    )
    this.#map.restore(snapshot.map)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#requireOutside('Closing')
    this.#closed = true
    this.#map.clear()
  }

  #run<TResult>(callback: (transaction: StorageTransaction) => TResult): TResult {
    this.#inTransaction = true
    try {
      return callback(this.#transaction)
    } catch (error) {
      this.#takeBack()
      throw error
    } finally {
      this.#inTransaction = false
      this.#undo.length = 0
    }
  }

  #removeRange(start: StorageKey, end: StorageKey): void {
    const removed: Undo[] = []
    this.#map.visit(
      { start, end },
      (key, before) => removed.push({ key, before }) <= RANGE_LISTED_MAX,
    )
    // A snapshot spares listing all that is removed, but makes the next write to each node copy it.
    if (removed.length > RANGE_LISTED_MAX) this.#undo.push({ map: this.#map.snapshot() })
    else for (const step of removed) this.#undo.push(step)
    if (removed.length > 0) this.#map.removeRange({ start, end })
  }

  #takeBack(): void {
    for (let index = this.#undo.length - 1; index >= 0; index--) {
      const step = this.#undo[index]!
      if ('map' in step) this.#map.restore(step.map)
      else if (step.before === undefined) this.#map.remove(step.key)
      else this.#map.put(step.key, step.before)
    }
  }

  #requireOpen(call: string): void {
    if (!this.#closed) return
    throw new SingletableError('STORAGE_CLOSED', {
      what: 'The storage has been closed.',
      where: `memory storage, ${call}()`,
      fix: 'use the storage, or the engine on it, only before close(), or open another one',
    })
  }

  #requireOutside(what: string): void {
    assert(!this.#inTransaction, `${what} cannot be started inside the callback of a transaction.`)
    assert(this.#visits === 0, `${what} cannot be started inside a visitor.`)
  }

  #requireWritable(): void {
    assert(this.#inTransaction, 'A transaction cannot be used after its callback has returned.')
    assert(this.#visits === 0, 'Nothing is written during a visit: collect first, then write.')
  }
}

class MemorySnapshot implements StorageSnapshot {
  readonly storageSnapshot = true as const
  readonly storage: MemoryStorage
  readonly map: OrderedMapSnapshot<StorageValue>

  constructor(storage: MemoryStorage, map: OrderedMapSnapshot<StorageValue>) {
    this.storage = storage
    this.map = map
  }
}
