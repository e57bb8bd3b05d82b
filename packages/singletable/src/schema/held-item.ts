import type { BucketUnit } from '../template/time-bucket.ts'
import type { Item, ModelName } from './infer.ts'
import type { PartText } from './part-text.ts'
import type { ModelDefinition, SchemaDefinition } from './schema-definition.ts'

/** An index that holds only parts of items. */
export interface Projecting {
  readonly project: 'keys' | readonly string[]
}

/**
 * What an index gives of an item: all of it, or what it projects and what its keys and those of the
 * table contain in full.
 */
export type HeldItem<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TIndex extends string,
> = TSchema['indexes'][TIndex] extends Projecting
  ? Pick<
      Item<TSchema, TName>,
      keyof Item<TSchema, TName> &
        WithComputed<
          TSchema['models'][TName]['attributes'],
          | Listed<TSchema['indexes'][TIndex]['project']>
          | LifetimeIn<
              TSchema['models'][TName]['attributes'],
              TSchema['indexes'][TIndex]['project']
            >
          | InKeys<
              TSchema['models'][TName],
              TSchema['indexes']['primary'] | TSchema['indexes'][TIndex]
            >
        >
    >
  : Item<TSchema, TName>

type Listed<TProject> = TProject extends readonly (infer TName)[] ? TName : never

/** An index with a list also has the time to live, which every read looks at. */
type LifetimeIn<TAttributes, TProject> = TProject extends readonly unknown[]
  ? NamesOf<TAttributes, { readonly ttl: true }>
  : never

type NamesOf<TAttributes, TDefinition> = {
  [TName in keyof TAttributes]: TAttributes[TName] extends TDefinition ? TName : never
}[keyof TAttributes]

type InKeys<TModel extends ModelDefinition, TIndex> = Exclude<
  TIndex extends { readonly hash: infer THash }
    ? Recoverable<
        | PartText<TModel, THash>
        | (TIndex extends { readonly sort: infer TSort } ? PartText<TModel, TSort> : never)
      >
    : never,
  NamesOf<TModel['attributes'], OnlyAsStored>
>

/** What a key may have is not the value of these, or does not show where it ends. */
type OnlyAsStored =
  | { readonly codec: object }
  | { readonly set: unknown }
  | { readonly ttl: true }
  | { readonly encode: 'raw' }
  | { readonly stored: false }

/** The placeholders of a template that have whole values. */
type Recoverable<TTemplate> = TTemplate extends `${string}\${${infer TPlaceholder}}${infer TRest}`
  ?
      | (TPlaceholder extends `${infer TName}:${infer TModifiers}`
          ? TModifiers extends `${string}lower${string}` | BucketUnit | 'time'
            ? never
            : TName
          : TPlaceholder)
      | Recoverable<TRest>
  : never

/** With what is computed on reading from nothing but these. */
type WithComputed<TAttributes, THeld> =
  | THeld
  | {
      [TName in keyof TAttributes]: TAttributes[TName] extends {
        readonly stored: false
        readonly from: infer TFrom
      }
        ? [TFrom extends readonly (infer TSource)[] ? TSource : TFrom] extends [THeld]
          ? TName
          : never
        : never
    }[keyof TAttributes]
