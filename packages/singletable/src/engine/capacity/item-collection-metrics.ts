import type { Item } from '../../values/attribute-value.ts'
import { setOwn } from '../../values/own.ts'
import type {
  ItemCollectionMetrics,
  ReturnItemCollectionMetrics,
} from '../../wire/item-operations.ts'
import type { Table } from '../catalog/table.ts'
import type { EngineContext } from '../context.ts'
import { collectionBytes } from '../write/collection-size.ts'

const GIGABYTE = 1024 ** 3

/** The size of the item collection a write went to, which only tables with local indexes have; else undefined. */
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
  return { ItemCollectionKey: collectionKey, SizeEstimateRangeGB: [low, low + 1] }
}
