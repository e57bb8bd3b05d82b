import { assert } from '../../errors/assert.ts'
import { SingletableError } from '../../errors/singletable-error.ts'
import { HashIndex, type HashIndexSnapshot, hashOf } from './hash-index.ts'
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

/** The content of a storage at one time. */
interface Content {
  readonly order: OrderedMapSnapshot<number>
  readonly values: HashIndexSnapshot
}

/** Places to take back writes that are kept for the next transaction. */
const UNDO_KEPT_MAX = 64

class MemoryStorage implements Storage {
  /** The keys in their order, each with its hash. */
  #order = new OrderedMap<number>()
  /** The values, where reads find them at once, and where another one costs no way down a tree. */
  #values = new HashIndex()
  // How to take back each write: its key, and in the same place the value it had before, undefined if none. The arrays stay as long as
  // they are from one transaction to the next, because making them anew is a good part of what a small write would allocate.
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
    return this.#values.get(key, hashOf(key))
  }

  visit(range: StorageRange, visitor: StorageVisitor): void {
    this.#requireOpen('visit')
    this.#visits++
    try {
      this.#order.visit(range, (key, hash) => visitor(key, this.#values.get(key, hash)!))
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
    const content = { order: this.#order.snapshot(), values: this.#values.snapshot() }
    return new MemorySnapshot(this, content)
  }

  async restore(snapshot: StorageSnapshot): Promise<void> {
    this.#requireOpen('restore')
    this.#requireOutside('Restoring')
    assert(
      snapshot instanceof MemorySnapshot && snapshot.storage === this,
      'A snapshot is restored only by the storage that made it.',
    )
    this.#order.restore(snapshot.content.order)
    this.#values.restore(snapshot.content.values)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#requireOutside('Closing')
    this.#closed = true
    this.#order = new OrderedMap()
    this.#values = new HashIndex()
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
    const before = this.#values.replace(key, hash, value)
    if (before !== undefined) return before
    const flatKey = flat(key)
    this.#order.put(flatKey, hash)
    this.#values.add(flatKey, hash, value)
    return undefined
  }

  #remove(key: StorageKey): StorageValue | undefined {
    const before = this.#values.remove(key, hashOf(key))
    if (before !== undefined) this.#order.remove(key)
    return before
  }

  #removeRange(start: StorageKey, end: StorageKey): void {
    this.#order.visit({ start, end }, (key, hash) => {
      this.#remember(key, this.#values.remove(key, hash))
      return true
    })
    this.#order.removeRange({ start, end })
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
 * The same text in one piece of memory. Keys are glued together from parts, and V8 keeps such a string as a pointer to its text; kept so, every
 * look at a key would be two steps through memory instead of one, and memory is what a large table waits for.
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
