import type { CallOptions } from '../execute/table-context.ts'
import type { Item, ModelName, NewValue, NewValues, Unchangeable } from '../schema/infer.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { AttributeReference, AttributeReferences, Operand } from './attribute-references.ts'
import type { Condition, ConditionOperators } from './condition-operators.ts'
import type { UpdateParams } from './db-params.ts'
import type { ExactlyOnceWrite } from './exactly-once.ts'
import type { planned, subject } from './planned.ts'
import type { DeepPartial } from './selection.ts'
import type { TypeMessage } from './type-message.ts'
import type { GivenValues, WriteBuilder, WriteResult } from './write-builder.ts'

/** What an update gives. */
export interface UpdateResults<TItem> {
  ALL_NEW: TItem
  ALL_OLD: TItem | undefined
  UPDATED_NEW: DeepPartial<TItem> | undefined
  UPDATED_OLD: DeepPartial<TItem> | undefined
  NONE: undefined
}

/** What a change is made to: an attribute by its name, or a place inside one. */
export type Target<TSchema extends SchemaDefinition, TName extends ModelName<TSchema>> = TargetIn<
  TSchema['models'][TName]['attributes'],
  AttributeReferences<TSchema, TName>
>

// Of a condition errors show the outcome, and of a name its arguments, which are large.
type TargetIn<TAttributes, TReferences> = TAttributes extends object
  ? keyof TAttributes | ((attr: TReferences) => AttributeReference<unknown>)
  : never

/** What can be taken away: not what every item has. */
type Removable<TSchema extends SchemaDefinition, TName extends ModelName<TSchema>> = RemovableIn<
  TSchema['models'][TName]['attributes'],
  AttributeReferences<TSchema, TName>
>

type RemovableIn<TAttributes, TReferences> = TAttributes extends object
  ?
      | {
          [TName in keyof TAttributes]: TAttributes[TName] extends Lasting ? never : TName
        }[keyof TAttributes]
      | ((attr: TReferences) => AttributeReference<unknown>)
  : never

type Lasting = Unchangeable | { readonly required: true }

/** The values of what a target names. */
export type TargetValue<TAttributes, TTarget> = TTarget extends keyof TAttributes
  ? NewValue<TAttributes[TTarget]>
  : TTarget extends (attr: never) => AttributeReference<infer TValue>
    ? TValue
    : never

/** Nothing is known of what an attribute of type 'any' holds, so anything can be tried on it. */
type Addend<TValue> = unknown extends TValue
  ? unknown
  : [TValue] extends [number | bigint | string | null]
    ? NonNullable<TValue>
    : TValue extends ReadonlySet<infer TMember>
      ? TValue | readonly TMember[]
      : TypeMessage<'add() is for numbers and sets'>

/** Of an attribute; strings are added to only where they are decimal numbers. */
type AttributeAddend<TAttribute> = TAttribute extends StringAttribute
  ? TypeMessage<'add() is for numbers and sets'>
  : Addend<NewValue<TAttribute>>

interface StringAttribute {
  readonly type: StringConstructor
}

type Removed<TValue> = unknown extends TValue
  ? ReadonlySet<unknown> | readonly unknown[]
  : TValue extends ReadonlySet<infer TMember>
    ? TValue | readonly TMember[]
    : TypeMessage<'delete() is for sets; remove() removes whole attributes'>

type Appended<TValue> = unknown extends TValue
  ? readonly unknown[]
  : TValue extends readonly (infer TElement)[]
    ? readonly TElement[]
    : TypeMessage<'append() and prepend() are for lists'>

/**
 * What each change takes for a target. They ask for the target first, as `TargetValue` does: the
 * compiler would take a callback's type for unknown if they asked for the value it leads to.
 */
type AddendOf<TAttributes, TTarget> = TTarget extends keyof TAttributes
  ? AttributeAddend<TAttributes[TTarget]>
  : TTarget extends (attr: never) => AttributeReference<infer TValue>
    ? Addend<TValue>
    : never

type RemovedOf<TAttributes, TTarget> = TTarget extends keyof TAttributes
  ? Removed<NewValue<TAttributes[TTarget]>>
  : TTarget extends (attr: never) => AttributeReference<infer TValue>
    ? Removed<TValue>
    : never

type AppendedOf<TAttributes, TTarget> = TTarget extends keyof TAttributes
  ? Appended<NewValue<TAttributes[TTarget]>>
  : TTarget extends (attr: never) => AttributeReference<infer TValue>
    ? Appended<TValue>
    : never

/** The `op` of callbacks of `set`. One `plus` or `minus` is what DynamoDB can compute at a time. */
export interface UpdateOperators {
  /** The sum of two numbers, of which one at least is an attribute. */
  plus<TValue extends number | bigint | string>(
    left: Operand<TValue | null> | TValue,
    right: Operand<TValue | null> | TValue,
  ): Operand<TValue>
  /** The difference of two numbers. */
  minus<TValue extends number | bigint | string>(
    left: Operand<TValue | null> | TValue,
    right: Operand<TValue | null> | TValue,
  ): Operand<TValue>
  /** The value of an attribute, or another one where the item has none. */
  orElse<TValue>(attribute: Operand<TValue>, otherwise: TValue | Operand<TValue>): Operand<TValue>
}

/** What DynamoDB computes from the item as it was before. */
export interface ComputedValue<TValue, TReferences> {
  // biome-ignore lint/style/useShorthandFunctionType: errors show an interface by its name, and of a function all parameters.
  (attr: TReferences, op: UpdateOperators): Operand<TValue>
}

/** What `set` takes as an object: new values by attribute, or what computes them. */
type SetValues<TAttributes, TReferences> = {
  readonly [TName in keyof TAttributes]?:
    | NewValue<TAttributes[TName]>
    | ComputedValue<NewValue<TAttributes[TName]>, TReferences>
    | undefined
}

/** What each change takes as an object: its value by attribute. */
type Addends<TAttributes> = {
  readonly [TName in keyof TAttributes]?: AttributeAddend<TAttributes[TName]> | undefined
}
type RemovedMembers<TAttributes> = {
  readonly [TName in keyof TAttributes]?: Removed<NewValue<TAttributes[TName]>> | undefined
}
type AppendedElements<TAttributes> = {
  readonly [TName in keyof TAttributes]?: Appended<NewValue<TAttributes[TName]>> | undefined
}

/**
 * Changes an item: `update` one that exists, `upsert` makes it if there is none. Keys of indexes
 * follow the attributes they are made of by themselves. Gives the item as it is afterwards.
 *
 * @example
 * const schema = defineSchema({
 *   indexes: { primary: { hash: 'pk' } },
 *   models: {
 *     User: {
 *       key: { pk: 'USER#${username}' },
 *       attributes: {
 *         username: { type: String, required: true },
 *         visits: { type: Number, default: 0 },
 *         roles: { type: Set, items: { type: String } },
 *         log: { type: Array, items: { type: String } },
 *         address: { type: Object, schema: { city: { type: String }, zip: { type: String } } },
 *       },
 *     },
 *   },
 * })
 * const table = new Table({ name: 'users', schema, client: createEngine() })
 * await table.create()
 * const { User } = table.entities
 * await User.update({ username: 'alice' }).set({ log: [] }) // => throws ItemNotFoundError
 * await User.put({ username: 'alice', address: { city: 'Rome', zip: '1' }, log: [] })
 * const alice = await User.update({ username: 'alice' })
 *   .set((attr) => attr.address.city, 'Oslo')
 *   .remove((attr) => attr.address.zip)
 *   .add('visits', 1)
 *   .add('roles', ['admin'])
 *   .append('log', ['moved'])
 *   .where((attr, op) => op.eq(attr.address.city, 'Rome'))
 * alice.visits // => 1
 * alice.address // => { city: 'Oslo' }
 * alice.log // => ['moved']
 */
export interface UpdateBuilder<
  TResult,
  TName extends ModelName<TSchema>,
  TSchema extends SchemaDefinition,
> extends WriteBuilder<TResult> {
  /** Only if this holds for the item under the key. Several conditions must all hold. */
  where(
    condition: (attr: AttributeReferences<TSchema, TName>, op: ConditionOperators) => Condition,
  ): this
  readonly [planned]: 'Update'
  readonly [subject]: readonly [TName, Item<TSchema, TName>]
  /**
   * Sets attributes; one that is given as `undefined` stays as it is, and a function has it
   * computed, as in `set({ title: 'New', before: (attr) => attr.title })`.
   */
  set(
    changes: SetValues<TSchema['models'][TName]['attributes'], AttributeReferences<TSchema, TName>>,
  ): this
  set<TTarget extends Target<TSchema, TName>>(
    target: TTarget,
    value: TargetValue<TSchema['models'][TName]['attributes'], TTarget>,
  ): this
  /**
   * Sets what DynamoDB computes from the item as it was before: `set('before', (attr) =>
   * attr.now)`, or `set('total', (attr, op) => op.plus(attr.price, attr.tax))`. Validators don't
   * see such values.
   */
  set<TTarget extends Target<TSchema, TName>>(
    target: TTarget,
    value: ComputedValue<
      TargetValue<TSchema['models'][TName]['attributes'], TTarget>,
      AttributeReferences<TSchema, TName>
    >,
  ): this
  /** Sets what has no value yet. */
  setDefault(changes: NewValues<TSchema, TName>): this
  setDefault<TTarget extends Target<TSchema, TName>>(
    target: TTarget,
    value: TargetValue<TSchema['models'][TName]['attributes'], TTarget>,
  ): this
  /** Takes attributes away, or places inside them: one, several, or a list of them. */
  remove(
    ...targets: readonly (Removable<TSchema, TName> | readonly Removable<TSchema, TName>[])[]
  ): this
  /**
   * Adds to numbers, or members to sets. A number counts as `from` if there is none, and as 0
   * unless that is given.
   */
  add(changes: Addends<TSchema['models'][TName]['attributes']>): this
  add<TTarget extends Target<TSchema, TName>>(
    target: TTarget,
    value: AddendOf<TSchema['models'][TName]['attributes'], TTarget>,
    options?: { readonly from?: number | bigint | string | undefined },
  ): this
  /** Takes members out of sets. */
  delete(changes: RemovedMembers<TSchema['models'][TName]['attributes']>): this
  delete<TTarget extends Target<TSchema, TName>>(
    target: TTarget,
    members: RemovedOf<TSchema['models'][TName]['attributes'], TTarget>,
  ): this
  /** Puts elements behind those of a list. */
  append(changes: AppendedElements<TSchema['models'][TName]['attributes']>): this
  append<TTarget extends Target<TSchema, TName>>(
    target: TTarget,
    elements: AppendedOf<TSchema['models'][TName]['attributes'], TTarget>,
  ): this
  /** Puts elements before those of a list. */
  prepend(changes: AppendedElements<TSchema['models'][TName]['attributes']>): this
  prepend<TTarget extends Target<TSchema, TName>>(
    target: TTarget,
    elements: AppendedOf<TSchema['models'][TName]['attributes'], TTarget>,
  ): this
  /**
   * Current values that you know: keys of indexes are made with them, and nothing is written if
   * they are others by now.
   */
  given(values: GivenValues<TSchema, TName>): this
  /** Writes only if the item has this version. */
  ifVersion(version: number): this
  /**
   * What `execute` gives: the item afterwards (`ALL_NEW`, unless said), before, only what was
   * changed, or nothing.
   */
  returning<TMode extends keyof UpdateResults<unknown>>(
    mode: TMode,
  ): UpdateBuilder<UpdateResults<Item<TSchema, TName>>[TMode], TName, TSchema>
  /**
   * Sends it as a transaction with a token, so that it is never carried out twice; see
   * `ExactlyOnceWrite`. Gives nothing back.
   */
  exactlyOnce(): ExactlyOnceWrite<undefined>
  /**
   * The request, as the SDK's DocumentClient takes it. Throws if the update takes more than one.
   */
  params(): UpdateParams
  /** The same as `params()`, by its earlier name. */
  dbParams(): UpdateParams
  /** Sends it, and gives a failed condition as a result. All other errors are thrown. */
  result(options?: CallOptions): Promise<WriteResult<TResult, Item<TSchema, TName>>>
}
