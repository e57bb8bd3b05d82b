import type {
  ConditionCode,
  TransactionCanceledError,
  TransactionFailure,
  TransactionRepeatedError,
} from '../errors/transaction-canceled-error.ts'
import type { CallOptions } from '../execute/table-context.ts'
import type { Explanation } from '../plan/plan.ts'
import type {
  ConditionCheckParams,
  DeleteParams,
  GetParams,
  PutParams,
  TransactWriteParams,
  UpdateParams,
} from './db-params.ts'
import type { LazyPromise } from './lazy-call.ts'
import type {
  PlannedCheck,
  PlannedDelete,
  PlannedGet,
  PlannedPut,
  PlannedUpdate,
  PlannedWrite,
  subject,
} from './planned.ts'

/**
 * Writes all or nothing: up to 100 writes and checks, each on another item. Takes builders or what
 * their `params()` gives, and resolves with the items that were put, in the order they were added,
 * and `undefined` for everything else.
 *
 * @example
 * const schema = defineSchema({
 *   indexes: { primary: { hash: 'pk' } },
 *   models: {
 *     Account: {
 *       key: { pk: 'ACCOUNT#${id}' },
 *       attributes: {
 *         id: { type: String, required: true },
 *         balance: { type: Number, required: true },
 *       },
 *     },
 *   },
 * })
 * const table = new Table({ name: 'bank', schema, client: createEngine() })
 * await table.create()
 * const { Account } = table.entities
 * await Account.batchWrite([{ id: 'a', balance: 10 }, { id: 'b', balance: 0 }])
 * const transfer = (amount: number) =>
 *   table.transactWrite([
 *     Account.update({ id: 'a' })
 *       .add('balance', -amount)
 *       .where((attr, op) => op.gte(attr.balance, amount)),
 *     Account.update({ id: 'b' }).add('balance', amount),
 *   ])
 * await transfer(7)
 * await transfer(7) // => throws TransactionCanceledError
 * const [a, b] = await table.transactGet([
 *   Account.get({ id: 'a' }),
 *   Account.get({ id: 'b' }).select(['balance']),
 * ])
 * a // => { id: 'a', balance: 3 }
 * b // => { balance: 7 }
 */
export interface TransactWriteBuilder<
  out TResults = (Record<string, unknown> | undefined)[],
  out TFailure = TransactionFailure,
> extends LazyPromise<TResults> {
  /** Adds a write or a check, whichever the builder is of. */
  add(write: PlannedWrite): TransactWriteBuilder
  addPut(put: PlannedPut<unknown> | PutParams): TransactWriteBuilder
  addUpdate(update: PlannedUpdate | UpdateParams): TransactWriteBuilder
  addDelete(deletion: PlannedDelete<unknown> | DeleteParams): TransactWriteBuilder
  addConditionCheck(check: PlannedCheck | ConditionCheckParams): TransactWriteBuilder
  /**
   * For ten minutes DynamoDB carries out what has the same token once. This builder can be executed
   * again and gives the same result; another one with the same token, whose times and generated ids
   * differ, fails with a `TransactionRepeatedError`. Without it each call has its own.
   */
  withClientRequestToken(token: string): this
  /** The request, as the SDK's DocumentClient takes it. */
  params(): TransactWriteParams
  /** The same as `params()`, by its earlier name. */
  dbParams(): TransactWriteParams
  /** How each of the operations will be carried out, in their order. */
  explain(): Explanation[]
  /**
   * Sends it, and gives failed conditions, or a token that was used before, as a result. All other
   * errors are thrown.
   */
  result(options?: CallOptions): Promise<TransactionResult<TResults, TFailure>>
}

/** How a transaction ended whose conditions may fail: see `result()`. */
export type TransactionResult<TResult, TFailure = TransactionFailure> =
  | {
      readonly ok: true
      /** What the call resolves with when it is awaited. */
      readonly value: TResult
    }
  | {
      readonly ok: false
      /** Of the first operation whose condition failed. */
      readonly reason: ConditionCode | 'TRANSACTION_REPEATED'
      /** Every operation that failed, and why. */
      readonly failures: readonly TFailure[]
      /** What is thrown where the call is awaited. */
      readonly error: TransactionCanceledError | TransactionRepeatedError
    }

/** How one of these builders can fail, with the items of its model. */
export type FailureOf<TBuilder> =
  | (TBuilder extends { readonly [subject]: readonly [infer TName, infer TItem] }
      ? TransactionFailure<TName, TItem>
      : never)
  | OtherFailure

/** Of an item that follows from an operation, such as a counter, no item is given. */
export type OtherFailure<TStep = string> = TransactionFailure<string | undefined, undefined, TStep>

/** What a transaction of builders resolves with: the items that were put. */
export type WrittenBy<TBuilders extends readonly unknown[]> = {
  -readonly [TPosition in keyof TBuilders]: Written<TBuilders[TPosition]>
}

// A list that was filled in a loop has one type for all of its builders.
type Written<TBuilder> = TBuilder extends PlannedPut<infer TResult> ? TResult : undefined

/**
 * Reads up to 100 items as they were at one moment. Results have the order and the types of what
 * was added; a builder that is filled in a loop can be declared as `TransactGetBuilder<unknown[]>`.
 */
export interface TransactGetBuilder<out TResults extends readonly unknown[]>
  extends LazyPromise<TResults> {
  /** Adds an item to read; the results have it in the same position. */
  addGet<TResult>(get: PlannedGet<TResult>): TransactGetBuilder<[...TResults, TResult]>
  addGet(params: GetParams): TransactGetBuilder<[...TResults, Record<string, unknown> | undefined]>
}
