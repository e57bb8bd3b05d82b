import type { Environment } from '../../values/environment.ts'
import type { TableRecord } from '../catalog/table-record.ts'
import { applyIndexChange } from '../indexes/apply-index-change.ts'
import type { IndexChange } from '../indexes/index-changes.ts'
import type { Storage, StorageTransaction } from '../storage/storage.ts'
import { tableKey } from '../storage/storage-keys.ts'
import type { FaultPlan } from './fault-plan.ts'

/** The parts of an engine that are needed to put off a change. */
export interface LaggingIndexesParts {
  readonly storage: Storage
  readonly environment: Environment
  readonly faults: FaultPlan
}

interface Pending {
  readonly table: TableRecord
  readonly change: IndexChange
  readonly dueMs: number
}

/**
 * Global secondary indexes that show writes late, as they may on AWS. Without a lag fault a change
 * is applied at once; with one it waits in line. Changes of one index never overtake each other, so
 * an index is behind, but never wrong.
 *
 * It wraps the storage, because a change may wait only if the transaction that made it commits.
 */
export class LaggingIndexes {
  /** The storage with transactions whose changes of indexes can be put off. */
  readonly storage: Storage
  readonly #parts: LaggingIndexesParts
  #pending: Pending[] = []
  /** Changes of the storage transaction that runs now; undefined while none runs that can put off
   * changes. */
  #staged: Pending[] | undefined
  /** How many such transactions have not ended yet. */
  #running = 0

  constructor(parts: LaggingIndexesParts) {
    this.#parts = parts
    const { storage } = parts
    this.storage = {
      get: (key) => storage.get(key),
      visit: (range, visitor) => storage.visit(range, visitor),
      transaction: (callback) => this.#transaction(callback),
      prepare: (value) => storage.prepare?.(value),
      snapshot: () => storage.snapshot(),
      restore: (snapshot) => {
        this.#pending = []
        return storage.restore(snapshot)
      },
      close: () => this.flush().finally(() => storage.close()),
    }
  }

  /** Applies the change of an index, or leaves it to be applied after the lag. */
  readonly apply: typeof applyIndexChange = (transaction, table, change) => {
    if (this.#staged === undefined) return applyIndexChange(transaction, table, change)
    const { faults, environment } = this.#parts
    const lagMs = faults.delayMs('indexLag', table.name, change.index.name)
    const before = this.#lastOf(table.id, change.index.id)
    if (lagMs === undefined && before === undefined) {
      return applyIndexChange(transaction, table, change)
    }
    const dueMs = Math.max(environment.now() + (lagMs ?? 0), before?.dueMs ?? 0)
    this.#staged.push({ table, change, dueMs })
  }

  /** Applies everything that waits. */
  flush(): Promise<void> {
    return this.#settle(() => true)
  }

  #transaction<TResult>(callback: (transaction: StorageTransaction) => TResult): Promise<TResult> {
    const { storage, faults } = this.#parts
    if (!faults.any && this.#pending.length === 0 && this.#running === 0) {
      return storage.transaction(callback)
    }
    this.#running++
    return storage
      .transaction((transaction) => {
        const staged: Pending[] = []
        this.#staged = staged
        try {
          const result = callback(transaction)
          this.#wait(staged)
          return result
        } finally {
          this.#staged = undefined
        }
      })
      .finally(() => this.#running--)
  }

  /** The storage transaction ends well: what it left to be done later starts to wait. */
  #wait(staged: readonly Pending[]): void {
    const { environment } = this.#parts
    const now = environment.now()
    for (const pending of staged) {
      this.#pending.push(pending)
      // A storage that takes no more writes, or was closed meanwhile, has reported that to those
      // who wait for an answer.
      const catchUp = (): void => void this.#catchUp().catch(() => {})
      environment.schedule(catchUp, pending.dueMs - now, { background: true })
    }
  }

  /** Applies what is due by the clock. */
  #catchUp(): Promise<void> {
    const now = this.#parts.environment.now()
    return this.#settle((pending) => pending.dueMs <= now)
  }

  #lastOf(tableId: number, indexId: number): Pending | undefined {
    const isOfIndex = ({ table, change }: Pending): boolean =>
      table.id === tableId && change.index.id === indexId
    return this.#staged?.findLast(isOfIndex) ?? this.#pending.findLast(isOfIndex)
  }

  async #settle(isDue: (pending: Pending) => boolean): Promise<void> {
    if (this.#pending.length === 0) return
    await this.#parts.storage.transaction((transaction) => {
      const waiting: Pending[] = []
      for (const pending of this.#pending) {
        if (isDue(pending)) applyPending(transaction, pending)
        else waiting.push(pending)
      }
      this.#pending = waiting
    })
  }
}

function applyPending(transaction: StorageTransaction, { table, change }: Pending): void {
  const current = transaction.get(tableKey(table.name)) as TableRecord | undefined
  // The table or the index may be gone, or have been created again, since the write.
  if (current?.id !== table.id) return
  if (!current.indexes.some((index) => index.id === change.index.id)) return
  applyIndexChange(transaction, current, change)
}
