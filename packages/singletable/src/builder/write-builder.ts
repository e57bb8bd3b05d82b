import type { ConditionFailedError } from '../errors/condition-failed-error.ts'
import type { ConditionCode } from '../errors/transaction-canceled-error.ts'
import type { Explanation } from '../plan/plan.ts'
import type { Item, ModelName } from '../schema/infer.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { ReturnConsumedCapacity } from '../wire/item-operations.ts'
import type { LazyPromise } from './lazy-call.ts'

/** What the builders of puts, updates and deletes have. */
export interface WriteBuilder<TResult> extends LazyPromise<TResult> {
  /**
   * Asks DynamoDB what the request cost; subscribers of the channel `singletable:request` get it.
   */
  returnConsumedCapacity(mode: ReturnConsumedCapacity): this
  /** How the call will be carried out, and what it costs. */
  explain(): Explanation
}

/** How a write ended whose condition may fail: see `result()`. */
export type WriteResult<TResult, TItem = Record<string, unknown>> =
  | {
      readonly ok: true
      /** What the call resolves with when it is awaited. */
      readonly value: TResult
    }
  | {
      readonly ok: false
      /** Such as `CONDITION_FAILED`, `ITEM_EXISTS`, `ITEM_NOT_FOUND` or `VERSION_CONFLICT`. */
      readonly reason: ConditionCode
      /** The item that the condition did not hold for, if there is one. */
      readonly item: TItem | undefined
      /** What is thrown where the call is awaited. */
      readonly error: ConditionFailedError
    }

/** Current values of an item, as far as they are known. */
export type GivenValues<TSchema extends SchemaDefinition, TName extends ModelName<TSchema>> = {
  readonly [TAttribute in keyof Item<TSchema, TName>]?: Item<TSchema, TName>[TAttribute] | undefined
}
