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
 * in line. Changes of one index never overtake each other, so an index is behind, but never wrong.
 */
export class LaggingIndexes {
  #pending: Pending[] = []
  /** Changes of the storage transaction that runs now: they wait only if it commits. */
  #staged: Pending[] = []

  /** A storage transaction starts. What one that failed has left behind is forgotten. */
  begin(): void {
    if (this.#staged.length > 0) this.#staged = []
  }

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
    const before = this.#lastOf(table.record.id, indexChange.index.id)
    if (lagMs === undefined && before === undefined) {
      applyIndexChange(transaction, table.record.id, indexChange)
      return
    }
    const dueMs = Math.max(context.environment.now() + (lagMs ?? 0), before?.dueMs ?? 0)
    this.#staged.push({
      tableName: table.name,
      tableId: table.record.id,
      change: indexChange,
      dueMs,
    })
  }

  /** The storage transaction ends well: what it left to be done later starts to wait. */
  commit(context: EngineContext): void {
    if (this.#staged.length === 0) return
    const now = context.environment.now()
    for (const pending of this.#staged) {
      this.#pending.push(pending)
      context.environment.schedule(() => void this.catchUp(context), pending.dueMs - now)
    }
    this.#staged = []
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
    this.#staged = []
  }

  #lastOf(tableId: number, indexId: number): Pending | undefined {
    if (this.#pending.length === 0 && this.#staged.length === 0) return undefined
    const isOfIndex = (pending: Pending): boolean =>
      pending.tableId === tableId && pending.change.index.id === indexId
    return this.#staged.findLast(isOfIndex) ?? this.#pending.findLast(isOfIndex)
  }

  async #settle(context: EngineContext, isDue: (pending: Pending) => boolean): Promise<void> {
    if (this.#pending.length === 0) return
    await context.storage.transaction((transaction) => {
      const waiting: Pending[] = []
      for (const pending of this.#pending) {
        if (isDue(pending)) applyPending(context, transaction, pending)
        else waiting.push(pending)
      }
      this.#pending = waiting
    })
  }
}

function applyPending(
  context: EngineContext,
  transaction: StorageTransaction,
  { tableName, tableId, change }: Pending,
): void {
  const table = context.catalog.find(tableName)
  // The table or the index may be gone, or have been made anew, since the write.
  if (table?.record.id !== tableId) return
  if (!table.secondary.some((index) => index.id === change.index.id)) return
  applyIndexChange(transaction, tableId, change)
}
