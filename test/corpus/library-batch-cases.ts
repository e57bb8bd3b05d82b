import { BatchIncompleteError, defineSchema } from 'singletable'
import { expect } from 'vitest'
import { type CorpusCase, row, type Setup } from './corpus-case.ts'
import { failureOf, libraryTable, refuses } from './library-table.ts'

const NoteSchema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    Note: {
      key: { pk: 'NOTE#${id}' },
      attributes: { id: { type: String, required: true }, text: { type: String } },
    },
  },
})

const open = ({ engine }: Setup) => libraryTable(engine, NoteSchema)
const noteList = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: String(index) }))

/** Batches and transactions of many calls. */
export const libraryBatchCases: readonly CorpusCase[] = [
  row('T-26', 'a transaction of 101 writes is refused, and not split', async (setup) => {
    const { table, sent, items } = await open(setup)
    const { Note } = table.entities
    const transaction = (count: number) =>
      noteList(count).reduce((all, note) => all.addPut(Note.put(note)), table.transactWrite())
    await refuses(() => transaction(101).execute(), 'TRANSACTION_INVALID')
    expect(sent).toEqual([])
    await transaction(100).execute()
    expect(sent.map(({ operation }) => operation)).toEqual(['TransactWriteItems'])
    expect(await items()).toHaveLength(100)
  }),
  row('T-26', 'a transaction of 101 reads is refused, and not split', async (setup) => {
    const { loose, table, sent } = await open(setup)
    let reads: unknown = table.transactGet()
    for (const note of noteList(101)) {
      // Each call gives a builder of another type.
      reads = (reads as { addGet(get: unknown): unknown }).addGet(loose.Note.get(note))
    }
    const { execute } = reads as { execute(): Promise<unknown> }
    await refuses(() => execute.call(reads), 'TRANSACTION_INVALID')
    expect(sent).toEqual([])
  }),
  row('T-27', 'keys that are asked for twice are read once and given twice', async (setup) => {
    const { table, sent } = await open(setup)
    const { Note } = table.entities
    await Note.batchWrite([{ id: 'a', text: 'x' }, { id: 'b' }]).execute()
    sent.length = 0
    const ids = ['a', 'b', 'a', 'c', 'a', 'c']
    const found = await Note.batchGet(ids.map((id) => ({ id }))).execute()
    expect(found.map((note) => note?.id)).toEqual(['a', 'b', 'a', undefined, 'a', undefined])
    expect(sent).toMatchObject([
      {
        operation: 'BatchGetItem',
        request: { RequestItems: { library: { Keys: { length: 3 } } } },
      },
    ])
    const mixed = await table
      .batchGet([
        Note.get({ id: 'a' }),
        Note.get({ id: 'a' }).select(['text']),
        Note.get({ id: 'a' }),
      ])
      .execute()
    expect(mixed).toEqual([{ id: 'a', text: 'x' }, { text: 'x' }, { id: 'a', text: 'x' }])
  }),
  row('T-28', 'a batch of nothing gives nothing and sends nothing', async (setup) => {
    const { table, sent } = await open(setup)
    const { Note } = table.entities
    expect(await Note.batchGet([]).execute()).toEqual([])
    expect(await Note.batchWrite([]).execute()).toEqual([])
    expect(await Note.batchWrite([]).delete([]).execute()).toEqual([])
    expect(await table.batchGet([]).execute()).toEqual([])
    expect(await table.batchWrite([]).execute()).toEqual([])
    expect(sent).toEqual([])
  }),
  row('T-29', 'a write that never passes is what remains, and nothing else', async (setup) => {
    const { table, items } = await open(setup)
    const { Note } = table.entities
    const notes = noteList(60)
    for (const id of ['7', '31', '59']) {
      setup.engine.faults.add({
        kind: 'unprocessed',
        operation: 'BatchWriteItem',
        key: { pk: { S: `NOTE#${id}` } },
      })
    }
    const error = await failureOf(() => Note.batchWrite(notes).execute())
    expect(error).toBeInstanceOf(BatchIncompleteError)
    const { done, remaining } = error as unknown as BatchIncompleteError
    // Other members of the batch may not have been tried again once one of them was given up.
    expect(remaining).toEqual(expect.arrayContaining([{ id: '7' }]))
    expect(done.length + remaining.length).toBe(60)
    expect(new Set([...done, ...remaining])).toEqual(new Set(notes))
    const stored = (await items()).map((item) => item.id?.S).sort()
    expect(stored).toEqual(done.map((note) => (note as { id: string }).id).sort())
  }),
  row(
    'T-29',
    'a key that is never answered is what remains, with what was found of others',
    async (setup) => {
      const { table } = await open(setup)
      const { Note } = table.entities
      await Note.batchWrite(noteList(3)).execute()
      setup.engine.faults.add({
        kind: 'unprocessed',
        operation: 'BatchGetItem',
        key: { pk: { S: 'NOTE#1' } },
      })
      const keys = [{ id: '0' }, { id: '1' }, { id: '2' }, { id: 'x' }, { id: '1' }]
      const error = await failureOf(() => Note.batchGet(keys).execute())
      expect(error).toMatchObject({
        code: 'BATCH_INCOMPLETE',
        remaining: [keys[1], keys[4]],
        done: [keys[0], keys[2], keys[3]],
        outputs: [{ id: '0' }, { id: '2' }, undefined],
      })
    },
  ),
  row('T-30', 'an abort between rounds reports the remaining members', async (setup) => {
    const controller = new AbortController()
    let rounds = 0
    const { table, items } = await libraryTable(setup.engine, NoteSchema, {
      client: {
        async send(operation, request, options) {
          if (operation === 'BatchWriteItem' && rounds++ === 2)
            controller.abort(new Error('enough'))
          return setup.engine.send(operation, request, options)
        },
      },
    })
    const { Note } = table.entities
    setup.engine.faults.add({
      kind: 'unprocessed',
      operation: 'BatchWriteItem',
      key: { pk: { S: 'NOTE#1' } },
    })
    const notes = noteList(3)
    const error = await failureOf(() =>
      Note.batchWrite(notes).execute({ signal: controller.signal }),
    )
    expect(error).toMatchObject({
      code: 'BATCH_INCOMPLETE',
      done: [notes[0], notes[2]],
      remaining: [notes[1]],
    })
    expect(rounds).toBe(3)
    expect((await items()).map((item) => item.id?.S).sort()).toEqual(['0', '2'])
  }),
]
