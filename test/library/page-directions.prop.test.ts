import fc from 'fast-check'
import { defineSchema, PlanError, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { describe, expect, test } from 'vitest'

const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byColour: { hash: 'colourPk', sort: 'colourSk', project: 'keys' },
    byDay: { hash: 'dayPk', sort: 'daySk' },
    byShard: { hash: 'shardPk', sort: 'daySk' },
  },
  models: {
    Note: {
      key: { pk: 'BOOK#${book}', sk: 'NOTE#${number:pad(4)}' },
      // Many items have the same sort key there.
      index: {
        colourPk: 'COLOUR#${colour}',
        colourSk: 'RANK#${rank:pad(1)}',
        dayPk: 'DAY#${book}#${at:day}',
        shardPk: 'DAYS#${book}#${at:month}#${shard}',
        daySk: 'RANK#${rank:pad(1)}',
      },
      shard: { count: 3, by: ['number'] },
      attributes: {
        book: { type: String, required: true },
        number: { type: Number, required: true },
        colour: { type: String, required: true },
        rank: { type: Number, required: true },
        at: { type: Date, required: true },
      },
    },
  },
})

const HOUR_MS = 3_600_000
const START_MS = Date.UTC(2026, 0, 1)

async function notes(count: number, cursorSecret?: string) {
  const table = new Table({
    name: 'notes',
    schema,
    client: createEngine(),
    ...(cursorSecret && { cursorSecret }),
  })
  await table.create()
  const { Note } = table.entities
  const all = Array.from({ length: count }, (_, number) => ({
    book: 'a',
    number,
    colour: 'red',
    rank: number % 3,
    // Several on a day, and days without any.
    at: new Date(START_MS + number ** 2 * HOUR_MS),
  }))
  for (let at = 0; at < count; at += 25) await Note.batchWrite(all.slice(at, at + 25)).execute()
  return Note
}

/** A query of many partitions. */
function overAll(Note: Awaited<ReturnType<typeof notes>>, index: 'byDay' | 'byShard') {
  const end = new Date(START_MS + 45 * 24 * HOUR_MS)
  return Note.query({ book: 'a' })
    .useIndex(index)
    .where((attr, op) => op.between(attr.at, new Date(START_MS), end))
}

const program = fc.record({
  count: fc.nat(30),
  size: fc.integer({ min: 1, max: 7 }),
  forward: fc.boolean(),
  way: fc.constantFrom('limit', 'pageSize', 'index', 'filter', 'select', 'byDay', 'byShard'),
  secret: fc.boolean(),
  /** Steps: one page on, one back, or on behind one of the items. */
  steps: fc.array(fc.oneof(fc.constantFrom('next', 'next', 'previous'), fc.nat(6)), {
    maxLength: 12,
  }),
})

test('pages forward, backward and behind any item are parts of the whole list', async () => {
  const seed = Number(process.env.PAGE_SEED ?? Date.now() % 2 ** 31)
  console.info(`seed ${seed}`)
  await fc.assert(
    fc.asyncProperty(program, async ({ count, size, forward, way, secret, steps }) => {
      const Note = await notes(count, secret ? 'a secret for these cursors only' : undefined)
      const base =
        way === 'index'
          ? Note.query({ colour: 'red' }).hydrate()
          : way === 'filter'
            ? Note.query({ book: 'a' }).where((attr, op) => op.ne(attr.rank, 1))
            : way === 'byDay' || way === 'byShard'
              ? overAll(Note, way)
              : Note.query({ book: 'a' })
      const ordered = base.scanIndexForward(forward)
      const query = (way === 'select' ? ordered.select(['number']) : ordered) as typeof ordered
      const whole = (await query.execute()).map(({ number }) => number)
      const pages = way === 'pageSize' ? query.pageSize(size) : query.limit(size)
      /** How many of the list are before the page. */
      let at = 0
      let page = await pages.executeWithPagination()
      const check = (): void => {
        const numbers = page.items.map(({ number }) => number)
        expect(numbers).toEqual(whole.slice(at, at + numbers.length))
        expect(numbers.length).toBeLessThanOrEqual(size)
        if (page.cursor === undefined) expect(at + numbers.length).toBe(whole.length)
        if (page.previous === undefined) expect(at).toBe(0)
      }
      check()
      for (const step of steps) {
        const before = at
        if (step === 'previous') {
          if (page.previous === undefined) continue
          page = await pages.startFrom(page.previous).executeWithPagination()
          at -= page.items.length
          // A full page, unless the beginning is reached.
          if (way !== 'pageSize') expect(page.items.length).toBe(Math.min(size, before))
        } else if (step === 'next') {
          if (page.cursor === undefined) continue
          at += page.items.length
          page = await pages.startFrom(page.cursor).executeWithPagination()
        } else {
          if (step >= page.items.length || way.startsWith('by')) continue
          const cursor = page.cursorOf(step % 2 ? step : page.items[step]!)
          const rest = await query.startFrom(cursor).execute()
          expect(rest.map(({ number }) => number)).toEqual(whole.slice(at + step + 1))
          at += step + 1
          page = await pages.startFrom(cursor).executeWithPagination()
        }
        check()
      }
    }),
    { numRuns: 60, seed },
  )
})

describe('the page before', () => {
  test('is there for every page but the first, and leads back to it', async () => {
    const pages = (await notes(5)).query({ book: 'a' }).limit(2)
    const first = await pages.executeWithPagination()
    expect(first.previous).toBeUndefined()
    const second = await pages.startFrom(first.cursor).executeWithPagination()
    const before = await pages.startFrom(second.previous).executeWithPagination()
    expect(before.items).toEqual(first.items)
    // DynamoDB does not say that a full page was the last one, in neither direction.
    const none = await pages.startFrom(before.previous).executeWithPagination()
    expect(none).toMatchObject({ items: [], previous: undefined })
    const again = await pages.startFrom(before.cursor).executeWithPagination()
    expect(again.items).toEqual(second.items)
    expect(JSON.parse(JSON.stringify(again)).previous).toBe(again.previous)
  })

  test('of items that are gone is empty, and leads to the beginning', async () => {
    const Note = await notes(4)
    const pages = Note.query({ book: 'a' }).limit(2)
    const first = await pages.executeWithPagination()
    const second = await pages.startFrom(first.cursor).executeWithPagination()
    for (const number of [0, 1]) await Note.delete({ book: 'a', number }).execute()
    const gone = await pages.startFrom(second.previous).executeWithPagination()
    expect(gone).toMatchObject({ items: [], previous: undefined })
    const on = await pages.startFrom(gone.cursor).executeWithPagination()
    expect(on.items).toEqual(second.items)
  })

  test('of a page whose items are gone has the last ones', async () => {
    const Note = await notes(4)
    const pages = Note.query({ book: 'a' }).limit(2)
    const first = await pages.executeWithPagination()
    for (const number of [2, 3]) await Note.delete({ book: 'a', number }).execute()
    const empty = await pages.startFrom(first.cursor).executeWithPagination()
    expect(empty).toMatchObject({ items: [], cursor: undefined })
    const before = await pages.startFrom(empty.previous).executeWithPagination()
    expect(before.items).toEqual(first.items)
  })

  test('is only a page: what reads on to the end refuses its cursor', async () => {
    const pages = (await notes(5)).query({ book: 'a' }).limit(2)
    const first = await pages.executeWithPagination()
    const { previous } = await pages.startFrom(first.cursor).executeWithPagination()
    await expect(pages.startFrom(previous).execute()).rejects.toThrow(PlanError)
    await expect(pages.startFrom(previous).count()).rejects.toThrow('executeWithPagination()')
  })

  test('is there for queries of several partitions as well', async () => {
    const pages = overAll(await notes(7), 'byShard').limit(2)
    const first = await pages.page()
    const second = await pages.cursor(first.cursor).page()
    expect([first.previous, typeof second.previous]).toEqual([undefined, 'string'])
    const before = await pages.cursor(second.previous).page()
    expect(before.items).toEqual(first.items)
    expect((await pages.cursor(before.cursor).page()).items).toEqual(second.items)
  })

  test('is unknown for scans, and cursorOf for queries of several partitions', async () => {
    const Note = await notes(6)
    const scan = Note.scan().limit(2)
    const page = await scan.executeWithPagination()
    const next = await scan.startFrom(page.cursor).executeWithPagination()
    expect(next.previous).toBeUndefined()
    const behind = await scan.startFrom(page.cursorOf(1)).executeWithPagination()
    expect(behind.items).toEqual(next.items)
    const several = Note.query().where((attr, op) => op.in(attr.book, ['a', 'b']))
    const merged = await several.limit(2).executeWithPagination()
    expect(merged.previous).toBeUndefined()
    expect(() => merged.cursorOf(0)).toThrow('PLAN_INVALID')
    expect(() => page.cursorOf(2)).toThrow('The item is not on the page')
  })
})
