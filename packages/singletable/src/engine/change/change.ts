import type { Update } from '../../expression/tree.ts'
import type { Item } from '../../values/attribute-value.ts'
import { equalItems } from '../../values/compare.ts'
import type { Table } from '../catalog/table.ts'
import type { StoredItem } from '../storage/stored-item.ts'

/** Before and after of one item. Both absent or both equal: nothing happened. */
export interface ItemChange {
  readonly table: Table
  /** Has the primary key attributes, perhaps among others. */
  readonly keyed: Item
  /** The item's key in the primary index. */
  readonly storageKey: string
  readonly before: StoredItem | undefined
  readonly after: StoredItem | undefined
  /** What an update was asked to do. */
  readonly update: Update | undefined
  /** `expiry` when the item's time to live ran out; streams distinguish the two. */
  readonly origin: 'request' | 'expiry'
  /** Whether the item stays what it was, where that has been found out already. */
  readonly isSame?: boolean
}

/** Whether the item is afterwards what it was before. This looks at every attribute, so it is asked
 * only where it matters. */
export function changesNothing({ before, after, isSame }: ItemChange): boolean {
  if (isSame !== undefined) return isSame
  if (before === undefined || after === undefined) return before === after
  return (
    before === after ||
    (before.sizeBytes === after.sizeBytes && equalItems(before.item, after.item))
  )
}
