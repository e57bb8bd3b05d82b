import type { Environment } from '../../values/environment.ts'
import { nextNumber } from './counter.ts'
import type { Storage, StorageKey, StorageRange, StorageTransaction } from './storage.ts'
import { allPendingDeletes, pendingDeleteKey } from './storage-keys.ts'
import type { StoredItem } from './stored-item.ts'

/** How many entries are removed in one go before other work has its turn; on disk they share a
 * flush. */
export const PENDING_DELETES_STEP_ENTRIES_MAX = 1000
/** Finding an entry may read its value, so large items count, too. */
const STEP_BYTES = 1_048_576

/** Kept in the storage until the last entry is gone. */
interface PendingDeleteRecord {
  readonly ranges: readonly StorageRange[]
}

/**
 * What is left of deleted tables, indexes and backups. Nobody reads it, and as ids are never given
 * out again nobody will write there; so it need not go in the transaction that deletes, which would
 * hold up everything else for seconds if there are millions of entries. What is still there when
 * the engine is closed, or its process killed, goes when the storage is opened again.
 */
export class PendingDeletes {
  readonly #storage: Storage
  readonly #environment: Environment
  #cancel: (() => void) | undefined
  /** More may have been added since the last step. */
  #isDue = false
  #isStopped = false

  constructor(storage: Storage, environment: Environment) {
    this.#storage = storage
    this.#environment = environment
    this.resume()
  }

  /** Removes all entries of the ranges: at once if they are few, else bit by bit after the
   * transaction. */
  remove(transaction: StorageTransaction, ranges: readonly StorageRange[]): void {
    if (keysOf(transaction, ranges).isAll) {
      for (const range of ranges) transaction.removeRange(range)
      return
    }
    const record: PendingDeleteRecord = { ranges }
    transaction.put(pendingDeleteKey(nextNumber(transaction, 'remains')), record)
    this.#schedule()
  }

  /** Continues with what the storage says is left. */
  resume(): void {
    this.#storage.visit(allPendingDeletes(), () => {
      this.#schedule()
      return false
    })
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel?.()
  }

  #schedule(): void {
    this.#isDue = true
    if (this.#isStopped || this.#cancel !== undefined) return
    const step = (): void => {
      this.#isDue = false
      this.#storage.transaction(removeSome).then(
        (wasAny) => {
          this.#cancel = undefined
          if (wasAny || this.#isDue) this.#schedule()
        },
        // The storage takes no more writes. What is left goes when it is opened again.
        () => this.stop(),
      )
    }
    this.#cancel = this.#environment.schedule(step, 0, { background: true })
  }
}

/** Removes some of what is left; false if there was nothing. */
function removeSome(transaction: StorageTransaction): boolean {
  let first: { readonly key: StorageKey; readonly record: PendingDeleteRecord } | undefined
  transaction.visit(allPendingDeletes(), (key, value) => {
    first = { key, record: value as PendingDeleteRecord }
    return false
  })
  if (first === undefined) return false
  const { keys, isAll } = keysOf(transaction, first.record.ranges)
  for (const key of keys) transaction.remove(key)
  if (isAll) transaction.remove(first.key)
  return true
}

/** The first keys of the ranges, as many as one step takes, and whether there are no others. */
function keysOf(
  transaction: StorageTransaction,
  ranges: readonly StorageRange[],
): { readonly keys: readonly StorageKey[]; readonly isAll: boolean } {
  const keys: StorageKey[] = []
  let bytes = 0
  let isAll = true
  for (const range of ranges) {
    if (!isAll) break
    transaction.visit(range, (key, value) => {
      bytes += (value as Partial<StoredItem>).sizeBytes ?? 0
      isAll = keys.push(key) < PENDING_DELETES_STEP_ENTRIES_MAX && bytes < STEP_BYTES
      return isAll
    })
  }
  return { keys, isAll }
}
