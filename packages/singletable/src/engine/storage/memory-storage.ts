import { assert } from '../../errors/assert.ts'
import { SingletableError } from '../../errors/singletable-error.ts'
import { HashIndex, type HashIndexSnapshot, hashOf } from './hash-index.ts'
import { OrderedMap, type OrderedMapSnapshot } from './ordered-map.ts'
import { Rows, type RowsSnapshot } from './rows.ts'
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
 * A storage that lives in memory and as long as the process. Transactions run at once, before
 * `transaction` returns; snapshots and restoring them cost the same whatever the size.
 *
 * @example
 * const storage = memoryStorage()
 * await storage.transaction((transaction) => transaction.put('a', { n: 1 }))
 * storage.get('a') // => { n: 1 }
 */
export function memoryStorage(): Storage {
  return new MemoryStorage()
}

/** The content of a storage at one time. */
interface Content {
  readonly rows: RowsSnapshot
  readonly order: OrderedMapSnapshot<number>
  readonly index: HashIndexSnapshot
}

/** Places to take back writes that are kept for the next transaction. */
const UNDO_KEPT_MAX = 64

class MemoryStorage implements Storage {
  #rows = new Rows()
  /** The keys in their order, each with its row. */
  #order = new OrderedMap<number>()
  /** Where the row of a key is found at once, without a way down a tree. */
  #index = new HashIndex(this.#rows)
  // How to take back each write: its key, and in the same place the value it had before, undefined
  // if none. The arrays stay as long as they are from one transaction to the next, because making
  // them again is a good part of what a small write would allocate.
  #undoCount = 0
  readonly #undoKeys: StorageKey[] = []
  readonly #undoValues: (StorageValue | undefined)[] = []
  #inTransaction = false
  #visits = 0
  #closed = false
  // One object serves all transactions, as there is never more than one at a time.
  readonly #transaction: StorageTransaction = {
    get: (key) => this.get(key),
    visit: (range, visitor) => this.visit(range, visitor),
    put: (key, value) => {
      this.#requireWritable()
      this.#remember(key, this.#put(key, value))
    },
    remove: (key) => {
      this.#requireWritable()
      const before = this.#remove(key)
      if (before !== undefined) this.#remember(key, before)
    },
    removeRange: (range) => {
      this.#requireWritable()
      this.#removeRange(range.start, range.end)
    },
  }

  get(key: StorageKey): StorageValue | undefined {
    this.#requireOpen('get')
    const row = this.#index.find(key, hashOf(key))
    return row === undefined ? undefined : this.#rows.valueAt(row)
  }

  visit(range: StorageRange, visitor: StorageVisitor): void {
    this.#requireOpen('visit')
    this.#visits++
    try {
      this.#order.visit(range, (key, row) => visitor(key, this.#rows.valueAt(row)))
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

  prepare(value: StorageValue): void {
    this.#rows.prepare(value)
  }

  snapshot(): StorageSnapshot {
    this.#requireOpen('snapshot')
    this.#requireOutside('A snapshot')
    return new MemorySnapshot(this, {
      rows: this.#rows.snapshot(),
      order: this.#order.snapshot(),
      index: this.#index.snapshot(),
    })
  }

  async restore(snapshot: StorageSnapshot): Promise<void> {
    this.#requireOpen('restore')
    this.#requireOutside('Restoring')
    assert(
      snapshot instanceof MemorySnapshot && snapshot.storage === this,
      'A snapshot is restored only by the storage that made it.',
    )
    this.#rows.restore(snapshot.content.rows)
    this.#order.restore(snapshot.content.order)
    this.#index.restore(snapshot.content.index)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#requireOutside('Closing')
    this.#closed = true
    this.#rows = new Rows()
    this.#order = new OrderedMap()
    this.#index = new HashIndex(this.#rows)
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
      this.#forget()
    }
  }

  #put(key: StorageKey, value: StorageValue): StorageValue | undefined {
    const hash = hashOf(key)
    const row = this.#index.find(key, hash)
    if (row === undefined) {
      this.#add(flat(key), hash, value)
      return undefined
    }
    const before = this.#rows.valueAt(row)
    this.#rows.replace(row, value)
    return before
  }

  #add(key: StorageKey, hash: number, value: StorageValue): void {
    const row = this.#rows.add(key, value)
    this.#order.put(key, row)
    this.#index.add(hash, row)
  }

  #remove(key: StorageKey): StorageValue | undefined {
    const hash = hashOf(key)
    const row = this.#index.find(key, hash)
    if (row === undefined) return undefined
    this.#order.remove(key)
    return this.#removeRow(hash, row)
  }

  #removeRange(start: StorageKey, end: StorageKey): void {
    this.#order.visit({ start, end }, (key, row) => {
      this.#remember(key, this.#removeRow(hashOf(key), row))
      return true
    })
    this.#order.removeRange({ start, end })
  }

  #removeRow(hash: number, row: number): StorageValue {
    const before = this.#rows.valueAt(row)
    this.#index.remove(hash, row)
    this.#rows.remove(row)
    return before
  }

  #remember(key: StorageKey, before: StorageValue | undefined): void {
    this.#undoKeys[this.#undoCount] = key
    this.#undoValues[this.#undoCount++] = before
  }

  #forget(): void {
    if (this.#undoCount > UNDO_KEPT_MAX) this.#undoKeys.length = this.#undoValues.length = 0
    else this.#undoValues.fill(undefined, 0, this.#undoCount)
    this.#undoCount = 0
  }

  #takeBack(): void {
    for (let index = this.#undoCount - 1; index >= 0; index--) {
      const key = this.#undoKeys[index]!
      const before = this.#undoValues[index]
      if (before === undefined) this.#remove(key)
      else this.#put(key, before)
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

/**
 * The same text in one piece of memory. Keys are glued together from parts, and V8 keeps such a
 * string as a pointer to its text; kept so, every look at a key would be two steps through memory
 * instead of one, and memory is what a large table waits for.
 */
function flat(key: StorageKey): StorageKey {
  return [key.slice(0, 1), key.slice(1)].join('')
}

class MemorySnapshot implements StorageSnapshot {
  readonly storageSnapshot = true as const
  readonly storage: MemoryStorage
  readonly content: Content

  constructor(storage: MemoryStorage, content: Content) {
    this.storage = storage
    this.content = content
  }
}
