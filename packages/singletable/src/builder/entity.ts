import type {
  CopySchema,
  IfCopies,
  Item,
  Key,
  ModelName,
  NewItem,
  PutItem,
  Value,
} from '../schema/infer.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { BatchGetBuilder, BatchWriteBuilder } from './batch-builders.ts'
import type { CheckBuilder } from './check-builder.ts'
import type { CollectionDeletion, DeleteCollectionOptions } from './collection-deletion.ts'
import type { DeleteBuilder } from './delete-builder.ts'
import type { GetBuilder } from './get-builder.ts'
import type { PartitionValues } from './partition-values.ts'
import type { PutBuilder } from './put-builder.ts'
import type { QueryBuilder } from './query-builder.ts'
import type { QueryNames, QueryValues } from './query-values.ts'
import type { ScanBuilder } from './scan-builder.ts'
import type { UniqueGetBuilder } from './unique-get-builder.ts'
import type { UniqueValues } from './unique-values.ts'
import type { UpdateBuilder } from './update-builder.ts'

/** All that can be done with the items of one model: `Entity<typeof schema, 'Post'>`. */
export type Entity<TSchema extends SchemaDefinition, TName extends ModelName<TSchema>> = EntityOf<
  Item<TSchema, TName>,
  TName,
  TSchema
>

/**
 * An entity by what reading it gives. Each method starts a builder; nothing is sent before it is
 * awaited. Editors show type arguments in their order, so the item comes first; and not an
 * interface, of which they would show all arguments before the name of each method.
 */
export type EntityOf<TItem, TName extends ModelName<TSchema>, TSchema extends SchemaDefinition> = {
  /** Reads one item by its key. */
  get(key: Key<TSchema, TName>): GetBuilder<TItem, TName, TSchema>
  /**
   * Reads the item that has these unique values, as in
   * `User.getByUnique({ email })`. Takes two consistent reads.
   */
  getByUnique(
    values: UniqueValues<TSchema['models'][TName]>,
  ): UniqueGetBuilder<TItem, TName, TSchema>
  /**
   * Writes an item, in place of any item with its key. An item that was read can be put as it is:
   * its counters are ignored.
   */
  put(item: PutItem<TSchema, TName>): PutBuilder<TItem, TName, TSchema>
  /** Writes an item that must not exist yet. */
  create(item: NewItem<TSchema, TName>): PutBuilder<TItem, TName, TSchema>
  /** Changes an item that exists. */
  update(key: Key<TSchema, TName>): UpdateBuilder<TItem, TName, TSchema>
  /** Changes an item, or makes it if there is none. */
  upsert(key: Key<TSchema, TName>): UpdateBuilder<TItem, TName, TSchema>
  /**
   * Writes what is different in an item that was read and changed, on condition that the attributes
   * it changes are still as they were read, or, where the model has one, the version. Sends nothing
   * if nothing is different.
   */
  save(changed: TItem, original: TItem): UpdateBuilder<TItem, TName, TSchema>
  /** Deletes an item by its key. */
  delete(key: Key<TSchema, TName>): DeleteBuilder<undefined, TName, TSchema>
  /** A condition on an item, for a transaction. */
  check(key: Key<TSchema, TName>): CheckBuilder<TName, TSchema>
  /**
   * Reads the items that have these values. They must fix a partition key, here or with `where`.
   */
  query<
    // With a default the compiler does not look for values in what the result is assigned to.
    TValues extends QueryValues<TSchema, TName> = never,
  >(
    // Nothing is inferred from the check, which would make the compiler work it out for names it
    // does not know yet.
    values?: TValues & NoInfer<QueryNames<TSchema, TName, keyof TValues>>,
  ): QueryBuilder<TItem, TName, TSchema>
  /** Reads the whole table for items of this model. */
  scan(): ScanBuilder<TItem, TName, TSchema>
  /** Reads many items by their keys. */
  batchGet(keys: readonly Key<TSchema, TName>[]): BatchGetBuilder<TItem, TName, TSchema>
  /** Writes many items. */
  batchWrite(items: readonly PutItem<TSchema, TName>[]): BatchWriteBuilder<TName, TSchema>
  /**
   * Deletes all items that share a partition key, whatever models they are of, each as its own
   * `delete` would. They are read twice: before anything is deleted, items are looked for that must
   * not be.
   *
   * @example
   * const schema = defineSchema({
   *   indexes: { primary: { hash: 'pk', sort: 'sk' } },
   *   models: {
   *     Order: {
   *       key: { pk: 'ORDER#${orderId}', sk: 'META' },
   *       attributes: { orderId: { type: String, required: true } },
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
   * await Order.put({ orderId: '7' })
   * await OrderItem.batchWrite(['a', 'b'].map((itemId) => ({ orderId: '7', itemId })))
   * await Order.deleteCollection({ orderId: '7' }) // => 3
   */
  deleteCollection(
    partition: PartitionValues<TSchema, TName>,
    options?: DeleteCollectionOptions,
  ): CollectionDeletion
  /**
   * The attributes that a key was made of: from one key as text, or from an object that has key
   * attributes as they are stored. `undefined` if this model makes no such key.
   *
   * @example
   * const schema = defineSchema({
   *   indexes: { primary: { hash: 'pk', sort: 'sk' } },
   *   models: {
   *     Post: {
   *       key: { pk: 'USER#${username}', sk: 'POST#${number:pad(4)}' },
   *       attributes: {
   *         username: { type: String, required: true },
   *         number: { type: Number, required: true },
   *       },
   *     },
   *   },
   * })
   * const { Post } = new Table({ name: 'blog', schema, client: createEngine() }).entities
   * const key = Post.renderKey({ username: 'alice', number: 7 })
   * key // => { pk: 'USER#alice', sk: 'POST#0007' }
   * Post.parseKey(key) // => { username: 'alice', number: 7 }
   * Post.parseKey('POST#0007') // => { number: 7 }
   * Post.parseKey('COMMENT#0007') // => undefined
   */
  parseKey(
    key: string | { readonly [keyAttribute: string]: unknown },
  ): Partial<Key<TSchema, TName>> | undefined
  /** The primary key as it is stored. */
  renderKey(key: Key<TSchema, TName>): {
    readonly [TAttribute in keyof TSchema['models'][TName]['key']]: TAttribute extends keyof TSchema['models'][TName]['attributes']
      ? Value<TSchema['models'][TName]['attributes'][TAttribute]>
      : string
  }
}

/** What can be done with copies, which are written with the items they are of. */
export type CopyEntity<TSchema extends SchemaDefinition, TName extends ModelName<TSchema>> = Pick<
  EntityOf<Item<TSchema, TName>, TName, TSchema>,
  'get' | 'query' | 'scan' | 'batchGet' | 'parseKey' | 'renderKey'
>

/** The entities of a table by the names of their models and copies. */
export type Entities<TSchema extends SchemaDefinition> = {
  readonly [TName in ModelName<TSchema>]: EntityOf<Item<TSchema, TName>, TName, TSchema>
} & IfCopies<TSchema, CopyEntities<CopySchema<TSchema>>>

type CopyEntities<TSchema extends SchemaDefinition> = {
  readonly [TName in ModelName<TSchema>]: CopyEntity<TSchema, TName>
}
