import type { HeldItem } from '../schema/held-item.ts'
import type { Item, ModelName } from '../schema/infer.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { AttributeReferences } from './attribute-references.ts'
import type { Condition, ConditionOperators } from './condition-operators.ts'
import type { QueryParams } from './db-params.ts'
import type { Gives, HeldBy, HeldNames, Selecting, SelectReferences } from './held-names.ts'
import type { ItemPages } from './read-pages.ts'
import type { DeepPartial, SelectPlaces } from './selection.ts'
import type { TypeMessage } from './type-message.ts'

/** Refuses what a global index can't do. */
export type Consistent<
  TSchema extends SchemaDefinition,
  TIndex extends string,
> = TIndex extends 'primary'
  ? unknown
  : TSchema['indexes'][TIndex] extends { readonly type: 'local' }
    ? unknown
    : TypeMessage<`${TIndex} is a global index, and no global index can be read consistently`>

/**
 * Reads the items of one model that share a partition key, in the order of their sort keys. The
 * index is chosen by what the values and conditions fix; there is never a scan behind it.
 *
 * @example
 * const schema = defineSchema({
 *   indexes: { primary: { hash: 'pk', sort: 'sk' }, byStatus: { hash: 'statusPk', sort: 'sk' } },
 *   models: {
 *     Task: {
 *       key: { pk: 'USER#${owner}', sk: 'TASK#${number:pad(4)}' },
 *       index: { statusPk: 'STATUS#${status}' },
 *       attributes: {
 *         owner: { type: String, required: true },
 *         number: { type: Number, required: true },
 *         status: { type: String, enum: ['open', 'done'], default: 'open' },
 *       },
 *     },
 *   },
 * })
 * const table = new Table({ name: 'tasks', schema, client: createEngine() })
 * await table.create()
 * const { Task } = table.entities
 * await Task.batchWrite([1, 2, 3].map((number) => ({ owner: 'alice', number })))
 * await Task.update({ owner: 'alice', number: 2 }).set('status', 'done')
 * const numbers = Task.query({ owner: 'alice' }).select(['number'])
 * await numbers.order('desc').limit(2) // => [{ number: 3 }, { number: 2 }]
 * await numbers.where((attr, op) => op.gte(attr.number, 2)).count() // => 2
 * await Task.query({ status: 'done' }).first() // => { owner: 'alice', number: 2, status: 'done' }
 * Task.query({ status: 'done' }).explain().index // => 'byStatus'
 * const page = await numbers.pageSize(1).page()
 * page.items // => [{ number: 1 }]
 * const rest = []
 * for await (const { number } of numbers.cursor(page.cursor)) rest.push(number)
 * rest // => [2, 3]
 */
export interface QueryBuilder<
  TResult,
  TName extends ModelName<TSchema>,
  TSchema extends SchemaDefinition,
  TIndex extends string = 'primary',
  TGives extends Gives = 'held',
> extends ItemPages<TResult> {
  /**
   * Only items for which this holds. Keys answer what they can; the rest is read, paid for and left
   * out. Several conditions must all hold.
   */
  where(
    condition: (attr: AttributeReferences<TSchema, TName>, op: ConditionOperators) => Condition,
  ): this
  /**
   * Reads this index. One that holds only parts of items gives these, unless `select()` or
   * `hydrate()` asks for something else: what it projects, and what its keys contain.
   */
  useIndex<TUsed extends keyof TSchema['indexes'] & string>(
    index: TUsed & NoInfer<HeldBy<TSchema, TName, TUsed, TGives, keyof TResult>>,
  ): QueryBuilder<
    TGives extends 'held' ? HeldItem<TSchema, TName, TUsed> : TResult,
    TName,
    TSchema,
    TUsed,
    TGives
  >
  /** Fetches whole items by key after reading an index that holds only parts of them. */
  hydrate(): QueryBuilder<
    TGives extends 'held' ? Item<TSchema, TName> : TResult,
    TName,
    TSchema,
    TIndex,
    'settled'
  >
  /**
   * Gives only these attributes. Whole items are read and paid for all the same. Of a named index
   * that holds only parts of items, what it does not hold needs `hydrate()` before.
   */
  select(
    places: SelectPlaces<SelectReferences<TSchema, TName, TIndex, TGives>>,
  ): QueryBuilder<DeepPartial<Item<TSchema, TName>>, TName, TSchema, TIndex, 'settled'>
  select<TSelected extends keyof Item<TSchema, TName>>(
    names: readonly TSelected[] & NoInfer<HeldNames<TSchema, TName, TIndex, TGives, TSelected>>,
  ): QueryBuilder<Pick<Item<TSchema, TName>, TSelected>, TName, TSchema, TIndex, Selecting<TGives>>
  /** Sees every write that was answered before; costs twice as much, and no global index can. */
  consistent(
    this: QueryBuilder<TResult, TName, TSchema, TIndex, TGives> & Consistent<TSchema, TIndex>,
  ): QueryBuilder<TResult, TName, TSchema, TIndex, TGives>
  /** The same as `consistent()`, as DynamoDB calls it. */
  consistentRead(
    this: QueryBuilder<TResult, TName, TSchema, TIndex, TGives> & Consistent<TSchema, TIndex>,
  ): QueryBuilder<TResult, TName, TSchema, TIndex, TGives>
  /** The order of the sort keys in which results come: `'asc'` unless given. */
  order(order: 'asc' | 'desc'): this
  /** The same as `order()`, as DynamoDB says it: false is `'desc'`. */
  scanIndexForward(forward: boolean): this
  /** The first request, as the SDK's DocumentClient takes it. */
  params(): QueryParams
  /** The same as `params()`, by its earlier name. */
  dbParams(): QueryParams
}
