import { checkOptions } from '../errors/check-options.ts'
import { executeBatchGet } from '../execute/batch-get.ts'
import { READ_OPTIONS, startCall } from '../execute/call.ts'
import { derivePage } from '../execute/execute-query.ts'
import { type Meter, metered } from '../execute/meter.ts'
import type { CallOptions } from '../execute/table-context.ts'
import { keepUndecoded, type UndecodedItem, undecodedOf } from '../execute/undecoded.ts'
import type { Explanation } from '../plan/plan.ts'
import { planPattern } from '../plan/plan-pattern.ts'
import type { Pattern } from '../schema/model.ts'
import type { StepPattern } from '../schema/pattern-definition.ts'
import { LazyCall } from './lazy-call.ts'
import type { Pages } from './pages.ts'
import { PatternBuilder } from './pattern-builder.ts'
import type { PageOptions, TransactOptions } from './patterns.ts'
import { TransactGet } from './transact-get.ts'
import { resultOf } from './write.ts'

const CALL_OPTIONS = ['signal', 'deadlineMs']
const PAGE_OPTIONS = ['cursor', 'limit', ...READ_OPTIONS]

/** What a call gives; each kind of pattern some of it. */
interface Result {
  readonly count?: number
  readonly exists?: boolean
  readonly item?: unknown
  readonly items?: unknown
  readonly groups?: object
  readonly cursor?: string | undefined
}

type Answer = (builder: PatternBuilder, input: unknown, options: PageOptions) => Promise<Result>

/** A call of a pattern, sent when it is awaited: what `PatternCall` promises. */
export class BoundCall extends LazyCall {
  protected readonly builder: PatternBuilder
  protected readonly input: unknown
  protected readonly options: PageOptions | undefined

  constructor(builder: PatternBuilder, input: unknown, options?: PageOptions) {
    super()
    this.builder = builder
    this.input = input
    this.options = options
  }

  protected override get title(): string {
    const { pattern, context } = this.builder
    return `call of pattern "${pattern.name}" in table "${context.name}"`
  }

  protected override onlyReads(): boolean {
    return true
  }

  async execute(options?: PageOptions): Promise<object> {
    return consumedBy(await this.run(answerAll, options))
  }

  async measure(options?: PageOptions): Promise<object> {
    const { result, meter } = await this.run(answerAll, options)
    const { item, items = [item], groups } = result
    const given = Object.values(groups ?? items ?? {}).flat()
    const itemsReturned = given.filter((each) => each !== undefined).length
    const { context, pattern } = this.builder
    const plan = planPattern(pattern, Object(this.input), context.environment.now())
    return { plan, ...meter, itemsReturned, result }
  }

  explain(): Explanation | Explanation[] {
    const { builder, input } = this
    const { op } = builder.pattern.definition
    if (op === 'transact') return builder.transaction(input).explain()
    if (op.endsWith('Get')) return builder.gets(input).map((get) => get.explain())
    return op === 'query' || op === 'scan'
      ? limited(builder, input).explain()
      : builder.single(input).explain()
  }

  params(): object {
    return paramsOf(this.builder, this.input)
  }

  /** Carries it out in a context that counts what is sent. */
  protected async run(
    answer: Answer,
    options?: PageOptions,
  ): Promise<{ readonly result: Result; readonly meter: Meter }> {
    const { pattern, place, context } = this.builder
    const counted = metered(context)
    const builder = new PatternBuilder(counted.context, pattern, place)
    const result = await answer(builder, this.input, this.optionsWith(options))
    return { result, meter: counted.meter }
  }

  /** Those of the call, and of one run. */
  protected optionsWith(more: PageOptions | undefined): PageOptions {
    const { pattern, place } = this.builder
    const own = pattern.definition.op === 'transact' ? [...CALL_OPTIONS, 'token'] : CALL_OPTIONS
    const known = { where: place, names: isPaged(pattern) ? PAGE_OPTIONS : own }
    for (const given of [this.options, more]) if (given !== undefined) checkOptions(known, given)
    return { ...this.options, ...more }
  }
}

/** A call of a pattern that queries or scans. */
export class BoundPageCall extends BoundCall {
  async page(options?: PageOptions): Promise<object> {
    return consumedBy(await this.run(answerPage, options))
  }

  iterate(options?: PageOptions): AsyncGenerator<unknown, void, undefined> {
    const undecoded: UndecodedItem[] = []
    return keepUndecoded(this.each(options, undecoded), undecoded)
  }

  private async *each(
    options: PageOptions | undefined,
    undecoded: UndecodedItem[],
  ): AsyncGenerator<unknown, void, undefined> {
    const { builder, input } = this
    const { cursor, limit, ...rest } = this.optionsWith(options)
    const pages = limited(builder, input, limit).cursor(cursor)
    if (!builder.fetchesOthers) yield* withLeftOut(pages.iterate(rest), undecoded)
    // One entity is read where others are fetched.
    else yield* followed(builder, (await pages.execute(rest)) as object[], rest, undecoded)
  }

  [Symbol.asyncIterator](): AsyncGenerator<unknown, void, undefined> {
    return this.iterate()
  }

  /**
   * Results one by one to the last, whatever the limit; where others are fetched by them, page
   * after page.
   */
  all(): AsyncGenerator<unknown, void, undefined> {
    const undecoded: UndecodedItem[] = []
    return keepUndecoded(this.eachOfAll(undecoded), undecoded)
  }

  private async *eachOfAll(undecoded: UndecodedItem[]): AsyncGenerator<unknown, void, undefined> {
    const { builder, input, options } = this
    const limit = limitOf(builder.pattern)
    const found = builder.pages(input)
    const pages = limit === undefined ? found : found.pageSize(limit)
    if (!builder.fetchesOthers) return yield* withLeftOut(pages.iterate(options), undecoded)
    let cursor: string | undefined
    do {
      const page = await pages.cursor(cursor).page(options)
      // One entity is read where others are fetched.
      if ('items' in page) yield* followed(builder, page.items, options, undecoded, page)
      cursor = page.cursor
    } while (cursor !== undefined)
  }
}

/** A call of a pattern that writes. */
export class BoundWriteCall extends BoundCall {
  protected override onlyReads(): boolean {
    return false
  }

  async exactlyOnce(options?: CallOptions): Promise<object> {
    const { result, meter } = await this.run(
      (builder, input, given) => answerAll(builder, input, given, true),
      options,
    )
    // What is written whole is known; of the others a transaction gives nothing back.
    const { item, ...rest } = result
    return { ...rest, ...(item !== undefined && { item }), consumed: meter.consumed }
  }

  result(options?: CallOptions): Promise<object> {
    return resultOf(() => this.execute(options))
  }
}

function consumedBy({ result, meter }: { result: Result; meter: Meter }): object {
  return Object.assign(result, { consumed: meter.consumed })
}

/** All results, up to the limit. */
async function answerAll(
  builder: PatternBuilder,
  input: unknown,
  given: PageOptions,
  exactlyOnce = false,
): Promise<Result> {
  const { context, pattern } = builder
  const { definition } = pattern
  const { cursor, limit, ...options } = given
  switch (definition.op) {
    case 'query':
    case 'scan': {
      const gives = definition.op === 'query' && definition.gives
      if (gives) {
        // Of several entities only items are asked for.
        const count = await (limited(builder, input) as Pages).count(options)
        return gives === 'count' ? { count } : { exists: count > 0 }
      }
      const found = await limited(builder, input, limit).cursor(cursor).execute(options)
      if (!Array.isArray(found)) return withUndecoded({ groups: found }, found)
      const items = await builder.followEach(found as object[], options)
      return withUndecoded({ items: items.filter(isFound) }, found, items)
    }
    case 'batchGet': {
      const plans = builder.gets(input).map((get) => get.toPlan())
      const call = startCall(context, 'batchGet', definition.entity, options)
      // The input of a list of gets is a list.
      return { items: await executeBatchGet(context, call, plans, input as readonly unknown[]) }
    }
    case 'transactGet': {
      let transaction = new TransactGet(context, [])
      for (const get of builder.gets(input)) transaction = transaction.addGet(get)
      return { items: await transaction.execute(options) }
    }
    case 'transact': {
      const { token, ...rest } = options as TransactOptions
      const transaction = builder.transaction(input)
      const named = token === undefined ? transaction : transaction.withClientRequestToken(token)
      const outputs = await named.execute(rest)
      const written = [...pattern.steps].flatMap(([name, { definition }]) => {
        if (!/^(create|put)$/.test(definition.op)) return []
        const own = outputs.filter((_, position) => transaction.steps[position]?.step === name)
        return [[name, (definition as StepPattern).each ? own : own[0]]]
      })
      return { items: Object.fromEntries(written) }
    }
    default:
      return { item: await builder.single(input, exactlyOnce).execute(options) }
  }
}

/** One page: up to the limit, or else what one request gives. */
async function answerPage(
  builder: PatternBuilder,
  input: unknown,
  { cursor, limit, ...options }: PageOptions,
): Promise<Result> {
  const page = await limited(builder, input, limit).cursor(cursor).page(options)
  if ('groups' in page) {
    return withUndecoded(derivePage(page, { groups: page.groups }), page)
  }
  const items = await builder.followEach(page.items, options)
  return withUndecoded(derivePage(page, { items: items.filter(isFound) }, items), page, items)
}

/** Results one by one; what is left out of them is added to a list. */
async function* withLeftOut(
  results: AsyncGenerator<unknown, void, undefined>,
  undecoded: UndecodedItem[],
): AsyncGenerator<unknown, void, undefined> {
  for await (const each of results) {
    undecoded.push(...undecodedOf(results).slice(undecoded.length))
    yield each
  }
  undecoded.push(...undecodedOf(results).slice(undecoded.length))
}

/** What was found, or the items it refers to; what is left out is added to a list. */
async function* followed(
  builder: PatternBuilder,
  found: readonly object[],
  options: CallOptions | undefined,
  undecoded: UndecodedItem[],
  source: object = found,
): AsyncGenerator<unknown, void, undefined> {
  const items = await builder.followEach(found, options)
  undecoded.push(...undecodedOf(source), ...undecodedOf(items))
  yield* items.filter(isFound)
}

function isFound(item: object | undefined): boolean {
  return item !== undefined
}

/** A result with what was left out of what it was made of, because it does not fit its model. */
function withUndecoded(result: Result, ...read: readonly object[]): Result {
  const undecoded = [...new Set(read)].flatMap(undecodedOf)
  if (undecoded.length === 0) return result
  return keepUndecoded(Object.assign(result, { undecoded }), undecoded)
}

function paramsOf(builder: PatternBuilder, input: unknown): object {
  const { context, pattern } = builder
  switch (pattern.definition.op) {
    case 'query':
    case 'scan':
      return limited(builder, input).dbParams()
    case 'batchGet': {
      const Keys = builder.gets(input).map((get) => (get.dbParams() as { Key: object }).Key)
      return { RequestItems: { [context.name]: { Keys } } }
    }
    case 'transactGet':
      return { TransactItems: builder.gets(input).map((get) => ({ Get: get.dbParams() })) }
    case 'transact':
      return builder.transaction(input).dbParams()
    default:
      return builder.single(input).dbParams()
  }
}

/** The builder of what is read, with the limit of a call, or else of the pattern. */
function limited(builder: PatternBuilder, input: unknown, limit = limitOf(builder.pattern)) {
  const pages = builder.pages(input)
  return limit === undefined ? pages : pages.limit(limit)
}

function limitOf({ definition }: Pattern): number | undefined {
  return definition.op === 'query' ? definition.limit : undefined
}

/** Whether it gives items page after page. */
export function isPaged({ definition }: Pattern): boolean {
  return definition.op === 'query' ? !definition.gives : definition.op === 'scan'
}
