import type {
  ImplicitTimestamps,
  KeyNames,
  ModelName,
  ShardName,
  TemplateNames,
  TemplateText,
  TimestampName,
} from './infer.ts'
import type { ModelDefinition, SchemaDefinition } from './schema-definition.ts'

/**
 * What is wrong with the access patterns of a schema, as types that read as sentences: `defineSchema` asks each pattern to be assignable to its
 * problem, and `unknown`, which everything is assignable to, stands for none. Inside, `never` means that nothing is wrong, so that the problems of
 * several entities add up.
 */
export type CheckedPatterns<TSchema extends SchemaDefinition> = TSchema extends WithPatterns
  ? {
      readonly patterns: {
        readonly [TName in keyof TSchema['patterns']]: Problem<
          PatternProblem<TSchema, TSchema['patterns'][TName]>
        >
      }
    }
  : unknown

export interface WithPatterns {
  readonly patterns: object
}

type Problem<TProblem> = [TProblem] extends [never] ? unknown : TProblem

/** Patterns in the order of how often they occur. */
type PatternProblem<TSchema extends SchemaDefinition, TPattern> = TPattern extends QueryShape
  ? QueryProblem<TSchema, TPattern, Entities<TPattern['entity']>>
  : TPattern extends KeyedShape
    ? KeyedProblem<TSchema, TPattern, TPattern['entity']>
    : TPattern extends EntityShape
      ? EntityProblem<TSchema, TPattern['entity']>
      : TPattern extends TransactShape
        ? StepsProblem<TSchema, TPattern['steps']>
        : never

export interface QueryShape {
  readonly op: 'query'
  readonly entity: string | readonly string[]
  readonly by: readonly string[]
}
export interface KeyedShape {
  readonly entity: string
  readonly by: readonly string[]
}
export interface EntityShape {
  readonly entity: string
}
export interface TransactShape {
  readonly steps: object
}
interface RangeShape {
  readonly range: string
}
interface IndexShape {
  readonly index: string
}

export type Entities<TEntity> = TEntity extends readonly (infer TName)[] ? TName : TEntity

/** The name of the index a query reads. */
export type IndexOf<TPattern> = TPattern extends IndexShape ? TPattern['index'] : 'primary'

type StepsProblem<TSchema extends SchemaDefinition, TSteps> = {
  readonly steps: {
    readonly [TStep in keyof TSteps]: Problem<PatternProblem<TSchema, TSteps[TStep]>>
  }
}

type EntityProblem<TSchema extends SchemaDefinition, TEntity> =
  TEntity extends ModelName<TSchema> ? never : UnknownEntity<TEntity>

type UnknownEntity<TEntity> = `there is no entity '${TEntity & string}'`

/** The attributes that can be named. */
type AttributeName<TSchema, TModel extends ModelDefinition> =
  | keyof TModel['attributes']
  | ImplicitTimestamps<TSchema, TModel['attributes']>

/** Of the names under an option those that are no attributes. */
type NamesProblem<
  TSchema extends SchemaDefinition,
  TEntity,
  TNames,
> = TEntity extends keyof TSchema['models']
  ? Exclude<TNames, AttributeName<TSchema, TSchema['models'][TEntity]>> extends infer TUnknown
    ? [TUnknown] extends [never]
      ? never
      : `${TEntity & string} has no attribute '${TUnknown & string}'`
    : never
  : never

type KeyedProblem<TSchema extends SchemaDefinition, TPattern extends KeyedShape, TEntity> =
  TEntity extends ModelName<TSchema>
    ?
        | KeyProblem<KeyNames<TSchema['models'][TEntity]>, TPattern['by'][number], TEntity>
        | ListsProblem<TSchema, TPattern, TEntity>
    : UnknownEntity<TEntity>

type KeyProblem<TKeys, TBy, TEntity extends string> = [TKeys] extends [TBy]
  ? [TBy] extends [TKeys]
    ? never
    : `'${Exclude<TBy, TKeys> & string}' is no part of the key of ${TEntity}`
  : `the key of ${TEntity} needs '${Exclude<TKeys, TBy> & string}'`

interface ListsShape {
  readonly project?: readonly string[]
  readonly set?: readonly string[]
  readonly add?: readonly string[]
  readonly remove?: readonly string[]
}
type ListName = keyof ListsShape

/** Only patterns that have such lists are looked at. */
type ListsProblem<TSchema extends SchemaDefinition, TPattern, TEntity> = [
  keyof TPattern & ListName,
] extends [never]
  ? never
  : TPattern extends ListsShape
    ? NamesProblem<TSchema, TEntity, ListedNames<TPattern[keyof TPattern & ListName]>>
    : never

type ListedNames<TList> = TList extends readonly (infer TName)[] ? TName : never

type QueryProblem<TSchema extends SchemaDefinition, TPattern extends QueryShape, TEntity> =
  TEntity extends ModelName<TSchema>
    ? IndexOf<TPattern> extends keyof TSchema['indexes']
      ?
          | KeysProblem<
              TPattern,
              TSchema['models'][TEntity],
              PartText<TSchema['models'][TEntity], TSchema['indexes'][IndexOf<TPattern>]['hash']>,
              SortText<TSchema, TSchema['models'][TEntity], IndexOf<TPattern>>,
              TEntity
            >
          | OptionsProblem<TSchema, TPattern, TEntity>
      : `there is no index '${IndexOf<TPattern> & string}'`
    : UnknownEntity<TEntity>

type SortText<
  TSchema extends SchemaDefinition,
  TModel extends ModelDefinition,
  TIndex extends keyof TSchema['indexes'],
> = TSchema['indexes'][TIndex] extends { readonly sort: infer TSort } ? PartText<TModel, TSort> : ''

/** The template of a key, or of several key attributes one after the other. */
type PartText<TModel extends ModelDefinition, TPart> = TPart extends readonly [
  infer TFirst,
  ...infer TRest,
]
  ? `${KeyText<TModel, TFirst> & string}${PartText<TModel, TRest> & string}`
  : TPart extends readonly []
    ? ''
    : KeyText<TModel, TPart>

/** The template that makes a key attribute; an attribute that is a key as it is stands for its own placeholder. `never`, if there is neither. */
type KeyText<TModel extends ModelDefinition, TKey> = TKey extends keyof TModel['key']
  ? TemplateText<TModel['key'][TKey]>
  : TModel extends { readonly index: { readonly [TName in TKey & string]: infer TTemplate } }
    ? TemplateText<TTemplate>
    : TKey extends keyof TModel['attributes']
      ? TModel['attributes'][TKey] extends { readonly value: infer TTemplate }
        ? TTemplate
        : `\${${TKey & string}}`
      : TKey extends TimestampName
        ? `\${${TKey}}`
        : MappedText<TModel['attributes'], TKey>

/** An attribute that is stored under the name of the key attribute. */
type MappedText<TAttributes, TKey, TName = keyof TAttributes> = TName extends keyof TAttributes
  ? TAttributes[TName] extends { readonly map: TKey }
    ? `\${${TName & string}}`
    : never
  : never

type KeysProblem<
  TPattern extends QueryShape,
  TModel extends ModelDefinition,
  THash,
  TSort,
  TEntity extends string,
> = [THash | TSort] extends [never]
  ? `${TEntity} is not in index '${IndexOf<TPattern> & string}'`
  : [PartitionNames<TModel, THash, TPattern>] extends [TPattern['by'][number]]
    ? SortProblem<TPattern, TSort, TPattern['by'][number], TemplateNames<THash>>
    : `partition key needs '${Exclude<PartitionNames<TModel, THash, TPattern>, TPattern['by'][number]> & string}'`

/** What equality must fix: a time that the key has a bucket of can also be the range, and shards are no attributes. */
type PartitionNames<TModel, THash, TPattern> = Exclude<
  FixedNames<THash, TPattern>,
  ShardName<TModel>
>
type FixedNames<THash, TPattern> = TPattern extends RangeShape
  ? THash extends `${string}\${${TPattern['range']}:${string}`
    ? Exclude<TemplateNames<THash>, TPattern['range']>
    : TemplateNames<THash>
  : TemplateNames<THash>

/** Walks the sort template as far as its placeholders are fixed; what is fixed and not met on the way can't be answered. */
type SortProblem<TPattern, TSort, TBy, TServed> =
  TSort extends `${string}\${${infer TPlaceholder}}${infer TRest}`
    ? NameOf<TPlaceholder> extends TBy
      ? SortProblem<TPattern, TRest, TBy, TServed | NameOf<TPlaceholder>>
      : Unserved<TBy, TServed> | RangeProblem<TPattern, NameOf<TPlaceholder>, TServed>
    : Unserved<TBy, TServed> | RangeProblem<TPattern, never, TServed>

type NameOf<TPlaceholder> = TPlaceholder extends `${infer TName}:${string}` ? TName : TPlaceholder

type Unserved<TBy, TServed> = [TBy] extends [TServed]
  ? never
  : `no key answers '${Exclude<TBy, TServed> & string}': the sort key only serves a left prefix of its placeholders`

type RangeProblem<TPattern, TNext, TServed> = TPattern extends RangeShape
  ? TPattern['range'] extends TNext | TServed
    ? never
    : [TNext] extends [never]
      ? `there is no range: the whole sort key is fixed`
      : `the range can only be of '${TNext & string}', which comes next in the sort key`
  : never

type OptionName = 'consistent' | 'project' | 'filter' | 'then'

/** Most queries have none of these. */
type OptionsProblem<TSchema extends SchemaDefinition, TPattern extends QueryShape, TEntity> = [
  keyof TPattern & OptionName,
] extends [never]
  ? never
  :
      | ConsistentProblem<TSchema, TPattern, IndexOf<TPattern>>
      | ThenProblem<TSchema, TPattern, TEntity>
      | (TPattern extends { readonly filter: infer TFilter }
          ? NamesProblem<TSchema, TEntity, keyof TFilter>
          : never)

type ConsistentProblem<TSchema extends SchemaDefinition, TPattern, TIndex> = TPattern extends {
  readonly consistent: true
}
  ? TIndex extends 'primary'
    ? never
    : TSchema['indexes'][TIndex & string] extends { readonly type: 'local' }
      ? never
      : `${TIndex & string} is a global index, and no global index can be read consistently`
  : never

type ThenProblem<TSchema extends SchemaDefinition, TPattern, TEntity> = TPattern extends {
  readonly then: { readonly entity: infer TTarget }
}
  ? TTarget extends ModelName<TSchema>
    ?
        | (Exclude<
            KeyNames<TSchema['models'][TTarget]>,
            AttributeName<TSchema, TSchema['models'][TEntity & string]>
          > extends infer TMissing
            ? [TMissing] extends [never]
              ? never
              : `the key of ${TTarget} needs '${TMissing & string}', which ${TEntity & string} does not have`
            : never)
        | ListsProblem<TSchema, TPattern, TTarget>
    : UnknownEntity<TTarget>
  : ListsProblem<TSchema, TPattern, TEntity>
