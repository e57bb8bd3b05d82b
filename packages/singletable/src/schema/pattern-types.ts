import type { HeldItem, Projecting } from './held-item.ts'
import type {
  CopySchema,
  IfCopies,
  ImplicitTimestamps,
  Item,
  KeyNames,
  ModelName,
  ShardName,
  TemplateNames,
} from './infer.ts'
import type { PartText } from './part-text.ts'
import type { PatternDefinition, PatternNotes, TransactPattern } from './pattern-definition.ts'
import type { ModelDefinition, SchemaDefinition } from './schema-definition.ts'

/**
 * What is wrong with the access patterns of a schema, as types that read as sentences:
 * `defineSchema` asks each pattern to be assignable to its problem, or, if there is none, to what
 * any pattern is. Inside, `never` means that nothing is wrong, so that the problems of several
 * entities add up.
 */
export type CheckedPatterns<TSchema extends SchemaDefinition> = TSchema extends WithPatterns
  ? {
      readonly patterns: {
        readonly [TName in keyof TSchema['patterns']]: ProblemOr<
          PatternDefinition,
          PatternProblem<PatternSchema<TSchema>, TSchema['patterns'][TName]>
        >
      } & { readonly [TName in keyof TSchema['patterns']]: Offered<TSchema> }
    }
  : unknown

/**
 * The names that editors offer inside patterns: those of the schema's models, indexes and
 * attributes. Every other string is accepted here, and reported with a sentence by the checks. One
 * type for all patterns: with attributes of its own entity, each would cost a third more.
 */
type Offered<TSchema extends SchemaDefinition> = OfferedPattern<
  keyof TSchema['models'] | AnyName,
  keyof TSchema['indexes'] | AnyName,
  AttributeOf<TSchema['models'][keyof TSchema['models']]> | AnyName
>

/** A string that does not take the literals in, as `string` would. */
type AnyName = string & {}

type AttributeOf<TModel> = TModel extends ModelDefinition
  ? keyof TModel['attributes'] & string
  : never

interface OfferedPattern<TEntity, TIndex, TAttribute extends string> {
  readonly op?: string
  readonly entity?: TEntity | readonly TEntity[]
  readonly index?: TIndex
  readonly range?: TAttribute
  readonly by?: readonly TAttribute[]
  readonly in?: readonly TAttribute[]
  readonly select?: readonly TAttribute[]
  readonly where?: { readonly [TName in TAttribute]?: unknown }
  readonly set?: readonly TAttribute[]
  readonly add?: readonly TAttribute[]
  readonly remove?: readonly TAttribute[]
  readonly given?: readonly TAttribute[]
}

/** A schema whose copies are models as well: patterns read both. */
export type PatternSchema<TSchema extends SchemaDefinition> = TSchema &
  IfCopies<TSchema, CopySchema<TSchema>>

export interface WithPatterns {
  readonly patterns: object
}

/**
 * The period makes a type of its own of several sentences: the compiler shows it, and not the name
 * of the type that they come from.
 */
type ProblemOr<TDefinition, TProblem> = [TProblem] extends [never]
  ? TDefinition
  : [TProblem] extends [string]
    ? `${TProblem}.`
    : TProblem

/** Patterns in the order of how often they occur. */
type PatternProblem<TSchema extends SchemaDefinition, TPattern> = TPattern extends QuestionShape
  ? QueryProblem<TSchema, TPattern, Entities<TPattern['entity']>>
  : TPattern extends KeyedShape
    ? KeyedProblem<TSchema, TPattern, TPattern['entity']>
    : TPattern extends EntityShape
      ? EntityProblem<TSchema, TPattern['entity']>
      : TPattern extends TransactShape
        ? StepsProblem<TSchema, TPattern['steps']>
        : never

export interface QueryShape extends QuestionShape {
  readonly op: 'query'
}
interface QuestionShape {
  readonly op: 'query' | 'count' | 'exists'
  readonly entity: string | readonly string[]
  readonly by: readonly string[]
}
export interface KeyedShape {
  readonly entity: string
  readonly by: readonly string[]
}
interface UniqueShape {
  readonly op: 'getByUnique'
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

type StepsProblem<TSchema extends SchemaDefinition, TSteps> = PatternNotes & {
  readonly op: 'transact'
  readonly shared?: readonly string[]
  readonly steps: {
    readonly [TStep in keyof TSteps]: ProblemOr<
      TransactPattern['steps'][string],
      PatternProblem<TSchema, TSteps[TStep]>
    >
  }
}

type EntityProblem<TSchema extends SchemaDefinition, TEntity> =
  TEntity extends ModelName<TSchema> ? never : UnknownEntity<TEntity>

type UnknownEntity<TEntity> = `there is no entity '${TEntity & string}'`

/** The attributes that can be named. */
type AttributeName<TSchema, TModel extends ModelDefinition> =
  | keyof TModel['attributes']
  | ImplicitTimestamps<TSchema, TModel['attributes']>

/** The names under an option that are not attributes. */
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
        | KeyProblem<
            KeyNames<TSchema['models'][TEntity]>,
            TPattern['by'][number],
            TEntity,
            TPattern,
            TSchema
          >
        | ListsProblem<TSchema, TPattern, TEntity>
        | ('where' extends keyof TPattern
            ? NamesProblem<TSchema, TEntity, FilteredNames<TPattern>>
            : never)
    : UnknownEntity<TEntity>

type KeyProblem<TKeys, TBy, TEntity extends string, TPattern, TSchema extends SchemaDefinition> = [
  TKeys,
] extends [TBy]
  ? [TBy] extends [TKeys]
    ? never
    : OtherKeyProblem<
        TSchema,
        TPattern,
        TEntity,
        TBy,
        `'${Exclude<TBy, TKeys> & string}' is not part of the key of ${TEntity}`
      >
  : OtherKeyProblem<
      TSchema,
      TPattern,
      TEntity,
      TBy,
      `the key of ${TEntity} needs '${Exclude<TKeys, TBy> & string}'`
    >

/** What is unique need not be in the key. Asked last, since most items are found by their keys. */
type OtherKeyProblem<
  TSchema extends SchemaDefinition,
  TPattern,
  TEntity,
  TBy,
  TProblem,
> = TPattern extends UniqueShape ? NamesProblem<TSchema, TEntity, TBy> : TProblem

interface ListsShape {
  readonly select?: readonly string[]
  readonly project?: readonly string[]
  readonly given?: readonly string[]
  readonly set?: readonly string[]
  readonly add?: readonly string[]
  readonly remove?: readonly string[]
}
type ListName = keyof ListsShape

/** Only patterns that have such lists are looked at. */
type ListsProblem<TSchema extends SchemaDefinition, TPattern, TEntity, TGives = 'whole'> = [
  keyof TPattern & ListName,
] extends [never]
  ? never
  : TPattern extends ListsShape
    ?
        | NamesProblem<TSchema, TEntity, ListedNames<TPattern[keyof TPattern & ListName]>>
        | LackingProblem<
            TSchema,
            TEntity,
            TGives extends 'held' ? IndexOf<TPattern> & string : 'primary',
            ListedNames<TPattern[keyof TPattern & ListName]>
          >
    : never

/** What is selected and not in an index that holds only parts of items. */
type LackingProblem<
  TSchema extends SchemaDefinition,
  TEntity,
  TIndex extends string,
  TSelected,
> = TSchema['indexes'][TIndex] extends Projecting
  ? TEntity extends ModelName<TSchema>
    ? Exclude<
        TSelected & keyof Item<TSchema, TEntity>,
        keyof HeldItem<TSchema, TEntity, TIndex>
      > extends infer TLacking
      ? [TLacking] extends [never]
        ? never
        : `index '${TIndex}' does not hold '${TLacking & string}'`
      : never
    : never
  : never

type ListedNames<TList> = TList extends readonly (infer TName)[] ? TName : never

type QueryProblem<TSchema extends SchemaDefinition, TPattern extends QuestionShape, TEntity> =
  TEntity extends ModelName<TSchema>
    ? IndexOf<TPattern> extends infer TIndex extends keyof TSchema['indexes'] & string
      ?
          | KeysProblem<
              TPattern,
              TSchema['models'][TEntity],
              PartText<TSchema['models'][TEntity], TSchema['indexes'][TIndex]['hash']>,
              PartText<TSchema['models'][TEntity], TSchema['indexes'][TIndex]['sort']>,
              TEntity
            >
          | ([keyof TPattern & OptionName] extends [never]
              ? never
              : OptionsProblem<TSchema, TPattern, TEntity>)
      : `there is no index '${IndexOf<TPattern> & string}'`
    : UnknownEntity<TEntity>

/** What a question fixes: values of these are given, or lists of values. */
type FixedNames<TPattern extends QuestionShape> =
  | TPattern['by'][number]
  | (TPattern extends { readonly in: readonly (infer TName)[] } ? TName : never)

type KeysProblem<
  TPattern extends QuestionShape,
  TModel extends ModelDefinition,
  THash,
  TSort,
  TEntity extends string,
> = [TemplateNames<THash>] extends [FixedNames<TPattern>]
  ? [THash] extends [never]
    ? `${TEntity} is not in index '${IndexOf<TPattern> & string}'`
    : SortProblem<TPattern, TSort, FixedNames<TPattern>, TemplateNames<THash>>
  : OpenNames<TModel, THash, TPattern> extends never
    ? SortProblem<TPattern, TSort, FixedNames<TPattern>, TemplateNames<THash>>
    : `partition key needs '${OpenNames<TModel, THash, TPattern> & string}'`

/**
 * What equality would have to fix: a time that the key has a bucket of can also be the range, and
 * shards are not attributes.
 */
type OpenNames<TModel, THash, TPattern extends QuestionShape> = Exclude<
  TemplateNames<THash>,
  | FixedNames<TPattern>
  | ShardName<TModel>
  | (TPattern extends RangeShape
      ? THash extends `${string}\${${TPattern['range']}:${string}`
        ? TPattern['range']
        : never
      : never)
>

/**
 * Walks the sort template as far as its placeholders are fixed; what is fixed and not met on the
 * way can't be answered.
 */
type SortProblem<TPattern, TSort, TBy, TServed> =
  TSort extends `${string}\${${infer TPlaceholder}}${infer TRest}`
    ? NameOf<TPlaceholder> extends TBy
      ? SortProblem<TPattern, TRest, TBy, TServed | NameOf<TPlaceholder>>
      : EndProblem<TPattern, TBy, TServed, NameOf<TPlaceholder>>
    : EndProblem<TPattern, TBy, TServed, never>

type NameOf<TPlaceholder> = TPlaceholder extends `${infer TName}:${string}` ? TName : TPlaceholder

type EndProblem<TPattern, TBy, TServed, TNext> = [TBy] extends [TServed]
  ? TPattern extends RangeShape
    ? TPattern['range'] extends TNext | TServed
      ? never
      : [TNext] extends [never]
        ? 'there is no range: the whole sort key is fixed'
        : `the range can only be of '${TNext & string}', which comes next in the sort key`
    : never
  : `no key answers '${Exclude<TBy, TServed> & string}': the sort key only serves a left prefix of its placeholders`

type OptionName = 'consistent' | 'select' | 'project' | 'where' | 'filter' | 'then'

/** Most queries have none of these. */
type OptionsProblem<TSchema extends SchemaDefinition, TPattern extends QuestionShape, TEntity> =
  | ('consistent' extends keyof TPattern
      ? ConsistentProblem<TSchema, TPattern, IndexOf<TPattern>>
      : never)
  | NamesProblem<TSchema, TEntity, FilteredNames<TPattern>>
  | ('then' extends keyof TPattern
      ? ThenProblem<TSchema, TPattern, TEntity>
      : ListsProblem<TSchema, TPattern, TEntity, 'held'>)

/** The attributes that conditions are about. */
type FilteredNames<TPattern> = TPattern extends
  | { readonly where: infer TFilter }
  | { readonly filter: infer TFilter }
  ? keyof TFilter
  : never

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
  : never
