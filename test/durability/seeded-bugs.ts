import type { Storage, StorageTransaction } from 'singletable/engine'

/** Mistakes a durable storage could make. The SIGKILL test must find each of them, or it shows
 * nothing. */
export type SeededBug = 'none' | 'acknowledges-early' | 'index-in-second-commit'

/** The storage with a bug, which it has only while `isActive` says so. */
export function withBug(storage: Storage, bug: SeededBug, isActive: () => boolean): Storage {
  if (bug === 'none') return storage
  const transaction = bug === 'acknowledges-early' ? acknowledgeEarly : indexInSecondCommit
  return {
    get: (key) => storage.get(key),
    visit: (range, visitor) => storage.visit(range, visitor),
    snapshot: () => storage.snapshot(),
    restore: (snapshot) => storage.restore(snapshot),
    close: () => storage.close(),
    transaction: (callback) =>
      isActive() ? transaction(storage, callback) : storage.transaction(callback),
  }
}

type Callback<TResult> = (transaction: StorageTransaction) => TResult

function acknowledgeEarly<TResult>(
  storage: Storage,
  callback: Callback<TResult>,
): Promise<TResult> {
  return new Promise((resolve, reject) => {
    const committed = storage.transaction((transaction) => {
      const result = callback(transaction)
      resolve(result)
      return result
    })
    committed.catch(reject)
  })
}

async function indexInSecondCommit<TResult>(
  storage: Storage,
  callback: Callback<TResult>,
): Promise<TResult> {
  const later: ((transaction: StorageTransaction) => void)[] = []
  const result = await storage.transaction((transaction) =>
    callback({
      get: (key) => transaction.get(key),
      visit: (range, visitor) => transaction.visit(range, visitor),
      removeRange: (range) => transaction.removeRange(range),
      put(key, value) {
        if (isIndexEntry(key)) later.push((second) => second.put(key, value))
        else transaction.put(key, value)
      },
      remove(key) {
        if (isIndexEntry(key)) later.push((second) => second.remove(key))
        else transaction.remove(key)
      },
    }),
  )
  if (later.length > 0) {
    await storage.transaction((transaction) => {
      for (const write of later) write(transaction)
    })
  }
  return result
}

/** Kind 4, four bytes of the table's id, two of the index's, which is 0 for the primary one
 * (docs/storage-format.md). */
function isIndexEntry(key: string): boolean {
  return key.startsWith('\x04') && key.slice(5, 7) !== '\x00\x00'
}
