import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../engine/index.ts'
import { compileSchema } from '../plan/compile-schema.ts'
import { operators as op } from '../plan/operators.ts'
import { planRead } from '../plan/read/plan-read.ts'
import { referencesOf } from '../plan/references.ts'
import type { QueryState } from '../plan/state.ts'
import type { Where } from '../plan/where.ts'
import type { Model } from '../schema/model.ts'
import { createTableRequest } from '../schema/table-request.ts'
import { systemEnvironment } from '../values/environment.ts'
import { compareUtf8 } from '../values/utf8.ts'
import { RetryPolicy } from '../wire/retry-policy.ts'
import { startCall } from './call.ts'
import { fetchAll, fetchCount, fetchPage } from './execute-query.ts'
import type { TableContext } from './table-context.ts'

/** Whatever a query asks for, it finds just the items that a naive look at all items finds. */

const runs = Number(process.env.PROPERTY_RUNS ?? 150)
const TIMEOUT_MS = 60_000 + runs * 50

const attributes = {
  user: { type: String },
  id: { type: Number, required: true },
  a: { type: String, required: true },
  b: { type: String, required: true },
  e: { type: String, required: true, encode: true },
  n: { type: Number, required: true },
  s: { type: Number, required: true, encode: true },
  d: { type: Date, required: true },
  t: { type: Boolean, required: true },
} as const

const TEMPLATES: readonly (readonly [sort: string, separator: string])[] = [
  ['P#${a}#${n:pad(3)}#${b}', '#'],
  ['P#${n:pad(3):desc}#${a}', '#'],
  ['P#${n:pad(3)}${a}', '#'],
  ['P#${a}${n:pad(3)}', '#'],
  ['P#${a}-${n:pad(3)}#${b}', '#'],
  ['P#${a}', '#'],
  ['P#${e}', '#'],
  ['P#${e}#${a}', '#'],
  ['P#${e}-${n:pad(3)}', '#'],
  ['P#${d}#${a}', '#'],
  ['P#${d:desc}', '#'],
  ['P#${s}#${a}', '#'],
  ['P#${s:desc}', '#'],
  ['P#${t}#${s}', '#'],
  ['P#${a:lower}#${n:pad(3)}', '#'],
  ['${a}#${b}', '#'],
  ['${n:pad(3)}#${b}', '#'],
  ['P|${e}|${a}', '|'],
  ['P|${e}', '|'],
  ['P/${a}/${n:pad(3)}', '/'],
]

// Signs before and after the separators, the escape sign, and letters whose order differs between
// UTF-16 and UTF-8.
const letter = fc.constantFrom(
  ' ',
  '!',
  '$',
  '%',
  '-',
  '0',
  'a',
  'b',
  '~',
  'é',
  '\uffee',
  '\u{10000}',
)
// Few of them most of the time, so that one text is often the beginning of another.
const some = fc.oneof(letter, fc.constantFrom('a', '-', '0', 'a'))
const text = fc.string({ unit: some, minLength: 1, maxLength: 3 })
const anyText = fc.string({
  unit: fc.oneof(some, fc.constantFrom('#', '|', '"')),
  minLength: 1,
  maxLength: 3,
})
const values = {
  a: text,
  b: text,
  e: anyText,
  n: fc.integer({ min: 0, max: 12 }),
  s: fc.constantFrom(-12.5, -1, -0.001, 0, 0.001, 1, 1.5, 2, 10, 12.5, 100),
  d: fc.integer({ min: 0, max: 5 }).map((day) => new Date(day * 86_400_000)),
  t: fc.boolean(),
}
type Name = keyof typeof values
type Values = { readonly [TName in Name]: unknown }

const OPERATORS = [
  'eq',
  'eq',
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'between',
  'beginsWith',
] as const

const condition = fc
  .constantFrom<Name>('a', 'a', 'b', 'e', 'e', 'n', 'n', 's', 'd', 't')
  .chain((name) =>
    fc.record({
      name: fc.constant(name),
      operator: fc.constantFrom(...OPERATORS),
      value: values[name] as fc.Arbitrary<unknown>,
      high: values[name] as fc.Arbitrary<unknown>,
    }),
  )
  .map((it) => (it.name === 't' ? { ...it, operator: 'eq' as const } : it))
  .filter(({ name, operator, value, high }) => {
    if (operator === 'beginsWith') return 'abe'.includes(name)
    return operator !== 'between' || compare(value, high) <= 0
  })

const program = fc.record({
  items: fc.array(fc.record(values), { minLength: 1, maxLength: 14 }),
  conditions: fc.array(condition, { maxLength: 4 }),
  forward: fc.boolean(),
  limit: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  pageSize: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
})

describe.each(TEMPLATES)('queries of %s, separated by %s', (sort, separator) => {
  it('find what a look at all items finds, in one piece and in pages', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const schema = compileSchema({
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: {
        Post: { key: { pk: `U${separator}\${user}`, sk: sort }, attributes },
        // Shares every partition, and in keys without a literal head also their range.
        Near: {
          key: {
            pk: `U${separator}\${user}`,
            sk: `0${separator}\${id:pad(4)}${separator}X${separator}X`,
          },
          attributes: { user: { type: String }, id: { type: Number } },
        },
      },
      params: { separator },
    })
    const engine = createEngine()
    await engine.send('CreateTable', createTableRequest(schema, 'table'))
    const context: TableContext = {
      name: 'table',
      schema,
      transport: engine,
      environment: systemEnvironment,
      retry: new RetryPolicy({ attemptsMax: 1, delayMsBase: 1, delayMsMax: 1 }),
      deadlineMs: undefined,
      cursorSecrets: [],
      warn: () => {},
    }
    const Post = schema.models.get('Post')!
    const Near = schema.models.get('Near')!
    let partition = 0
    await fc.assert(
      fc.asyncProperty(program, async ({ items, conditions, forward, limit, pageSize }) => {
        const user = `u${partition++}`
        const stored = new Map<string, Values & { readonly id: number }>()
        for (const [id, item] of items.entries()) {
          const { item: Item } = Post.encodeNew({ user, id, ...item }, systemEnvironment, 'test')
          await engine.send('PutItem', { TableName: 'table', Item })
          stored.set(Item.sk?.S ?? '', { id, ...item })
        }
        for (let id = 0; id < 2; id++) {
          const { item: Item } = Near.encodeNew({ user, id }, systemEnvironment, 'test')
          await engine.send('PutItem', { TableName: 'table', Item })
        }
        const expected = [...stored]
          .filter(([, item]) => conditions.every((it) => holds(it, item)))
          .sort(([a], [b]) => compareUtf8(a, b) * (forward ? 1 : -1))
          .map(([, { id }]) => id)
          .slice(0, limit)

        const state = stateOf(Post, user, conditions, { forward, limit, pageSize })
        const plan = planRead(state, { tableName: 'table', environment: systemEnvironment })
        const call = startCall(context, 'query', 'Post', undefined)
        const ids = (outputs: readonly Record<string, unknown>[]): unknown[] =>
          outputs.map((output) => output.id)
        expect(ids(await fetchAll(context, call, plan, undefined))).toEqual(expected)
        expect(await fetchCount(context, call, plan, undefined)).toBe(expected.length)
        const paged: unknown[] = []
        let cursor: string | undefined
        do {
          const page = await fetchPage(context, call, plan, cursor)
          expect(page.items.length > 0 || page.cursor === undefined).toBe(true)
          if (limit !== undefined) expect(page.items.length).toBeLessThanOrEqual(limit)
          paged.push(...ids(page.items))
          cursor = page.cursor
        } while (cursor !== undefined)
        expect(paged.slice(0, limit)).toEqual(expected)
      }),
      { numRuns: runs },
    )
    await engine.close()
  })
})

function stateOf(
  model: Model,
  user: string,
  conditions: readonly Asked[],
  more: Partial<QueryState>,
): QueryState {
  const attr = referencesOf(model) as Record<string, unknown>
  const where = op.and(
    op.eq(attr.user, user),
    ...conditions.map(({ name, operator, value, high }) => op[operator](attr[name], value, high)),
  ) as Where
  return {
    model,
    verb: 'query',
    select: undefined,
    consistentRead: false,
    capacity: undefined,
    where,
    index: undefined,
    forward: true,
    limit: undefined,
    pageSize: undefined,
    cursor: undefined,
    segment: undefined,
    hydrate: false,
    includeExpired: false,
    ...more,
  }
}

interface Asked {
  readonly name: Name
  readonly operator: (typeof OPERATORS)[number]
  readonly value: unknown
  readonly high: unknown
}

function holds({ name, operator, value, high }: Asked, item: Values): boolean {
  const order = compare(item[name], value)
  switch (operator) {
    case 'eq':
      return order === 0
    case 'ne':
      return order !== 0
    case 'lt':
      return order < 0
    case 'lte':
      return order <= 0
    case 'gt':
      return order > 0
    case 'gte':
      return order >= 0
    case 'between':
      return order >= 0 && compare(item[name], high) <= 0
    case 'beginsWith':
      return String(item[name]).startsWith(String(value))
  }
}

function compare(a: unknown, b: unknown): number {
  return typeof a === 'string' ? compareUtf8(a, String(b)) : Number(a) - Number(b)
}
