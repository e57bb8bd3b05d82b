import type { Environment } from '../../values/environment.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { FaultPlan } from '../faults/fault-plan.ts'
import type { Storage, StorageTransaction } from '../storage/storage.ts'
import type { Change } from '../write/change.ts'
import { applyIndexChange } from './apply-index-change.ts'
import type { IndexChange } from './index-changes.ts'

/** The parts of an engine that are needed to put off a change. */
export interface LaggingIndexesParts {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly environment: Environment
  readonly faults: FaultPlan
}

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
  readonly #parts: LaggingIndexesParts
  #pending: Pending[] = []
  /** Changes of the storage transaction that runs now: they wait only if it commits. */
  #staged: Pending[] = []

  constructor(parts: LaggingIndexesParts) {
    this.#parts = parts
  }

  /** A storage transaction starts. What one that failed has left behind is forgotten. */
  begin(): void {
    if (this.#staged.length > 0) this.#staged = []
  }

  apply(transaction: StorageTransaction, change: Change, indexChange: IndexChange): void {
    const { table } = change
    const { faults, environment } = this.#parts
    const lagMs = faults.any
      ? faults.delayMs('indexLag', table.name, indexChange.index.name)
      : undefined
    const before = this.#lastOf(table.record.id, indexChange.index.id)
    if (lagMs === undefined && before === undefined) {
      applyIndexChange(transaction, table.record.id, indexChange)
      return
    }
    const dueMs = Math.max(environment.now() + (lagMs ?? 0), before?.dueMs ?? 0)
    this.#staged.push({
      tableName: table.name,
      tableId: table.record.id,
      change: indexChange,
      dueMs,
    })
  }

  /** The storage transaction ends well: what it left to be done later starts to wait. */
  commit(): void {
    if (this.#staged.length === 0) return
    const { environment } = this.#parts
    const now = environment.now()
    for (const pending of this.#staged) {
      this.#pending.push(pending)
      // A storage that takes no more writes, or was closed meanwhile, has told those who wait for an answer.
      const catchUp = (): void => void this.catchUp().catch(() => {})
      environment.schedule(catchUp, pending.dueMs - now, { background: true })
    }
    this.#staged = []
  }

  /** Applies what is due by the clock. */
  async catchUp(): Promise<void> {
    const now = this.#parts.environment.now()
    await this.#settle((pending) => pending.dueMs <= now)
  }

  /** Applies everything that waits. */
  async flush(): Promise<void> {
    await this.#settle(() => true)
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

  async #settle(isDue: (pending: Pending) => boolean): Promise<void> {
    if (this.#pending.length === 0) return
    await this.#parts.storage.transaction((transaction) => {
      const waiting: Pending[] = []
      for (const pending of this.#pending) {
        if (isDue(pending)) applyPending(this.#parts.catalog, transaction, pending)
        else waiting.push(pending)
      }
      this.#pending = waiting
    })
  }
}

function applyPending(
  catalog: Catalog,
  transaction: StorageTransaction,
  { tableName, tableId, change }: Pending,
): void {
  const table = catalog.find(tableName)
  // The table or the index may be gone, or have been made anew, since the write.
  if (table?.record.id !== tableId) return
  if (!table.secondary.some((index) => index.id === change.index.id)) return
  applyIndexChange(transaction, tableId, change)
}
