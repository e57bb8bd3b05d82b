import type { Page } from '../execute/execute-query.ts'
import type { CallOptions } from '../execute/table-context.ts'
import type { Explanation } from '../plan/plan.ts'
import type { Item, ModelName } from '../schema/infer.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { ReturnConsumedCapacity } from '../wire/item-operations.ts'
import type { AttributeReferences } from './attribute-references.ts'
import type { Condition, ConditionOperators } from './condition-operators.ts'
import type { ScanParams } from './db-params.ts'

import type { Consistent } from './query-builder.ts'
import type { DeepPartial, SelectPlaces } from './selection.ts'

/**
 * Reads the whole table, or a whole index, and gives the items of one model. Everything that is read is paid for.
 *
 * @example
 * const schema = defineSchema({
 *   indexes: { primary: { hash: 'pk' } },
 *   models: {
 *     User: { key: { pk: 'USER#${name}' }, attributes: { name: { type: String, required: true } } },
 *   },
 * })
 * const table = new Table({ name: 'users', schema, client: createEngine() })
 * await table.create()
 * const { User } = table.entities
 * await User.batchWrite(['alice', 'bob', 'carol'].map((name) => ({ name }))).execute()
 * const b = User.scan().where((attr, op) => op.beginsWith(attr.name, 'b'))
 * await b.execute() // => [{ name: 'bob' }]
 * await User.scan().parallel(4).count() // => 3
 */
export interface ScanBuilder<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TResult,
  TIndex extends string = 'primary',
> {
  /** Only items for which this holds. Keys answer what they can; the rest is read, paid for and left out. Several conditions must all hold. */
  where(
    condition: (attr: AttributeReferences<TSchema, TName>, op: ConditionOperators) => Condition,
  ): ScanBuilder<TSchema, TName, TResult, TIndex>
  /** Reads this index. */
  useIndex<TUsed extends keyof TSchema['indexes'] & string>(
    index: TUsed,
  ): ScanBuilder<TSchema, TName, TResult, TUsed>
  /** So many results at most. */
  limit(results: number): ScanBuilder<TSchema, TName, TResult, TIndex>
  /** So many items are looked at in one request: DynamoDB's `Limit`. */
  pageSize(items: number): ScanBuilder<TSchema, TName, TResult, TIndex>
  /** Gives only these attributes. Whole items are read and paid for all the same. */
  select(
    places: SelectPlaces<AttributeReferences<TSchema, TName>>,
  ): ScanBuilder<TSchema, TName, DeepPartial<Item<TSchema, TName>>, TIndex>
  select<TSelected extends keyof Item<TSchema, TName>>(
    names: readonly TSelected[],
  ): ScanBuilder<TSchema, TName, Pick<Item<TSchema, TName>, TSelected>, TIndex>
  /** Sees every write that was answered before; costs twice as much, and no global index can. */
  consistentRead(
    this: ScanBuilder<TSchema, TName, TResult, TIndex> & Consistent<TSchema, TIndex>,
  ): ScanBuilder<TSchema, TName, TResult, TIndex>
  /** Goes on where a page ended; from the start if there is no cursor. */
  startFrom(cursor: string | undefined): ScanBuilder<TSchema, TName, TResult, TIndex>
  /** Fetches whole items by key after reading an index that holds only parts of them. */
  hydrate(): ScanBuilder<TSchema, TName, TResult, TIndex>
  /** Gives items also when their time to live is over and DynamoDB has not deleted them yet. */
  includeExpired(): ScanBuilder<TSchema, TName, TResult, TIndex>
  /** Asks DynamoDB what the requests cost; subscribers of the channel `singletable:request` are told. */
  returnConsumedCapacity(mode: ReturnConsumedCapacity): ScanBuilder<TSchema, TName, TResult, TIndex>
  /** Reads one of several parts of the table, counted from 0: for workers that share the scan. */
  segment(segment: number, total: number): ScanBuilder<TSchema, TName, TResult, TIndex>
  /** Reads so many parts of the table at the same time. */
  parallel(total: number): ScanBuilder<TSchema, TName, TResult, TIndex>
  /** The first request, as the SDK's DocumentClient takes it. */
  dbParams(): ScanParams
  /** How the call will be carried out, why so, and what it costs. */
  explain(): Explanation
  /** All results, up to `limit`. */
  execute(options?: CallOptions): Promise<TResult[]>
  /** One page of results, and where the next one starts. */
  executeWithPagination(options?: CallOptions): Promise<Page<TResult>>
  /** Results one by one; pages are read as they are needed. */
  iterate(options?: CallOptions): AsyncGenerator<TResult, void, undefined>
  [Symbol.asyncIterator](): AsyncGenerator<TResult, void, undefined>
  /** The first result, if there is one. */
  first(options?: CallOptions): Promise<TResult | undefined>
  /** The number of results; the items are not sent. */
  count(options?: CallOptions): Promise<number>
}
