import { defineSchema, type Table } from 'singletable'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf, failureOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'

/** What keys answer: heads and ranges of sort keys, raw key attributes, and models that share
 * partitions. */

const EventSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byKind: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  models: {
    Event: {
      key: { pk: 'CITY#${city}', sk: 'EVENT#${category}#${at}#${id}' },
      index: { gsi1pk: 'EVENTS', gsi1sk: '${category}#${rank:pad(3)}' },
      attributes: {
        city: { type: String, required: true },
        category: { type: String, required: true },
        at: { type: Date, required: true },
        id: { type: String, required: true },
        rank: { type: Number, default: 0, required: true },
      },
    },
    Eventful: {
      key: { pk: 'CITY#${city}', sk: 'EVENTFUL#${name}' },
      attributes: {
        city: { type: String, required: true },
        name: { type: String, required: true },
      },
    },
    Visitor: {
      key: { pk: 'CITY#${city}', sk: 'VISITOR#${name}' },
      attributes: {
        city: { type: String, required: true },
        name: { type: String, required: true },
        age: { type: Number },
      },
    },
    Score: {
      key: { pk: 'CITY#${city}', sk: 'SCORE#${points:pad(5)}#${name}' },
      attributes: {
        city: { type: String, required: true },
        points: { type: Number, required: true },
        name: { type: String, required: true },
      },
    },
    Latest: {
      key: { pk: 'CITY#${city}', sk: 'LATEST#${number:desc}' },
      attributes: {
        city: { type: String, required: true },
        number: { type: Number, required: true, pad: 6 },
      },
    },
  },
})

const day = (number: number): Date => new Date(Date.UTC(2026, 0, number))

onEachTarget((target) => {
  let table: Table<typeof EventSchema>
  beforeAll(async () => {
    table = await target.table(EventSchema)
    const { Event, Eventful, Visitor, Score, Latest } = table.entities
    await Event.batchWrite([
      { city: 'rome', category: 'new', at: day(1), id: 'a', rank: 2 },
      { city: 'rome', category: 'new', at: day(2), id: 'b', rank: 10 },
      { city: 'rome', category: 'new', at: day(3), id: 'c', rank: 3 },
      { city: 'rome', category: 'news', at: day(2), id: 'd' },
      { city: 'oslo', category: 'new', at: day(2), id: 'e', rank: 1 },
    ]).execute()
    await Eventful.put({ city: 'rome', name: 'x' }).execute()
    await Visitor.batchWrite(
      ['alan', 'albert', 'bob', 'carla'].map((name, age) => ({ city: 'rome', name, age })),
    ).execute()
    await Score.batchWrite(
      [5, 40, 300, 300].map((points, n) => ({ city: 'rome', points, name: `n${n}` })),
    ).execute()
    await Latest.batchWrite([1, 2, 10].map((number) => ({ city: 'rome', number }))).execute()
  })
  const ids = (items: readonly { readonly id: string }[]): string =>
    items.map(({ id }) => id).join('')

  test('a partition of several models gives the items of one, in the order of its sort key', async () => {
    const { Event, Eventful } = table.entities
    expect(ids(await Event.query({ city: 'rome' }).execute())).toBe('abcd')
    expect(await Eventful.query({ city: 'rome' }).execute()).toEqual([{ city: 'rome', name: 'x' }])
  })

  test('backwards', async () => {
    const { Event } = table.entities
    expect(ids(await Event.query({ city: 'rome' }).scanIndexForward(false).execute())).toBe('dcba')
  })

  test('a whole part of the sort key, never a piece of one: new does not find news', async () => {
    const query = table.entities.Event.query({ city: 'rome', category: 'new' })
    expect(ids(await query.execute())).toBe('abc')
    expect(query.explain().keyCondition).toBe('pk = "CITY#rome" AND begins_with(sk, "EVENT#new#")')
    expect(query.explain().filter).toBeUndefined()
  })

  test('all parts of the sort key are an equality', async () => {
    const query = table.entities.Event.query({ city: 'rome', category: 'new', at: day(2), id: 'b' })
    expect(ids(await query.execute())).toBe('b')
    expect(query.explain().keyCondition).toContain('sk = ')
  })

  describe('ranges on the next part of the sort key read nothing else', () => {
    const cases = [
      ['gte', (from: 'gte') => from, 'bc'],
      ['gt', (from: 'gt') => from, 'c'],
      ['lte', (from: 'lte') => from, 'ab'],
      ['lt', (from: 'lt') => from, 'a'],
    ] as const
    test.each(cases)('%s on a date', async (operator, _, expected) => {
      const query = table.entities.Event.query({ city: 'rome', category: 'new' }).where(
        (attr, op) => op[operator](attr.at, day(2)),
      )
      const page = await query.executeWithPagination()
      expect(ids(page.items)).toBe(expected)
      expect(page.scannedCount).toBe(expected.length)
    })

    test('between on a date', async () => {
      const query = table.entities.Event.query({ city: 'rome', category: 'new' }).where(
        (attr, op) => op.between(attr.at, day(2), day(3)),
      )
      expect(ids(await query.execute())).toBe('bc')
    })

    test.each([
      ['gte', [40, 300, 300]],
      ['gt', [300, 300]],
      ['lte', [5, 40]],
      ['lt', [5]],
    ] as const)('%s on a padded number', async (operator, expected) => {
      const query = table.entities.Score.query({ city: 'rome' }).where((attr, op) =>
        op[operator](attr.points, 40),
      )
      expect((await query.execute()).map(({ points }) => points)).toEqual(expected)
      expect(query.explain().filter).toBeUndefined()
    })

    test.each([
      ['gte', [10, 2]],
      ['gt', [10]],
      ['lte', [2, 1]],
      ['lt', [1]],
    ] as const)('%s on a descending number', async (operator, expected) => {
      const query = table.entities.Latest.query({ city: 'rome' }).where((attr, op) =>
        op[operator](attr.number, 2),
      )
      expect((await query.execute()).map(({ number }) => number)).toEqual(expected)
    })

    test.each([
      ['gte', ['albert', 'bob', 'carla']],
      ['gt', ['bob', 'carla']],
      ['lte', ['alan', 'albert']],
      ['lt', ['alan']],
    ] as const)('%s on a text', async (operator, expected) => {
      const query = table.entities.Visitor.query({ city: 'rome' }).where((attr, op) =>
        op[operator](attr.name, 'albert'),
      )
      expect((await query.execute()).map(({ name }) => name)).toEqual(expected)
    })

    test('beginsWith on a text', async () => {
      const query = table.entities.Visitor.query({ city: 'rome' }).where((attr, op) =>
        op.beginsWith(attr.name, 'al'),
      )
      expect((await query.execute()).map(({ name }) => name)).toEqual(['alan', 'albert'])
      expect(query.explain().keyCondition).toContain('VISITOR#al')
    })

    test('a range and another condition: the range is answered by keys, the rest by a filter', async () => {
      const query = table.entities.Visitor.query({ city: 'rome' }).where((attr, op) =>
        op.and(op.gte(attr.name, 'albert'), op.gt(attr.age, 1)),
      )
      const page = await query.executeWithPagination()
      expect(page.items.map(({ name }) => name)).toEqual(['bob', 'carla'])
      expect(page.scannedCount).toBe(3)
      expect(query.explain().filter).toContain('age > 1')
    })
  })

  describe('raw key attributes', () => {
    test('the partition key as it is stored', async () => {
      const { Event } = table.entities
      expect(ids(await Event.query({ pk: 'CITY#rome' }).execute())).toBe('abcd')
      const where = Event.query().where((attr, op) => op.eq(attr.pk, 'CITY#oslo'))
      expect(ids(await where.execute())).toBe('e')
    })

    test('the sort key as it is stored, by a beginning and by a range', async () => {
      const { Event } = table.entities
      const beginning = Event.query({ city: 'rome' }).where((attr, op) =>
        op.beginsWith(attr.sk, 'EVENT#news'),
      )
      expect(ids(await beginning.execute())).toBe('d')
      const range = Event.query({ city: 'rome' }).where((attr, op) =>
        op.between(attr.sk, 'EVENT#new#2026-01-02', 'EVENT#new#2026-01-09'),
      )
      expect(ids(await range.execute())).toBe('bc')
    })

    test('a raw condition that reaches further than the model gives items of the model alone', async () => {
      const { Event } = table.entities
      const query = Event.query({ pk: 'CITY#rome' }).where((attr, op) => op.gte(attr.sk, 'EVENT'))
      expect(ids(await query.execute())).toBe('abcd')
    })

    test('keys of an index', async () => {
      const { Event } = table.entities
      const query = Event.query()
        .where((attr, op) =>
          op.and(op.eq(attr.gsi1pk, 'EVENTS'), op.beginsWith(attr.gsi1sk, 'new#00')),
        )
        .useIndex('byKind')
      expect(ids(await query.execute())).toBe('eac')
    })

    test('a key attribute where no key condition can be is refused', async () => {
      const { Event } = table.entities
      const query = Event.query({ city: 'rome' }).where((attr, op) =>
        op.or(op.eq(attr.sk, 'EVENT'), op.eq(attr.rank, 1)),
      )
      expect(await codeOf(() => query.execute())).toBe('PLAN_INVALID')
    })
  })

  describe('which index', () => {
    test('an index with a fixed partition key, chosen by what its sort key answers', async () => {
      const { Event } = table.entities
      const query = Event.query({ category: 'new' })
      expect(query.explain().index).toBe('byKind')
      expect(ids(await query.execute())).toBe('eacb')
    })

    test('numbers in an index sort as numbers, and ranges on them are key conditions', async () => {
      const { Event } = table.entities
      const query = Event.query({ category: 'new' }).where((attr, op) => op.gt(attr.rank, 2))
      expect(ids(await query.execute())).toBe('cb')
      expect(query.explain().filter).toBeUndefined()
    })

    test('no index: refused with what each one needs, never a scan', async () => {
      const { Visitor } = table.entities
      const query = Visitor.query().where((attr, op) => op.eq(attr.age, 1))
      const error = await failureOf(() => query.execute())
      expect(error.code).toBe('PLAN_NO_INDEX')
      expect(error.message).toContain('city')
    })

    test('in over partition keys reads a partition for each value', async () => {
      const { Visitor } = table.entities
      const found = await Visitor.query().where((attr, op) => op.in(attr.city, ['rome', 'oslo']))
      const each = await Promise.all(
        ['rome', 'oslo'].map((city) => Visitor.query({ city }).execute()),
      )
      expect(found).toHaveLength(each.flat().length)
      expect(found).toEqual(expect.arrayContaining(each.flat()))
    })

    test('an index that does not exist, or one without its partition key, is refused', async () => {
      const { Event } = table.entities
      const unknown = Event.query({ city: 'rome' }).useIndex('byKnd' as never)
      expect(await codeOf(() => unknown.execute())).toBe('PLAN_NO_INDEX')
      const { Visitor } = table.entities
      const foreign = Visitor.query({ city: 'rome' }).useIndex('byKind')
      expect(await codeOf(() => foreign.execute())).toBe('PLAN_NO_INDEX')
    })

    test('a consistent read of a global index is refused', async () => {
      const { Event } = table.entities
      const query = Event.query({ category: 'new' })
      expect(await codeOf(() => query.consistentRead().execute())).toBe('PLAN_INVALID')
    })

    test('a consistent read of the table', async () => {
      const { Event } = table.entities
      expect(ids(await Event.query({ city: 'oslo' }).consistentRead().execute())).toBe('e')
    })
  })

  describe('select', () => {
    test('narrows to attributes, with places inside them', async () => {
      const { Event } = table.entities
      expect(await Event.query({ city: 'oslo' }).select(['id', 'rank']).execute()).toEqual([
        { id: 'e', rank: 1 },
      ])
    })

    test('works together with a filter on what is not selected', async () => {
      const { Visitor } = table.entities
      const query = Visitor.query({ city: 'rome' })
        .select(['name'])
        .where((attr, op) => op.gte(attr.age, 2))
      expect(await query.execute()).toEqual([{ name: 'bob' }, { name: 'carla' }])
    })

    test('in a scan', async () => {
      const { Event } = table.entities
      const found = await Event.scan().select(['id']).execute()
      expect(ids(found).split('').sort().join('')).toBe('abcde')
      expect(Object.keys(found[0] ?? {})).toEqual(['id'])
    })
  })
})
