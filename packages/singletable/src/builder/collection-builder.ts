import type { ReadOptions } from '../execute/table-context.ts'
import type { CopiedModel, CopySchema, IfCopies, Item, ModelName } from '../schema/infer.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type {
  AttributeReferences,
  ConditionName,
  ConditionValue,
  KeyAttributeName,
} from './attribute-references.ts'
import type { GroupsPage } from './collect.ts'
import type { Condition, ConditionOperators } from './condition-operators.ts'
import type { QueryParams } from './db-params.ts'
import type { PagedRead } from './read-pages.ts'

/** A schema with its copies among its models: what can be read together. */
export type ReadSchema<TSchema extends SchemaDefinition> = TSchema &
  IfCopies<TSchema, CopySchema<TSchema>>

/** What reading a model or a copy gives. */
type ReadItem<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
> = TSchema['models'][TName] extends CopiedModel
  ? Item<Untimed<TSchema>, TName>
  : Item<TSchema, TName>

/**
 * What a collection gives of a model: of `TSelected`, if it names the model, only those attributes.
 */
type GivenItem<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TSelected,
> = TName extends keyof TSelected
  ? Pick<ReadItem<TSchema, TName>, TSelected[TName] & keyof ReadItem<TSchema, TName>>
  : ReadItem<TSchema, TName>

/** A schema that adds no timestamps to its models. */
interface Untimed<TSchema extends SchemaDefinition> {
  readonly indexes: TSchema['indexes']
  readonly models: TSchema['models']
}

/**
 * What a collection can be asked for by: attributes of its models, and key attributes as they are
 * stored.
 */
export type CollectionValues<TSchema extends SchemaDefinition, TName extends ModelName<TSchema>> = {
  readonly [TAttribute in NamesOf<TSchema, TName>]?: ValueOf<TSchema, TName, TAttribute>
}

/** The names that one of the models or several of them have. */
type NamesOf<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
> = TName extends TName ? ConditionName<TSchema, TName> : never

type ValueOf<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TAttribute,
> = TName extends TName
  ? TAttribute extends ConditionName<TSchema, TName>
    ? ConditionValue<TSchema['models'][TName]['attributes'], KeyAttributeName<TSchema>, TAttribute>
    : never
  : never

/**
 * Items by the names of their models, in the order of their sort keys. Items of types that the
 * schema does not declare are `unknown`.
 */
export type CollectionGroups<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TSelected = unknown,
> = {
  [TModel in TName]: GivenItem<TSchema, TModel, TSelected>[]
} & { unknown: Record<string, unknown>[] }

/** One item of a collection, and the model it is of. */
export type CollectedItem<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TSelected = unknown,
> =
  | {
      [TModel in TName]: {
        readonly entity: TModel
        readonly item: GivenItem<TSchema, TModel, TSelected>
      }
    }[TName]
  | { readonly entity: undefined; readonly item: Record<string, unknown> }

/** The item of one model, with the lists of the others in it. */
export type CollectionTree<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TRoot extends TName,
  TSelected = unknown,
> = GivenItem<TSchema, TRoot, TSelected> & {
  [TModel in Exclude<TName, TRoot>]: GivenItem<TSchema, TModel, TSelected>[]
}

/**
 * Reads items of several models that share a partition key, by one query over the smallest range of
 * sort keys that has them all.
 *
 * @example
 * const schema = defineSchema({
 *   indexes: { primary: { hash: 'pk', sort: 'sk' } },
 *   models: {
 *     Order: {
 *       key: { pk: 'ORDER#${orderId}', sk: 'META' },
 *       attributes: { orderId: { type: String, required: true }, total: { type: Number } },
 *     },
 *     OrderItem: {
 *       key: { pk: 'ORDER#${orderId}', sk: 'ITEM#${itemId}' },
 *       attributes: {
 *         orderId: { type: String, required: true },
 *         itemId: { type: String, required: true },
 *       },
 *     },
 *   },
 * })
 * const table = new Table({ name: 'shop', schema, client: createEngine() })
 * await table.create()
 * const { Order, OrderItem } = table.entities
 * await Order.put({ orderId: '7', total: 30 })
 * await OrderItem.batchWrite(['a', 'b'].map((itemId) => ({ orderId: '7', itemId })))
 * const order = table.collect(['Order', 'OrderItem'], { orderId: '7' })
 * const groups = await order
 * groups.Order // => [{ orderId: '7', total: 30 }]
 * groups.OrderItem.map(({ itemId }) => itemId) // => ['a', 'b']
 * const tree = await order.tree('Order')
 * tree?.OrderItem.length // => 2
 * order.explain().keyCondition // => 'pk = "ORDER#7" AND sk BETWEEN "ITEM#" AND "META"'
 * const some = order.where('OrderItem', (attr, op) => op.ne(attr.itemId, 'a'))
 * const { OrderItem: others } = await some
 * others.length // => 1
 */
export interface CollectionBuilder<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TSelected = unknown,
> extends PagedRead<CollectionGroups<TSchema, TName, TSelected>> {
  /**
   * Of this model only items for which the condition holds; those of the others are not asked. Keys
   * answer what they can; the rest is read, paid for and left out. Several conditions must all
   * hold.
   */
  where<TModel extends TName>(
    model: TModel,
    condition: (attr: AttributeReferences<TSchema, TModel>, op: ConditionOperators) => Condition,
  ): this
  /**
   * Of items of this model only these attributes are given. Once each model has a selection,
   * DynamoDB sends no others either, not even of `unknown` items. Whole items are read and paid for
   * all the same.
   */
  select<TModel extends TName, TNames extends keyof ReadItem<TSchema, TModel>>(
    model: TModel,
    names: readonly TNames[],
  ): CollectionBuilder<TSchema, TName, Omit<TSelected, TModel> & Record<TModel, TNames>>
  /** Reads this index. */
  useIndex(index: keyof TSchema['indexes'] & string): this
  /** The order of the sort keys in which items come: `'asc'` unless given. */
  order(order: 'asc' | 'desc'): this
  /** The same as `order()`, as DynamoDB says it: false is `'desc'`. */
  scanIndexForward(forward: boolean): this
  /** Sees every write that was answered before; costs twice as much, and no global index can. */
  consistent(): this
  /** The same as `consistent()`, as DynamoDB calls it. */
  consistentRead(): this
  /** The first request, as the SDK's DocumentClient takes it. */
  params(): QueryParams
  /** The same as `params()`, by its earlier name. */
  dbParams(): QueryParams
  /** One page, with a list for every model. The next page starts after its last item. */
  page(options?: ReadOptions): Promise<GroupsPage<CollectionGroups<TSchema, TName, TSelected>>>
  /** The same as `page()`, by its earlier name. */
  executeWithPagination(
    options?: ReadOptions,
  ): Promise<GroupsPage<CollectionGroups<TSchema, TName, TSelected>>>
  /** Items one by one, each with the name of its model; pages are read as they are needed. */
  iterate(
    options?: ReadOptions,
  ): AsyncGenerator<CollectedItem<TSchema, TName, TSelected>, void, undefined>
  [Symbol.asyncIterator](): AsyncGenerator<
    CollectedItem<TSchema, TName, TSelected>,
    void,
    undefined
  >
  /**
   * The one item of a model, with a list of each of the other models in it; `undefined` if there is
   * no such item. The values must give the model's whole key.
   */
  tree<TRoot extends TName>(
    root: TRoot,
    options?: ReadOptions,
  ): Promise<CollectionTree<TSchema, TName, TRoot, TSelected> | undefined>
}
