import type { Explanation } from '../plan/plan.ts'
import type { Item, ModelName } from '../schema/infer.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { ReturnConsumedCapacity } from '../wire/item-operations.ts'
import type { AttributeReferences } from './attribute-references.ts'
import type { GetParams } from './db-params.ts'
import type { LazyPromise } from './lazy-call.ts'
import type { DeepPartial, SelectPlaces } from './selection.ts'

/**
 * Reads the item that has unique values: one read finds its key, and a second one gets it. Both are
 * consistent.
 *
 * @example
 * const schema = defineSchema({
 *   indexes: { primary: { hash: 'pk' } },
 *   models: {
 *     User: {
 *       key: { pk: 'USER#${id}' },
 *       attributes: {
 *         id: { type: String, required: true },
 *         email: { type: String, unique: true },
 *         name: { type: String },
 *       },
 *     },
 *   },
 * })
 * const table = new Table({ name: 'users', schema, client: createEngine() })
 * await table.create()
 * const { User } = table.entities
 * await User.create({ id: '1', email: 'ann@example.com', name: 'Ann' })
 * await User.getByUnique({ email: 'ann@example.com' }).select(['name']) // => { name: 'Ann' }
 */
export interface UniqueGetBuilder<
  TResult,
  TName extends ModelName<TSchema>,
  TSchema extends SchemaDefinition,
> extends LazyPromise<TResult | undefined> {
  /** Gives only these attributes. The whole item is read and paid for all the same. */
  select(
    places: SelectPlaces<AttributeReferences<TSchema, TName>>,
  ): UniqueGetBuilder<DeepPartial<Item<TSchema, TName>>, TName, TSchema>
  select<TSelected extends keyof Item<TSchema, TName>>(
    names: readonly TSelected[],
  ): UniqueGetBuilder<Pick<Item<TSchema, TName>, TSelected>, TName, TSchema>
  /** Changes nothing: these reads are always consistent. */
  consistent(): this
  /** The same as `consistent()`, as DynamoDB calls it. */
  consistentRead(): this
  /** Gives the item also when its time to live is over and DynamoDB has not deleted it yet. */
  includeExpired(): this
  /**
   * Asks DynamoDB what the requests cost; subscribers of the channel `singletable:request` get it.
   */
  returnConsumedCapacity(mode: ReturnConsumedCapacity): this
  /** The first request, which finds the key, as the SDK's DocumentClient takes it. */
  params(): GetParams
  /** The same as `params()`, by its earlier name. */
  dbParams(): GetParams
  /** How the call will be carried out, and what it costs. */
  explain(): Explanation
}
