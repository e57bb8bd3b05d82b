import { assert } from '../../errors/assert.ts'
import { SingletableError } from '../../errors/singletable-error.ts'
import { HashIndex, hashOf } from './hash-index.ts'
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
 * What the tree has for a key. The value itself stands in the hash index, where reads find it at once, and where another one costs no way down
 * the tree. A box is never changed but once: when the hash index loses the value while a snapshot may still have the box.
 */
interface Box {
  readonly hash: number
  /** The hash index with the value, or the value. */
  home: HashIndex | StorageValue
}

function valueIn(box: Box, key: StorageKey): StorageValue {
  const { home } = box
  return home instanceof HashIndex ? home.get(key, box.hash)! : home
}

/** The content of a storage at one time. */
interface Content {
  readonly map: OrderedMapSnapshot<Box>
  /** The hash index of that time, unless the boxes have been given all their values from it. */
  values: HashIndex | undefined
}

/** What takes back the removal of a large range: everything before it. */
class ContentBefore {
  readonly content: Content

  constructor(content: Content) {
    this.content = content
  }
}

/** Ranges of up to so many entries are taken back one by one, larger ones by a snapshot of the map. */
const RANGE_LISTED_MAX = 64

/** So many entries written since a snapshot, or as many as it has, may stay in memory after it was restored. */
const LEFTOVERS_MAX = 10_000

/** After every key: those are of bytes. */
const KEYS_END = '\u0100'

/** Places to take back writes that are kept for the next transaction. */
const UNDO_KEPT_MAX = 64

class MemoryStorage implements Storage {
  readonly #map = new OrderedMap<Box>()
  #values = new HashIndex()
  /** The keys put since the last snapshot; all, if there was none. What was put before may be the snapshot's, and is left to it. */
  #own: Set<StorageKey> | undefined
  /** What `#own` was before the present transaction had to remember everything. */
  #ownBefore: { readonly own: Set<StorageKey> | undefined } | undefined
  // How to take back each write: its key, and in the same place the value it had before, undefined if none. The arrays stay as long as
  // they are from one transaction to the next, because making them anew is a good part of what a small write would allocate.
  #undoCount = 0
  readonly #undoKeys: StorageKey[] = []
  readonly #undoValues: (StorageValue | ContentBefore | undefined)[] = []
  /** Whether the hash index has all entries. After a restoring they come into it when they are first asked for. */
  #isHashed = true
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
    const value = this.#values.get(key, hashOf(key))
    return value !== undefined || this.#isHashed ? value : this.#findInTree(key)
  }

  visit(range: StorageRange, visitor: StorageVisitor): void {
    this.#requireOpen('visit')
    this.#visits++
    try {
      this.#map.visit(range, (key, box) => visitor(key, valueIn(box, key)))
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
    return new MemorySnapshot(this, this.#takeContent())
  }

  async restore(snapshot: StorageSnapshot): Promise<void> {
    this.#requireOpen('restore')
    this.#requireOutside('Restoring')
    assert(
      snapshot instanceof MemorySnapshot && snapshot.storage === this,
      'A snapshot is restored only by the storage that made it.',
    )
    this.#restoreContent(snapshot.content)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#requireOutside('Closing')
    this.#closed = true
    this.#map.clear()
    this.#values = new HashIndex()
  }

  #run<TResult>(callback: (transaction: StorageTransaction) => TResult): TResult {
    this.#inTransaction = true
    try {
      const result = callback(this.#transaction)
      this.#shareNoMore()
      return result
    } catch (error) {
      this.#takeBack()
      throw error
    } finally {
      this.#ownBefore = undefined
      this.#inTransaction = false
      this.#forget()
    }
  }

  /** Of an entry from before a restoring, which the hash index may not know yet. */
  #findInTree(key: StorageKey): StorageValue | undefined {
    const box = this.#map.get(key)
    if (box === undefined) return undefined
    const value = valueIn(box, key)
    this.#values.put(flat(key), box.hash, value)
    return value
  }

  #put(key: StorageKey, value: StorageValue): StorageValue | undefined {
    const values = this.#values
    const hash = hashOf(key)
    if (this.#own === undefined || this.#own.has(key)) {
      const replaced = values.replace(key, hash, value)
      if (replaced !== undefined) return replaced
    }
    const ownKey = values.ownKey(key, hash) ?? flat(key)
    const before = this.#letGo(ownKey, this.#map.put(ownKey, { hash, home: values }))
    values.put(ownKey, hash, value)
    this.#own?.add(ownKey)
    return before
  }

  #remove(key: StorageKey): StorageValue | undefined {
    const before = this.#letGo(key, this.#map.remove(key))
    if (before !== undefined) this.#values.remove(key, hashOf(key))
    return before
  }

  /** Gives a box, which the tree no longer has, its value before the hash index loses that; returns the value. */
  #letGo(key: StorageKey, box: Box | undefined): StorageValue | undefined {
    if (box === undefined) return undefined
    const value = valueIn(box, key)
    if (box.home === this.#values) box.home = value
    return value
  }

  /** What a transaction remembered is of no use after it. */
  #shareNoMore(): void {
    if (this.#ownBefore === undefined) return
    const { own } = this.#ownBefore
    if (own !== undefined) for (const key of this.#own ?? []) own.add(key)
    this.#own = own
  }

  #takeContent(): Content {
    this.#own = new Set()
    return { map: this.#map.snapshot(), values: this.#values }
  }

  /**
   * The hash index stays what it is for the boxes that have their values in it, and another one begins, which gets to know entries when they are
   * first asked for.
   */
  #restoreContent(content: Content): void {
    this.#map.restore(content.map)
    const { map, values } = content
    if (values !== undefined && values.size > map.size * 2 + LEFTOVERS_MAX) {
      this.#settle(values)
      content.values = undefined
    }
    this.#values = new HashIndex()
    this.#own = new Set()
    this.#isHashed = false
  }

  /**
   * Gives all boxes their values, so that they don't hold the hash index any more, with what was written since the snapshot and nobody will read. It is
   * done once, and takes no longer than that writing did.
   */
  #settle(values: HashIndex): void {
    this.#map.visit({ start: '', end: KEYS_END }, (key, box) => {
      if (box.home === values) box.home = valueIn(box, key)
      return true
    })
  }

  #removeRange(start: StorageKey, end: StorageKey): void {
    const removed: [StorageKey, StorageValue][] = []
    this.#map.visit({ start, end }, (key, box) => {
      return removed.push([key, valueIn(box, key)]) <= RANGE_LISTED_MAX
    })
    // A snapshot spares listing all that is removed, but makes the next write to each node copy it.
    if (removed.length > RANGE_LISTED_MAX) {
      this.#ownBefore ??= { own: this.#own }
      this.#remember(start, new ContentBefore(this.#takeContent()))
    } else for (const [key, value] of removed) this.#remember(key, value)
    if (removed.length === 0) return
    this.#map.visit({ start, end }, (key, box) => {
      this.#letGo(key, box)
      this.#values.remove(key, box.hash)
      return true
    })
    this.#map.removeRange({ start, end })
  }

  #remember(key: StorageKey, before: StorageValue | ContentBefore | undefined): void {
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
      if (before instanceof ContentBefore) this.#restoreContent(before.content)
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
  readonly content: Content

  constructor(storage: MemoryStorage, content: Content) {
    this.storage = storage
    this.content = content
  }
}
