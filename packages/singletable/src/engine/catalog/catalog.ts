import type { Environment } from '../environment.ts'
import type { Storage, StorageTransaction } from '../storage/storage.ts'
import { allTables, tableData, tableKey } from '../storage/storage-keys.ts'
import { compileTable, type Table } from './table.ts'
import type { TableRecord } from './table-record.ts'

/** The tables of an engine: stored in its storage, kept compiled in memory. */
export interface Catalog {
  /** The table of that name in whatever state; undefined once its deletion has ended. */
  find(name: string): Table | undefined
  /** All names in byte order. */
  names(): string[]
  tables(): Table[]
  /** Stores a new or changed table; call it last in a transaction, after everything that may throw. */
  put(transaction: StorageTransaction, record: TableRecord): Table
  /** Removes a table and everything kept for it. */
  remove(transaction: StorageTransaction, record: TableRecord): void
  /** Reads all tables again, after the storage was restored. */
  reload(): void
}

export function createCatalog(storage: Storage, environment: Environment): Catalog {
  const tables = new Map<string, Table>()

  function reload(): void {
    tables.clear()
    storage.visit(allTables(), (_key, value) => {
      const record = value as TableRecord
      tables.set(record.name, compileTable(record))
      return true
    })
  }

  /** A table whose deletion has ended by the clock is gone for every reader; its data goes with the next write to the catalog. */
  function isGone(record: TableRecord): boolean {
    const { transition } = record
    return transition?.status === 'DELETING' && environment.now() >= transition.endsMs
  }

  function remove(transaction: StorageTransaction, record: TableRecord): void {
    for (const range of tableData(record.id)) transaction.removeRange(range)
    transaction.remove(tableKey(record.name))
    tables.delete(record.name)
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
    names() {
      // Table names are ASCII, where the order of UTF-16 units is the order of bytes.
      return [...tables.values()]
        .filter((table) => !isGone(table.record))
        .map((table) => table.name)
        .sort((left, right) => (left < right ? -1 : 1))
    },
    tables() {
      return [...tables.values()].filter((table) => !isGone(table.record))
    },
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
