import type { Page } from '../execute/execute-query.ts'
import type { ReadOptions } from '../execute/table-context.ts'
import type { Explanation } from '../plan/plan.ts'
import type { ReturnConsumedCapacity } from '../wire/item-operations.ts'
import type { LazyPromise } from './lazy-call.ts'

/**
 * What all builders have that read pages: those of queries, scans and collections. Awaited, they
 * give all results, up to `limit`.
 */
export interface PagedRead<TResult> extends LazyPromise<TResult> {
  /** Reads now, with options for this call. */
  execute(options?: ReadOptions): Promise<TResult>
  /** At most this many results; of a collection, of all models together. */
  limit(results: number): this
  /** The items that one request looks at: DynamoDB's `Limit`. */
  pageSize(items: number): this
  /**
   * Starts where a page ended, or reads the page before another; from the start without a cursor.
   */
  cursor(cursor: string | undefined): this
  /** The same as `cursor()`. */
  startFrom(cursor: string | undefined): this
  /** Gives items also when their time to live is over and DynamoDB has not deleted them yet. */
  includeExpired(): this
  /**
   * Asks DynamoDB what the requests cost; subscribers of the channel `singletable:request` get it.
   */
  returnConsumedCapacity(mode: ReturnConsumedCapacity): this
  /** How the call will be carried out, why so, and what it costs. */
  explain(): Explanation
}

/** What builders of queries and scans have: pages with the items of one model. */
export interface ItemPages<TResult> extends PagedRead<TResult[]> {
  /** One page of results, and where the next one starts. */
  page(options?: ReadOptions): Promise<Page<TResult>>
  /** The same as `page()`, by its earlier name. */
  executeWithPagination(options?: ReadOptions): Promise<Page<TResult>>
  /** Results one by one; pages are read as they are needed. */
  iterate(options?: ReadOptions): AsyncGenerator<TResult, void, undefined>
  [Symbol.asyncIterator](): AsyncGenerator<TResult, void, undefined>
  /** The first result, if there is one. */
  first(options?: ReadOptions): Promise<TResult | undefined>
  /** The number of results; the items are not sent. */
  count(options?: ReadOptions): Promise<number>
}
