import { CursorError, defineSchema, Table } from 'singletable'
import { expect } from 'vitest'
import { type CorpusCase, row, type Setup } from './corpus-case.ts'
import { type LibraryOptions, libraryTable, refuses } from './library-table.ts'

const NoteSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byStatus: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  models: {
    Note: {
      key: { pk: 'BOOK#${book}', sk: 'NOTE#${id}' },
      index: { gsi1pk: 'STATUS#${status}', gsi1sk: 'NOTE#${id}' },
      attributes: {
        book: { type: String, required: true },
        id: { type: String, required: true },
        status: { type: String, default: 'open' },
        text: { type: String },
      },
    },
    Mark: {
      key: { pk: 'BOOK#${book}', sk: 'MARK#${id}' },
      attributes: {
        book: { type: String, required: true },
        id: { type: String, required: true },
      },
    },
  },
})

type Options = LibraryOptions<typeof NoteSchema>

/** Nine notes in each of two books. */
async function notes({ engine }: Setup, options: Options = {}) {
  const opened = await libraryTable(engine, NoteSchema, options)
  const { Note, Mark } = opened.table.entities
  for (const book of ['a', 'b']) {
    const ids = Array.from({ length: 9 }, (_, index) => String(index))
    await Note.batchWrite(ids.map((id) => ({ book, id, text: 'ÄÖ' }))).execute()
    await Mark.batchWrite(ids.map((id) => ({ book, id }))).execute()
  }
  opened.sent.length = 0
  return opened
}

const SECRET: Options = { cursorSecret: 'the first secret' }

/** The same row for cursors that are plain and for those that are encrypted. */
const forBoth = (
  id: string,
  name: string,
  run: (setup: Setup, options: Options) => Promise<void>,
): CorpusCase[] => [
  row(id, name, (setup) => run(setup, {})),
  row(id, `${name}, also encrypted`, (setup) => run(setup, SECRET)),
]

async function refusesCursor(call: () => Promise<unknown>): Promise<void> {
  expect(await refuses(call, 'CURSOR_INVALID')).toBeInstanceOf(CursorError)
}

/** Cursors, limits and filters from outside. */
export const libraryQueryCases: readonly CorpusCase[] = [
  ...forBoth(
    'Q23',
    'a cursor of which one character was changed is refused',
    async (setup, options) => {
      const { table, sent } = await notes(setup, options)
      const query = table.entities.Note.query({ book: 'a' }).limit(2)
      const { cursor = '' } = await query.executeWithPagination()
      expect(await query.startFrom(cursor).execute()).toHaveLength(2)
      sent.length = 0
      for (let position = 0; position < cursor.length; position++) {
        for (const other of ['A', 'B', '-', 'z']) {
          if (cursor[position] === other) continue
          const changed = cursor.slice(0, position) + other + cursor.slice(position + 1)
          await refusesCursor(() => query.startFrom(changed).execute())
        }
      }
      expect(sent).toEqual([])
    },
  ),
  ...forBoth(
    'Q24',
    'a cursor fits no other query, index, entity or table',
    async (setup, options) => {
      const { table, sent } = await notes(setup, options)
      const { Note, Mark } = table.entities
      const { cursor } = await Note.query({ book: 'a' }).limit(2).executeWithPagination()
      const scanned = await Note.scan().limit(2).executeWithPagination()
      const indexed = await Note.query({ status: 'open' }).limit(2).executeWithPagination()
      const other = new Table({
        name: 'other',
        schema: NoteSchema,
        client: setup.engine,
        ...options,
      })
      await other.create()
      sent.length = 0
      for (const call of [
        () => Note.query({ book: 'b' }).startFrom(cursor).execute(),
        () =>
          Note.query({ book: 'a' })
            .where((attr, op) => op.gt(attr.id, '1'))
            .startFrom(cursor)
            .execute(),
        () => Note.query({ book: 'a', text: 'ÄÖ' }).startFrom(cursor).execute(),
        () => Note.query({ status: 'open' }).startFrom(cursor).execute(),
        () => Note.query({ book: 'a' }).startFrom(indexed.cursor).execute(),
        () => Note.query({ status: 'done' }).startFrom(indexed.cursor).execute(),
        () => Note.scan().startFrom(cursor).execute(),
        () =>
          Note.scan()
            .where((attr, op) => op.eq(attr.text, 'x'))
            .startFrom(scanned.cursor)
            .execute(),
        () => Note.scan().segment(0, 2).startFrom(scanned.cursor).execute(),
        () => Note.query({ book: 'a' }).startFrom(scanned.cursor).execute(),
        () => Mark.query({ book: 'a' }).startFrom(cursor).execute(),
        () => Mark.scan().startFrom(scanned.cursor).execute(),
        () => other.entities.Note.query({ book: 'a' }).startFrom(cursor).execute(),
        () => other.entities.Note.scan().startFrom(scanned.cursor).execute(),
      ]) {
        await refusesCursor(call)
      }
      expect(sent).toEqual([])
    },
  ),
  row('Q25', 'a cursor of a version that is not known is refused', async (setup) => {
    const { table } = await notes(setup)
    const query = table.entities.Note.query({ book: 'a' }).limit(2)
    const { cursor = '' } = await query.executeWithPagination()
    for (let version = 32; version < 127; version++) {
      const changed = String.fromCharCode(version) + cursor.slice(1)
      if (changed === cursor) continue
      await refusesCursor(() => query.startFrom(changed).execute())
    }
    const key = { pk: { S: 'BOOK#a' }, sk: { S: 'NOTE#1' } }
    const foreign = Buffer.from(JSON.stringify(key))
    for (const text of [
      foreign.toString('base64url'),
      foreign.toString('base64'),
      JSON.stringify(key),
    ]) {
      await refusesCursor(() => query.startFrom(text).execute())
    }
  }),
  ...forBoth('Q26', 'a value that is not a cursor is refused', async (setup, options) => {
    const { table, loose, sent } = await notes(setup, options)
    const query = table.entities.Note.query({ book: 'a' }).limit(2)
    const { cursor = '' } = await query.executeWithPagination()
    sent.length = 0
    for (let length = 0; length < cursor.length; length++) {
      await refusesCursor(() => query.startFrom(cursor.slice(0, length)).execute())
    }
    for (const text of [
      '',
      'A',
      '!',
      ' ',
      `${cursor}=`,
      `${cursor}A`,
      `${cursor}\n`,
      ` ${cursor}`,
      `${cursor}${cursor}`,
      'A'.repeat(2 ** 20),
      cursor.repeat(10_000),
      '\0',
      '💥',
      'null',
      'undefined',
    ]) {
      await refusesCursor(() => query.startFrom(text).execute())
      await refusesCursor(() => query.startFrom(text).executeWithPagination())
      await refusesCursor(() => query.startFrom(text).first())
      await refusesCursor(() => query.startFrom(text).count())
      await refusesCursor(() => query.startFrom(text).iterate().next())
    }
    const loosely = loose.Note.query({ book: 'a' })
    for (const value of [null, 0, 1, true, {}, [], { pk: 'a' }, [cursor], Symbol.iterator]) {
      await refusesCursor(() => loosely.startFrom(value).execute())
    }
    expect(sent).toEqual([])
  }),
  ...forBoth('Q27', 'a cursor does not go the other way', async (setup, options) => {
    const { table, sent } = await notes(setup, options)
    const query = table.entities.Note.query({ book: 'a' }).limit(2)
    const forward = await query.executeWithPagination()
    const backward = await query.scanIndexForward(false).executeWithPagination()
    sent.length = 0
    await refusesCursor(() => query.scanIndexForward(false).startFrom(forward.cursor).execute())
    await refusesCursor(() => query.startFrom(backward.cursor).execute())
    expect(sent).toEqual([])
    const next = await query.scanIndexForward(false).startFrom(backward.cursor).execute()
    expect(next.map((note) => note.id)).toEqual(['6', '5'])
  }),
  row('Q28', 'a cursor is good as long as its secret is accepted, and no longer', async (setup) => {
    const { table } = await notes(setup, SECRET)
    const page = await table.entities.Note.query({ book: 'a' }).limit(2).executeWithPagination()
    const reopened = (cursorSecret: string | readonly string[] | undefined) => {
      const { Note } = new Table({
        name: 'library',
        schema: NoteSchema,
        client: setup.engine,
        cursorSecret,
      }).entities
      return Note.query({ book: 'a' }).limit(2).startFrom(page.cursor).execute()
    }
    const rotated = await reopened(['the second secret', 'the first secret'])
    expect(rotated.map((note) => note.id)).toEqual(['2', '3'])
    await refusesCursor(() => reopened('the second secret'))
    await refusesCursor(() => reopened(['the second secret', 'the third secret']))
    await refusesCursor(() => reopened(undefined))
  }),
  row('Q28', 'where there is a secret a cursor without one is refused', async (setup) => {
    const plain = await notes(setup)
    const query = plain.table.entities.Note.query({ book: 'a' }).limit(2)
    const { cursor } = await query.executeWithPagination()
    const { Note } = new Table({
      name: 'library',
      schema: NoteSchema,
      client: setup.engine,
      ...SECRET,
    }).entities
    await refusesCursor(() => Note.query({ book: 'a' }).limit(2).startFrom(cursor).execute())
  }),
  row('Q28', 'an encrypted cursor shows nothing of the key', async (setup) => {
    const { table } = await notes(setup, SECRET)
    const query = table.entities.Note.query({ book: 'a' }).limit(2)
    const first = await query.executeWithPagination()
    const bytes = Buffer.from(first.cursor?.slice(1) ?? '', 'base64url').toString('latin1')
    expect(bytes).not.toContain('NOTE')
    expect(bytes).not.toContain('BOOK')
  }),
  row('Q29', 'a limit that is not a whole number from 1 on is refused', async (setup) => {
    const { loose, sent } = await notes(setup)
    for (const limit of [
      Number.POSITIVE_INFINITY,
      Number.NaN,
      '10',
      1.5,
      0,
      -1,
      null,
      1n,
      true,
      [1],
      2 ** 53,
    ]) {
      for (const method of ['limit', 'pageSize']) {
        for (const query of [() => loose.Note.query({ book: 'a' }), () => loose.Note.scan()]) {
          await refuses(() => query()[method](limit).execute(), 'INPUT_INVALID')
          await refuses(() => query()[method](limit).executeWithPagination(), 'INPUT_INVALID')
          await refuses(() => query()[method](limit).count(), 'INPUT_INVALID')
          await refuses(() => query()[method](limit).dbParams(), 'INPUT_INVALID')
        }
      }
    }
    expect(sent).toEqual([])
  }),
  row(
    'Q30',
    'reading continues over pages without results, and ends with the last',
    async (setup) => {
      const { table, sent } = await libraryTable(setup.engine, NoteSchema)
      const { Note } = table.entities
      const ids = Array.from({ length: 101 }, (_, index) => String(index).padStart(3, '0'))
      await Note.batchWrite(
        ids.map((id) => ({ book: 'a', id, text: id === '100' ? 'here' : '' })),
      ).execute()
      sent.length = 0
      const found = Note.query({ book: 'a', text: 'here' }).pageSize(1)
      const page = await found.executeWithPagination()
      expect(page.items.map((note) => note.id)).toEqual(['100'])
      expect(page.scannedCount).toBe(101)
      expect(sent).toHaveLength(101)
      expect((await found.first())?.id).toBe('100')
      expect(await found.count()).toBe(1)
      sent.length = 0
      const nothing = await Note.query({ book: 'a', text: 'no' })
        .pageSize(1)
        .executeWithPagination()
      expect(nothing).toMatchObject({ items: [], cursor: undefined, count: 0 })
      expect(sent.length).toBeLessThanOrEqual(102)
    },
  ),
  row('Q30', 'a service whose empty pages lead back to themselves is given up', async (setup) => {
    const { table } = await notes(setup)
    let answers = 0
    const stuck = new Table({
      name: table.name,
      schema: NoteSchema,
      client: {
        async send(operation, request, options) {
          const response = await setup.engine.send(operation, request, options)
          if (operation !== 'Query') return response
          answers++
          const LastEvaluatedKey = { pk: { S: 'BOOK#a' }, sk: { S: 'NOTE#1' } }
          return { ...response, Items: [], Count: 0, LastEvaluatedKey }
        },
      },
    })
    await refuses(() => stuck.entities.Note.query({ book: 'a' }).execute(), 'SERVICE_FAILED')
    expect(answers).toBeLessThan(5)
    await refuses(() => stuck.entities.Note.query({ book: 'a' }).count(), 'SERVICE_FAILED')
    expect(answers).toBeLessThan(10)
  }),
  row('Q31', 'a filter on what the schema does not have is refused', async (setup) => {
    const { loose, sent } = await notes(setup)
    const { Note } = loose
    for (const name of [
      'password',
      'text ',
      'Text',
      '',
      '#t',
      'text.x',
      'pk)',
      'toString',
      '__proto__',
    ]) {
      for (const call of [
        () => Note.query({ book: 'a', [name]: 'x' }).execute(),
        () =>
          Note.query({ book: 'a' })
            // biome-ignore lint/suspicious/noExplicitAny: the entity is untyped here.
            .where((attr: any, op: any) => op.eq(attr[name], 'x'))
            .execute(),
        () =>
          Note.scan()
            // biome-ignore lint/suspicious/noExplicitAny: the entity is untyped here.
            .where((attr: any, op: any) => op.exists(attr[name]))
            .execute(),
        () => Note.query({ book: 'a' }).select([name]).execute(),
      ]) {
        // A computed member __proto__ is an own one, so it counts as given.
        await refuses(call, 'INPUT_INVALID')
      }
    }
    expect(sent).toEqual([])
  }),
  row('Q31', 'a condition that was not made by the operators is refused', async (setup) => {
    const { loose, sent } = await notes(setup)
    const reference = { kind: 'reference', name: 'text', path: ['text'] }
    const endless = { kind: 'and', conditions: [] as unknown[] }
    endless.conditions.push(endless, endless)
    for (const condition of [
      undefined,
      null,
      true,
      'text = "x"',
      {},
      { text: 'x' },
      { kind: 'and', conditions: [] },
      { kind: 'or', conditions: [] },
      { kind: 'and' },
      { kind: 'and', conditions: [undefined] },
      { kind: 'and', conditions: 'text' },
      { kind: 'not' },
      { kind: 'in', left: reference },
      endless,
      { kind: 'compare', operator: '=', left: reference, right: 'x' },
      { kind: 'exists', reference, negated: false },
      [{ kind: 'exists', reference, negated: false }],
    ]) {
      await refuses(
        () =>
          loose.Note.scan()
            .where(() => condition)
            .execute(),
        'INPUT_INVALID',
      )
      await refuses(
        () =>
          loose.Note.query({ book: 'a' })
            // biome-ignore lint/suspicious/noExplicitAny: the entity is untyped here.
            .where((attr: any, op: any) => op.and(condition, op.eq(attr.text, 'x')))
            .execute(),
        'INPUT_INVALID',
      )
      await refuses(
        () =>
          loose.Note.delete({ book: 'a', id: '1' })
            .where(() => condition)
            .execute(),
        'INPUT_INVALID',
      )
    }
    expect(sent).toEqual([])
  }),
]
