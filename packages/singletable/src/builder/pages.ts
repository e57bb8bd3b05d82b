import { PlanError } from '../errors/plan-error.ts'
import { type Call, startCall } from '../execute/call.ts'
import {
  fetchAll,
  fetchCount,
  fetchEach,
  fetchPage,
  type Page,
  scanParallel,
} from '../execute/execute-query.ts'
import type { CallOptions } from '../execute/table-context.ts'
import { describeFan, explainQuery } from '../plan/explain-query.ts'
import type { Explanation, QueryPlan } from '../plan/plan.ts'
import { placeOf } from '../plan/plan-context.ts'
import { planQuery } from '../plan/plan-query.ts'
import { refusePlan } from '../plan/refuse-plan.ts'
import type { QueryState } from '../plan/state.ts'
import { pageParams } from '../request/native-params.ts'
import { andWhere, type BuilderContext, type WhereCallback } from './builder.ts'
import { Read } from './read.ts'

/** A query or a scan. */
export class Pages extends Read<QueryState> {
  where(callback: WhereCallback): this {
    const { model, where } = this.state
    return this.with({ where: andWhere(model, where, callback) })
  }

  useIndex(index: string): this {
    return this.with({ index })
  }

  limit(limit: number): this {
    return this.with({ limit })
  }

  pageSize(pageSize: number): this {
    return this.with({ pageSize })
  }

  scanIndexForward(forward: boolean): this {
    return this.with({ forward })
  }

  startFrom(cursor: string | undefined): this {
    return this.with({ cursor })
  }

  hydrate(): this {
    return this.with({ hydrate: true })
  }

  segment(segment: number, total: number): this {
    return this.with({ segment: { segment, total } })
  }

  parallel(parallel: number): this {
    return this.with({ parallel })
  }

  dbParams(): object {
    const plan = this.plan()
    if (this.state.cursor !== undefined)
      this.refuse('dbParams() has no place for a cursor of startFrom()')
    if (plan.match?.fan) {
      refusePlan(
        'PLAN_INVALID',
        placeOf(this.context, plan.model, 'dbParams'),
        `The query is not one request: ${describeFan(plan.match.fan)}.`,
        'use execute(); or compare the key attribute itself by eq(), which reads one partition',
      )
    }
    return pageParams(plan)
  }

  explain(): Explanation {
    return explainQuery(this.plan())
  }

  async execute(options?: CallOptions): Promise<unknown[]> {
    const { parallel, cursor } = this.state
    if (parallel === undefined) return fetchAll(...this.start(options), cursor)
    this.requireWhole()
    return scanParallel(...this.start(options))
  }

  async executeWithPagination(options?: CallOptions): Promise<Page> {
    this.requireSequence('executeWithPagination')
    return fetchPage(...this.start(options), this.state.cursor)
  }

  async *iterate(options?: CallOptions): AsyncGenerator<unknown, void, undefined> {
    this.requireSequence('iterate')
    yield* fetchEach(...this.start(options), this.state.cursor)
  }

  [Symbol.asyncIterator](): AsyncGenerator<unknown, void, undefined> {
    return this.iterate()
  }

  async first(options?: CallOptions): Promise<unknown> {
    return (await fetchAll(...this.start(options, { limit: 1 }), this.state.cursor))[0]
  }

  async count(options?: CallOptions): Promise<number> {
    const { parallel, cursor, hydrate } = this.state
    // Nothing of the items is given, so an index that has only a part of them will do.
    const select = hydrate ? this.state.select : []
    if (parallel === undefined) {
      return fetchCount(...this.start(options, { counts: true, select }), cursor)
    }
    this.requireWhole()
    return (await scanParallel(...this.start(options, { select }))).length
  }

  private plan(patch?: Partial<QueryState>): QueryPlan {
    return planQuery(patch ? { ...this.state, ...patch } : this.state, this.context)
  }

  /** What every way of reading takes. */
  private start(
    options: CallOptions | undefined,
    patch?: Partial<QueryState>,
  ): [BuilderContext, Call, QueryPlan] {
    const { context, state } = this
    return [context, startCall(context, state.verb, state.model.name, options), this.plan(patch)]
  }

  private requireSequence(method: string): void {
    if (this.state.parallel !== undefined) {
      this.refuse(`${method}() gives one result after the other, and parallel() reads all at once`)
    }
  }

  private requireWhole(): void {
    const { cursor, segment } = this.state
    if (cursor !== undefined || segment !== undefined) {
      this.refuse('parallel() reads the whole table, so startFrom() and segment() make no sense')
    }
  }

  private refuse(what: string): never {
    const { model, verb } = this.state
    throw new PlanError('PLAN_INVALID', {
      what: `${what}.`,
      where: placeOf(this.context, model, verb),
      fix: 'leave one of the two out',
    })
  }
}
