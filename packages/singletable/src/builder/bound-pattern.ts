import { printPlace } from '../errors/print-place.ts'
import { executeBatchGet } from '../execute/batch-get.ts'
import { startCall } from '../execute/call.ts'
import { type Meter, metered } from '../execute/meter.ts'
import type { CallOptions } from '../execute/table-context.ts'
import { planPattern } from '../plan/plan-pattern.ts'
import { refuseInput } from '../schema/input-issues.ts'
import type { Pattern } from '../schema/model.ts'
import type { BuilderContext } from './builder.ts'
import { namedMembers } from './named-members.ts'
import { PatternBuilder } from './pattern-builder.ts'
import type { PageOptions } from './patterns.ts'
import { TransactGet } from './transact-get.ts'

const CALL_OPTIONS = ['signal', 'deadlineMs']
const WRITES: ReadonlySet<string> = new Set(['create', 'put', 'update', 'delete', 'transact'])
const PAGE_OPTIONS = ['cursor', 'limit', ...CALL_OPTIONS]

/** What a call gives; each kind of pattern some of it. */
interface Result {
  readonly item?: unknown
  readonly items?: unknown
  readonly groups?: object
  readonly cursor?: string | undefined
}

/** The functions of all patterns of a table: what `Patterns` promises. */
export function bindPatterns(context: BuilderContext): object {
  return namedMembers(
    'pattern',
    context.name,
    Array.from(context.schema.patterns, ([name, pattern]) => [
      name,
      bindPattern({ ...context, pattern: name }, pattern),
    ]),
  )
}

function bindPattern(context: BuilderContext, pattern: Pattern): object {
  const { op } = pattern.definition
  const place = printPlace({ table: context.name, pattern: pattern.name })
  const isPaged = op === 'query' || op === 'scan'
  const known = isPaged ? PAGE_OPTIONS : CALL_OPTIONS
  const builder = new PatternBuilder(context, pattern, place)

  const run = async (
    input: unknown,
    options: PageOptions = {},
    exactlyOnce = false,
  ): Promise<{ readonly result: Result; readonly meter: Meter }> => {
    const issues = Object.keys(options)
      .filter((name) => !known.includes(name))
      .map((name) => ({ path: [name], message: 'is no option here' }))
    if (issues.length > 0) refuseInput(issues, place, `use ${known.join(', ')}`, 'OPTION_INVALID')
    const counted = metered(context)
    const counting = new PatternBuilder(counted.context, pattern, place)
    return { result: await execute(counting, input, options, exactlyOnce), meter: counted.meter }
  }
  const call = async (input: unknown, options?: PageOptions): Promise<object> => {
    const { result, meter } = await run(input, options)
    return { ...result, consumed: meter.consumed }
  }
  const callOnce = async (input: unknown, options?: PageOptions): Promise<object> => {
    const { result, meter } = await run(input, options, true)
    // What is written whole is known; of the others a transaction gives nothing back.
    const { item, ...rest } = result
    return { ...rest, ...(item !== undefined && { item }), consumed: meter.consumed }
  }
  const explain = async (input: unknown, options?: PageOptions): Promise<object> => {
    const { result, meter } = await run(input, options)
    const { item, items = [item], groups } = result
    const given = Object.values(groups ?? items ?? {}).flat()
    const itemsReturned = given.filter((each) => each !== undefined).length
    return {
      plan: planPattern(pattern, Object(input), context.environment.now()),
      ...meter,
      itemsReturned,
      result,
    }
  }
  return Object.freeze(
    Object.assign(call, {
      plan: (input?: object) => planPattern(pattern, input, context.environment.now()),
      params: (input: unknown) => paramsOf(builder, input),
      // It sends what it explains, which is nobody's wish for a write.
      ...(WRITES.has(op) && { exactlyOnce: callOnce }),
      ...((isPaged || op.endsWith('et')) && { explain }),
      ...(isPaged && {
        all: (input: unknown, options?: CallOptions) => fetchAll(builder, input, options),
      }),
    }),
  )
}

async function execute(
  builder: PatternBuilder,
  input: unknown,
  { cursor, limit, ...options }: PageOptions,
  exactlyOnce: boolean,
): Promise<Result> {
  const { context, pattern } = builder
  const { definition } = pattern
  switch (definition.op) {
    case 'query':
    case 'scan': {
      let pages = builder.pages(input).startFrom(cursor)
      const most = limit ?? limitOf(pattern)
      if (most !== undefined) pages = pages.limit(most)
      const page = await pages.executeWithPagination(options)
      return 'groups' in page
        ? { groups: page.groups, cursor: page.cursor }
        : { items: await builder.follow(page.items, options), cursor: page.cursor }
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
      const outputs = await builder.transaction(input).execute(options)
      const written = [...pattern.steps].flatMap(([step, part], position) =>
        /^(create|put)$/.test(part.definition.op) ? [[step, outputs[position]]] : [],
      )
      return { items: Object.fromEntries(written) }
    }
    default:
      return { item: await builder.single(input, exactlyOnce).execute(options) }
  }
}

/** Results one by one; where others are fetched by them, page after page. */
async function* fetchAll(
  builder: PatternBuilder,
  input: unknown,
  options: CallOptions | undefined,
): AsyncGenerator<unknown, void, undefined> {
  const { pattern } = builder
  const limit = limitOf(pattern)
  const all = builder.pages(input)
  const pages = limit === undefined ? all : all.pageSize(limit)
  if (pattern.target === undefined) return yield* pages.iterate(options)
  let cursor: string | undefined
  do {
    const page = await pages.startFrom(cursor).executeWithPagination(options)
    // One entity is read where others are fetched.
    if ('items' in page) yield* await builder.follow(page.items, options)
    cursor = page.cursor
  } while (cursor !== undefined)
}

function paramsOf(builder: PatternBuilder, input: unknown): object {
  const { context, pattern } = builder
  switch (pattern.definition.op) {
    case 'query':
    case 'scan': {
      const limit = limitOf(pattern)
      const pages = builder.pages(input)
      return (limit === undefined ? pages : pages.limit(limit)).dbParams()
    }
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

function limitOf({ definition }: Pattern): number | undefined {
  return definition.op === 'query' ? definition.limit : undefined
}
