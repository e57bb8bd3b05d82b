import type { TransactionFailure } from '../errors/transaction-canceled-error.ts'
import type { CallOptions, ReadOptions } from '../execute/table-context.ts'
import type { UndecodedItem } from '../execute/undecoded.ts'
import type { Explanation } from '../plan/plan.ts'
import type { PatternPlan } from '../plan/plan-pattern.ts'
import type {
  CopySchema,
  Item,
  Key,
  ModelName,
  NamedValue,
  NewItem,
  NewValues,
  PutItem,
  UnionToIntersection,
  Value,
} from '../schema/infer.ts'
import type {
  Entities,
  KeyedShape,
  PatternSchema,
  QueryShape,
  TransactShape,
  WithPatterns,
} from '../schema/pattern-types.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { CollectedItem, CollectionGroups } from './collection-builder.ts'
import type { ElementOf } from './condition-operators.ts'
import type { LazyPromise } from './lazy-call.ts'
import type { OtherFailure, TransactionResult } from './transaction-builders.ts'
import type { TypeMessage } from './type-message.ts'
import type { WriteResult } from './write-builder.ts'

/** What calls that give pages take besides their input. */
export interface PageOptions extends ReadOptions {
  /** Starts where a page ended; from the start without it. */
  readonly cursor?: string | undefined
  /** At most this many results, in place of what the pattern says. */
  readonly limit?: number | undefined
}

/** What a call cost. */
interface Consumed {
  /** Capacity units of all its requests; `undefined` if the service reports none. */
  readonly consumed: number | undefined
}

/** What every pattern has, callable or not. */
export interface DescribedPattern<TInput> {
  /**
   * How it is carried out, as plain data without values; with an input, its range as that call
   * would have it. Nothing is sent.
   */
  plan(input?: TInput): PatternPlan
}

/** What `.measure()` gives: the plan, and what a run of it came to. */
export interface PatternRun<TResult> extends Consumed {
  readonly plan: PatternPlan
  readonly requests: number
  /** Items looked at and paid for. */
  readonly itemsRead: number
  readonly itemsReturned: number
  readonly result: TResult
}

/** A call of a pattern. It is sent when it is awaited, and not before. */
export interface PatternCall<TResult, TExplained = Explanation>
  extends LazyPromise<TResult & Consumed> {
  /** Sends it now, and reports what that took: requests, items, capacity units. */
  measure(options?: CallOptions): Promise<PatternRun<TResult>>
  /** How it will be carried out, why so, and what it costs. Nothing is sent. */
  explain(): TExplained
  /**
   * The request, as the SDK's DocumentClient takes it; of several pages the first. Nothing is sent.
   */
  params(): Readonly<Record<string, unknown>>
}

/**
 * A call that gives all results, up to the limit of the pattern; or one page, or one result after
 * the other.
 */
export interface PageCall<TResult, TElement> extends PatternCall<TResult> {
  /** Sends it now, with options for this call. */
  execute(options?: PageOptions): Promise<TResult & Consumed>
  /** Sends it now for all results, and reports what that took: requests, items, capacity units. */
  measure(options?: PageOptions): Promise<PatternRun<TResult>>
  /**
   * One page of results, and the cursor of the next one: up to the limit, or else what one request
   * gives.
   */
  page(options?: PageOptions): Promise<TResult & Cursor & Consumed>
  /** Results one by one, up to the limit; pages are read as they are needed. */
  iterate(options?: PageOptions): AsyncGenerator<TElement, void, undefined>
  [Symbol.asyncIterator](): AsyncGenerator<TElement, void, undefined>
}

/** A call that writes. Awaited several times, it is sent once. */
export interface WriteCall<TResult, TWritten> extends PatternCall<TResult> {
  /**
   * Sends it as a transaction with a token, so that it is never carried out twice; see
   * `ExactlyOnceWrite`. Updates and deletes then give no item.
   */
  exactlyOnce(options?: CallOptions): Promise<TWritten & Consumed>
  /** Sends it, and gives a failed condition as a result. All other errors are thrown. */
  result(options?: CallOptions): Promise<WriteResult<TResult & Consumed, FoundItem<TResult>>>
}

/** The items of the model that a write is of. */
type FoundItem<TResult> = TResult extends { readonly item: infer TItem }
  ? Exclude<TItem, undefined>
  : Record<string, unknown>

/** What calls of transactions take besides their input. */
export interface TransactOptions extends CallOptions {
  /**
   * For ten minutes DynamoDB carries out what has the same token once: a second call fails with a
   * `TransactionRepeatedError`.
   */
  readonly token?: string | undefined
}

/** A call of a transaction. Awaited several times, it is sent once. */
export interface TransactCall<TResult, TFailure = TransactionFailure>
  extends PatternCall<TResult, Explanation[]> {
  /** The same as `execute()`: a transaction has a token, so that it is never carried out twice. */
  exactlyOnce(options?: TransactOptions): Promise<TResult & Consumed>
  /**
   * Sends it, and gives failed conditions, or a token that was used before, as a result. All other
   * errors are thrown.
   */
  result(options?: TransactOptions): Promise<TransactionResult<TResult & Consumed, TFailure>>
}

/** What the functions of all patterns have that can be called. */
interface CallablePattern<TInput, TExplained> extends DescribedPattern<TInput> {
  /** The same as `params()` of a call. */
  params(input: TInput): Readonly<Record<string, unknown>>
  /** The same as `explain()` of a call: nothing is sent. */
  explain(input: TInput): TExplained
}

/** A pattern that writes. */
export interface WriteFunction<TInput, TResult, TWritten = unknown>
  extends CallablePattern<TInput, Explanation> {
  (input: TInput, options?: CallOptions): WriteCall<TResult, TWritten>
  /** The same as `exactlyOnce()` of a call. */
  exactlyOnce(input: TInput, options?: CallOptions): Promise<TWritten & Consumed>
}

/** A pattern that is a transaction. */
export interface TransactFunction<TInput, TResult, TFailure = TransactionFailure>
  extends CallablePattern<TInput, Explanation[]> {
  (input: TInput, options?: TransactOptions): TransactCall<TResult, TFailure>
  /** The same as `exactlyOnce()` of a call. */
  exactlyOnce(input: TInput, options?: TransactOptions): Promise<TResult & Consumed>
}

/** A pattern that reads items by key. */
export interface ReadFunction<TInput, TResult, TExplained = Explanation>
  extends CallablePattern<TInput, TExplained> {
  (input: TInput, options?: CallOptions): PatternCall<TResult, TExplained>
}

/** A pattern that queries or scans. */
export interface PageFunction<TInput, TResult, TElement>
  extends CallablePattern<TInput, Explanation> {
  (input: TInput, options?: PageOptions): PageCall<TResult, TElement>
  /** Results one by one to the last, whatever the limit; pages are read as they are needed. */
  all(input: TInput, options?: ReadOptions): AsyncGenerator<TElement, void, undefined>
}

interface Cursor {
  /**
   * Give it back as an option, or to `cursor()` of a query that asks the same; `undefined` at the
   * end.
   */
  readonly cursor: string | undefined
  /** The cursor of the page before; `undefined` on the first page and for scans. */
  readonly previous: string | undefined
  /** The cursor of a page that starts behind this item, or behind the item at this position. */
  cursorOf(item: object | number): string
  /** Items that were left out because they don't fit their model, if there are any. */
  readonly undecoded?: readonly UndecodedItem[]
}

/** The bounds of a range, each by itself or one of each side. */
export interface RangeBounds<TValue> {
  /** At least. */
  readonly from?: TValue
  /** At most. */
  readonly to?: TValue
  readonly gt?: TValue
  readonly lt?: TValue
  /** Of a list, its first elements. */
  readonly beginsWith?: TValue extends readonly unknown[] ? TValue : TValue & string
}

/** The functions of a schema's access patterns, by their names. */
export type Patterns<TSchema extends SchemaDefinition> = TSchema extends WithPatterns
  ? {
      readonly [TName in keyof TSchema['patterns']]: PatternFunction<
        TSchema,
        TSchema['patterns'][TName]
      >
    }
  : TypeMessage<'the schema has no patterns'>

/** In the order of how often they occur. */
type PatternFunction<TSchema extends SchemaDefinition, TPattern> = TPattern extends QueryShape
  ? TPattern['entity'] extends string
    ? PageFunction<
        QueryInput<Attributes<TSchema, TPattern['entity']>, TPattern>,
        { readonly items: QueryItem<TSchema, TPattern, TPattern['entity']>[] },
        QueryItem<TSchema, TPattern, TPattern['entity']>
      >
    : GroupsFunction<TSchema, TPattern, Entities<TPattern['entity']>>
  : TPattern extends KeyedShape
    ? TPattern extends { readonly op: infer TOperation extends KeyedOperation }
      ? KeyedFunctions<TSchema, TPattern, TPattern['entity']>[TOperation]
      : never
    : OtherFunction<TSchema, TPattern>

/** The attributes of a model or of a copy. */
type Attributes<TSchema extends SchemaDefinition, TEntity extends string> =
  TEntity extends ModelName<TSchema>
    ? TSchema['models'][TEntity]['attributes']
    : CopySchema<TSchema>['models'][TEntity]['attributes']

/** What reading a model or a copy gives. */
type Read<TSchema extends SchemaDefinition, TEntity> =
  TEntity extends ModelName<TSchema>
    ? Item<TSchema, TEntity>
    : TEntity extends ModelName<CopySchema<TSchema>>
      ? Item<CopySchema<TSchema>, TEntity>
      : never

type ReadKey<TSchema extends SchemaDefinition, TEntity> =
  TEntity extends ModelName<TSchema>
    ? Key<TSchema, TEntity>
    : TEntity extends ModelName<CopySchema<TSchema>>
      ? Key<CopySchema<TSchema>, TEntity>
      : never

type KeyedOperation = keyof KeyedFunctions<SchemaDefinition, never, never>

interface KeyedFunctions<TSchema extends SchemaDefinition, TPattern, TEntity> {
  readonly get: ReadFunction<
    ReadKey<TSchema, TEntity>,
    { readonly item: Projected<TSchema, TPattern, TEntity> | undefined }
  >
  readonly getByUnique: ReadFunction<
    QuestionInput<Attributes<TSchema, TEntity & string>, TPattern>,
    { readonly item: Projected<TSchema, TPattern, TEntity> | undefined }
  >
  readonly batchGet: ManyFunction<TSchema, TEntity>
  readonly transactGet: ManyFunction<TSchema, TEntity>
  readonly count: ReadFunction<
    QuestionInput<Attributes<TSchema, TEntity & string>, TPattern>,
    { readonly count: number }
  >
  readonly exists: ReadFunction<
    QuestionInput<Attributes<TSchema, TEntity & string>, TPattern>,
    { readonly exists: boolean }
  >
  readonly update: UpdateFunction<TSchema, TPattern, TEntity>
  readonly upsert: UpdateFunction<TSchema, TPattern, TEntity>
  readonly delete: WriteFunction<
    ReadKey<TSchema, TEntity> & Conditions<TSchema, TPattern, TEntity>,
    { readonly item: Read<TSchema, TEntity> | undefined }
  >
}

type UpdateFunction<TSchema extends SchemaDefinition, TPattern, TEntity> = WriteFunction<
  UpdateInput<TSchema, TPattern, TEntity & ModelName<TSchema>>,
  { readonly item: Read<TSchema, TEntity> }
>

type ManyFunction<TSchema extends SchemaDefinition, TEntity> = ReadFunction<
  readonly ReadKey<TSchema, TEntity>[],
  { readonly items: (Read<TSchema, TEntity> | undefined)[] },
  Explanation[]
>

type OtherFunction<TSchema extends SchemaDefinition, TPattern> = TPattern extends {
  readonly op: 'create' | 'put'
  readonly entity: infer TEntity extends ModelName<TSchema>
}
  ? WriteFunction<
      PutInput<TSchema, TPattern, TEntity>,
      { readonly item: Item<TSchema, TEntity> },
      { readonly item: Item<TSchema, TEntity> }
    >
  : TPattern extends TransactShape
    ? TransactFunction<
        TPattern extends SharedShape
          ? SharedInput<TSchema, TPattern['steps'], TPattern['shared'][number]>
          : {
              readonly [TStep in keyof TPattern['steps']]: StepInput<
                TSchema,
                TPattern['steps'][TStep]
              >
            },
        { readonly items: StepItems<TSchema, TPattern['steps']> },
        StepFailure<TSchema, TPattern['steps']>
      >
    : TPattern extends {
          readonly op: 'scan'
          readonly entity: infer TEntity
        }
      ? PageFunction<
          Readonly<Record<string, never>>,
          { readonly items: Read<TSchema, TEntity>[] },
          Read<TSchema, TEntity>
        >
      : DescribedPattern<never>

interface SharedShape {
  readonly shared: readonly string[]
}
interface EachShape {
  readonly each: true
}

/** The inputs of steps without what they share, and that once. */
type SharedInput<TSchema extends SchemaDefinition, TSteps, TShared extends string> = {
  readonly [TStep in keyof TSteps]: TSteps[TStep] extends EachShape
    ? readonly Omit<OneStepInput<TSchema, TSteps[TStep]>, TShared>[]
    : Omit<OneStepInput<TSchema, TSteps[TStep]>, TShared>
} & {
  readonly [TName in TShared as [Extract<SharedAttribute<TSchema, TSteps, TName>, Made>] extends [
    never,
  ]
    ? TName
    : never]: Value<SharedAttribute<TSchema, TSteps, TName>>
} & {
  readonly [TName in TShared]?: Value<SharedAttribute<TSchema, TSteps, TName>>
}

/** An attribute whose value need not be given. */
type Made = { readonly generate: unknown } | { readonly default: unknown }

/** The attribute as the models of the steps declare it. */
type SharedAttribute<TSchema extends SchemaDefinition, TSteps, TName> = {
  [TStep in keyof TSteps]: TSteps[TStep] extends {
    readonly entity: infer TEntity extends ModelName<TSchema>
  }
    ? TName extends keyof TSchema['models'][TEntity]['attributes']
      ? TSchema['models'][TEntity]['attributes'][TName]
      : never
    : never
}[keyof TSteps]

type StepInput<TSchema extends SchemaDefinition, TStep> = TStep extends EachShape
  ? readonly OneStepInput<TSchema, TStep>[]
  : OneStepInput<TSchema, TStep>

type OneStepInput<TSchema extends SchemaDefinition, TStep> = TStep extends {
  readonly op: infer TOperation
  readonly entity: infer TEntity extends ModelName<TSchema>
}
  ? TOperation extends 'create' | 'put'
    ? PutInput<TSchema, TStep, TEntity>
    : TOperation extends 'update' | 'upsert'
      ? UpdateInput<TSchema, TStep, TEntity>
      : Key<TSchema, TEntity> & Conditions<TSchema, TStep, TEntity>
  : never

/** What steps that write whole items have written. */
type StepItems<TSchema extends SchemaDefinition, TSteps> = {
  readonly [TStep in keyof TSteps as TSteps[TStep] extends { readonly op: 'create' | 'put' }
    ? TStep
    : never]: TSteps[TStep] extends { readonly entity: infer TEntity extends ModelName<TSchema> }
    ? TSteps[TStep] extends EachShape
      ? Item<TSchema, TEntity>[]
      : Item<TSchema, TEntity>
    : never
}

/** How steps can fail, with the items of their models. */
type StepFailure<TSchema extends SchemaDefinition, TSteps> =
  | {
      [TStep in keyof TSteps]: TSteps[TStep] extends {
        readonly entity: infer TEntity extends ModelName<TSchema>
      }
        ? TransactionFailure<TEntity, Item<TSchema, TEntity>, TStep>
        : never
    }[keyof TSteps]
  | OtherFailure<keyof TSteps>

/** The key, and new values of some of the attributes that the pattern changes. */
type UpdateInput<
  TSchema extends SchemaDefinition,
  TPattern,
  TEntity extends ModelName<TSchema>,
> = Key<TSchema, TEntity> &
  Pick<NewValues<TSchema, TEntity>, ChangedNames<TPattern> & keyof NewValues<TSchema, TEntity>> &
  Conditions<TSchema, TPattern, TEntity>

type PutInput<
  TSchema extends SchemaDefinition,
  TPattern,
  TEntity extends ModelName<TSchema>,
> = TPattern extends { readonly op: 'create' }
  ? NewItem<TSchema, TEntity>
  : TPattern extends WhereShape
    ? PutItem<TSchema, TEntity> & FilterInput<Attributes<TSchema, TEntity>, TPattern['where']>
    : PutItem<TSchema, TEntity>

interface WhereShape {
  readonly where: object
}
interface GivenShape {
  readonly given: readonly string[]
}

/** What the conditions of a write take from its input, and current values. Most have none. */
type Conditions<TSchema extends SchemaDefinition, TPattern, TEntity> = [
  keyof TPattern & ('where' | 'given' | 'ifVersion'),
] extends [never]
  ? unknown
  : (TPattern extends WhereShape
      ? FilterInput<Attributes<TSchema, TEntity & string>, TPattern['where']>
      : unknown) &
      (TPattern extends GivenShape
        ? {
            /**
             * Current values; what the item does not have is left out. Nothing is written if they
             * are others by now.
             */
            readonly given: Pick<
              Read<TSchema, TEntity>,
              TPattern['given'][number] & keyof Read<TSchema, TEntity>
            >
          }
        : unknown) &
      (TPattern extends { readonly ifVersion: true }
        ? VersionInput<Attributes<TSchema, TEntity & string>>
        : unknown)

/** The version that was read. */
type VersionInput<TAttributes> = {
  readonly [TName in keyof TAttributes as TAttributes[TName] extends { readonly version: true }
    ? TName
    : never]: number
}

type ChangedNames<TPattern> =
  | (TPattern extends { readonly set: readonly (infer TName)[] } ? TName : never)
  | (TPattern extends { readonly add: readonly (infer TName)[] } ? TName : never)

/** What a question takes that names its attributes under `by`. */
type QuestionInput<TAttributes, TPattern> = TPattern extends { readonly by: readonly string[] }
  ? QueryInput<TAttributes, TPattern>
  : never

type QueryInput<TAttributes, TPattern extends { readonly by: readonly string[] }> = {
  readonly [TName in TPattern['by'][number]]: NamedValue<TAttributes, TName>
} & ('in' extends keyof TPattern ? ListedInput<TAttributes, TPattern> : unknown) &
  (TPattern extends { readonly range: infer TRange extends string }
    ? {
        readonly [TName in TRange]?:
          | NamedValue<TAttributes, TName>
          | RangeBounds<NamedValue<TAttributes, TName>>
      }
    : unknown) &
  (TPattern extends { readonly where: infer TFilter } | { readonly filter: infer TFilter }
    ? FilterInput<TAttributes, TFilter>
    : unknown)

/** Few patterns take lists. */
type ListedInput<TAttributes, TPattern> = TPattern extends {
  readonly in: readonly (infer TListed extends string)[]
}
  ? { readonly [TName in TListed]: readonly NamedValue<TAttributes, TName>[] }
  : unknown

type QueryItem<TSchema extends SchemaDefinition, TPattern, TEntity> = TPattern extends {
  readonly then: { readonly entity: infer TTarget }
}
  ? Projected<TSchema, TPattern, TTarget>
  : Projected<TSchema, TPattern, TEntity>

type Projected<TSchema extends SchemaDefinition, TPattern, TEntity> = TPattern extends
  | { readonly select: readonly (infer TName)[] }
  | { readonly project: readonly (infer TName)[] }
  ? Pick<Read<TSchema, TEntity>, TName & keyof Read<TSchema, TEntity>>
  : Read<TSchema, TEntity>

/** The members that conditions name by `$`; those with `?` need not be given. */
type FilterInput<TAttributes, TFilter> = UnionToIntersection<
  {
    [TName in keyof TFilter]: FilterMembers<NamedValue<TAttributes, TName>, TFilter[TName]>
  }[keyof TFilter]
>

/**
 * Where an operand names no member, it is an object of any: `unknown` would take the union with it.
 */
type FilterMembers<TValue, TCondition> = TCondition extends string
  ? Member<TCondition, TValue>
  : TCondition extends { readonly [operator: string]: unknown }
    ? UnionToIntersection<
        {
          [TOperator in keyof TCondition]: OperandMembers<TOperator, TValue, TCondition[TOperator]>
        }[keyof TCondition]
      >
    : object

type OperandMembers<TOperator, TValue, TOperand> = TOperand extends readonly [
  infer TFirst,
  ...infer TRest,
]
  ? Member<TFirst, TValue> & OperandMembers<TOperator, TValue, TRest>
  : Member<
      TOperand,
      TOperator extends 'in'
        ? readonly TValue[]
        : TOperator extends 'contains'
          ? ElementOf<TValue>
          : TValue
    >

type Member<TOperand, TValue> = TOperand extends `$$${string}`
  ? object
  : TOperand extends `$${infer TName}?`
    ? { readonly [TMember in TName]?: TValue | undefined }
    : TOperand extends `$${infer TName}`
      ? { readonly [TMember in TName]: TValue }
      : object

/** A pattern that reads several entities from one partition. */
type GroupsFunction<
  TSchema extends SchemaDefinition,
  TPattern extends QueryShape,
  TEntity,
> = TEntity & ModelName<PatternSchema<TSchema>> extends infer TName extends ModelName<
  PatternSchema<TSchema>
>
  ? PageFunction<
      // What fixes the partition has the same type in all of them.
      QueryInput<Attributes<TSchema, TName>, TPattern>,
      { readonly groups: CollectionGroups<PatternSchema<TSchema>, TName> },
      CollectedItem<PatternSchema<TSchema>, TName>
    >
  : never
