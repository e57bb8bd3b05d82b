import type { Condition, Path } from '../../expression/tree.ts'
import type { Attribute, Index, Model } from '../../schema/model.ts'
import type { Item } from '../../values/attribute-value.ts'
import type { QueryState } from '../state.ts'
import type { Where } from '../where.ts'
import type { Gap } from './completeness.ts'
import type { FanOut } from './fan-out.ts'

/**
 * A query or a scan decided: plain data. `request/` prints it, `execute/` sends that, `.explain()`
 * shows it.
 */
export interface ReadPlan {
  readonly kind: 'read'
  readonly tableName: string
  /** For messages. */
  readonly place: string
  /** The access pattern that it is for. */
  readonly pattern: string | undefined
  readonly state: QueryState
  readonly operation: 'Query' | 'Scan'
  readonly index: Index
  /** The one whose items are asked for, or the first of several. */
  readonly model: Model
  /** All of them: one, or those of a collection, whose items are then given as `Collected`. */
  readonly members: readonly ReadMember[]
  /**
   * The key attributes of the partition that is read, or of the first of several; none for a scan.
   */
  readonly partition: Item
  /** The partitions that are read, if there is not just one. */
  readonly fan: FanOut | undefined
  readonly sort: Condition | undefined
  /** What is asked of the items besides, and which of them are of the models. */
  readonly filter: Condition | undefined
  /**
   * Nearly everything that is read passes the filter, so a call begins by reading no more items
   * than it wants.
   */
  readonly limits: boolean
  /**
   * Leaves out items whose time to live is over; another condition every second, so no part of what
   * makes it this query.
   */
  readonly alive: Condition | undefined
  /** What is read of the index; everything if undefined. */
  readonly projection: readonly Path[] | undefined
  /** What is asked for of each whole item; only with `hydrate`. */
  readonly whole: readonly Path[] | undefined
  /**
   * A projection was asked for, so required attributes may be absent. A list names what is read for
   * our own use and not given.
   */
  readonly partial: boolean | readonly string[]
  /** DynamoDB only counts, and sends no items. */
  readonly counts: boolean
  /** Other models whose items can be among those read. */
  readonly others: readonly Model[]
  /** Matching items that are not in the index. */
  readonly gaps: readonly Gap[]
}

/** One of the models that are read. */
export interface ReadMember {
  readonly model: Model
  /** What the sort keys of its items must fulfil; the query's range may be wider. */
  readonly conditions: readonly Where[]
  /** The whole key is given, so there is one item of it at most. */
  readonly single: boolean
  /**
   * What is asked of its items besides. The request's filter knows them by their type, so those
   * without one are looked at again.
   */
  readonly filter: readonly Where[]
  /** Of a collection that selects: the attributes of the model that are not given. */
  readonly unasked: readonly string[] | undefined
  /** Attributes that the index does not project, and that are taken from its keys. */
  readonly inKeys: readonly Attribute[]
}
