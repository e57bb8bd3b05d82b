import type { Environment } from '../../values/environment.ts'
import type { PendingDeletes } from '../storage/pending-deletes.ts'
import { readRange } from '../storage/read-range.ts'
import type { Storage, StorageTransaction } from '../storage/storage.ts'
import { allTables, tableData, tableKey } from '../storage/storage-keys.ts'
import { compileTable, type Table } from './table.ts'
import type { TableRecord } from './table-record.ts'

/** The parts of an engine that a catalog needs. */
export interface CatalogParts {
  readonly storage: Storage
  readonly environment: Environment
  readonly pendingDeletes: PendingDeletes
}

/** The tables of an engine: stored in its storage, kept compiled in memory. */
export interface Catalog {
  /** The table of that name in whatever state; undefined once its deletion has ended. */
  find(name: string): Table | undefined
  tables(): Table[]
  /** Runs a storage transaction that may change tables. If it is not committed, the tables are
   * again those that are stored. */
  change<TResult>(callback: (transaction: StorageTransaction) => TResult): Promise<TResult>
  /** Stores a new or changed table; call it inside `change`, last, after everything that may
   * throw. */
  put(transaction: StorageTransaction, record: TableRecord): Table
  /** Removes a table and everything kept for it; call it inside `change`, last. */
  remove(transaction: StorageTransaction, record: TableRecord): void
  /** Reads all tables again, after the storage was restored. */
  reload(): void
}

export function createCatalog({ storage, environment, pendingDeletes }: CatalogParts): Catalog {
  const tables = new Map<string, Table>()

  function reload(): void {
    tables.clear()
    for (const record of readRange<TableRecord>(storage, allTables())) {
      tables.set(record.name, compileTable(record))
    }
  }

  /** A table whose deletion has ended by the clock is gone for every reader; its data goes with the
   * next write to the catalog. */
  function isGone(record: TableRecord): boolean {
    const { transition } = record
    return transition?.status === 'DELETING' && environment.now() >= transition.endsMs
  }

  function remove(transaction: StorageTransaction, record: TableRecord): void {
    pendingDeletes.remove(transaction, tableData(record.id))
    transaction.remove(tableKey(record.name))
    tables.delete(record.name)
  }

  async function change<TResult>(
    callback: (transaction: StorageTransaction) => TResult,
  ): Promise<TResult> {
    let isWritten = false
    try {
      return await storage.transaction((transaction) => {
        const result = callback(transaction)
        isWritten = true
        return result
      })
    } catch (error) {
      // What the callback threw has left nothing behind, here as in the storage. A failed commit
      // has, and tables that others have made with it are lost as well.
      if (isWritten) forgetUncommitted()
      throw error
    }
  }

  function forgetUncommitted(): void {
    try {
      reload()
    } catch {
      // A storage that can't be read any more, or is being closed, shows no tables.
      tables.clear()
    }
  }

  function removeGone(transaction: StorageTransaction): void {
    for (const table of [...tables.values()]) {
      if (isGone(table.record)) remove(transaction, table.record)
    }
  }

  reload()
  return {
    find(name) {
      const table = tables.get(name)
      return table === undefined || isGone(table.record) ? undefined : table
    },
    tables() {
      return [...tables.values()].filter((table) => !isGone(table.record))
    },
    change,
    put(transaction, record) {
      removeGone(transaction)
      const table = compileTable(record)
      transaction.put(tableKey(record.name), record)
      tables.set(record.name, table)
      return table
    },
    remove,
    reload,
  }
}
