import type { ReadOptions } from '../execute/table-context.ts'
import type { Item, Key, ModelName } from '../schema/infer.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { AttributeReferences } from './attribute-references.ts'
import type { LazyPromise } from './lazy-call.ts'
import type { PlannedDelete, PlannedGet, PlannedPut, ResultOf } from './planned.ts'
import type { DeepPartial, SelectPlaces } from './selection.ts'

/**
 * Reads many items of one model by their keys, in as few requests as it takes. Gives them in the
 * order of the keys, `undefined` where there is none. A batch that can't be finished is a
 * `BatchIncompleteError`.
 */
export interface BatchGetBuilder<
  TResult,
  TName extends ModelName<TSchema>,
  TSchema extends SchemaDefinition,
> extends LazyPromise<(TResult | undefined)[]> {
  /** Reads now, with options for this call. */
  execute(options?: ReadOptions): Promise<(TResult | undefined)[]>
  /** Gives only these attributes. */
  select(
    places: SelectPlaces<AttributeReferences<TSchema, TName>>,
  ): BatchGetBuilder<DeepPartial<Item<TSchema, TName>>, TName, TSchema>
  select<TSelected extends keyof Item<TSchema, TName>>(
    names: readonly TSelected[],
  ): BatchGetBuilder<Pick<Item<TSchema, TName>, TSelected>, TName, TSchema>
  /** Sees every write that was answered before; costs twice as much. */
  consistent(): this
  /** The same as `consistent()`, as DynamoDB calls it. */
  consistentRead(): this
  /** Gives items also when their time to live is over. */
  includeExpired(): this
}

/**
 * Puts and deletes many items of one model, in as few requests as it takes and without conditions.
 * Gives the items as they were put. A batch that can't be finished is a `BatchIncompleteError`.
 */
export interface BatchWriteBuilder<
  TName extends ModelName<TSchema>,
  TSchema extends SchemaDefinition,
> extends LazyPromise<Item<TSchema, TName>[]> {
  /** Deletes these in the same batch. */
  delete(keys: readonly Key<TSchema, TName>[]): this
}

/** What a batch of the whole table can write. */
export type BatchedWrite = PlannedPut<unknown> | PlannedDelete<unknown>

/** What builders resolve with, in their order. */
export type ResultsOf<TBuilders extends readonly unknown[]> = {
  -readonly [TPosition in keyof TBuilders]: ResultOf<TBuilders[TPosition]>
}

/** A batch of builders of any models of a table. */
export type TableBatch<TBuilders extends readonly (PlannedGet<unknown> | BatchedWrite)[]> =
  LazyPromise<ResultsOf<TBuilders>>
