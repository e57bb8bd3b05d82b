import { defineSchema, Table } from 'singletable'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'
import { requestsOf } from './requests-of.ts'

/** Limits, pages, cursors, iteration and scans. */

const LogSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byLevel: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  models: {
    Entry: {
      key: { pk: 'LOG#${log}', sk: 'ENTRY#${number:pad(4)}' },
      index: { gsi1pk: 'LEVEL#${level}', gsi1sk: '${number:pad(4)}' },
      attributes: {
        log: { type: String, required: true },
        number: { type: Number, required: true },
        level: { type: String, required: true },
      },
    },
    Mark: {
      key: { pk: 'LOG#${log}', sk: 'MARK#${id}' },
      attributes: { log: { type: String, required: true }, id: { type: String, required: true } },
    },
  },
})

/** Numbers 1 to 20, of which every fourth is an error. */
const ENTRIES = 20
const levelOf = (number: number): string => (number % 4 === 0 ? 'error' : 'info')
const errors = [4, 8, 12, 16, 20]

onEachTarget((target) => {
  let table: Table<typeof LogSchema>
  beforeAll(async () => {
    table = await target.table(LogSchema)
    const { Entry, Mark } = table.entities
    await Entry.batchWrite(
      Array.from({ length: ENTRIES }, (_, index) => ({
        log: 'a',
        number: index + 1,
        level: levelOf(index + 1),
      })),
    ).execute()
    await Mark.batchWrite(['x', 'y', 'z'].map((id) => ({ log: 'a', id }))).execute()
  })
  const numbers = (entries: readonly { readonly number: number }[]): number[] =>
    entries.map(({ number }) => number)
  const query = () => table.entities.Entry.query({ log: 'a' })
  const filtered = () => query().where((attr, op) => op.eq(attr.level, 'error'))

  /** Goes from page to page until there is no cursor. */
  async function pages(
    build: (cursor: string | undefined) => {
      executeWithPagination(): Promise<{
        readonly items: readonly { readonly number: number }[]
        readonly cursor: string | undefined
      }>
    },
  ): Promise<number[][]> {
    const found: number[][] = []
    let cursor: string | undefined
    do {
      const page = await build(cursor).executeWithPagination()
      found.push(numbers(page.items))
      cursor = page.cursor
    } while (cursor !== undefined)
    return found
  }

  describe('limit and pageSize', () => {
    test('limit is the number of results', async () => {
      expect(numbers(await query().limit(3).execute())).toEqual([1, 2, 3])
    })

    test('limit is the number of results also behind a filter', async () => {
      expect(numbers(await filtered().limit(3).execute())).toEqual([4, 8, 12])
    })

    test('limit is reached over pages', async () => {
      expect(numbers(await filtered().limit(3).pageSize(2).execute())).toEqual([4, 8, 12])
    })

    test('without a filter limit asks for no more than is wanted', async () => {
      expect(query().limit(3).dbParams().Limit).toBe(3)
      expect(query().limit(3).pageSize(2).dbParams().Limit).toBe(2)
      expect(filtered().limit(3).dbParams().Limit).toBeUndefined()
    })

    test('pageSize is what one request reads: the results are the same', async () => {
      const requests = await requestsOf(table, async () => {
        expect(numbers(await query().pageSize(8).execute())).toHaveLength(ENTRIES)
      })
      expect(requests.length).toBe(3)
    })

    test('a limit beyond the end gives what there is', async () => {
      expect(await query().limit(1000).execute()).toHaveLength(ENTRIES)
    })

    test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
      'a limit or page size of %s is refused',
      async (value) => {
        expect(await codeOf(() => query().limit(value).execute())).toBe('INPUT_INVALID')
        expect(await codeOf(() => query().pageSize(value).execute())).toBe('INPUT_INVALID')
      },
    )
  })

  describe('pages', () => {
    test('limit is the size of a page, and the last page has no cursor', async () => {
      const found = await pages((cursor) => query().limit(8).startFrom(cursor))
      expect(found.filter((page) => page.length > 0).map((page) => page.length)).toEqual([8, 8, 4])
      expect(found.flat()).toEqual(Array.from({ length: ENTRIES }, (_, index) => index + 1))
    })

    test('a page after a filter is full, and the next one starts directly after its last result', async () => {
      const found = await pages((cursor) => filtered().limit(2).startFrom(cursor))
      expect(found.filter((page) => page.length > 0)).toEqual([[4, 8], [12, 16], [20]])
    })

    test('a page can continue from the middle of a request', async () => {
      // The request reads all twenty, and two of them are asked for.
      const first = await filtered().limit(1).executeWithPagination()
      expect(numbers(first.items)).toEqual([4])
      const rest = await filtered().startFrom(first.cursor).execute()
      expect(numbers(rest)).toEqual([8, 12, 16, 20])
    })

    test('backwards', async () => {
      const found = await pages((cursor) =>
        filtered().scanIndexForward(false).limit(2).startFrom(cursor),
      )
      expect(found.flat()).toEqual([20, 16, 12, 8, 4])
    })

    test('on an index', async () => {
      const { Entry } = table.entities
      const found = await pages((cursor) =>
        Entry.query({ level: 'error' }).limit(2).startFrom(cursor),
      )
      expect(found.flat()).toEqual(errors)
    })

    test('count and scannedCount are what was returned and what was read', async () => {
      const page = await filtered().executeWithPagination()
      expect(page).toMatchObject({ count: 5, scannedCount: 20, cursor: undefined })
      expect(page.lastEvaluatedKey).toBe(page.cursor)
    })

    test('an empty result is a page without a cursor', async () => {
      const { Entry } = table.entities
      expect(await Entry.query({ log: 'none' }).limit(5).executeWithPagination()).toMatchObject({
        items: [],
        cursor: undefined,
      })
    })

    test('a page with pageSize and a filter that finds nothing reads on', async () => {
      const page = await filtered().pageSize(2).executeWithPagination()
      expect(numbers(page.items)).toEqual([4])
    })

    test('execute continues from a cursor, up to its limit', async () => {
      const { cursor } = await query().limit(5).executeWithPagination()
      expect(numbers(await query().startFrom(cursor).limit(2).execute())).toEqual([6, 7])
    })

    test('consumed capacity is returned when it was asked for', async () => {
      const page = await query().returnConsumedCapacity('TOTAL').executeWithPagination()
      expect(page.consumedCapacity?.CapacityUnits).toBeGreaterThan(0)
    })
  })

  describe('cursors', () => {
    test('are refused by another query', async () => {
      const { Entry, Mark } = table.entities
      const { cursor } = await query().limit(2).executeWithPagination()
      expect(cursor).toMatch(/^[\w-]+$/)
      for (const other of [
        () => filtered().startFrom(cursor).execute(),
        () => query().scanIndexForward(false).startFrom(cursor).execute(),
        () => Entry.query({ log: 'b' }).startFrom(cursor).execute(),
        () => Entry.query({ level: 'info' }).startFrom(cursor).execute(),
        () => Entry.scan().startFrom(cursor).execute(),
        () => Mark.query({ log: 'a' }).startFrom(cursor).execute(),
      ]) {
        expect(await codeOf(other)).toBe('CURSOR_INVALID')
      }
    })

    test('that were changed or forged are refused', async () => {
      const { cursor = '' } = await query().limit(2).executeWithPagination()
      const broken = cursor.slice(0, -2) + (cursor.endsWith('AA') ? 'BB' : 'AA')
      for (const wrong of [broken, cursor.slice(1), `${cursor}AAAA`, '', '!', 'e30']) {
        expect(await codeOf(() => query().startFrom(wrong).execute())).toBe('CURSOR_INVALID')
      }
    })

    test('with a secret can not be read, and are refused by tables with another one', async () => {
      const connect = (cursorSecret?: string | readonly string[]) =>
        new Table({
          name: table.name,
          client: target.client,
          schema: LogSchema,
          cursorSecret,
        }).entities.Entry.query({ log: 'a' }).limit(2)
      const { cursor = '' } = await connect('one').executeWithPagination()
      expect(atob(cursor.slice(1).replaceAll('-', '+').replaceAll('_', '/'))).not.toContain('ENTRY')
      expect(numbers(await connect('one').startFrom(cursor).execute())).toEqual([3, 4])
      expect(await codeOf(() => connect('two').startFrom(cursor).execute())).toBe('CURSOR_INVALID')
      expect(await codeOf(() => connect().startFrom(cursor).execute())).toBe('CURSOR_INVALID')
      // A new secret is first; cursors of the old one are still good.
      expect(numbers(await connect(['two', 'one']).startFrom(cursor).execute())).toEqual([3, 4])
      const { cursor: rotated } = await connect(['two', 'one']).executeWithPagination()
      expect(numbers(await connect('two').startFrom(rotated).execute())).toEqual([3, 4])
      expect(await codeOf(() => connect('one').startFrom(rotated).execute())).toBe('CURSOR_INVALID')
    })

    test('without a secret are refused where there is one', async () => {
      const { cursor } = await query().limit(2).executeWithPagination()
      const signed = new Table({
        name: table.name,
        client: target.client,
        schema: LogSchema,
        cursorSecret: 'one',
      })
      const other = signed.entities.Entry.query({ log: 'a' }).startFrom(cursor)
      expect(await codeOf(() => other.execute())).toBe('CURSOR_INVALID')
    })
  })

  describe('iteration', () => {
    test('for await gives all results over pages', async () => {
      const found: number[] = []
      for await (const { number } of query().pageSize(6)) found.push(number)
      expect(found).toHaveLength(ENTRIES)
    })

    test('reads no further than it is used', async () => {
      const requests = await requestsOf(table, async () => {
        for await (const { number } of query().pageSize(4)) if (number === 6) break
      })
      expect(requests).toEqual(['Query', 'Query'])
    })

    test('iterate holds to the limit', async () => {
      const found: number[] = []
      for await (const { number } of filtered().limit(2).iterate()) found.push(number)
      expect(found).toEqual([4, 8])
    })

    test('iterate continues from a cursor', async () => {
      const { cursor } = await query().limit(18).executeWithPagination()
      const found: number[] = []
      for await (const { number } of query().startFrom(cursor)) found.push(number)
      expect(found).toEqual([19, 20])
    })
  })

  describe('first and count', () => {
    test('first gives the first result in its order, or undefined', async () => {
      const { Entry } = table.entities
      expect((await query().first())?.number).toBe(1)
      expect((await filtered().scanIndexForward(false).first())?.number).toBe(20)
      expect(await Entry.query({ log: 'none' }).first()).toBeUndefined()
    })

    test('count gives the number of results, with a filter and with a limit', async () => {
      expect(await query().count()).toBe(20)
      expect(await filtered().count()).toBe(5)
      expect(await filtered().limit(3).count()).toBe(3)
      expect(await query().pageSize(3).count()).toBe(20)
    })
  })

  describe('scan', () => {
    const sorted = (entries: readonly { readonly number: number }[]): number[] =>
      numbers(entries).sort((left, right) => left - right)
    const all = Array.from({ length: ENTRIES }, (_, index) => index + 1)

    test('gives the items of one model', async () => {
      const { Entry, Mark } = table.entities
      expect(sorted(await Entry.scan().execute())).toEqual(all)
      expect(await Mark.scan().count()).toBe(3)
    })

    test('limit, pages, first and iteration', async () => {
      const { Entry } = table.entities
      expect(await Entry.scan().limit(3).execute()).toHaveLength(3)
      const found = await pages((cursor) => Entry.scan().limit(6).startFrom(cursor))
      expect(found.flat().sort((left, right) => left - right)).toEqual(all)
      expect(await Entry.scan().first()).toBeDefined()
      const iterated: { number: number }[] = []
      for await (const entry of Entry.scan().pageSize(5)) iterated.push(entry)
      expect(sorted(iterated)).toEqual(all)
    })

    test('segments together are the whole', async () => {
      const { Entry } = table.entities
      const segments = await Promise.all(
        [0, 1, 2].map((segment) => Entry.scan().segment(segment, 3).execute()),
      )
      expect(sorted(segments.flat())).toEqual(all)
    })

    test('in parallel it gives the same', async () => {
      const { Entry } = table.entities
      expect(sorted(await Entry.scan().parallel(4).execute())).toEqual(all)
      const some = Entry.scan()
        .where((attr, op) => op.eq(attr.level, 'error'))
        .parallel(4)
      expect(sorted(await some.execute())).toEqual(errors)
      expect(await some.count()).toBe(5)
      expect(await some.limit(2).execute()).toHaveLength(2)
    })

    test('parallel reading has no order, so pages and cursors are refused', async () => {
      const { Entry } = table.entities
      const scan = Entry.scan().parallel(2)
      expect(await codeOf(() => scan.executeWithPagination())).toBe('PLAN_INVALID')
      expect(await codeOf(() => scan.segment(0, 2).execute())).toBe('PLAN_INVALID')
    })

    test.each([
      [2, 2],
      [-1, 2],
      [0, 0],
      [0, 1_000_001],
      [0.5, 2],
    ])('segment %d of %d is refused', async (segment, total) => {
      const { Entry } = table.entities
      const scan = Entry.scan().segment(segment, total)
      expect(await codeOf(() => scan.execute())).toBe('INPUT_INVALID')
    })

    test('of an index', async () => {
      const { Entry } = table.entities
      expect(sorted(await Entry.scan().useIndex('byLevel').execute())).toEqual(all)
    })
  })
})
