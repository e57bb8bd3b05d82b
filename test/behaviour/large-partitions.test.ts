import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'
import { requestsOf } from './requests-of.ts'

/** Shards and time buckets: keys that spread a model over partitions, and queries that read them as
 * one. */

const LogSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byLevel: { hash: 'levelPk', sort: 'levelSk' },
    byScore: { hash: 'scorePk', sort: 'score', project: 'keys' },
    unsorted: { hash: 'unsortedPk' },
  },
  models: {
    Event: {
      key: { pk: 'LOG#${log}#${at:day}#${shard}', sk: 'AT#${at}#${id}' },
      index: {
        levelPk: 'LEVEL#${level}#${at:month}',
        levelSk: '${at}',
        scorePk: 'SCORE#${shard}',
        unsortedPk: 'UNSORTED#${log}#${shard}',
      },
      shard: { count: 3, by: ['id'] },
      attributes: {
        log: { type: String, required: true },
        at: { type: Date, required: true, start: '2026-11-01' },
        id: { type: String, required: true },
        level: { type: String },
        score: { type: Number },
        expires: { type: Number, ttl: true },
      },
    },
    Shelf: {
      key: { pk: 'SHELF#${name:lower}#${part}', sk: 'SHELF' },
      shard: { count: 4, name: 'part' },
      attributes: { name: { type: String, required: true }, size: { type: Number } },
    },
  },
})

const DAYS = 5
const PER_DAY = 6
const timeOf = (day: number, hour: number): Date => new Date(Date.UTC(2026, 10, day, hour))
/** Ids in the order of time. */
const IDS = Array.from(
  { length: DAYS * PER_DAY },
  (_, number) => `e${String(number).padStart(2, '0')}`,
)

onEachTarget((target) => {
  let table: Table<typeof LogSchema>
  beforeAll(async () => {
    table = await target.table(LogSchema, {
      // Until the last day of the events, and a second on.
      environment: {
        now: () => timeOf(DAYS, 23).getTime(),
        randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
        schedule: (callback, delayMs) => {
          const timer = setTimeout(callback, delayMs)
          return () => clearTimeout(timer)
        },
      },
    })
    await table.entities.Event.batchWrite(
      IDS.map((id, number) => ({
        log: 'web',
        id,
        at: timeOf(1 + Math.floor(number / PER_DAY), number % PER_DAY),
        level: number % 5 === 0 ? 'error' : 'info',
        score: number % 4,
      })),
    ).execute()
  })
  const ids = (events: readonly { readonly id: string }[]): string[] => events.map(({ id }) => id)
  const query = () => table.entities.Event.query({ log: 'web' })
  const between = (from: Date, to: Date) =>
    query().where((attr, op) => op.between(attr.at, from, to))

  describe('single items', () => {
    test('are found by their key: the shard follows from it', async () => {
      const { Event } = table.entities
      const key = { log: 'web', at: timeOf(2, 1), id: IDS[7]! }
      const operations = await requestsOf(table, async () => {
        expect(await Event.get(key).execute()).toMatchObject({ id: IDS[7], score: 3 })
      })
      expect(operations).toEqual(['GetItem'])
      const { pk } = Event.renderKey(key)
      expect(pk).toMatch(/^LOG#web#2026-11-02#[012]$/)
      expect(Event.parseKey(Event.renderKey(key))).toEqual(key)
      expect(Event.parseKey({ pk })).toMatchObject({ log: 'web' })
    })

    test('are updated, upserted and deleted by their key', async () => {
      const { Event } = table.entities
      const key = { log: 'other', at: timeOf(2, 1), id: 'x' }
      await Event.upsert(key).set({ level: 'info' }).execute()
      expect(await Event.get(key).execute()).toEqual({ ...key, level: 'info' })
      await Event.update(key).set({ level: 'error' }).execute()
      const found = await Event.query({ log: 'other' }).execute()
      expect(found).toEqual([{ ...key, level: 'error' }])
      await Event.delete(key).execute()
      expect(await Event.query({ log: 'other' }).execute()).toEqual([])
    })

    test('keys in small letters have one shard', async () => {
      const { Shelf } = table.entities
      await Shelf.put({ name: 'Long', size: 1 }).execute()
      expect(await Shelf.get({ name: 'LONG' }).execute()).toEqual({ name: 'Long', size: 1 })
      expect(await Shelf.query({ name: 'long' }).execute()).toEqual([])
      const anyCase = Shelf.query().where((attr, op) => op.ignoreCase(attr.name, 'long'))
      expect(await anyCase.execute()).toHaveLength(1)
      expect(anyCase.explain()).not.toHaveProperty('partitions')
      await Shelf.upsert({ name: 'LoNG' }).set({ size: 2 }).execute()
      expect(await Shelf.get({ name: 'long' }).execute()).toEqual({ name: 'Long', size: 2 })
    })

    test('a change of what the key is made of moves the item', async () => {
      const { Event } = table.entities
      const key = { log: 'moved', at: timeOf(2, 1), id: 'x' }
      await Event.put({ ...key, level: 'info' }).execute()
      await Event.update(key)
        .set({ at: timeOf(4, 1) })
        .execute()
      expect(await Event.get(key).execute()).toBeUndefined()
      expect(await Event.query({ log: 'moved' }).execute()).toEqual([
        { ...key, at: timeOf(4, 1), level: 'info' },
      ])
      const inMonth = Event.query({ level: 'info' }).useIndex('byLevel')
      expect(
        ids(await inMonth.where((attr, op) => op.eq(attr.at, timeOf(4, 1))).execute()),
      ).toContain('x')
      await Event.delete({ ...key, at: timeOf(4, 1) }).execute()
    })

    test('index keys with buckets and shards follow an update', async () => {
      const { Event } = table.entities
      const key = { log: 'indexed', at: timeOf(3, 1), id: 'y' }
      const levels = (level: string) =>
        Event.query({ level })
          .where((attr, op) => op.between(attr.at, timeOf(1, 0), timeOf(5, 0)))
          .useIndex('byLevel')
      await Event.put(key).execute()
      expect(ids(await levels('rare').execute())).toEqual([])
      await Event.update(key).set({ level: 'rare' }).execute()
      expect(ids(await levels('rare').execute())).toEqual(['y'])
      await Event.update(key).remove('level').execute()
      expect(ids(await levels('rare').execute())).toEqual([])
      await Event.delete(key).execute()
    })
  })

  describe('queries', () => {
    test('give all items in the order of time', async () => {
      expect(ids(await query().execute())).toEqual(IDS)
      expect(ids(await query().scanIndexForward(false).execute())).toEqual(IDS.toReversed())
    })

    test('of a range give what is in it, to the millisecond', async () => {
      expect(ids(await between(timeOf(2, 3), timeOf(4, 1)).execute())).toEqual(IDS.slice(9, 20))
      const open = query().where((attr, op) =>
        op.and(op.gt(attr.at, timeOf(2, 3)), op.lt(attr.at, timeOf(4, 1))),
      )
      expect(ids(await open.execute())).toEqual(IDS.slice(10, 19))
    })

    test('without an end go until now', async () => {
      const recent = query().where((attr, op) => op.gte(attr.at, timeOf(5, 2)))
      expect(ids(await recent.execute())).toEqual(IDS.slice(26))
      expect(recent.explain().partitions).toContain('3 partitions')
    })

    test('limit, first, count and iterate see one order', async () => {
      expect(ids(await query().limit(8).execute())).toEqual(IDS.slice(0, 8))
      expect((await query().scanIndexForward(false).first())?.id).toBe(IDS.at(-1))
      expect(await query().count()).toBe(IDS.length)
      expect(await between(timeOf(2, 3), timeOf(4, 1)).count()).toBe(11)
      const seen: string[] = []
      for await (const { id } of query()) {
        seen.push(id)
        if (seen.length === 9) break
      }
      expect(seen).toEqual(IDS.slice(0, 9))
    })

    test.each([1, 2, 3, 5, 7, 100])('pages of %i skip and repeat nothing', async (limit) => {
      for (const forward of [true, false]) {
        const pages: string[] = []
        let cursor: string | undefined
        do {
          const page = await query()
            .scanIndexForward(forward)
            .limit(limit)
            .startFrom(cursor)
            .executeWithPagination()
          expect(page.items.length).toBeLessThanOrEqual(limit)
          pages.push(...ids(page.items))
          cursor = page.cursor
        } while (cursor !== undefined)
        expect(pages).toEqual(forward ? IDS : IDS.toReversed())
      }
    })

    test('a filter and a limit together give what passes it', async () => {
      const errors = IDS.filter((_, number) => number % 5 === 0)
      const filtered = query().where((attr, op) => op.eq(attr.level, 'error'))
      expect(ids(await filtered.execute())).toEqual(errors)
      expect(ids(await filtered.limit(4).execute())).toEqual(errors.slice(0, 4))
      const { cursor } = await filtered.limit(4).executeWithPagination()
      expect(ids(await filtered.startFrom(cursor).execute())).toEqual(errors.slice(4))
    })

    test('what decides the shard reads one of each day', async () => {
      const one = query()
        .where((attr, op) =>
          op.and(op.eq(attr.id, IDS[7]!), op.between(attr.at, timeOf(1, 0), timeOf(3, 0))),
        )
        .useIndex('primary')
      expect(one.explain().partitions).toContain('3 partitions')
      expect(ids(await one.execute())).toEqual([IDS[7]])
    })

    test('of an index that holds keys alone are merged by number, and fetched whole', async () => {
      const { Event } = table.entities
      const best = await Event.query()
        .useIndex('byScore')
        .scanIndexForward(false)
        .hydrate()
        .limit(12)
        .execute()
      expect(best.map(({ score }) => score)).toEqual([3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2])
    })

    test('equal and missing sort keys lose no item', async () => {
      const { Event } = table.entities
      for (const index of ['byScore', 'unsorted'] as const) {
        const found: string[] = []
        let cursor: string | undefined
        do {
          const all = index === 'unsorted' ? Event.query({ log: 'web' }) : Event.query()
          const page = await all
            .useIndex(index)
            .hydrate()
            .limit(4)
            .startFrom(cursor)
            .executeWithPagination()
          found.push(...ids(page.items))
          cursor = page.cursor
        } while (cursor !== undefined)
        expect(found.toSorted()).toEqual(IDS)
      }
    })

    test('items whose time to live is over are not seen', async () => {
      const { Event } = table.entities
      const event = { log: 'gone', at: timeOf(2, 1), id: 'x', expires: 1 }
      await Event.put(event).execute()
      expect(await Event.query({ log: 'gone' }).execute()).toEqual([])
      expect(await Event.query({ log: 'gone' }).count()).toBe(0)
    })

    test('cursors are good for their query alone, and old ones are refused', async () => {
      const { cursor } = await query().limit(4).executeWithPagination()
      for (const other of [
        () => query().scanIndexForward(false).startFrom(cursor).execute(),
        () => table.entities.Event.query({ log: 'other' }).startFrom(cursor).execute(),
        () => between(timeOf(1, 0), timeOf(2, 0)).startFrom(cursor).execute(),
        // The first byte is the version.
        () =>
          query()
            .startFrom(`AQ${cursor?.slice(2)}`)
            .execute(),
      ]) {
        expect(await codeOf(other)).toBe('CURSOR_INVALID')
      }
    })

    test('an aborted call reads no further', async () => {
      const operations = await requestsOf(table, async () => {
        const controller = new AbortController()
        const events = query().limit(30).iterate({ signal: controller.signal })
        await events.next()
        controller.abort(new Error('enough'))
        await expect(
          (async () => {
            for await (const _ of events);
          })(),
        ).rejects.toThrow('enough')
      })
      expect(operations.length).toBeLessThan(DAYS * 3)
    })
  })

  describe('requests', () => {
    test('are sent to the partitions of the range, and to no others', async () => {
      const operations = await requestsOf(table, () =>
        between(timeOf(2, 0), timeOf(3, 0)).execute(),
      )
      expect(operations).toEqual(Array.from({ length: 6 }, () => 'Query'))
    })

    test('are sent bucket by bucket as they are needed', async () => {
      const operations = await requestsOf(table, () => query().limit(2).execute())
      expect(operations).toHaveLength(3)
    })

    test('dbParams() of several partitions says so', () => {
      expect(() => query().dbParams()).toThrow(
        /PLAN_INVALID: The query is not one request: 15 part/,
      )
      const one = table.entities.Event.query({ pk: 'LOG#web#2026-11-02#0' })
      expect(one.dbParams().ExpressionAttributeValues).toMatchObject({
        ':v0': 'LOG#web#2026-11-02#0',
      })
    })
  })
})

describe('the beginning of a time that is a text', () => {
  const schema = defineSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
      Line: {
        key: { pk: 'LOG#${at:month}', sk: '${at}' },
        attributes: { at: { type: String, required: true }, text: { type: String } },
      },
      Sum: {
        key: { pk: 'SUM#${at:day}', sk: '${id}' },
        attributes: { at: { type: String, required: true }, id: { type: String, required: true } },
      },
    },
    patterns: { lines: { op: 'query', entity: 'Line', by: [], range: 'at' } },
  })
  const times = ['2023-12-31T23:59:59.999Z', '2024-01-01T00:00:00.000Z', '2024-02-29T10:00:00.000Z']

  test('says which buckets are read', async () => {
    const table = new Table({ name: 'lines', schema, client: createEngine() })
    await table.create()
    const { Line, Sum } = table.entities
    for (const at of times) {
      await Line.put({ at }).execute()
      await Sum.put({ at, id: 'x' }).execute()
    }
    for (const [prefix, count] of [
      ['2024', 2],
      ['2024-0', 2],
      ['2024-02', 1],
      ['2024-02-29T10:00:00', 1],
      ['2024-03', 0],
      ['2023', 1],
    ] as const) {
      const lines = Line.query().where((attr, op) => op.beginsWith(attr.at, prefix))
      expect(await lines.count()).toBe(count)
      const found: string[] = []
      for await (const { at } of table.patterns.lines.all({ at: { beginsWith: prefix } }))
        found.push(at)
      expect(found).toEqual(times.filter((at) => at.startsWith(prefix)))
      // Here no sort key answers it.
      expect(
        await Sum.query()
          .where((attr, op) => op.beginsWith(attr.at, prefix))
          .count(),
      ).toBe(count)
    }
    expect(await codeOf(() => table.patterns.lines({}))).toBe('INPUT_INVALID')
    const vague = Line.query().where((attr, op) => op.beginsWith(attr.at, '20'))
    expect(await codeOf(() => vague.execute())).toBe('PLAN_NO_INDEX')
  })
})
