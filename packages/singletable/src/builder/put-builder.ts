import type { CallOptions } from '../execute/table-context.ts'
import type { Item, ModelName } from '../schema/infer.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { AttributeReferences } from './attribute-references.ts'
import type { Condition, ConditionOperators } from './condition-operators.ts'
import type { PutParams } from './db-params.ts'
import type { ExactlyOnceWrite } from './exactly-once.ts'
import type { planned, subject } from './planned.ts'
import type { WriteBuilder, WriteResult } from './write-builder.ts'

/** What a put gives: the item as written, the one it replaced, or nothing. */
export interface PutResults<TItem> {
  NEW: TItem
  ALL_OLD: TItem | undefined
  NONE: undefined
}

/**
 * Writes a whole item. `put` replaces the item with the same key, except for what reading does not
 * show, and `create` refuses to. Both give the item as it was written, with ids that were made,
 * defaults and timestamps.
 *
 * @example
 * const schema = defineSchema({
 *   indexes: { primary: { hash: 'pk' } },
 *   models: {
 *     Counter: {
 *       key: { pk: 'COUNTER#${name}' },
 *       attributes: {
 *         name: { type: String, required: true },
 *         count: { type: Number, default: 0 },
 *       },
 *     },
 *   },
 * })
 * const table = new Table({ name: 'counters', schema, client: createEngine() })
 * await table.create()
 * const { Counter } = table.entities
 * await Counter.create({ name: 'visits' }) // => { name: 'visits', count: 0 }
 * await Counter.create({ name: 'visits' }) // => throws ItemExistsError
 * await Counter.put({ name: 'visits', count: 5 })
 *   .where((attr, op) => op.lt(attr.count, 5))
 *   .returning('ALL_OLD') // => { name: 'visits', count: 0 }
 */
export interface PutBuilder<
  TResult,
  TName extends ModelName<TSchema>,
  TSchema extends SchemaDefinition,
> extends WriteBuilder<TResult> {
  /** Only if this holds for the item under the key. Several conditions must all hold. */
  where(
    condition: (attr: AttributeReferences<TSchema, TName>, op: ConditionOperators) => Condition,
  ): this
  readonly [planned]: 'Put'
  readonly [subject]: readonly [TName, Item<TSchema, TName>]
  /** Writes only if there is no item under the key yet, as `create` does. */
  ifNotExists(): this
  /**
   * Keeps nothing of the item under the key: also hidden attributes and those that the schema does
   * not declare are erased.
   */
  replace(): this
  /**
   * What `execute` gives: the item as written (`NEW`, unless said), the one it replaced
   * (`ALL_OLD`), or nothing (`NONE`).
   */
  returning<TMode extends 'NEW' | 'ALL_OLD' | 'NONE'>(
    mode: TMode,
  ): PutBuilder<PutResults<Item<TSchema, TName>>[TMode], TName, TSchema>
  /**
   * Sends it as a transaction with a token, so that it is never carried out twice; see
   * `ExactlyOnceWrite`.
   */
  exactlyOnce(): ExactlyOnceWrite<TResult>
  /** The request, as the SDK's DocumentClient takes it. */
  params(): PutParams
  /** The same as `params()`, by its earlier name. */
  dbParams(): PutParams
  /** Sends it, and gives a failed condition as a result. All other errors are thrown. */
  result(options?: CallOptions): Promise<WriteResult<TResult, Item<TSchema, TName>>>
}
