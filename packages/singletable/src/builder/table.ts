import { checkOptions, refuseOption } from '../errors/check-options.ts'
import { printPlace } from '../errors/print-place.ts'
import { executeBatchGet } from '../execute/batch-get.ts'
import { executeBatchWrite } from '../execute/batch-write.ts'
import { startCall } from '../execute/call.ts'
import type { Hooks } from '../execute/hooks.ts'
import type { CallOptions } from '../execute/table-context.ts'
import { createTable, deleteTable, tableExists } from '../execute/table-lifecycle.ts'
import type { GetPlan } from '../plan/plan.ts'
import type { UpdatePlan } from '../plan/write/staged-plan.ts'
import type { ModelName } from '../schema/infer.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { BatchedWrite, ResultsOf, TableBatch } from './batch-builders.ts'
import { bindEntity } from './bound-entity.ts'
import { bindPatterns } from './bound-pattern.ts'
import { type BuilderContext, requireList } from './builder.ts'
import { createCollect } from './collect.ts'
import type { CollectionBuilder, CollectionValues, ReadSchema } from './collection-builder.ts'
import { rememberContext } from './context-of.ts'
import type { Entities } from './entity.ts'
import { lazyCall } from './lazy-call.ts'
import { namedMembers } from './named-members.ts'
import type { Patterns } from './patterns.ts'
import { type Addition, planAddition } from './plan-addition.ts'
import type { PlannedGet, PlannedWrite } from './planned.ts'
import type { ScopedTable, ScopeName, ScopeValues } from './scoped-table.ts'
import { createSequence, type Sequence } from './sequence.ts'
import {
  changeContext,
  createContext,
  scopeContext,
  type TableOptions,
  type TableOverrides,
} from './table-options.ts'
import { TransactGet } from './transact-get.ts'
import { TransactWrite } from './transact-write.ts'
import type {
  FailureOf,
  TransactGetBuilder,
  TransactWriteBuilder,
  WrittenBy,
} from './transaction-builders.ts'

/**
 * A DynamoDB table and the entities that live in it.
 *
 * @example
 * const schema = defineSchema({
 *   indexes: { primary: { hash: 'pk', sort: 'sk' } },
 *   models: {
 *     User: {
 *       key: { pk: 'USER#${username}', sk: 'PROFILE' },
 *       attributes: { username: { type: String, required: true } },
 *     },
 *     Post: {
 *       key: { pk: 'USER#${username}', sk: 'POST#${postId}' },
 *       attributes: {
 *         username: { type: String, required: true },
 *         postId: { type: String, generate: 'ulid' },
 *         title: { type: String, required: true },
 *       },
 *     },
 *   },
 * })
 * const table = new Table({ name: 'blog', schema, client: createEngine() })
 * await table.exists() // => false
 * await table.create()
 * const { User, Post } = table.entities
 * await User.create({ username: 'alice' })
 * await Post.create({ username: 'alice', title: 'Hello' })
 * const posts = await Post.query({ username: 'alice' })
 * posts.map(({ title }) => title) // => ['Hello']
 * await table.batchGet([User.get({ username: 'alice' }), User.get({ username: 'bob' })]) // => [{ username: 'alice' }, undefined]
 */
export class Table<const TSchema extends SchemaDefinition> {
  /** The table's name in DynamoDB. */
  readonly name: string
  /** The schema as it was given. */
  readonly schema: TSchema
  /** The typed API of each model. */
  readonly entities: Entities<TSchema>
  readonly #context: BuilderContext
  #patterns: Patterns<TSchema> | undefined

  constructor(options: TableOptions<TSchema>) {
    const context = createContext(options)
    this.#context = context
    rememberContext(this, context)
    this.name = context.name
    // The schema was compiled from what is of this type.
    this.schema = context.schema.definition as TSchema
    const entities: unknown = namedMembers(
      'entity',
      context.name,
      Array.from(context.schema.models, ([name, model]) => [name, bindEntity(context, model)]),
    )
    // A bound entity does at run time what the interface says at compile time; only the schema's
    // types are missing from it.
    this.entities = entities as Entities<TSchema>
  }

  /** The access patterns of the schema, each a function of its input. */
  get patterns(): Patterns<TSchema> {
    // A bound pattern does at run time what the interface says at compile time.
    this.#patterns ??= bindPatterns(this.#context) as Patterns<TSchema>
    return this.#patterns
  }

  /** A transaction of these writes and checks, to which more can be added. */
  transactWrite(): TransactWriteBuilder
  transactWrite<const TBuilders extends readonly PlannedWrite[]>(
    builders: TBuilders,
  ): TransactWriteBuilder<WrittenBy<TBuilders>, FailureOf<TBuilders[number]>>
  transactWrite(builders: readonly unknown[] = []): unknown {
    const additions = this.#additions('transactWrite', builders, undefined)
    return new TransactWrite(this.#context, additions)
  }

  /** A transaction of these reads, to which more can be added. */
  transactGet<const TBuilders extends readonly PlannedGet<unknown>[] = []>(
    builders?: TBuilders,
  ): TransactGetBuilder<ResultsOf<TBuilders>>
  transactGet(builders: readonly unknown[] = []): unknown {
    return new TransactGet(this.#context, this.#additions('transactGet', builders, 'Get'))
  }

  /** Reads many items of any models; gives them in the order of the builders. */
  batchGet<const TBuilders extends readonly PlannedGet<unknown>[]>(
    builders: TBuilders,
  ): TableBatch<TBuilders> {
    return lazyCall(async (options) => {
      const call = startCall(this.#context, 'batchGet', undefined, options)
      // With this action only plans of gets come back.
      const plans = this.#plan('batchGet', builders, 'Get') as GetPlan[]
      // Results are in the order of the builders, each as its own builder would give it.
      return (await executeBatchGet(this.#context, call, plans, builders)) as ResultsOf<TBuilders>
    }, true)
  }

  /**
   * Puts and deletes many items of any models, without conditions; gives what was put, in the order
   * of the builders.
   */
  batchWrite<const TBuilders extends readonly BatchedWrite[]>(
    builders: TBuilders,
  ): TableBatch<TBuilders> {
    return lazyCall(async (options) => {
      const call = startCall(this.#context, 'batchWrite', undefined, options)
      // Without an action only plans of writes come back.
      const plans = this.#plan('batchWrite', builders, undefined) as UpdatePlan[]
      const results: unknown = await executeBatchWrite(this.#context, call, plans, builders)
      // They are in the order of the builders.
      return results as ResultsOf<TBuilders>
    })
  }

  /** Reads items of several models that share a partition key, by one query. */
  collect<TName extends ModelName<ReadSchema<TSchema>>>(
    models: readonly TName[],
    values: CollectionValues<ReadSchema<TSchema>, TName>,
  ): CollectionBuilder<ReadSchema<TSchema>, TName> {
    // The builder's class leaves the types to its interface.
    const builder: unknown = createCollect(this.#context, models, values)
    return builder as CollectionBuilder<ReadSchema<TSchema>, TName>
  }

  /**
   * The table as one tenant sees it: a handle whose calls need not give these attributes, can't
   * give others, and never leave the partitions whose keys begin with them. There are no scans in
   * it.
   */
  scope<TScope extends ScopeName<TSchema>>(
    values: ScopeValues<TSchema, TScope>,
  ): ScopedTable<TSchema, TScope> {
    // A context takes the place of the options it was made of; the interface has the types.
    const options: unknown = scopeContext(this.#context, values)
    const table: unknown = new Table(options as TableOptions<TSchema>)
    return table as ScopedTable<TSchema, TScope>
  }

  /** Numbers that are given out once each, for each name and scope from 1 on. */
  sequence(name: string, ...scope: readonly (string | number)[]): Sequence {
    return createSequence(this.#context, name, scope)
  }

  /** Creates the table with all its indexes, and waits until it can be used. */
  async create(options?: CallOptions): Promise<void> {
    await createTable(this.#context, startCall(this.#context, 'create', undefined, options))
  }

  /** Whether there is such a table. */
  async exists(options?: CallOptions): Promise<boolean> {
    return tableExists(this.#context, startCall(this.#context, 'exists', undefined, options))
  }

  /** Deletes the table with everything in it. */
  async drop(options?: CallOptions): Promise<void> {
    await deleteTable(this.#context, startCall(this.#context, 'drop', undefined, options))
  }

  /** @deprecated Call `drop()`: next to the `delete` of entities this name was too harmless. */
  async delete(options?: CallOptions): Promise<void> {
    await this.drop(options)
  }

  /**
   * The same table by another client or under another name: for credentials of one request, a copy
   * of the table, a test. The schema is not read again.
   */
  with(options: TableOverrides): Table<TSchema> {
    // A context is taken in place of the options it was made of.
    const changed: unknown = changeContext(this.#context, options)
    return new Table(changed as TableOptions<TSchema>)
  }

  /**
   * Calls functions around each request of the table, of its scopes and of what `with()` made of
   * it; gives a function that ends this. Hooks see requests and can refuse them, and can't change
   * them.
   */
  use(hooks: Hooks): () => void {
    const all = this.#context.hooks!
    const known = { where: `table "${this.name}", use()`, names: ['before', 'after'] }
    checkOptions(known, hooks)
    // An object of its own, so that each use() is ended by itself.
    const { before, after } = hooks
    for (const [name, hook] of Object.entries({ before, after })) {
      if (hook !== undefined && typeof hook !== 'function') {
        refuseOption(known, `${name} must be a function`)
      }
    }
    const own: Hooks = { ...(before && { before }), ...(after && { after }) }
    all.push(own)
    return () => {
      const position = all.indexOf(own)
      if (position >= 0) all.splice(position, 1)
    }
  }

  #additions(
    verb: Addition['verb'],
    builders: readonly unknown[],
    action: 'Get' | undefined,
  ): Addition[] {
    const list = requireList(builders, printPlace({ table: this.name, verb }))
    return list.map((write, position) => ({ write, action, position, verb }))
  }

  #plan(
    verb: Addition['verb'],
    builders: readonly unknown[],
    action: 'Get' | undefined,
  ): (UpdatePlan | GetPlan)[] {
    return this.#additions(verb, builders, action).map((each) => planAddition(this.#context, each))
  }
}
