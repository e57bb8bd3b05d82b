import type { ModelDefinition, SchemaDefinition } from './schema-definition.ts'

/**
 * Types of inputs and outputs, read off the schema's literals. They are written for few instantiations: one mapped type per use, no
 * intersections that must be flattened, and each conditional asks for the most frequent answer first.
 */

/** The names of a schema's models. */
export type ModelName<TSchema extends SchemaDefinition> = keyof TSchema['models'] & string

/** The JavaScript value of an attribute. */
export type Value<TAttribute> = TAttribute extends { readonly nulls: true }
  ? PlainValue<TAttribute> | null
  : PlainValue<TAttribute>

type PlainValue<TAttribute> = TAttribute extends { readonly enum: readonly (infer TMember)[] }
  ? TMember
  : TAttribute extends { readonly type: StringConstructor | 'decimal' }
    ? string
    : TAttribute extends { readonly type: NumberConstructor }
      ? number
      : TAttribute extends { readonly type: BooleanConstructor }
        ? boolean
        : RareValue<TAttribute>

type RareValue<TAttribute> = TAttribute extends { readonly type: DateConstructor }
  ? Date
  : TAttribute extends { readonly type: BigIntConstructor }
    ? bigint
    : TAttribute extends { readonly type: Uint8ArrayConstructor }
      ? Uint8Array
      : TAttribute extends { readonly type: ArrayConstructor; readonly items: infer TItems }
        ? Value<TItems>[]
        : TAttribute extends { readonly type: ArrayConstructor }
          ? unknown[]
          : TAttribute extends { readonly type: SetConstructor; readonly items: infer TItems }
            ? Set<Value<TItems>>
            : TAttribute extends { readonly type: SetConstructor }
              ? Set<string>
              : TAttribute extends {
                    readonly type: ObjectConstructor
                    readonly schema: infer TMembers
                  }
                ? ObjectValue<TMembers>
                : TAttribute extends { readonly type: ObjectConstructor }
                  ? Record<string, unknown>
                  : unknown

type ObjectValue<TMembers> = {
  -readonly [TName in keyof TMembers as TMembers[TName] extends { readonly required: true }
    ? TName
    : never]: Value<TMembers[TName]>
} & {
  -readonly [TName in keyof TMembers as TMembers[TName] extends { readonly required: true }
    ? never
    : TName]?: Value<TMembers[TName]> | undefined
}

/** The placeholders' names of a template: `'A#${x}#${n:pad(4)}'` gives `'x' | 'n'`. */
export type TemplateNames<TTemplate> =
  TTemplate extends `${string}\${${infer TPlaceholder}}${infer TRest}`
    ? PlaceholderName<TPlaceholder> | TemplateNames<TRest>
    : never

type PlaceholderName<TPlaceholder> = TPlaceholder extends `${infer TName}:${string}`
  ? TName
  : TPlaceholder

type TemplateText<TKey> = TKey extends { readonly value: infer TText } ? TText : TKey

/** The names of the attributes that make a model's primary key. */
export type KeyNames<TModel extends ModelDefinition> = TemplateNames<
  TemplateText<TModel['key'][keyof TModel['key']]>
> &
  keyof TModel['attributes']

/** Need not be given although it is always there. */
type Supplied =
  | { readonly generate: unknown }
  | { readonly default: unknown }
  | { readonly version: true }

/** Key attributes made from a template, and what is kept from outputs. */
type Unseen = { readonly value: string } | { readonly hidden: true }

type OutputValue<TAttribute> = TAttribute extends Unseen ? undefined : Value<TAttribute>

/** The names of the attributes that are always there. */
type FilledNames<TAttributes> = {
  [TName in keyof TAttributes]: TAttributes[TName] extends Supplied | { readonly required: true }
    ? TName
    : never
}[keyof TAttributes]

/** The attributes that `timestamps` adds to each model; declared ones of that name keep their own type. */
interface Timestamps {
  createdAt: Date
  updatedAt: Date
}

type WithTimestamps<TSchema, TAttributes, TTimestamps> = TSchema extends {
  readonly params: { readonly timestamps: true }
}
  ? Omit<TTimestamps, keyof TAttributes>
  : unknown

type ModelKey<TModel extends ModelDefinition> = {
  readonly [TName in KeyNames<TModel>]: Value<TModel['attributes'][TName]>
}

/** The attributes that make a model's primary key: `Key<typeof schema, 'Post'>`. */
export type Key<TSchema extends SchemaDefinition, TName extends ModelName<TSchema>> = ModelKey<
  TSchema['models'][TName]
>

type ModelItem<TModel extends ModelDefinition> = {
  -readonly [TName in KeyNames<TModel> | FilledNames<TModel['attributes']>]: OutputValue<
    TModel['attributes'][TName]
  >
} & {
  -readonly [TName in keyof TModel['attributes']]?: OutputValue<TModel['attributes'][TName]>
}

/** What reading gives: `Item<typeof schema, 'Post'>`. */
export type Item<TSchema extends SchemaDefinition, TName extends ModelName<TSchema>> = ModelItem<
  TSchema['models'][TName]
> &
  WithTimestamps<TSchema, TSchema['models'][TName]['attributes'], Timestamps>

type ModelNewItem<TModel extends ModelDefinition> = {
  readonly [TName in
    | KeyNames<TModel>
    | FilledNames<TModel['attributes']> as TModel['attributes'][TName] extends Supplied
    ? never
    : TName]: Value<TModel['attributes'][TName]>
} & {
  readonly [TName in keyof TModel['attributes']]?: Value<TModel['attributes'][TName]> | undefined
}

/** What `put` and `create` take: `NewItem<typeof schema, 'Post'>`. */
export type NewItem<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
> = ModelNewItem<TSchema['models'][TName]> &
  WithTimestamps<TSchema, TSchema['models'][TName]['attributes'], Partial<Timestamps>>

/** What `set` takes: attributes with their new values. */
export type Changes<TSchema extends SchemaDefinition, TName extends ModelName<TSchema>> = {
  readonly [TAttribute in keyof TSchema['models'][TName]['attributes']]?:
    | Value<TSchema['models'][TName]['attributes'][TAttribute]>
    | undefined
}
