import type { Explanation } from '../plan/plan.ts'
import type { Item, ModelName } from '../schema/infer.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { ReturnConsumedCapacity } from '../wire/item-operations.ts'
import type { AttributeReferences } from './attribute-references.ts'
import type { GetParams } from './db-params.ts'
import type { LazyPromise } from './lazy-call.ts'
import type { planned } from './planned.ts'
import type { DeepPartial, SelectPlaces } from './selection.ts'

/**
 * Reads one item by its key. Every method gives a new builder; nothing is sent before `execute`.
 *
 * @example
 * const schema = defineSchema({
 *   indexes: { primary: { hash: 'pk', sort: 'sk' } },
 *   models: {
 *     User: {
 *       key: { pk: 'USER#${username}', sk: 'PROFILE' },
 *       attributes: {
 *         username: { type: String, required: true },
 *         name: { type: String, required: true },
 *         email: { type: String },
 *       },
 *     },
 *   },
 * })
 * const { User } = new Table({ name: 'blog', schema, client: await createdEngine() }).entities
 * async function createdEngine() {
 *   const engine = createEngine()
 *   await new Table({ name: 'blog', schema, client: engine }).create()
 *   return engine
 * }
 * await User.put({ username: 'alice', name: 'Alice' })
 * await User.get({ username: 'alice' }) // => { username: 'alice', name: 'Alice' }
 * await User.get({ username: 'bob' }) // => undefined
 * await User.get({ username: 'alice' }).select(['name']).consistent() // => { name: 'Alice' }
 * User.get({ username: 'alice' }).params().Key // => { pk: 'USER#alice', sk: 'PROFILE' }
 */
export interface GetBuilder<
  TResult,
  TName extends ModelName<TSchema>,
  TSchema extends SchemaDefinition,
> extends LazyPromise<TResult | undefined> {
  readonly [planned]: 'Get'
  /** Gives only these attributes. The whole item is read and paid for all the same. */
  select(
    places: SelectPlaces<AttributeReferences<TSchema, TName>>,
  ): GetBuilder<DeepPartial<Item<TSchema, TName>>, TName, TSchema>
  select<TSelected extends keyof Item<TSchema, TName>>(
    names: readonly TSelected[],
  ): GetBuilder<Pick<Item<TSchema, TName>, TSelected>, TName, TSchema>
  /** Sees every write that was answered before; costs twice as much. */
  consistent(): this
  /** The same as `consistent()`, as DynamoDB calls it. */
  consistentRead(): this
  /** Gives the item also when its time to live is over and DynamoDB has not deleted it yet. */
  includeExpired(): this
  /**
   * Asks DynamoDB what the request cost; subscribers of the channel `singletable:request` get it.
   */
  returnConsumedCapacity(mode: ReturnConsumedCapacity): this
  /** The request, as the SDK's DocumentClient takes it. */
  params(): GetParams
  /** The same as `params()`, by its earlier name. */
  dbParams(): GetParams
  /** How the call will be carried out, and what it costs. */
  explain(): Explanation
}
