import type { Item } from '../../values/attribute-value.ts'
import { compileTable } from '../catalog/table.ts'
import type { TableRecord } from '../catalog/table-record.ts'
import type { StoredItem } from '../storage/stored-item.ts'
import { entryOf } from './index-changes.ts'

/** What one item has to have in one secondary index. */
export interface ExpectedEntry {
  readonly indexId: number
  readonly item: Item
}

/** For who checks a storage: from a table's record, as it is stored, the function that says what an
 * item of the table has in the table's secondary indexes. */
export function expectedEntries(record: object): (stored: StoredItem) => readonly ExpectedEntry[] {
  const { secondary } = compileTable(record as TableRecord)
  return (stored) =>
    secondary.flatMap((index) => {
      const entry = entryOf(index, stored, '')
      return entry === undefined ? [] : [{ indexId: index.id, item: entry.stored.item }]
    })
}
