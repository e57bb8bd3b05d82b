import type { Explanation } from '../plan/plan.ts'
import type { Item, ModelName } from '../schema/infer.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { AttributeReferences } from './attribute-references.ts'
import type { Condition, ConditionOperators } from './condition-operators.ts'
import type { ConditionCheckParams } from './db-params.ts'
import type { PlannedCheck, subject } from './planned.ts'
import type { TypeMessage } from './type-message.ts'

type NotAlone = TypeMessage<'a check is part of a transaction: give it to table.transactWrite([…])'>

/**
 * A condition on an item that a transaction does not write. Without `where` or `ifVersion` the item
 * must exist.
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
 * const invite = table.transactWrite([User.check({ name: 'alice' }), User.put({ name: 'bob' })])
 * await invite // => throws TransactionCanceledError
 */
export interface CheckBuilder<TName extends ModelName<TSchema>, TSchema extends SchemaDefinition>
  extends PlannedCheck {
  readonly [subject]: readonly [TName, Item<TSchema, TName>]
  /** What must hold for the item. Several conditions must all hold. */
  where(
    condition: (attr: AttributeReferences<TSchema, TName>, op: ConditionOperators) => Condition,
  ): CheckBuilder<TName, TSchema>
  /** The item must have this version. */
  ifVersion(version: number): this
  /** The action, as the SDK's DocumentClient takes it in a transaction. */
  params(): ConditionCheckParams
  /** The same as `params()`, by its earlier name. */
  dbParams(): ConditionCheckParams
  /** How the call will be carried out, and what it costs. */
  explain(): Explanation
  /** A check alone is refused: read the item instead. */
  execute(this: NotAlone): Promise<never>
  /** As `execute`: a check can't be awaited. */
  then(this: NotAlone, onFulfilled: (value: never) => unknown): Promise<never>
}
