import { assert } from '../../errors/assert.ts'
import type { StorageReader, StorageTransaction } from './storage.ts'
import { statisticsKey } from './storage-keys.ts'

/** Number and size of the entries of one index, kept up to date by every write. */
export interface IndexStatistics {
  readonly items: number
  readonly bytes: number
}

const NOTHING: IndexStatistics = { items: 0, bytes: 0 }

/** The figures of one index; the primary index has id 0. */
export function readStatistics(
  reader: StorageReader,
  tableId: number,
  indexId: number,
): IndexStatistics {
  return (reader.get(statisticsKey(tableId, indexId)) as IndexStatistics | undefined) ?? NOTHING
}

export function addStatistics(
  transaction: StorageTransaction,
  tableId: number,
  indexId: number,
  delta: IndexStatistics,
): void {
  if (delta.items === 0 && delta.bytes === 0) return
  const statistics = readStatistics(transaction, tableId, indexId)
  const items = statistics.items + delta.items
  const bytes = statistics.bytes + delta.bytes
  assert(items >= 0 && bytes >= 0, 'an index never holds less than nothing')
  transaction.put(statisticsKey(tableId, indexId), { items, bytes })
}
