import { CursorError, defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'

const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byColour: { hash: 'colourPk', sort: 'colourSk' },
  },
  models: {
    Book: {
      key: { pk: 'BOOK#${book}', sk: 'BOOK' },
      attributes: { book: { type: String, required: true } },
    },
    Note: {
      key: { pk: 'BOOK#${book}', sk: 'NOTE#${number:pad(4)}' },
      index: { colourPk: 'COLOUR#${colour}', colourSk: 'RANK#${rank:pad(1)}' },
      attributes: {
        book: { type: String, required: true },
        number: { type: Number, required: true },
        colour: { type: String, required: true },
        rank: { type: Number, required: true },
      },
    },
    Mark: {
      key: { pk: 'READER#${reader}', sk: 'MARK#${number:pad(4)}' },
      attributes: {
        reader: { type: String, required: true },
        book: { type: String, required: true },
        number: { type: Number, required: true },
      },
    },
  },
  patterns: {
    notes: { op: 'query', entity: 'Note', by: ['book'], range: 'number' },
    newest: { op: 'query', entity: 'Note', by: ['book'], order: 'desc' },
    ranked: {
      op: 'query',
      entity: 'Note',
      by: ['book'],
      where: { rank: { gte: '$least' }, colour: { ne: 'blue' } },
    },
    ofColours: { op: 'query', entity: 'Note', index: 'byColour', by: [], in: ['colour'] },
    whole: { op: 'query', entity: ['Book', 'Note'], by: ['book'] },
    marked: {
      op: 'query',
      entity: 'Mark',
      by: ['reader'],
      // biome-ignore lint/suspicious/noThenProperty: patterns have such a member.
      then: { op: 'batchGet', entity: 'Note' },
    },
    everything: { op: 'scan', entity: 'Note', reason: 'a small table' },
  },
})

async function notes(count = 9) {
  const table = new Table({ name: 'notes', schema, client: createEngine() })
  await table.create()
  const { Book, Note, Mark } = table.entities
  await Book.put({ book: 'a' })
  for (let number = 0; number < count; number++) {
    const colour = number % 2 ? 'red' : 'green'
    await Note.put({ book: 'a', number, colour, rank: number % 3 })
    await Mark.put({ reader: 'r', book: 'a', number })
  }
  return { ...table.entities, patterns: table.patterns, table }
}

const numbersOf = (items: readonly { number: number }[]): number[] =>
  items.map(({ number }) => number)

test('a cursor of a pattern is accepted by the builder of the same question', async () => {
  const { patterns, Note } = await notes()
  const page = await patterns.notes({ book: 'a' }).page({ limit: 3 })
  const next = await Note.query({ book: 'a' }).limit(2).cursor(page.cursor).page()
  expect(numbersOf(next.items)).toEqual([3, 4])
  const last = await patterns.notes({ book: 'a' }, { cursor: next.cursor })
  expect(numbersOf(last.items)).toEqual([5, 6, 7, 8])
})

test('ranges, order and conditions in another order are the same question', async () => {
  const { patterns, Note } = await notes()
  const range = await patterns.notes({ book: 'a', number: { from: 2, to: 7 } }).page({ limit: 2 })
  const between = Note.query({ book: 'a' })
    .where((attr, op) => op.between(attr.number, 2, 7))
    .cursor(range.cursor)
  expect(numbersOf(await between)).toEqual([4, 5, 6, 7])

  const newest = await patterns.newest({ book: 'a' }).page({ limit: 2 })
  const descending = Note.query({ book: 'a' }).order('desc').cursor(newest.cursor)
  expect(numbersOf(await descending.limit(2))).toEqual([6, 5])

  const ranked = Note.query({ book: 'a' })
    .where((attr, op) => op.ne(attr.colour, 'blue'))
    .where((attr, op) => op.gte(attr.rank, 1))
  const page = await ranked.limit(2).page()
  expect(numbersOf(page.items)).toEqual([1, 2])
  const rest = await patterns.ranked({ book: 'a', least: 1 }, { cursor: page.cursor })
  expect(numbersOf(rest.items)).toEqual([4, 5, 7, 8])
})

test('so are several partitions, collections and scans', async () => {
  const { patterns, Note, table } = await notes()
  const asked = Note.query().where((attr, op) => op.in(attr.colour, ['red', 'green']))
  const all = numbersOf(await asked)
  const page = await asked.limit(3).page()
  const rest = await patterns.ofColours({ colour: ['red', 'green'] }, { cursor: page.cursor })
  expect([...numbersOf(page.items), ...numbersOf(rest.items)]).toEqual(all)

  const first = await table.collect(['Book', 'Note'], { book: 'a' }).limit(3).page()
  const { groups } = await patterns.whole({ book: 'a' }).page({ cursor: first.cursor })
  expect(numbersOf(groups.Note)).toEqual([2, 3, 4, 5, 6, 7, 8])

  const scanned = await patterns.everything({}).page({ limit: 4 })
  expect(await Note.scan().cursor(scanned.cursor)).toHaveLength(5)
})

test('a cursor of another question is an error, whichever way it was asked', async () => {
  const { patterns, Note } = await notes()
  const { cursor } = await patterns.notes({ book: 'a' }).page({ limit: 3 })
  const wrong = [
    patterns.newest({ book: 'a' }, { cursor }),
    patterns.notes({ book: 'b' }, { cursor }),
    patterns.notes({ book: 'a', number: { from: 1 } }, { cursor }),
    patterns.whole({ book: 'a' }, { cursor }),
    Note.query({ colour: 'red' }).cursor(cursor),
    Note.query({ book: 'a' })
      .where((attr, op) => op.eq(attr.rank, 1))
      .cursor(cursor),
    Note.scan().cursor(cursor),
  ]
  for (const each of wrong) await expect(each.execute()).rejects.toThrow(CursorError)
})

test('pages of patterns lead to the page before, and behind any of their items', async () => {
  const { patterns } = await notes()
  const asked = patterns.notes({ book: 'a' }, { limit: 3 })
  const first = await asked.page()
  expect(first.previous).toBe(undefined)
  const second = await asked.page({ cursor: first.cursor })
  const back = await asked.page({ cursor: second.previous })
  expect(numbersOf(back.items)).toEqual([0, 1, 2])
  const behind = await asked.page({ cursor: second.cursorOf(second.items[0]!) })
  expect(numbersOf(behind.items)).toEqual([4, 5, 6])
  expect(second.cursorOf(2)).toBe(second.cursor)
})

test('items that a pattern fetched by others have the cursors of those', async () => {
  const { patterns, Note } = await notes()
  await Note.delete({ book: 'a', number: 1 })
  const asked = patterns.marked({ reader: 'r' }, { limit: 4 })
  const page = await asked.page()
  expect(numbersOf(page.items)).toEqual([0, 2, 3])
  const behind = await asked.page({ cursor: page.cursorOf(1) })
  expect(numbersOf(behind.items)).toEqual([3, 4, 5, 6])
  expect(numbersOf((await asked.page({ cursor: behind.previous })).items)).toEqual([0, 2])
})

test('pages of collections have cursors for the items of all groups', async () => {
  const { patterns, table } = await notes()
  const collection = table.collect(['Book', 'Note'], { book: 'a' }).limit(4)
  const page = await collection.page()
  const cursor = page.cursorOf(page.groups.Note[0]!)
  const { groups } = await collection.cursor(cursor).page()
  expect(numbersOf(groups.Note)).toEqual([1, 2, 3, 4])
  const asked = patterns.whole({ book: 'a' }, { limit: 4 })
  const own = await asked.page()
  expect(() => own.cursorOf(page.groups.Book[0]!)).toThrow('The item is not on the page.')
  const rest = await asked.page({ cursor: own.cursorOf(own.groups.Book[0]!) })
  expect(numbersOf(rest.groups.Note)).toEqual([0, 1, 2, 3])
  expect((await asked.page({ cursor: rest.previous })).groups.Book).toEqual([{ book: 'a' }])
})
