import type { Item } from '../../values/attribute-value.ts'
import { copyItem } from '../../values/copy.ts'
import { getOwn, setOwn } from '../../values/own.ts'
import type {
  ItemCollectionMetrics,
  ReturnItemCollectionMetrics,
} from '../../wire/item-operations.ts'
import type { Table } from '../catalog/table.ts'
import type { EngineContext } from '../context/context.ts'
import { collectionBytes } from '../write/collection-size.ts'
import type { AppliedWrite } from '../write/write.ts'

const GIGABYTE = 1024 ** 3

/** The size of the item collection a write went to, which only tables with local indexes have; else
 * undefined. */
export function itemCollectionMetrics(
  context: EngineContext,
  wanted: ReturnItemCollectionMetrics | undefined,
  table: Table,
  key: Item,
): ItemCollectionMetrics | undefined {
  if (wanted !== 'SIZE' || !table.hasLocalIndexes) return undefined
  // AWS gives a coarse range whose ends lie a gigabyte apart.
  const low = Math.floor(collectionBytes(context.storage, table, key) / GIGABYTE)
  const collectionKey: Record<string, Item[string]> = {}
  for (const { name } of table.primary.partition) setOwn(collectionKey, name, key[name]!)
  return { ItemCollectionKey: copyItem(collectionKey), SizeEstimateRangeGB: [low, low + 1] }
}

/** The same for many writes, as batches and transactions show it. */
export function collectionMetricsByTable(
  context: EngineContext,
  applied: readonly AppliedWrite[],
): Record<string, ItemCollectionMetrics[]> {
  const result: Record<string, ItemCollectionMetrics[]> = {}
  for (const { change } of applied) {
    const metrics = itemCollectionMetrics(context, 'SIZE', change.table, change.keyed)
    if (metrics === undefined) continue
    const known = getOwn(result, change.table.name)
    if (known === undefined) setOwn(result, change.table.name, [metrics])
    else known.push(metrics)
  }
  return result
}
