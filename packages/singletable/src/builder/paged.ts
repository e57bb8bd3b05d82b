import { kindOfValue, showValue } from '../errors/show-value.ts'
import { type Call, READ_OPTIONS, startCall } from '../execute/call.ts'
import { fetchEach } from '../execute/execute-query.ts'
import type { ReadOptions } from '../execute/table-context.ts'
import { keepUndecoded, type UndecodedItem } from '../execute/undecoded.ts'
import type { Explanation } from '../plan/plan.ts'
import { describeFan, explainRead } from '../plan/read/explain-read.ts'
import { planRead } from '../plan/read/plan-read.ts'
import type { ReadPlan } from '../plan/read/read-plan.ts'
import { refusePlan } from '../plan/refuse-plan.ts'
import type { QueryState } from '../plan/state.ts'
import { pageParams } from '../request/native-params.ts'
import type { BuilderContext } from './builder.ts'
import { Read } from './read.ts'

/**
 * What is read page after page: the words that queries and scans of one model and of several have.
 */
export abstract class Paged extends Read<QueryState> {
  /** For messages: `table "Blog", entity "Post", query()`. */
  protected abstract placeOf(verb: string): string

  useIndex(index: string): this {
    return this.with({ index })
  }

  limit(limit: number): this {
    return this.with({ limit })
  }

  pageSize(pageSize: number): this {
    return this.with({ pageSize })
  }

  order(order: 'asc' | 'desc'): this {
    if (order !== 'asc' && order !== 'desc') {
      this.refuse(
        `order() was given ${showValue(order) ?? kindOfValue(order)}`,
        "give 'asc' or 'desc'",
      )
    }
    return this.scanIndexForward(order === 'asc')
  }

  scanIndexForward(forward: boolean): this {
    this.requireOneOf('scanIndexForward', forward, [true, false])
    return this.with({ forward })
  }

  cursor(cursor: string | undefined): this {
    return this.with({ cursor })
  }

  startFrom(cursor: string | undefined): this {
    return this.cursor(cursor)
  }

  params(): object {
    return this.dbParams()
  }

  dbParams(): object {
    const plan = this.plan()
    if (this.state.cursor !== undefined) {
      this.refuse("dbParams() can't include the cursor of startFrom()")
    }
    if (plan.fan) {
      refusePlan(
        'PLAN_INVALID',
        this.placeOf('dbParams'),
        `The query is not one request: ${describeFan(plan.fan)}.`,
        'use execute(); or compare the key attribute itself with eq(), which reads one partition',
      )
    }
    return pageParams(plan)
  }

  explain(): Explanation {
    return explainRead(this.plan(), this.context)
  }

  abstract page(options?: ReadOptions): Promise<object>

  executeWithPagination(options?: ReadOptions): Promise<object> {
    return this.page(options)
  }

  iterate(options?: ReadOptions): AsyncGenerator<unknown, void, undefined> {
    const undecoded: UndecodedItem[] = []
    return keepUndecoded(this.each(options, undecoded), undecoded)
  }

  [Symbol.asyncIterator](): AsyncGenerator<unknown, void, undefined> {
    return this.iterate()
  }

  protected async *each(
    options: ReadOptions | undefined,
    undecoded: UndecodedItem[],
  ): AsyncGenerator<unknown, void, undefined> {
    const [context, call, plan] = this.start(options)
    const own = call.undecoded ? { ...call, undecoded } : call
    yield* fetchEach(context, own, plan, this.state.cursor)
  }

  protected plan(patch?: Partial<QueryState>): ReadPlan {
    return planRead(patch ? { ...this.state, ...patch } : this.state, this.context)
  }

  /** What every way of reading takes. */
  protected start(
    options: ReadOptions | undefined,
    patch?: Partial<QueryState>,
  ): [BuilderContext, Call, ReadPlan] {
    const { context, state } = this
    const call = state.members
      ? startCall(context, 'collect', undefined, options, READ_OPTIONS)
      : startCall(context, state.verb, state.model.name, options, READ_OPTIONS)
    return [context, call, this.plan(patch)]
  }

  protected refuse(what: string, fix = 'leave one of the two out'): never {
    const { members, verb } = this.state
    return refusePlan('PLAN_INVALID', this.placeOf(members ? 'collect' : verb), `${what}.`, fix)
  }
}
