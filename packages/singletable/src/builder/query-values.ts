import type {
  FixedNames,
  ModelName,
  ShardName,
  TemplateNames,
  TemplateText,
} from '../schema/infer.ts'
import type { ModelDefinition, SchemaDefinition } from '../schema/schema-definition.ts'
import type { ConditionName, ConditionValue, KeyAttributeName } from './attribute-references.ts'
import type { TypeMessage } from './type-message.ts'

/** What a query can ask for: values of attributes, and key attributes as they are stored. */
export type QueryValues<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
> = NamedValues<
  TSchema['models'][TName]['attributes'],
  KeyAttributeName<TSchema>,
  ConditionName<TSchema, TName>
>

// Of a condition errors show the outcome, and of a name its arguments, which are large.
type NamedValues<TAttributes, TKeys, TNames extends PropertyKey> = TAttributes extends object
  ? { readonly [TName in TNames]?: ConditionValue<TAttributes, TKeys, TName> }
  : never

/**
 * Refuses names that are not attributes, and names that leave the partition key of every index
 * open. Both are asked at once, of the primary index: most queries use it. What is refused is said
 * in mapped types, which the compiler works out only where it has to.
 */
export type QueryNames<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TGiven extends PropertyKey,
> = [
  TGiven,
  TemplateNames<
    TemplateText<TSchema['models'][TName]['key'][TSchema['indexes']['primary']['hash']]>
  >,
] extends [ConditionName<TSchema, TName>, TGiven]
  ? unknown
  : [TGiven] extends [ConditionName<TSchema, TName>]
    ? [TGiven] extends [never]
      ? TypeMessage<'give attributes that fix a partition key, or use where()'>
      : OpenPartition<TSchema, TName, TGiven>
    : {
        readonly [TAttribute in TGiven]?: TAttribute extends ConditionName<TSchema, TName>
          ? unknown
          : TypeMessage<`${TAttribute & string} is not an attribute of ${TName}`>
      }

type OpenPartition<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TGiven extends PropertyKey,
> = {
  readonly [TAttribute in TGiven]?: Serving<TSchema, TSchema['models'][TName], TGiven> extends never
    ? TypeMessage<Needs<TSchema, TName>>
    : unknown
}

/** The indexes whose partition key these names fix. */
type Serving<
  TSchema extends SchemaDefinition,
  TModel extends ModelDefinition,
  TGiven,
  TIndex = keyof TSchema['indexes'],
> = TIndex extends keyof TSchema['indexes']
  ? [Unfixed<TModel, Hash<TSchema, TIndex>, TGiven>] extends [never]
    ? TIndex
    : never
  : never

type Hash<
  TSchema extends SchemaDefinition,
  TIndex extends keyof TSchema['indexes'],
> = TSchema['indexes'][TIndex]['hash'] extends readonly (infer TName)[]
  ? TName
  : TSchema['indexes'][TIndex]['hash']

/** Of the key attributes those that are neither given as they are nor made of what is given. */
type Unfixed<TModel extends ModelDefinition, THash, TGiven> = THash extends TGiven
  ? never
  : [NeededFor<TModel, THash>] extends [TGiven]
    ? never
    : THash

/** The attributes a key attribute is made of; itself where no template makes it. */
type NeededFor<TModel extends ModelDefinition, THash> = Exclude<
  THash extends keyof TModel['key']
    ? FixedNames<TemplateText<TModel['key'][THash]>>
    : TModel extends { readonly index: { readonly [TName in THash & string]: infer TKey } }
      ? FixedNames<TemplateText<TKey>>
      : THash extends keyof TModel['attributes']
        ? TModel['attributes'][THash] extends { readonly value: infer TTemplate }
          ? FixedNames<TTemplate>
          : THash
        : THash,
  ShardName<TModel>
>

/** What would have to be given, index by index. */
type Needs<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TIndex = keyof TSchema['indexes'],
> = TIndex extends keyof TSchema['indexes'] & string
  ? `${TName} can't be queried so: ${TIndex} needs ${NeededFor<
      TSchema['models'][TName],
      Hash<TSchema, TIndex>
    > &
      string}`
  : never
