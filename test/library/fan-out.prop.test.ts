import fc from 'fast-check'
import {
  defineSchema,
  type Explanation,
  type Page,
  type SchemaDefinition,
  Table,
} from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'

/**
 * Whatever shards and buckets of time spread the items of a model over, a query gives what a look
 * at all items gives, filtered and sorted here: in one piece, and in pages of every size.
 */

// A long run: PROPERTY_RUNS=10000 PROPERTY_SEED=1. A failure prints its seed in any case.
const runs = Number(process.env.PROPERTY_RUNS ?? 120)
const timeoutMs = 60_000 + 200 * runs
const seed =
  process.env.PROPERTY_SEED === undefined ? {} : { seed: Number(process.env.PROPERTY_SEED) }

const BASE_MS = Date.parse('2026-02-27T22:00:00.000Z')
const STEPS = {
  year: 100 * 86_400_000,
  month: 9 * 86_400_000,
  day: 7 * 3_600_000,
  hour: 17 * 60_000,
  minute: 13_000,
}
type Unit = keyof typeof STEPS
type TimeKind = 'date' | 'text' | 'number'

/** Entities and queries as far as they are used here, whatever the schema is. */
interface LooseEntity {
  put(item: object): { execute(): Promise<unknown> }
  query(values: object): LooseQuery
}
interface LooseQuery extends AsyncIterable<Found> {
  where(
    condition: (
      attr: { readonly at: unknown },
      op: { readonly [operator: string]: (...operands: unknown[]) => unknown },
    ) => unknown,
  ): LooseQuery
  useIndex(index: string): LooseQuery
  hydrate(): LooseQuery
  scanIndexForward(forward: boolean): LooseQuery
  limit(limit: number): LooseQuery
  pageSize(pageSize: number): LooseQuery
  startFrom(cursor: string | undefined): LooseQuery
  explain(): Explanation
  execute(): Promise<Found[]>
  executeWithPagination(): Promise<Page<Found>>
  first(): Promise<Found | undefined>
  count(): Promise<number>
}
interface Found {
  readonly id: string
}

interface Design {
  readonly kind: TimeKind
  readonly unit: Unit | undefined
  readonly shards: number | undefined
  readonly by: 'key' | 'group' | 'rank'
  /** What the sort key begins with: the time, the rank, or nothing of either. */
  readonly sort: 'at' | 'rank' | 'id' | 'bucket'
  readonly index: 'primary' | 'global' | 'partial'
  readonly start: boolean
}

const design: fc.Arbitrary<Design> = fc
  .record({
    kind: fc.constantFrom<TimeKind>('date', 'text', 'number'),
    unit: fc.option(fc.constantFrom<Unit>('year', 'month', 'day', 'hour', 'minute'), {
      nil: undefined,
    }),
    shards: fc.option(fc.constantFrom(1, 2, 3, 5, 11), { nil: undefined }),
    by: fc.constantFrom<Design['by']>('key', 'group', 'rank'),
    sort: fc.constantFrom<Design['sort']>('at', 'at', 'rank', 'id', 'bucket'),
    index: fc.constantFrom<Design['index']>('primary', 'global', 'partial'),
    start: fc.boolean(),
  })
  .filter(({ unit, shards }) => unit !== undefined || shards !== undefined)

interface Entry {
  readonly id: string
  readonly group: string
  readonly step: number
  readonly rank: number
}

const entries: fc.Arbitrary<Entry[]> = fc
  .array(
    fc.record({
      group: fc.constantFrom('a', 'a', 'a', 'b'),
      step: fc.integer({ min: 0, max: 12 }),
      rank: fc.integer({ min: 0, max: 5 }),
    }),
    { maxLength: 40 },
  )
  .map((all) => all.map((entry, position) => ({ ...entry, id: `i${position}` })))

const bound = fc.record({
  operator: fc.constantFrom('gt', 'gte', 'lt', 'lte', 'between', 'eq'),
  step: fc.integer({ min: -1, max: 13 }),
  width: fc.integer({ min: 0, max: 13 }),
})

const question = fc.record({
  bounds: fc.array(bound, { maxLength: 3 }),
  rank: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
  forward: fc.boolean(),
  limit: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
  pageSize: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
})

function schemaOf({ kind, unit, shards, by, sort, index, start }: Design): SchemaDefinition {
  const spread = `${unit ? `#\${at:${unit}}` : ''}${shards ? '#${shard}' : ''}`
  const hash = `LOG#\${group}${spread}`
  const sorts = {
    at: 'E#${at}#${id}',
    rank: 'E#${rank:pad(2)}#${id}',
    id: 'E#${id}',
    bucket: 'E#${at:day}#${id}',
  }
  const time = { date: Date, text: String, number: Number }[kind]
  const atSort = kind === 'number' ? 'E#${at:pad(14)}#${id}' : sorts.at
  const sortTemplate = sort === 'at' ? atSort : sorts[sort]
  const isPrimary = index === 'primary'
  const shard = shards && {
    count: shards,
    ...(by === 'group' && { by: ['group'] }),
    // Of what is not in the primary key only other indexes can be made.
    ...(by === 'rank' && !isPrimary && { by: ['rank'] }),
  }
  return {
    indexes: {
      primary: { hash: 'pk', sort: 'sk' },
      ...(!isPrimary && {
        byTime: {
          hash: 'gsi1pk',
          sort: 'gsi1sk',
          project: index === 'partial' ? ['group', 'at', 'rank'] : 'all',
        },
      }),
    },
    models: {
      Entry: {
        key: isPrimary ? { pk: hash, sk: sortTemplate } : { pk: 'ENTRY#${id}', sk: 'ENTRY' },
        ...(!isPrimary && { index: { gsi1pk: hash, gsi1sk: sortTemplate } }),
        ...(shard && { shard }),
        attributes: {
          id: { type: String, required: true },
          group: { type: String, required: true },
          at: {
            type: time,
            required: true,
            ...(kind === 'text' && { encode: true }),
            ...(start && { start: '2026-02-27' }),
          },
          rank: { type: Number, required: true },
        },
      },
      // Shares partitions where the key allows it.
      Other: {
        key: { pk: 'LOG#${group}', sk: 'OTHER#${id}' },
        attributes: { id: { type: String }, group: { type: String } },
      },
    },
  } as SchemaDefinition
}

test('queries over shards and time buckets find what a look at all items finds, in order, whole and in pages', {
  timeout: timeoutMs,
}, async () => {
  let asked = 0
  let fanned = 0
  await fc.assert(
    fc.asyncProperty(
      design,
      entries,
      fc.array(question, { minLength: 1, maxLength: 6 }),
      async (shape, items, questions) => {
        const { kind, unit, sort } = shape
        const timeOf = (step: number): unknown => {
          const ms = BASE_MS + step * STEPS[unit ?? 'day']
          if (kind === 'number') return ms
          return kind === 'date' ? new Date(ms) : new Date(ms).toISOString()
        }
        const engine = createEngine()
        const table = new Table({
          name: 'table',
          schema: defineSchema(schemaOf(shape)),
          client: engine,
          environment: {
            now: () => BASE_MS + 12 * STEPS[unit ?? 'day'],
            randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
            schedule: () => () => {},
          },
        })
        await table.create()
        // The schema is made at random, so nothing is known of its types.
        const Entry = table.entities.Entry as unknown as LooseEntity
        for (const { step, ...rest } of items) {
          await Entry.put({ ...rest, at: timeOf(step) }).execute()
        }
        for (const { bounds, rank, forward, limit, pageSize } of questions) {
          const build = (): LooseQuery => {
            let query = Entry.query({ group: 'a', ...(rank !== undefined && { rank }) })
            for (const { operator, step, width } of bounds) {
              query = query.where((attr, op) =>
                op[operator]!(attr.at, timeOf(step), timeOf(step + width)),
              )
            }
            if (shape.index !== 'primary') query = query.useIndex('byTime')
            if (shape.index === 'partial') query = query.hydrate()
            query = query.scanIndexForward(forward)
            if (limit !== undefined) query = query.limit(limit)
            return pageSize === undefined ? query : query.pageSize(pageSize)
          }
          const isOpen = !(
            bounds.some(({ operator }) => operator === 'eq') ||
            ['gt', 'lt'].every((way) =>
              bounds.some(({ operator }) => operator === 'between' || operator.startsWith(way)),
            )
          )
          if (unit && isOpen && !shape.start) {
            const code = bounds.length === 0 ? 'PLAN_NO_INDEX' : 'PLAN_RANGE_OPEN'
            expect(() => build().explain()).toThrow(code)
            continue
          }
          asked++
          if (build().explain().partitions) fanned++

          const sortText = ({ step, rank: its, id }: Entry): string => {
            const iso = new Date(BASE_MS + step * STEPS[unit ?? 'day']).toISOString()
            const rankText = String(its).padStart(2, '0')
            return `${{ at: iso, rank: rankText, id: '', bucket: iso.slice(0, 10) }[sort]}#${id}`
          }
          const bucketOf = ({ step }: Entry): string => {
            const iso = new Date(BASE_MS + step * STEPS[unit ?? 'day']).toISOString()
            return unit
              ? iso.slice(0, { year: 4, month: 7, day: 10, hour: 13, minute: 16 }[unit])
              : ''
          }
          const orderText = (entry: Entry): string => `${bucketOf(entry)}|${sortText(entry)}`
          const expected = items
            .filter((entry) => entry.group === 'a' && (rank === undefined || entry.rank === rank))
            .filter(({ step: its }) =>
              bounds.every(({ operator, step, width }) => {
                if (operator === 'gt') return its > step
                if (operator === 'gte') return its >= step
                if (operator === 'lt') return its < step
                if (operator === 'lte') return its <= step
                return operator === 'eq' ? its === step : its >= step && its <= step + width
              }),
            )
            .sort((a, b) => (orderText(a) < orderText(b) ? -1 : 1) * (forward ? 1 : -1))
            .map(({ id }) => id)
          const ids = (found: readonly Found[]): string[] => found.map(({ id }) => id)
          const some = expected.slice(0, limit)
          expect(ids(await build().execute())).toEqual(some)
          expect(await build().count()).toBe(some.length)
          expect((await build().first())?.id).toBe(expected[0])
          const each: string[] = []
          for await (const { id } of build()) each.push(id)
          expect(each).toEqual(some)

          const paged: string[] = []
          let cursor: string | undefined
          do {
            const page = await build().startFrom(cursor).executeWithPagination()
            expect(page.items.length > 0 || page.cursor === undefined).toBe(true)
            expect(page.items.length).toBeLessThanOrEqual(limit ?? Number.POSITIVE_INFINITY)
            if (limit === undefined && pageSize !== undefined) {
              expect(page.items.length).toBeLessThanOrEqual(pageSize)
            }
            paged.push(...ids(page.items))
            cursor = page.cursor
          } while (cursor !== undefined)
          expect(paged).toEqual(expected)
        }
        await engine.close()
      },
    ),
    { numRuns: runs, ...seed },
  )
  // The test must not pass because hardly anything is asked.
  expect(asked).toBeGreaterThan(runs)
  expect(fanned).toBeGreaterThan(runs / 2)
})
