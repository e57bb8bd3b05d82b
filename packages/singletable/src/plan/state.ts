import type { Model } from '../schema/model.ts'
import type { ReturnConsumedCapacity } from '../wire/item-operations.ts'
import type { Reference } from './reference.ts'
import type { Where } from './where.ts'

/** What builders hold: frozen plain data, one interface per verb. Planners turn it into a plan. */

export interface ReadState {
  readonly model: Model
  /** Attributes to give; all if undefined. */
  readonly select: readonly Reference[] | undefined
  readonly consistentRead: boolean
  /** Give items whose time to live is over, too. */
  readonly includeExpired: boolean
  readonly capacity: ReturnConsumedCapacity | undefined
}

/** A read that says nothing else. */
export const NEW_READ: Omit<ReadState, 'model'> = {
  select: undefined,
  consistentRead: false,
  includeExpired: false,
  capacity: undefined,
}

export interface GetState extends ReadState {
  readonly key: object
}

export interface QueryState extends ReadState {
  readonly verb: 'query' | 'scan'
  readonly where: Where | undefined
  readonly index: string | undefined
  readonly forward: boolean
  /** Results, at most. */
  readonly limit: number | undefined
  /** DynamoDB's Limit. */
  readonly pageSize: number | undefined
  readonly cursor: string | undefined
  readonly segment: { readonly segment: number; readonly total: number } | undefined
  /** Fetch whole items by key after reading a partial index. */
  readonly hydrate: boolean
  /** Only how many there are is asked for. */
  readonly counts?: boolean
  /** Segments that are read at the same time. */
  readonly parallel?: number | undefined
  /**
   * Of one query over several models each once, with what is asked of its items; what all of them
   * ask fixes the partition.
   */
  readonly members?: readonly MemberState[]
}

/** A query that says nothing else. */
export const NEW_QUERY: Omit<QueryState, 'model'> = {
  ...NEW_READ,
  verb: 'query',
  where: undefined,
  index: undefined,
  forward: true,
  limit: undefined,
  pageSize: undefined,
  cursor: undefined,
  segment: undefined,
  hydrate: false,
}

/** One of the models of a collection. */
export interface MemberState extends Pick<ReadState, 'model'> {
  readonly where: Where | undefined
  /** Attributes to give of its items; all if undefined. */
  readonly select?: ReadState['select']
}

export interface WriteState {
  readonly model: Model
  readonly where: Where | undefined
  readonly capacity: ReturnConsumedCapacity | undefined
}

export interface PutState extends WriteState {
  readonly input: object
  readonly verb: 'put' | 'create'
  /** What `execute` gives: the item as written, the one it replaced, or nothing. */
  readonly returning: 'NEW' | 'ALL_OLD' | 'NONE'
  /** Keep nothing of an item that is there, not even what the caller can't see. */
  readonly replaces?: boolean
}

export interface DeleteState extends WriteState {
  readonly key: object
  readonly version: number | undefined
  readonly returning: 'NONE' | 'ALL_OLD'
  /** Fail if there is no item. */
  readonly mustExist: boolean
  /**
   * Current values the caller knows: for what is deleted with the item, and asserted by the
   * condition.
   */
  readonly given?: object | undefined
}

export interface CheckState {
  readonly model: Model
  readonly key: object
  readonly where: Where | undefined
  readonly version: number | undefined
}

/** One thing an update does to one place of the item. */
export interface Assignment {
  /**
   * `compute` sets what DynamoDB computes from the item, `default` only where there is no value
   * yet; `add` adds to a number or to a set, `delete` takes members from a set.
   */
  readonly kind: 'set' | 'compute' | 'default' | 'remove' | 'add' | 'delete' | 'append' | 'prepend'
  readonly target: Reference
  /** A list of elements for `append` and `prepend`; nothing for `remove`. */
  readonly value?: unknown
  /** Of an `add`: the number to start from where there is none. */
  readonly from?: unknown
}

export interface UpdateState extends WriteState {
  readonly verb: 'update' | 'upsert'
  readonly key: object
  readonly assignments: readonly Assignment[]
  /** Current values the caller knows: used for index keys, and asserted by the condition. */
  readonly given: object | undefined
  readonly version: number | undefined
  readonly returning: 'ALL_NEW' | 'ALL_OLD' | 'UPDATED_NEW' | 'UPDATED_OLD' | 'NONE'
}
