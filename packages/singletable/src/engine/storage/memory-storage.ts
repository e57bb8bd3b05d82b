import { assert } from '../../errors/assert.ts'
import { SingletableError } from '../../errors/singletable-error.ts'
import { HashIndex } from './hash-index.ts'
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

/**
 * Holds the value of one key. It is found by key in two ways: in order through the tree, at once through the hash index. A box is filled
 * anew only in the epoch it was made in, because a snapshot taken meanwhile shares it.
 */
interface Box {
  readonly key: StorageKey
  value: StorageValue
  readonly epoch: number
}

/** What takes back the removal of a large range: the whole map before it. */
class MapBefore {
  readonly map: OrderedMapSnapshot<Box>

  constructor(map: OrderedMapSnapshot<Box>) {
    this.map = map
  }
}

/** Ranges of up to so many entries are taken back one by one, larger ones by a snapshot of the map. */
const RANGE_LISTED_MAX = 64

/** Places to take back writes that are kept for the next transaction. */
const UNDO_KEPT_MAX = 64

class MemoryStorage implements Storage {
  readonly #map = new OrderedMap<Box>()
  #hashed = new HashIndex<Box>()
  #epoch = 0
  // How to take back each write: its key, and in the same place the value it had before, undefined if none. The arrays stay as long as
  // they are from one transaction to the next, because making them anew is a good part of what a small write would allocate.
  #undoCount = 0
  readonly #undoKeys: StorageKey[] = []
  readonly #undoValues: (StorageValue | MapBefore | undefined)[] = []
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
    return this.#find(key)?.value
  }

  visit(range: StorageRange, visitor: StorageVisitor): void {
    this.#requireOpen('visit')
    this.#visits++
    try {
      this.#map.visit(range, (key, box) => visitor(key, box.value))
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
    return new MemorySnapshot(this, this.#snapshotMap())
  }

  async restore(snapshot: StorageSnapshot): Promise<void> {
    this.#requireOpen('restore')
    this.#requireOutside('Restoring')
    assert(
      snapshot instanceof MemorySnapshot && snapshot.storage === this,
      'A snapshot is restored only by the storage that made it.',
    )
    this.#restoreMap(snapshot.map)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#requireOutside('Closing')
    this.#closed = true
    this.#map.clear()
    this.#hashed = new HashIndex()
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

  #find(key: StorageKey): Box | undefined {
    const hashed = this.#hashed.get(key)
    if (hashed !== undefined) return hashed
    const box = this.#map.get(key)
    if (box !== undefined) this.#hashed.put(box)
    return box
  }

  #put(key: StorageKey, value: StorageValue): StorageValue | undefined {
    const known = this.#hashed.get(key)
    if (known !== undefined && known.epoch === this.#epoch) {
      const before = known.value
      known.value = value
      return before
    }
    const box: Box = { key: known?.key ?? flat(key), value, epoch: this.#epoch }
    this.#hashed.put(box)
    return this.#map.put(box.key, box)?.value
  }

  #remove(key: StorageKey): StorageValue | undefined {
    this.#hashed.remove(key)
    return this.#map.remove(key)?.value
  }

  #snapshotMap(): OrderedMapSnapshot<Box> {
    this.#epoch++
    return this.#map.snapshot()
  }

  #restoreMap(map: OrderedMapSnapshot<Box>): void {
    this.#epoch++
    this.#hashed = new HashIndex()
    this.#map.restore(map)
  }

  #removeRange(start: StorageKey, end: StorageKey): void {
    const removed: Box[] = []
    this.#map.visit({ start, end }, (_, box) => removed.push(box) <= RANGE_LISTED_MAX)
    // A snapshot spares listing all that is removed, but makes the next write to each node copy it.
    if (removed.length > RANGE_LISTED_MAX) {
      this.#remember(start, new MapBefore(this.#snapshotMap()))
    } else for (const { key, value } of removed) this.#remember(key, value)
    if (removed.length === 0) return
    this.#map.visit({ start, end }, (key) => {
      this.#hashed.remove(key)
      return true
    })
    this.#map.removeRange({ start, end })
  }

  #remember(key: StorageKey, before: StorageValue | MapBefore | undefined): void {
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
      if (before instanceof MapBefore) this.#restoreMap(before.map)
      else if (before === undefined) this.#remove(key)
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
  readonly map: OrderedMapSnapshot<Box>

  constructor(storage: MemoryStorage, map: OrderedMapSnapshot<Box>) {
    this.storage = storage
    this.map = map
  }
}
