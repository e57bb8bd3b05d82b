import type { HeldItem } from '../schema/held-item.ts'
import type { Item, ModelName } from '../schema/infer.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { AttributeReferences } from './attribute-references.ts'
import type { Condition, ConditionOperators } from './condition-operators.ts'
import type { ScanParams } from './db-params.ts'
import type { Gives, HeldBy, HeldNames, Selecting, SelectReferences } from './held-names.ts'
import type { Consistent } from './query-builder.ts'
import type { ItemPages } from './read-pages.ts'
import type { DeepPartial, SelectPlaces } from './selection.ts'

/**
 * Reads the whole table, or a whole index, and gives the items of one model. Everything that is
 * read is paid for.
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
 * await User.batchWrite(['alice', 'bob', 'carol'].map((name) => ({ name })))
 * const b = User.scan().where((attr, op) => op.beginsWith(attr.name, 'b'))
 * await b // => [{ name: 'bob' }]
 * await User.scan().parallel(4).count() // => 3
 */
export interface ScanBuilder<
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
  ): ScanBuilder<
    TGives extends 'held' ? HeldItem<TSchema, TName, TUsed> : TResult,
    TName,
    TSchema,
    TUsed,
    TGives
  >
  /** Fetches whole items by key after reading an index that holds only parts of them. */
  hydrate(): ScanBuilder<
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
  ): ScanBuilder<DeepPartial<Item<TSchema, TName>>, TName, TSchema, TIndex, 'settled'>
  select<TSelected extends keyof Item<TSchema, TName>>(
    names: readonly TSelected[] & NoInfer<HeldNames<TSchema, TName, TIndex, TGives, TSelected>>,
  ): ScanBuilder<Pick<Item<TSchema, TName>, TSelected>, TName, TSchema, TIndex, Selecting<TGives>>
  /** Sees every write that was answered before; costs twice as much, and no global index can. */
  consistent(
    this: ScanBuilder<TResult, TName, TSchema, TIndex, TGives> & Consistent<TSchema, TIndex>,
  ): ScanBuilder<TResult, TName, TSchema, TIndex, TGives>
  /** The same as `consistent()`, as DynamoDB calls it. */
  consistentRead(
    this: ScanBuilder<TResult, TName, TSchema, TIndex, TGives> & Consistent<TSchema, TIndex>,
  ): ScanBuilder<TResult, TName, TSchema, TIndex, TGives>
  /** Reads one of several parts of the table, counted from 0: for workers that share the scan. */
  segment(segment: number, total: number): this
  /** Reads this many parts of the table at the same time. */
  parallel(total: number): this
  /** The first request, as the SDK's DocumentClient takes it. */
  params(): ScanParams
  /** The same as `params()`, by its earlier name. */
  dbParams(): ScanParams
}
