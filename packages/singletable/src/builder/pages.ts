import {
  fetchAll,
  fetchCount,
  fetchPage,
  type Page,
  scanParallel,
} from '../execute/execute-query.ts'
import type { ReadOptions } from '../execute/table-context.ts'
import type { UndecodedItem } from '../execute/undecoded.ts'
import { placeOf } from '../plan/plan-context.ts'
import { andWhere, type WhereCallback } from './builder.ts'
import { Paged } from './paged.ts'
import { selectionOf } from './read.ts'

/** A query or a scan. */
export class Pages extends Paged {
  where(callback: WhereCallback): this {
    const { model, where } = this.state
    return this.with({ where: andWhere(model, where, callback) })
  }

  select(selection: unknown): this {
    return this.with({ select: selectionOf(this.state.model, selection, this.context) })
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

  async execute(options?: ReadOptions): Promise<unknown[]> {
    const { parallel, cursor } = this.state
    if (parallel === undefined) return fetchAll(...this.start(options), cursor)
    this.requireWhole()
    return scanParallel(...this.start(options))
  }

  async page(options?: ReadOptions): Promise<Page> {
    this.requireSequence('page')
    return fetchPage(...this.start(options), this.state.cursor)
  }

  protected override async *each(
    options: ReadOptions | undefined,
    undecoded: UndecodedItem[],
  ): AsyncGenerator<unknown, void, undefined> {
    this.requireSequence('iterate')
    yield* super.each(options, undecoded)
  }

  async first(options?: ReadOptions): Promise<unknown> {
    return (await fetchAll(...this.start(options, { limit: 1 }), this.state.cursor))[0]
  }

  async count(options?: ReadOptions): Promise<number> {
    const { parallel, cursor, hydrate } = this.state
    // Nothing of the items is given, so an index that has only a part of them will do.
    const select = hydrate ? this.state.select : []
    if (parallel === undefined) {
      return fetchCount(...this.start(options, { counts: true, select }), cursor)
    }
    this.requireWhole()
    return (await scanParallel(...this.start(options, { select }))).length
  }

  protected placeOf(verb: string): string {
    return placeOf(this.context, this.state.model, verb)
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
}
