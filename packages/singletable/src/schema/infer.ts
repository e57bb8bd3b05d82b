import type { BucketUnit } from '../template/time-bucket.ts'
import type {
  CopyDefinition,
  ModelDefinition,
  SchemaDefinition,
  StandardSchema,
} from './schema-definition.ts'

/**
 * Types of inputs and outputs, read off the schema's literals. They are written for few
 * instantiations: what conditionals compare with has a name, because the compiler creates an inline
 * type again for each use; the members of an intersection have no property in common, because it
 * would compute all that are; and each conditional asks for the most frequent answer first.
 */

/** The names of a schema's models. */
export type ModelName<TSchema extends SchemaDefinition> = keyof TSchema['models'] & string

interface NullsDefinition {
  readonly nulls: true
}
interface RequiredDefinition {
  readonly required: true
}
interface TextDefinition {
  readonly type: StringConstructor | 'decimal'
  readonly const?: undefined
}
interface PlainTextDefinition extends TextDefinition {
  readonly enum?: undefined
  readonly nulls?: false
}
interface NumberDefinition {
  readonly type: NumberConstructor
  readonly const?: undefined
}
interface BooleanDefinition {
  readonly type: BooleanConstructor
  readonly const?: undefined
}
interface ConstDefinition {
  readonly const: unknown
}
interface DateDefinition {
  readonly type: DateConstructor
}
interface BigIntDefinition {
  readonly type: BigIntConstructor
}
interface BinaryDefinition {
  readonly type: Uint8ArrayConstructor
}
export interface ListDefinition {
  readonly type: ArrayConstructor
}
interface SetDefinition {
  readonly type: SetConstructor
}
export interface MapDefinition {
  readonly type: ObjectConstructor
}

interface EnumDefinition {
  readonly enum: readonly unknown[]
}
/** Of a list or a set. */
interface WithItems {
  readonly items: unknown
}
interface ObjectDefinition extends MapDefinition {
  readonly schema: unknown
}
interface PlainObjectDefinition extends MapDefinition {
  readonly schema: PlainMembers
}
export interface RecordDefinition {
  readonly type: 'record'
  readonly values: unknown
}
interface KeyedDefinition {
  readonly keys: readonly string[]
}
export interface TupleDefinition {
  readonly type: 'tuple'
  readonly elements: readonly unknown[]
}
export interface UnionDefinition {
  readonly type: 'union'
  readonly discriminator: string
  readonly variants: object
}
/** What takes anything is typed by its validator. */
interface ValidatedDefinition {
  readonly type: 'any'
  readonly validate: StandardSchema
}

interface PlainMembers {
  readonly [name: string]: PlainMember
}

/** A member whose values are the same in inputs and in outputs. */
interface PlainMember extends PlainContent {
  readonly hidden?: false
  readonly const?: undefined
  readonly default?: undefined
  readonly generate?: undefined
}

/** Comparing with a whole structure makes no types, however deep it is. */
interface PlainContent {
  readonly type: unknown
  readonly validate?:
    | RegExp
    | (((value: never) => unknown) & { readonly '~standard'?: undefined })
    | undefined
  readonly schema?: PlainMembers | undefined
  readonly items?: PlainMember | undefined
  readonly values?: undefined
  readonly elements?: undefined
  readonly variants?: undefined
}

/**
 * The JavaScript value of an attribute. Members are read off it and not inferred: each inference
 * creates the type that it compares with again.
 */
export type Value<TAttribute> = TAttribute extends PlainTextDefinition
  ? string
  : TAttribute extends Decorated
    ? DecoratedValue<TAttribute>
    : TAttribute extends NumberDefinition
      ? number
      : RareValue<TAttribute>

/** Asked at once, since most attributes are neither. */
type Decorated = NullsDefinition | EnumDefinition

type DecoratedValue<TAttribute> = TAttribute extends EnumDefinition
  ? TAttribute extends NullsDefinition
    ? TAttribute['enum'][number] | null
    : TAttribute['enum'][number]
  : NullableValue<TAttribute> | null

/** Without the null. */
type NullableValue<TAttribute> = TAttribute extends TextDefinition
  ? string
  : TAttribute extends NumberDefinition
    ? number
    : RareValue<TAttribute>

type RareValue<TAttribute> = TAttribute extends PlainObjectDefinition
  ? Filled<TAttribute['schema'], RequiredNames<TAttribute['schema']>>
  : TAttribute extends BooleanDefinition
    ? boolean
    : TAttribute extends DateDefinition
      ? Date
      : TAttribute extends WithItems
        ? TAttribute extends ListDefinition
          ? Value<TAttribute['items']>[]
          : Set<Value<TAttribute['items']>>
        : TAttribute extends BigIntDefinition
          ? bigint
          : TAttribute extends BinaryDefinition
            ? Uint8Array
            : TAttribute extends SetDefinition
              ? Set<string>
              : TAttribute extends ListDefinition
                ? unknown[]
                : SpecialValue<TAttribute>

/** The last resort, which few attributes come to. */
type SpecialValue<TAttribute> = TAttribute extends ConstDefinition
  ? TAttribute['const']
  : TAttribute extends ObjectDefinition
    ? ReadMembers<TAttribute['schema']>
    : TAttribute extends MapDefinition
      ? Record<string, unknown>
      : TAttribute extends RecordDefinition
        ? TAttribute extends KeyedDefinition
          ? { [TName in TAttribute['keys'][number]]?: Value<TAttribute['values']> | undefined }
          : { [name: string]: Value<TAttribute['values']> }
        : TAttribute extends TupleDefinition
          ? TupleValue<TAttribute['elements']>
          : TAttribute extends UnionDefinition
            ? {
                [TVariant in keyof TAttribute['variants']]: {
                  -readonly [TName in TAttribute['discriminator']]: TVariant
                } & ReadMembers<TAttribute['variants'][TVariant]>
              }[keyof TAttribute['variants']]
            : TAttribute extends ValidatedDefinition
              ? NonNullable<TAttribute['validate']['~standard']['types']>['output']
              : unknown

/** Of a type parameter the compiler makes a tuple, and of anything else an object. */
type TupleValue<TElements> = {
  -readonly [TPosition in keyof TElements]: Value<TElements[TPosition]>
}
type GivenTuple<TElements> = {
  readonly [TPosition in keyof TElements]: GivenValue<TElements[TPosition]>
}

/** Members of an object as reading gives them. */
type ReadMembers<TMembers> = Filled<
  Omit<TMembers, NamesOf<TMembers, HiddenDefinition>>,
  Exclude<NamesOf<TMembers, Present>, NamesOf<TMembers, HiddenDefinition>>
>

/** The names of the members that are declared so. */
type NamesOf<
  TMembers,
  TDefinition,
  TName extends keyof TMembers = keyof TMembers,
> = TName extends unknown ? (TMembers[TName] extends TDefinition ? TName : never) : never

interface HiddenDefinition {
  readonly hidden: true
}

/** The value of an attribute as it is given to writes. */
export type GivenValue<TAttribute> = TAttribute extends PlainDefinition
  ? Value<TAttribute>
  : TAttribute extends NullsDefinition
    ? SpecialGiven<TAttribute> | null
    : SpecialGiven<TAttribute>

type SpecialGiven<TAttribute> = TAttribute extends ObjectDefinition
  ? GivenMembers<TAttribute['schema']>
  : TAttribute extends RecordDefinition
    ? TAttribute extends KeyedDefinition
      ? {
          readonly [TName in TAttribute['keys'][number]]?:
            | GivenValue<TAttribute['values']>
            | undefined
        }
      : { readonly [name: string]: GivenValue<TAttribute['values']> }
    : TAttribute extends TupleDefinition
      ? GivenTuple<TAttribute['elements']>
      : TAttribute extends UnionDefinition
        ? {
            [TVariant in keyof TAttribute['variants']]: {
              readonly [TName in TAttribute['discriminator']]: TVariant
            } & GivenMembers<TAttribute['variants'][TVariant]>
          }[keyof TAttribute['variants']]
        : TAttribute extends ValidatedDefinition
          ? NonNullable<TAttribute['validate']['~standard']['types']>['input']
          : TAttribute extends WithItems & ListDefinition
            ? GivenValue<TAttribute['items']>[]
            : Value<TAttribute>

/** Members of an object as writes take them. */
type GivenMembers<TMembers> = GivenFilled<
  TMembers,
  Exclude<NamesOf<TMembers, RequiredDefinition>, NamesOf<TMembers, Supplied>>
>

type GivenFilled<TMembers, TName extends keyof TMembers> = {
  readonly [TMember in TName]: GivenValue<TMembers[TMember]>
} & {
  readonly [TMember in Exclude<keyof TMembers, TName>]?: GivenValue<TMembers[TMember]> | undefined
}

type RequiredNames<TMembers, TName extends keyof TMembers = keyof TMembers> = TName extends unknown
  ? TMembers[TName] extends RequiredDefinition
    ? TName
    : never
  : never

/** An object that has the named members, and may have the others. */
type Filled<TMembers, TName extends keyof TMembers> = TMembers extends object
  ? {
      -readonly [TMember in TName]: Value<TMembers[TMember]>
    } & {
      -readonly [TMember in Exclude<keyof TMembers, TName>]?: Value<TMembers[TMember]> | undefined
    }
  : never

/** The placeholders' names of a template: `'A#${x}#${n:pad(4)}'` gives `'x' | 'n'`. */
export type TemplateNames<TTemplate> =
  TTemplate extends `${string}\${${infer TPlaceholder}}${infer TRest}`
    ? PlaceholderName<TPlaceholder> | TemplateNames<TRest>
    : never

type PlaceholderName<TPlaceholder> = TPlaceholder extends `${infer TName}:${string}`
  ? TName
  : TPlaceholder

/** A template, written in short or in full. */
export type TemplateText<TKey> = TKey extends FullTemplate ? TKey['value'] : TKey

interface FullTemplate {
  readonly value: unknown
}

/**
 * The names of a template's placeholders that a query of one partition gives values for: time
 * buckets follow from a range, and shards are all read.
 */
export type FixedNames<TTemplate> =
  TTemplate extends `${string}\${${infer TPlaceholder}}${infer TRest}`
    ?
        | (TPlaceholder extends `${string}:${BucketUnit}` ? never : PlaceholderName<TPlaceholder>)
        | FixedNames<TRest>
    : never

interface Sharded {
  readonly shard: object
}

/** The placeholder of a model that is not an attribute. */
export type ShardName<TModel> = TModel extends Sharded
  ? TModel['shard'] extends { readonly name: infer TName }
    ? TName
    : 'shard'
  : never

/** The names of the attributes that make a model's primary key. */
export type KeyNames<TModel extends ModelDefinition> = TModel extends Sharded
  ? Exclude<TemplateNames<TemplateText<TModel['key'][keyof TModel['key']]>>, ShardName<TModel>>
  : TemplateNames<TemplateText<TModel['key'][keyof TModel['key']]>>

type CounterDefinition = { readonly counts: unknown } | { readonly sums: unknown }

interface ComputedDefinition {
  readonly from: unknown
}

/** Need not be given although it is always there. */
type Supplied =
  | { readonly generate: unknown }
  | { readonly default: unknown }
  | { readonly version: true }
  | CounterDefinition
  | ConstDefinition

/** Need not be given. */
type NotAsked = Supplied | ComputedDefinition

/** Is always there. */
type Present = Supplied | RequiredDefinition

/** Key attributes made from a template, and what is kept from outputs. */
type Unseen = { readonly value: string } | { readonly hidden: true }

/** The names of the attributes that are always there. */
type PresentNames<
  TAttributes,
  TName extends keyof TAttributes = keyof TAttributes,
> = TName extends unknown ? (TAttributes[TName] extends Present ? TName : never) : never

/** Of these names those that must be given. */
type DemandedNames<TAttributes, TName extends keyof TAttributes> = TName extends unknown
  ? TAttributes[TName] extends NotAsked
    ? never
    : TName
  : never

/** The names of the attributes that `timestamps` adds to each model. */
export type TimestampName = 'createdAt' | 'updatedAt'

interface WithTimestamps {
  readonly params: { readonly timestamps: true }
}

/** The timestamps that a model has without declaring them. */
export type ImplicitTimestamps<TSchema, TAttributes> = TSchema extends WithTimestamps
  ? Exclude<TimestampName, keyof TAttributes>
  : never

/** The value of an attribute by its name; those that are not declared are timestamps. */
export type NamedValue<TAttributes, TName> = TName extends keyof TAttributes
  ? Value<TAttributes[TName]>
  : Date

/** The attributes that make a model's primary key: `Key<typeof schema, 'Post'>`. */
export type Key<TSchema extends SchemaDefinition, TName extends ModelName<TSchema>> = ModelKey<
  TSchema['models'][TName]
>

// Of a condition editors show the outcome, and of a name its arguments, which are large.
type ModelKey<TModel extends ModelDefinition> = TModel extends ModelDefinition
  ? { readonly [TName in KeyNames<TModel>]: NamedValue<TModel['attributes'], TName> }
  : never

/** What reading gives: `Item<typeof schema, 'Post'>`. */
export type Item<TSchema extends SchemaDefinition, TName extends ModelName<TSchema>> = ItemOf<
  TSchema,
  TSchema['models'][TName]
>

// A condition works its model out once, however often it is named in it.
type ItemOf<TSchema, TModel extends ModelDefinition> = TModel extends ModelDefinition
  ? Output<
      TModel['attributes'],
      PresentNames<TModel['attributes']> | (KeyNames<TModel> & keyof TModel['attributes']),
      ImplicitTimestamps<TSchema, TModel['attributes']>
    >
  : never

type Output<
  TAttributes,
  TPresent extends keyof TAttributes,
  TTimestamp extends string,
> = TAttributes[keyof TAttributes] extends PlainDefinition
  ? {
      -readonly [TName in TPresent]: Value<TAttributes[TName]>
    } & {
      -readonly [TName in Exclude<keyof TAttributes, TPresent>]?: Value<TAttributes[TName]>
    } & { -readonly [TName in TTimestamp]: Date }
  : {
      -readonly [TName in TPresent]: OutputValue<TAttributes[TName]>
    } & {
      -readonly [TName in Exclude<keyof TAttributes, TPresent>]?: OutputValue<TAttributes[TName]>
    } & { -readonly [TName in TTimestamp]: Date }

type OutputValue<TAttribute> = TAttribute extends Unseen ? undefined : Value<TAttribute>

/** What `create` takes: `NewItem<typeof schema, 'Post'>`. */
export type NewItem<TSchema extends SchemaDefinition, TName extends ModelName<TSchema>> = NewItemOf<
  TSchema,
  TSchema['models'][TName],
  false
>

/**
 * What `put` takes: a new item, or one that was read, `PutItem<typeof schema, 'Post'>`. Counters,
 * sums and computed attributes in it are ignored.
 */
export type PutItem<TSchema extends SchemaDefinition, TName extends ModelName<TSchema>> = NewItemOf<
  TSchema,
  TSchema['models'][TName],
  true
>

type NewItemOf<TSchema, TModel extends ModelDefinition, TWasRead> = TModel extends ModelDefinition
  ? Input<
      TModel['attributes'],
      DemandedNames<
        TModel['attributes'],
        PresentNames<TModel['attributes']> | (KeyNames<TModel> & keyof TModel['attributes'])
      >,
      ImplicitTimestamps<TSchema, TModel['attributes']>,
      TWasRead
    >
  : never

type Input<
  TAttributes,
  TDemanded extends keyof TAttributes,
  TTimestamp extends string,
  TWasRead,
> = TAttributes[keyof TAttributes] extends PlainDefinition
  ? {
      readonly [TName in TDemanded]: Value<TAttributes[TName]>
    } & {
      readonly [TName in Exclude<keyof TAttributes, TDemanded>]?:
        | Value<TAttributes[TName]>
        | undefined
    } & { readonly [TName in TTimestamp]?: Date | undefined }
  : (TWasRead extends true
      ? AllCounts<TAttributes, NamesOf<TAttributes, CounterDefinition>>
      : NoCounts<TAttributes>) & {
      readonly [TName in TDemanded]: GivenValue<TAttributes[TName]>
    } & {
      readonly [TName in Exclude<keyof TAttributes, TDemanded>]?:
        | GivenValue<TAttributes[TName]>
        | undefined
    } & { readonly [TName in TTimestamp]?: Date | undefined }

/**
 * An attribute that is the same in inputs and in outputs. Asked once for all of a model, which
 * costs less than asking for each.
 */
interface PlainDefinition extends PlainContent {
  readonly counts?: undefined
  readonly sums?: undefined
  readonly from?: undefined
  readonly value?: undefined
  readonly hidden?: false
}

/** Counters are counted and computed attributes follow from others: they are not given. */
type NoCounts<TAttributes> = {
  readonly [TName in keyof TAttributes as TAttributes[TName] extends
    | CounterDefinition
    | ComputedDefinition
    ? TName
    : never]?: undefined
}

/** A new item has no counters, and one that was read has them all. */
type AllCounts<TAttributes, TName extends keyof TAttributes> = [TName] extends [never]
  ? unknown
  :
      | { readonly [TCounter in TName]?: undefined }
      | { readonly [TCounter in TName]: Value<TAttributes[TCounter]> }

/** What `set` takes: attributes with their new values. */
export type NewValues<TSchema extends SchemaDefinition, TName extends ModelName<TSchema>> = {
  readonly [TAttribute in keyof TSchema['models'][TName]['attributes']]?:
    | NewValue<TSchema['models'][TName]['attributes'][TAttribute]>
    | undefined
}

/** What no update may set: the version counts by itself, keys are made from templates. */
export type Unchangeable =
  | { readonly readonly: true }
  | { readonly version: true }
  | { readonly value: string }
  | CounterDefinition
  | ComputedDefinition

/** The values that `set` can give to an attribute. */
export type NewValue<TAttribute> = TAttribute extends Unchangeable ? never : GivenValue<TAttribute>

interface NoCopies {
  readonly key: unknown
  readonly copies?: undefined
}

/**
 * What a schema with copies has in addition to its models; computed once for all models, so that a
 * schema without any pays nothing.
 */
export type IfCopies<
  TSchema extends SchemaDefinition,
  TCopies,
> = TSchema['models'][keyof TSchema['models']] extends NoCopies
  ? unknown
  : string extends keyof TSchema['models']
    ? unknown
    : TCopies

interface WithCopies {
  readonly copies: object
}

/** The names of the models that have copies. */
type SourceName<TSchema extends SchemaDefinition> = {
  [TName in keyof TSchema['models']]: TSchema['models'][TName] extends WithCopies ? TName : never
}[keyof TSchema['models']]

/**
 * A schema whose models are the copies that another one declares: all types that are made for
 * models are made for them as well.
 */
export interface CopySchema<TSchema extends SchemaDefinition> {
  readonly indexes: TSchema['indexes']
  readonly models: AsModels<UnionToIntersection<CopyModels<TSchema, SourceName<TSchema>>>>
}

/** What reading a copy gives: `CopyItem<typeof schema, 'TagPost'>`. */
export type CopyItem<
  TSchema extends SchemaDefinition,
  TName extends ModelName<CopySchema<TSchema>>,
> = Item<CopySchema<TSchema>, TName>

type CopyModels<TSchema extends SchemaDefinition, TSource> = TSource extends keyof TSchema['models']
  ? {
      readonly [TCopy in keyof TSchema['models'][TSource]['copies']]: CopyModel<
        TSchema['models'][TSource],
        CopiedAttributes<TSchema, TSchema['models'][TSource]['attributes']>,
        TSchema['models'][TSource]['copies'][TCopy]
      >
    }
  : never

export type UnionToIntersection<TUnion> = (
  TUnion extends unknown
    ? (each: TUnion) => void
    : never
) extends (all: infer TAll) => void
  ? TAll
  : never

/** What the compiler can't see by itself. */
type AsModels<TModels> = TModels extends SchemaDefinition['models'] ? TModels : never

/**
 * An attribute that copies have as it is. Asked once for all of a model, which costs less than
 * asking for each.
 */
interface Copyable {
  readonly type: unknown
  readonly counts?: undefined
  readonly sums?: undefined
  readonly value?: undefined
}

/** What a copy can have: all but counters and rendered keys, and the timestamps of the item. */
type CopiedAttributes<TSchema, TAttributes> = (TAttributes[keyof TAttributes] extends Copyable
  ? TAttributes
  : {
      readonly [TName in keyof TAttributes as TAttributes[TName] extends
        | CounterDefinition
        | { readonly value: string }
        ? never
        : TName]: TAttributes[TName]
    }) & {
  readonly [TName in ImplicitTimestamps<TSchema, TAttributes>]: {
    readonly type: DateConstructor
    readonly required: true
  }
}

/**
 * Says of a model that it is a copy, whose attributes are all listed: the timestamps of its item
 * are among them, or it has none.
 */
export interface CopiedModel {
  readonly copied: true
}

type CopyModel<TModel extends ModelDefinition, TAttributes, TCopy> = TCopy extends CopyDefinition
  ? CopiedModel & {
      readonly key: TCopy['key']
      readonly index: TCopy extends { readonly index: infer TIndex }
        ? TIndex
        : { readonly [TName in never]: never }
      readonly attributes: TCopy extends { readonly attributes: readonly (infer TChosen)[] }
        ? Pick<
            TAttributes,
            keyof TAttributes &
              (
                | TChosen
                | KeyNames<TModel>
                | CopyKeyNames<TCopy>
                | LifetimeNames<TModel['attributes']>
              )
          > &
            ElementAttribute<TModel, TCopy>
        : TAttributes & ElementAttribute<TModel, TCopy>
    } & (TModel extends Sharded ? Pick<TModel, 'shard'> : unknown)
  : never

/** The element that a copy is of, where there is one for each. */
type ElementAttribute<
  TModel extends ModelDefinition,
  TCopy extends CopyDefinition,
> = TCopy extends {
  readonly each: infer TList extends keyof TModel['attributes']
}
  ? {
      readonly [TName in ElementName<TModel, TCopy>]: Omit<
        NonNullable<TModel['attributes'][TList]['items']>,
        'required'
      > &
        RequiredDefinition
    }
  : unknown

/** What a copy calls its element: the placeholder that is not an attribute, unless it is named. */
type ElementName<TModel extends ModelDefinition, TCopy extends CopyDefinition> = TCopy extends {
  readonly as: infer TName extends string
}
  ? TName
  : Exclude<
      CopyKeyNames<TCopy>,
      keyof TModel['attributes'] | 'createdAt' | 'updatedAt' | ShardName<TModel>
    >

type CopyKeyNames<TCopy extends CopyDefinition> = TemplateNames<
  | TemplateText<TCopy['key'][keyof TCopy['key']]>
  | (TCopy extends { readonly index: infer TIndex } ? TemplateText<TIndex[keyof TIndex]> : never)
>

/** A copy ends with its item. */
type LifetimeNames<TAttributes> = TAttributes[keyof TAttributes] extends Everlasting
  ? never
  : {
      [TName in keyof TAttributes]: TAttributes[TName] extends { readonly ttl: true }
        ? TName
        : never
    }[keyof TAttributes]

interface Everlasting {
  readonly type: unknown
  readonly ttl?: false
}
