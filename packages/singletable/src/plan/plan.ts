import type { Condition, Path, Update } from '../expression/tree.ts'
import type { Attribute, Model } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'
import type {
  ReturnConsumedCapacity,
  ReturnValues,
  UpdateItemRequest,
} from '../wire/item-operations.ts'
import type { WriteSite } from './plan-context.ts'
import type { UpdateDraft } from './write/update-draft.ts'
import type { Expectations } from './write/write-condition.ts'

/** A call decided: plain data between builders and execution. `.explain()` prints what is here. */

/** What `.explain()` gives: how a call will be carried out, and why. */
export interface Explanation {
  /** DynamoDB's operation, or operations in their order. */
  readonly operation: string
  readonly entity: string
  readonly index: string
  /** The other indexes, and why each can't serve or was not chosen. */
  readonly refused: readonly { readonly index: string; readonly reason: string }[]
  /**
   * With names and values in place, for reading: `pk = "USER#alice" AND begins_with(sk, "POST#")`.
   */
  readonly keyCondition?: string | undefined
  /**
   * Which partitions are read and in which order, where there are several; the key condition is
   * that of the first.
   */
  readonly partitions?: string | undefined
  /** What is read, paid for and then left out. */
  readonly filter?: string | undefined
  readonly condition?: string | undefined
  readonly update?: string | undefined
  /** All that is written together, where that is more than the item. */
  readonly writes?: readonly string[] | undefined
  /** How many requests: `1`, `1 per page`, `2: a read, then a conditional write`. */
  readonly requests: string
  /** Expected read or write units, in words with figures. */
  readonly capacity: string
  /** What a reader should know: filters that cost, extra reads, warnings. */
  readonly notes: readonly string[]
}

export interface GetPlan {
  readonly kind: 'get'
  readonly model: Model
  readonly tableName: string
  readonly key: Item
  readonly consistentRead: boolean
  readonly capacity: ReturnConsumedCapacity | undefined
  /** Everything if undefined; of params that were made by hand, in their own words. */
  readonly projection: readonly Path[] | RequestProjection | undefined
  /**
   * A projection was asked for, so required attributes may be absent. A list names what is read for
   * our own use and not given.
   */
  readonly partial: boolean | readonly string[]
  readonly includeExpired: boolean
}

/** The attributes a request asks for, in its own words. */
export interface RequestProjection {
  readonly ProjectionExpression: string
  readonly ExpressionAttributeNames: Readonly<Record<string, string>>
}

/** The request of a put, an update, a delete or a check; each has some of the members. */
export type WriteItemRequest = Omit<UpdateItemRequest, 'Key'> & { Item?: Item; Key?: Item }

/**
 * A write of one item decided: frozen plain data. `request/` prints it, `execute/` sends that,
 * `.explain()` shows it.
 */
export interface WritePlan {
  readonly kind: 'write'
  readonly tableName: string
  /** For messages. */
  readonly place: string
  readonly verb: 'put' | 'create' | 'update' | 'upsert' | 'delete' | 'check'
  readonly model: Model
  /** Its name in a transaction. */
  readonly action: 'Put' | 'Update' | 'Delete' | 'ConditionCheck'
  readonly key: Item
  /** Of a put. */
  readonly item?: Item | undefined
  readonly condition?: Condition | undefined
  readonly update?: Update | undefined
  readonly returns?: ReturnValues | undefined
  readonly capacity?: ReturnConsumedCapacity | undefined
  /**
   * Of params that were made by hand: the request in its own words, in place of all that is
   * printed.
   */
  readonly handmade?: WriteItemRequest | undefined
  readonly expects: Expectations
  /**
   * Sending it twice leaves the item as sending it once does, whatever others do in between being
   * aside.
   */
  readonly idempotent: boolean
  /**
   * What the call gives, where that is known before; else it gives the attributes that come back.
   */
  readonly output: Record<string, unknown> | undefined
  /** Of a put: the stored names of values that were made at random for it. */
  readonly fresh?: readonly string[] | undefined
  /**
   * Of an upsert: what it was planned from. An item that lacks what only a new one gets is written
   * otherwise.
   */
  readonly draft?: UpdateDraft | undefined
  /** What else is written in the same transaction, if the model asks for it. */
  readonly derivedItems?: readonly DerivedWrite[] | undefined
  /** What it is for, if it is a derived item itself. */
  readonly role?: DerivedRole | undefined
  /** What is carried out in its place if its condition fails: the same without counting down. */
  readonly instead?: WritePlan | undefined
}

/** A write that follows from another one. */
export type DerivedWrite = WritePlan | CountChange

export interface DerivedRole {
  readonly kind: 'copy' | 'unique' | 'count'
  /** Of the copy, the constraint or the counter. */
  readonly name: string
  /** The attributes that are unique, or the one whose elements have a copy each. */
  readonly attributes: readonly string[]
  /**
   * If its condition does not hold, there is nothing to do, and all others are carried out without
   * it.
   */
  readonly optional: boolean
}

/** A change of a parent's count or sum; those of one parent become one write. */
export interface CountChange extends WriteSite {
  readonly kind: 'count'
  readonly parent: Model
  readonly key: Item
  readonly attribute: Attribute
  /** A decimal. */
  readonly by: string
  /** An item that the parent did not have is counted or added, so that the parent has to exist. */
  readonly joins: boolean
  /** For messages. */
  readonly place: string
}
