import type { CallOptions } from '../execute/table-context.ts'
import type { Item, ModelName } from '../schema/infer.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { AttributeReferences } from './attribute-references.ts'
import type { Condition, ConditionOperators } from './condition-operators.ts'
import type { DeleteParams } from './db-params.ts'
import type { ExactlyOnceWrite } from './exactly-once.ts'
import type { planned, subject } from './planned.ts'
import type { GivenValues, WriteBuilder, WriteResult } from './write-builder.ts'

/** What a delete gives. */
export interface DeleteResults<TItem> {
  NONE: undefined
  ALL_OLD: TItem | undefined
}

/**
 * Deletes an item by its key. Deleting what is not there is no error, unless `mustExist` or a
 * condition is asked for.
 *
 * @example
 * const schema = defineSchema({
 *   indexes: { primary: { hash: 'pk' } },
 *   models: {
 *     Token: { key: { pk: 'TOKEN#${id}' }, attributes: { id: { type: String, required: true } } },
 *   },
 * })
 * const table = new Table({ name: 'tokens', schema, client: createEngine() })
 * await table.create()
 * const { Token } = table.entities
 * await Token.put({ id: '1' })
 * await Token.delete({ id: '1' }).returning('ALL_OLD') // => { id: '1' }
 * await Token.delete({ id: '1' }) // => undefined
 * await Token.delete({ id: '1' }).mustExist() // => throws ItemNotFoundError
 */
export interface DeleteBuilder<
  TResult,
  TName extends ModelName<TSchema>,
  TSchema extends SchemaDefinition,
> extends WriteBuilder<TResult> {
  /** Only if this holds for the item under the key. Several conditions must all hold. */
  where(
    condition: (attr: AttributeReferences<TSchema, TName>, op: ConditionOperators) => Condition,
  ): this
  readonly [planned]: 'Delete'
  readonly [subject]: readonly [TName, Item<TSchema, TName>]
  /** Deletes only if the item has this version. */
  ifVersion(version: number): this
  /** Fails if there is no item under the key. */
  mustExist(): this
  /**
   * Gives current values of the item. They are asserted by the condition, and save the read where
   * copies, unique values or counters depend on them.
   */
  given(values: GivenValues<TSchema, TName>): this
  /** What `execute` gives: nothing (`NONE`, unless said), or the item that was deleted. */
  returning<TMode extends 'NONE' | 'ALL_OLD'>(
    mode: TMode,
  ): DeleteBuilder<DeleteResults<Item<TSchema, TName>>[TMode], TName, TSchema>
  /**
   * Sends it as a transaction with a token, so that it is never carried out twice; see
   * `ExactlyOnceWrite`.
   */
  exactlyOnce(): ExactlyOnceWrite<TResult>
  /** The request, as the SDK's DocumentClient takes it. */
  params(): DeleteParams
  /** The same as `params()`, by its earlier name. */
  dbParams(): DeleteParams
  /** Sends it, and gives a failed condition as a result. All other errors are thrown. */
  result(options?: CallOptions): Promise<WriteResult<TResult, Item<TSchema, TName>>>
}
