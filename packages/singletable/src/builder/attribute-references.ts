import type {
  ImplicitTimestamps,
  ListDefinition,
  MapDefinition,
  ModelName,
  NamedValue,
  RecordDefinition,
  TupleDefinition,
  UnionDefinition,
  Value,
} from '../schema/infer.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'

declare const value: unique symbol

/**
 * What a condition compares: an attribute, or the size of one. Its values have the type in
 * brackets.
 */
export interface Operand<out TValue> {
  readonly [value]: TValue
}

/** A place in an item, as `attr.name` gives it in callbacks. */
export interface AttributeReference<out TValue> extends Operand<TValue> {
  readonly kind: 'reference'
}

/** A reference to an attribute that is declared so, with what can be reached inside it. */
export type ReferenceTo<TAttribute> = TAttribute extends MapDefinition
  ? AttributeReference<Value<TAttribute>> & Members<TAttribute>
  : TAttribute extends ListDefinition
    ? AttributeReference<Value<TAttribute>> & Positions<TAttribute>
    : TAttribute extends { readonly type: 'any' | 'record' | 'tuple' | 'union' }
      ? RareReference<TAttribute>
      : AttributeReference<Value<TAttribute>>

type RareReference<TAttribute> = TAttribute extends RecordDefinition
  ? AttributeReference<Value<TAttribute>> & Entries<TAttribute, ReferenceTo<TAttribute['values']>>
  : TAttribute extends TupleDefinition
    ? AttributeReference<Value<TAttribute>> & {
        readonly [TPosition in keyof TAttribute['elements'] as TPosition extends `${number}`
          ? TPosition
          : never]: ReferenceTo<TAttribute['elements'][TPosition]>
      }
    : TAttribute extends UnionDefinition
      ? AttributeReference<Value<TAttribute>> & {
          readonly [TName in TAttribute['discriminator']]: AttributeReference<
            keyof TAttribute['variants']
          >
        } & VariantMembers<TAttribute['variants'][keyof TAttribute['variants']]>
      : unknown extends Value<TAttribute>
        ? UndeclaredReference
        : // biome-ignore lint/suspicious/noExplicitAny: a validator's type has no definition to read members off.
          AttributeReference<Value<TAttribute>> & { readonly [member: string]: any }

type Entries<TAttribute, TReference> = TAttribute extends {
  readonly keys: readonly (infer TName extends string)[]
}
  ? { readonly [TKey in TName]: TReference }
  : { readonly [name: string]: TReference }

/** The members of all variants of a union. */
type VariantMembers<TVariant> = {
  readonly [TName in VariantName<TVariant>]: VariantMember<TVariant, TName>
}

type VariantName<TVariant> = TVariant extends unknown ? keyof TVariant : never

type VariantMember<TVariant, TName> = TVariant extends unknown
  ? TName extends keyof TVariant
    ? ReferenceTo<TVariant[TName]>
    : never
  : never

type Members<TAttribute> = TAttribute extends { readonly schema: infer TMembers }
  ? { readonly [TName in keyof TMembers]: ReferenceTo<TMembers[TName]> }
  : { readonly [name: string]: UndeclaredReference }

type Positions<TAttribute> = PositionsOf<
  TAttribute extends { readonly items: infer TItems } ? ReferenceTo<TItems> : UndeclaredReference
>

/** The first positions are listed one by one, because `noUncheckedIndexedAccess` makes all others
 * possibly undefined. */
type PositionsOf<TElement> = {
  readonly [TPosition in 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9]: TElement
} & { readonly [position: number]: TElement }

/** A reference into something whose content is not declared. */
// biome-ignore lint/suspicious/noExplicitAny: nothing is known of the value, so it can be compared with anything.
export type UndeclaredReference = AttributeReference<any> & {
  // biome-ignore lint/suspicious/noExplicitAny: nor of what is inside it, however deep.
  readonly [member: string]: any
}

/** The names of all key attributes of a table. */
export type KeyAttributeName<TSchema extends SchemaDefinition> = IndexKeys<
  TSchema['indexes'][keyof TSchema['indexes']]
>

type IndexKeys<TIndex> = TIndex extends { readonly hash: infer THash; readonly sort: infer TSort }
  ? Names<THash> | Names<TSort>
  : TIndex extends { readonly hash: infer THash }
    ? Names<THash>
    : never

type Names<TKey> = TKey extends readonly (infer TName)[] ? TName & string : TKey & string

/** What conditions on a model can name: its attributes, and key attributes as they are stored. */
export type ConditionName<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
> = NamesIn<TSchema, TSchema['models'][TName]['attributes']>

// A condition works its parts out once, however often it is asked.
type NamesIn<TSchema extends SchemaDefinition, TAttributes> = TAttributes extends object
  ? keyof TAttributes | ImplicitTimestamps<TSchema, TAttributes> | KeyAttributeName<TSchema>
  : never

/** The value of what a condition names. */
export type ConditionValue<TAttributes, TKeys, TName> = TName extends keyof TAttributes
  ? Value<TAttributes[TName]>
  : TName extends TKeys
    ? string
    : Date

/** The `attr` of callbacks. */
export type AttributeReferences<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
> = ReferencesOf<
  TSchema['models'][TName]['attributes'],
  KeyAttributeName<TSchema>,
  ConditionName<TSchema, TName>
>

// Of a condition editors and errors show the outcome, and of a name its arguments, which are large.
type ReferencesOf<TAttributes, TKeys, TNames extends PropertyKey> = TAttributes extends object
  ? { readonly [TName in TNames]: ReferenceByName<TAttributes, TKeys, TName> }
  : never

type ReferenceByName<TAttributes, TKeys, TName> = TName extends keyof TAttributes
  ? ReferenceTo<TAttributes[TName]>
  : AttributeReference<TName extends TKeys ? string : NamedValue<TAttributes, TName>>
