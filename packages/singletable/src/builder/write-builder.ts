import type { Explanation } from '../plan/plan.ts'
import type { Item, ModelName } from '../schema/infer.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { ReturnConsumedCapacity } from '../wire/item-operations.ts'
import type { LazyPromise } from './lazy-call.ts'

/** What the builders of puts, updates and deletes have. */
export interface WriteBuilder<TResult> extends LazyPromise<TResult> {
  /** Asks DynamoDB what the request cost; subscribers of the channel `singletable:request` are told. */
  returnConsumedCapacity(mode: ReturnConsumedCapacity): this
  /** How the call will be carried out, and what it costs. */
  explain(): Explanation
}

/** Current values of an item, as far as they are known. */
export type GivenValues<TSchema extends SchemaDefinition, TName extends ModelName<TSchema>> = {
  readonly [TAttribute in keyof Item<TSchema, TName>]?: Item<TSchema, TName>[TAttribute] | undefined
}
