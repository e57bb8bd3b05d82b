import type {
  CopySchema,
  IfCopies,
  Item,
  Key,
  ModelName,
  NewItem,
  PutItem,
  Value,
} from '../schema/infer.ts'
import type { WithPatterns } from '../schema/pattern-types.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { BatchedWrite, BatchGetBuilder, ResultsOf, TableBatch } from './batch-builders.ts'
import type { CheckBuilder } from './check-builder.ts'
import type { CollectionBuilder, CollectionValues, ReadSchema } from './collection-builder.ts'
import type { CollectionDeletion, DeleteCollectionOptions } from './collection-deletion.ts'
import type { DeleteBuilder } from './delete-builder.ts'
import type { Entity } from './entity.ts'
import type { GetBuilder } from './get-builder.ts'
import type { LazyPromise } from './lazy-call.ts'
import type { PartitionNames, PartitionValues } from './partition-values.ts'
import type {
  PageFunction,
  Patterns,
  ReadFunction,
  TransactFunction,
  WriteFunction,
} from './patterns.ts'
import type { PlannedGet, PlannedWrite } from './planned.ts'
import type { PutBuilder } from './put-builder.ts'
import type { QueryBuilder } from './query-builder.ts'
import type { QueryNames, QueryValues } from './query-values.ts'
import type { Sequence } from './sequence.ts'
import type { TableOverrides } from './table-options.ts'
import type {
  FailureOf,
  TransactGetBuilder,
  TransactWriteBuilder,
  WrittenBy,
} from './transaction-builders.ts'
import type { TypeMessage } from './type-message.ts'
import type { UniqueGetBuilder } from './unique-get-builder.ts'
import type { UniqueValues } from './unique-values.ts'
import type { UpdateBuilder } from './update-builder.ts'

/** The attributes that a partition key of the table is made of, whichever model's. */
export type ScopeName<TSchema extends SchemaDefinition> = {
  [TName in ModelName<TSchema>]: PartitionNames<TSchema, TName>
}[ModelName<TSchema>]

/** What a scope is made of: attributes and their values. */
export type ScopeValues<TSchema extends SchemaDefinition, TScope extends string> = {
  readonly [TName in TScope]: ScopeValue<TSchema, TName>
}

/** The value that the models which have the attribute give it. */
type ScopeValue<
  TSchema extends SchemaDefinition,
  TAttribute extends string,
  TName extends ModelName<TSchema> = ModelName<TSchema>,
> = TName extends TName
  ? TAttribute extends keyof TSchema['models'][TName]['attributes']
    ? Value<TSchema['models'][TName]['attributes'][TAttribute]>
    : never
  : never

/**
 * What a caller gives, without what the scope gives; it may be given all the same, if it is equal.
 */
export type WithoutScope<TInput, TScope extends string> = Omit<TInput, TScope> & {
  readonly [TName in TScope & keyof TInput]?: TInput[TName] | undefined
}

type EachWithoutScope<TInput, TScope extends string> = TInput extends unknown
  ? WithoutScope<TInput, TScope>
  : never

/**
 * A table as one tenant sees it.
 *
 * @example
 * const schema = defineSchema({
 *   indexes: { primary: { hash: 'pk', sort: 'sk' } },
 *   models: {
 *     Note: {
 *       key: { pk: 'TENANT#${tenantId}', sk: 'NOTE#${id}' },
 *       attributes: {
 *         tenantId: { type: String, required: true },
 *         id: { type: String, required: true },
 *       },
 *     },
 *   },
 * })
 * const table = new Table({ name: 'notes', schema, client: createEngine() })
 * await table.create()
 * const acme = table.scope({ tenantId: 'acme' })
 * await acme.entities.Note.put({ id: '1' }) // => { tenantId: 'acme', id: '1' }
 * await table.scope({ tenantId: 'other' }).entities.Note.get({ id: '1' }) // => undefined
 * acme.entities.Note.get({ tenantId: 'other', id: '1' }) // => throws InputError
 */
export interface ScopedTable<TSchema extends SchemaDefinition, TScope extends string> {
  /** The table's name in DynamoDB. */
  readonly name: string
  /** The typed API of each model. */
  readonly entities: ScopedEntities<TSchema, TScope>
  /** The access patterns of the schema, whose inputs need no attributes of the scope. */
  readonly patterns: ScopedPatterns<TSchema, TScope>
  /** A transaction of writes, all of them in the scope. */
  transactWrite(): TransactWriteBuilder
  transactWrite<const TBuilders extends readonly PlannedWrite[]>(
    builders: TBuilders,
  ): TransactWriteBuilder<WrittenBy<TBuilders>, FailureOf<TBuilders[number]>>
  /** A transaction of reads, all of them in the scope. */
  transactGet<const TBuilders extends readonly PlannedGet<unknown>[] = []>(
    builders?: TBuilders,
  ): TransactGetBuilder<ResultsOf<TBuilders>>
  /** Reads many items of any models; gives them in the order of the builders. */
  batchGet<const TBuilders extends readonly PlannedGet<unknown>[]>(
    builders: TBuilders,
  ): TableBatch<TBuilders>
  /** Puts and deletes many items of any models, without conditions. */
  batchWrite<const TBuilders extends readonly BatchedWrite[]>(
    builders: TBuilders,
  ): TableBatch<TBuilders>
  /** Reads items of several models that share a partition key, by one query. */
  collect<TName extends ModelName<ReadSchema<TSchema>>>(
    models: readonly TName[],
    values?: CollectionValues<ReadSchema<TSchema>, TName>,
  ): CollectionBuilder<ReadSchema<TSchema>, TName>
  /**
   * Numbers that are given out once each, for each name and scope from 1 on: those that
   * `table.sequence(name, …values of the scope, …scope)` gives.
   */
  sequence(name: string, ...scope: readonly (string | number)[]): Sequence
  /** The same part of the table by another client or under another name. */
  with(options: TableOverrides): ScopedTable<TSchema, TScope>
  /** A smaller part of the table: with these attributes as well. */
  scope<TMore extends ScopeName<TSchema>>(
    values: ScopeValues<TSchema, TMore>,
  ): ScopedTable<TSchema, TScope | TMore>
}

/** The functions of access patterns in a scope, by their names. */
export type ScopedPatterns<
  TSchema extends SchemaDefinition,
  TScope extends string,
> = TSchema extends WithPatterns
  ? {
      readonly [TName in keyof TSchema['patterns']]: TSchema['patterns'][TName] extends ScanShape
        ? TypeMessage<"a scope can't be scanned">
        : ScopedFunction<Patterns<TSchema>[TName & keyof Patterns<TSchema>], TScope>
    }
  : TypeMessage<'the schema has no patterns'>

interface ScanShape {
  readonly op: 'scan'
}

type ScopedFunction<TFunction, TScope extends string> =
  TFunction extends PageFunction<infer TInput, infer TResult, infer TElement>
    ? PageFunction<WithoutScope<TInput, TScope>, TResult, TElement>
    : TFunction extends TransactFunction<infer TInput, infer TResult, infer TFailure>
      ? TransactFunction<
          WithoutScope<
            { readonly [TStep in keyof TInput]: StepInput<TInput[TStep], TScope> },
            TScope
          >,
          TResult,
          TFailure
        >
      : TFunction extends WriteFunction<infer TInput, infer TResult, infer TWritten>
        ? WriteFunction<ScopedInput<TInput, TScope>, TResult, TWritten>
        : TFunction extends ReadFunction<infer TInput, infer TResult, infer TExplained>
          ? ReadFunction<ScopedInput<TInput, TScope>, TResult, TExplained>
          : TFunction

/** The input of a step, or a value that all of them share. */
type StepInput<TInput, TScope extends string> = TInput extends SharedValue
  ? TInput
  : ScopedInput<TInput, TScope>
type SharedValue = string | number | bigint | boolean | Date | undefined

/** A list of inputs, or one input. */
type ScopedInput<TInput, TScope extends string> = TInput extends readonly (infer TEach)[]
  ? readonly WithoutScope<TEach, TScope>[]
  : WithoutScope<TInput, TScope>

/** The entities of a scope by their models' names. */
export type ScopedEntities<TSchema extends SchemaDefinition, TScope extends string> = {
  readonly [TName in ModelName<TSchema>]: [TScope] extends [PartitionNames<TSchema, TName>]
    ? ScopedEntity<TSchema, TName, TScope>
    : TypeMessage<`${TName} can't be used in this scope: its partition key does not have ${TScope}`>
} & IfCopies<TSchema, ScopedCopies<CopySchema<TSchema>, TScope>>

type ScopedCopies<TSchema extends SchemaDefinition, TScope extends string> = {
  readonly [TName in ModelName<TSchema>]: Pick<
    ScopedEntity<TSchema, TName, TScope>,
    'get' | 'query' | 'batchGet' | 'parseKey' | 'renderKey'
  >
}

/** What can be done in a scope with the items of one model: what `Entity` can, but for scans. */
export interface ScopedEntity<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TScope extends string,
> extends Pick<Entity<TSchema, TName>, 'parseKey' | 'save'> {
  /** Reads one item by its key. */
  get(
    key: WithoutScope<Key<TSchema, TName>, TScope>,
  ): GetBuilder<Item<TSchema, TName>, TName, TSchema>
  /**
   * Reads the item that has these unique values, if it is in the scope. Takes two consistent reads.
   */
  getByUnique(
    values: EachWithoutScope<UniqueValues<TSchema['models'][TName]>, TScope>,
  ): UniqueGetBuilder<Item<TSchema, TName>, TName, TSchema>
  /** Writes an item, in place of any item with its key. */
  put(
    item: WithoutScope<PutItem<TSchema, TName>, TScope>,
  ): PutBuilder<Item<TSchema, TName>, TName, TSchema>
  /** Writes an item that must not exist yet. */
  create(
    item: WithoutScope<NewItem<TSchema, TName>, TScope>,
  ): PutBuilder<Item<TSchema, TName>, TName, TSchema>
  /** Changes an item that exists. */
  update(
    key: WithoutScope<Key<TSchema, TName>, TScope>,
  ): UpdateBuilder<Item<TSchema, TName>, TName, TSchema>
  /** Changes an item, or makes it if there is none. */
  upsert(
    key: WithoutScope<Key<TSchema, TName>, TScope>,
  ): UpdateBuilder<Item<TSchema, TName>, TName, TSchema>
  /** Deletes an item by its key. */
  delete(key: WithoutScope<Key<TSchema, TName>, TScope>): DeleteBuilder<undefined, TName, TSchema>
  /** A condition on an item, for a transaction. */
  check(key: WithoutScope<Key<TSchema, TName>, TScope>): CheckBuilder<TName, TSchema>
  /**
   * Reads the items that have these values. With those of the scope they must fix a partition key,
   * here or with `where`.
   */
  query<TValues extends QueryValues<TSchema, TName>>(
    values?: TValues & NoInfer<QueryNames<TSchema, TName, keyof TValues | TScope>>,
  ): QueryBuilder<Item<TSchema, TName>, TName, TSchema>
  /** Reads many items by their keys. */
  batchGet(
    keys: readonly WithoutScope<Key<TSchema, TName>, TScope>[],
  ): BatchGetBuilder<Item<TSchema, TName>, TName, TSchema>
  /** Writes many items. */
  batchWrite(
    items: readonly WithoutScope<PutItem<TSchema, TName>, TScope>[],
  ): ScopedBatchWrite<TSchema, TName, TScope>
  /** Deletes all items that share a partition key, whatever models they are of. */
  deleteCollection(
    partition: WithoutScope<PartitionValues<TSchema, TName>, TScope>,
    options?: DeleteCollectionOptions,
  ): CollectionDeletion
  /** The primary key as it is stored. */
  renderKey(
    key: WithoutScope<Key<TSchema, TName>, TScope>,
  ): ReturnType<Entity<TSchema, TName>['renderKey']>
}

/** Puts and deletes many items of one model in a scope. */
export interface ScopedBatchWrite<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TScope extends string,
> extends LazyPromise<Item<TSchema, TName>[]> {
  /** Deletes these in the same batch. */
  delete(
    keys: readonly WithoutScope<Key<TSchema, TName>, TScope>[],
  ): ScopedBatchWrite<TSchema, TName, TScope>
}
