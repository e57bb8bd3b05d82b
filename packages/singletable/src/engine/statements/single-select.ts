import { partsOf } from '../../expression/build.ts'
import type { Item } from '../../values/attribute-value.ts'
import type { Table } from '../catalog/table.ts'
import type { EngineContext } from '../context/context.ts'
import { primaryKey } from '../indexes/entry-key.ts'
import { copyForCaller, type StoredItem } from '../storage/stored-item.ts'
import type { BoundSelect } from './bind-statement.ts'
import { equalityOf } from './key-equalities.ts'
import { selectColumns } from './select-list.ts'
import { requireStatementKey } from './statement-key.ts'

/** The storage key of the one item that a SELECT names by its whole key and nothing else; undefined
 * for any other SELECT. */
export function singleItemKey(table: Table, select: BoundSelect): string | undefined {
  if (select.source.index !== undefined) return undefined
  const names = new Set<string>()
  for (const part of partsOf('and', select.condition)) {
    const equality = equalityOf(part)
    if (equality === undefined || !table.keyNames.includes(equality.name)) return undefined
    names.add(equality.name)
  }
  if (names.size < table.keyNames.length) return undefined
  return primaryKey(table, requireStatementKey(table, select.condition).key)
}

/** The item as the SELECT shows it, and what reading it counts. */
export function readSingleItem(
  context: EngineContext,
  select: BoundSelect,
  storageKey: string,
): { readonly item: Item | undefined; readonly sizeBytes: number } {
  const stored = context.storage.get(storageKey) as StoredItem | undefined
  if (stored === undefined) return { item: undefined, sizeBytes: 0 }
  return {
    item: selectColumns(select.columns, copyForCaller(stored)),
    sizeBytes: stored.sizeBytes,
  }
}
