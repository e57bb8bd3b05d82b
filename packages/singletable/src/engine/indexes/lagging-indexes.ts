import type { EngineContext } from '../context.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import type { Change } from '../write/change.ts'
import { applyIndexChange } from './apply-index-change.ts'
import type { IndexChange } from './index-changes.ts'

interface Pending {
  readonly tableName: string
  readonly tableId: number
  readonly change: IndexChange
  readonly dueMs: number
}

/**
 * Global secondary indexes that show writes late, as they may on AWS. Without a lag fault a change is applied at once; with one it waits
 * in line. Changes never overtake each other, so an index is behind, but never wrong.
 */
export class LaggingIndexes {
  #pending: Pending[] = []

  apply(
    context: EngineContext,
    transaction: StorageTransaction,
    change: Change,
    indexChange: IndexChange,
  ): void {
    const { table } = change
    const lagMs = context.faults.any
      ? context.faults.delayMs('indexLag', table.name, indexChange.index.name)
      : undefined
    if (lagMs === undefined && this.#pending.length === 0) {
      applyIndexChange(transaction, table.record.id, indexChange)
      return
    }
    if (lagMs === undefined) {
      this.#applyPending(context, transaction, () => true)
      applyIndexChange(transaction, table.record.id, indexChange)
      return
    }
    const dueMs = context.environment.now() + lagMs
    this.#pending.push({
      tableName: table.name,
      tableId: table.record.id,
      change: indexChange,
      dueMs,
    })
    context.environment.schedule(() => void this.catchUp(context), lagMs)
  }

  /** Applies what is due by the clock. */
  async catchUp(context: EngineContext): Promise<void> {
    const now = context.environment.now()
    await this.#settle(context, (pending) => pending.dueMs <= now)
  }

  /** Applies everything that waits. */
  async flush(context: EngineContext): Promise<void> {
    await this.#settle(context, () => true)
  }

  clear(): void {
    this.#pending = []
  }

  async #settle(context: EngineContext, isDue: (pending: Pending) => boolean): Promise<void> {
    if (this.#pending.length === 0) return
    await context.storage.transaction((transaction) => {
      this.#applyPending(context, transaction, isDue)
    })
  }

  #applyPending(
    context: EngineContext,
    transaction: StorageTransaction,
    isDue: (pending: Pending) => boolean,
  ): void {
    while (this.#pending.length > 0 && isDue(this.#pending[0]!)) {
      const { tableName, tableId, change } = this.#pending.shift()!
      const table = context.catalog.find(tableName)
      // The table or the index may be gone, or have been made anew, since the write.
      if (table?.record.id !== tableId) continue
      if (!table.secondary.some((index) => index.id === change.index.id)) continue
      applyIndexChange(transaction, tableId, change)
    }
  }
}
