import type { Condition, Update } from '../../expression/tree.ts'
import type { Item } from '../../values/attribute-value.ts'
import type { Table } from '../catalog/table.ts'
import type { ItemChange } from '../change/change.ts'
import type { IndexChange } from '../indexes/index-changes.ts'
import type { StoredItem } from '../storage/stored-item.ts'

export type WriteAction =
  | { readonly kind: 'put'; readonly stored: StoredItem }
  /** Legacy is an update given as AttributeUpdates: AWS has a text of its own for one that the
   * item's types refuse. */
  | { readonly kind: 'update'; readonly update: Update; readonly isLegacy?: boolean }
  | { readonly kind: 'delete' }
  /** Changes nothing; the condition alone counts. */
  | { readonly kind: 'check' }

/** One intended change of one item, checked as far as that is possible without looking at the
 * item. */
export interface ItemWrite {
  readonly table: Table
  /** Has the primary key attributes, perhaps among others. */
  readonly keyed: Item
  readonly storageKey: string
  readonly action: WriteAction
  readonly condition?: Condition | undefined
  /** Put the item that was found into the error when the condition fails. */
  readonly returnOldOnFailure?: boolean
  /** A request, unless said otherwise. */
  readonly origin?: ItemChange['origin']
  /** PartiQL's INSERT: an item that is there already is an error of its own kind. */
  readonly mustBeNew?: boolean
}

/** What became of a write: the change it made, and what that cost. */
export interface AppliedWrite {
  readonly change: ItemChange
  readonly indexChanges: readonly IndexChange[]
  /** Write units of the table itself. */
  readonly units: number
}
