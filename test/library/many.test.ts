import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { deleteMany, ManyStoppedError, updateMany } from 'singletable/many'
import { beforeEach, describe, expect, test } from 'vitest'

const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byStatus: { hash: 'gsi1pk', sort: 'gsi1sk' },
    byKind: { hash: 'kindPk', sort: 'sk', project: 'keys' },
  },
  models: {
    User: {
      key: { pk: 'USER#${owner}', sk: 'USER' },
      attributes: {
        owner: { type: String, required: true },
        tasks: { type: Number, counts: 'Task' },
      },
    },
    Task: {
      key: { pk: 'USER#${owner}', sk: 'TASK#${number:pad(4)}' },
      index: {
        gsi1pk: 'STATUS#${status}',
        gsi1sk: '${rank:pad(4)}#${owner}#${number:pad(4)}',
        kindPk: 'KIND#${kind}',
      },
      attributes: {
        owner: { type: String, required: true },
        number: { type: Number, required: true },
        status: { type: String, required: true, default: 'open' },
        kind: { type: String, default: 'chore' },
        rank: { type: Number, required: true, default: 0 },
        seen: { type: Number, default: 0 },
        title: { type: String, unique: true },
      },
      copies: { Titled: { key: { pk: 'TITLE#${title}', sk: 'TASK' } } },
    },
    Note: {
      key: { pk: 'USER#${owner}', sk: 'NOTE#${id}' },
      attributes: {
        owner: { type: String, required: true },
        id: { type: String, required: true },
      },
    },
    Day: {
      key: { pk: 'DAY#${day:day}', sk: '${day}' },
      attributes: { day: { type: Date, required: true }, mark: { type: String } },
    },
  },
})

const client = createEngine()
/** Called before each request. */
let before: ((operation: string) => Promise<void> | void) | undefined
const transport = {
  send: (async (operation: never, request: never, options: never) => {
    await before?.(operation)
    return client.send(operation, request, options)
  }) as typeof client.send,
}
let table = new Table({ name: 'tasks', schema, client: transport })
let made = 0

beforeEach(async () => {
  before = undefined
  table = new Table({ name: `tasks${made++}`, schema, client: transport })
  await table.create()
  await table.entities.User.put({ owner: 'alice' })
})

async function addTasks(count: number) {
  const { Task } = table.entities
  const numbers = Array.from({ length: count }, (_, at) => at + 1)
  await Promise.all(
    numbers.map((number) => Task.put({ owner: 'alice', number, title: `t${number}` })),
  )
}

describe('updateMany', () => {
  test('sets attributes of all items that a query finds, with their index keys and copies', async () => {
    const { Task, Titled } = table.entities
    await addTasks(30)
    const query = Task.query({ owner: 'alice' }).where((attr, op) => op.lte(attr.number, 27))
    const report = await updateMany(query, { status: 'done' }, { all: true })
    expect(report).toEqual({ done: 27, skipped: 0, failures: [], cursor: undefined })
    expect(await Task.query({ status: 'done' }).count()).toBe(27)
    expect(await Task.query({ status: 'open' }).count()).toBe(3)
    expect(await Titled.get({ title: 't3' })).toMatchObject({ status: 'done' })
  })

  test('refuses to run without a limit or all: true, and with both', async () => {
    const query = table.entities.Task.query({ owner: 'alice' })
    await expect(async () => updateMany(query, { status: 'done' })).rejects.toThrow(
      /nothing says how many items may be changed: give a limit, or all: true/,
    )
    await expect(async () =>
      updateMany(query, { status: 'x' }, { all: true, limit: 3 }),
    ).rejects.toThrow(/limit and all: true contradict each other/)
    await expect(async () =>
      updateMany(query, { status: 'x' }, { limt: 3 } as never),
    ).rejects.toThrow(/"limt" is unknown \(did you mean "limit"\?\)/)
  })

  test('takes the limit of the query, and resumes from the cursor of its report', async () => {
    const { Task } = table.entities
    await addTasks(5)
    const query = Task.query({ owner: 'alice' })
    const first = await updateMany(query.limit(2), (task) => task.add('seen', 1))
    expect(first.done).toBe(2)
    const rest = await updateMany(query, (task) => task.add('seen', 1), {
      all: true,
      cursor: first.cursor,
    })
    expect([rest.done, rest.cursor]).toEqual([3, undefined])
    expect((await query).map(({ seen }) => seen)).toEqual([1, 1, 1, 1, 1])
  })

  test('gives a function each item, and leaves alone those for which it gives nothing', async () => {
    const { Task } = table.entities
    await addTasks(3)
    const report = await updateMany(
      Task.query({ owner: 'alice' }),
      (task, { number, title }) => (number === 2 ? undefined : task.set({ kind: `${title}!` })),
      { all: true },
    )
    expect([report.done, report.skipped]).toEqual([2, 1])
    expect((await Task.query({ owner: 'alice' })).map(({ kind }) => kind)).toEqual([
      't1!',
      'chore',
      't3!',
    ])
  })

  test('changes an item once, although the update moves it forward in the index that is read', async () => {
    const { Task } = table.entities
    await addTasks(6)
    const query = Task.query({ status: 'open' }).pageSize(2)
    const report = await updateMany(query, (task) => task.add({ rank: 10, seen: 1 }), { all: true })
    expect(report.done).toBe(6)
    expect((await Task.query({ owner: 'alice' })).map(({ seen }) => seen)).toEqual([
      1, 1, 1, 1, 1, 1,
    ])
  })

  test('changes an item once, although the update gives it a later primary key', async () => {
    const { Task } = table.entities
    await addTasks(3)
    const query = Task.query({ owner: 'alice' }).pageSize(1)
    const report = await updateMany(
      query,
      (task, { number }) => task.set({ number: number + 10 }).add('seen', 1),
      { all: true },
    )
    expect(report.done).toBe(3)
    expect((await query).map(({ number, seen }) => [number, seen])).toEqual([
      [11, 1],
      [12, 1],
      [13, 1],
    ])
    expect(await table.entities.User.get({ owner: 'alice' })).toMatchObject({ tasks: 3 })
  })

  test('skips items that others have changed since they were read so that the query has them no more', async () => {
    const { Task } = table.entities
    await addTasks(3)
    let isChanged = false
    before = async (operation) => {
      if (operation === 'Query' || isChanged) return
      isChanged = true
      await table.entities.Task.update({ owner: 'alice', number: 2 }).set({ status: 'done' })
      await table.entities.Task.delete({ owner: 'alice', number: 3 })
    }
    const open = Task.query({ status: 'open' })
    const report = await updateMany(open, { kind: 'x' }, { all: true, concurrency: 1 })
    expect([report.done, report.skipped]).toEqual([1, 2])
    expect(await Task.get({ owner: 'alice', number: 2 })).toMatchObject({ kind: 'chore' })
    expect(await Task.get({ owner: 'alice', number: 3 })).toBeUndefined()
  })

  test('a failure stops it; the report names the item and leads behind it', async () => {
    const { Task } = table.entities
    await addTasks(3)
    const query = Task.query({ owner: 'alice' })
    const change = (task: ReturnType<typeof Task.update>, { number }: { number: number }) =>
      task.set({ title: number === 2 ? 't3' : `new${number}` })
    const error = await updateMany(query, change as never, { limit: 2 }).catch((error) => error)
    expect(error).toBeInstanceOf(ManyStoppedError)
    expect(error.code).toBe('MANY_STOPPED')
    expect(error.cause.code).toBe('UNIQUE_TAKEN')
    expect(error.report).toMatchObject({ done: 1, failures: [{ key: { pk: 'USER#alice' } }] })
    const rest = await updateMany(query, change as never, {
      all: true,
      cursor: error.report.cursor,
    })
    expect(rest).toMatchObject({ done: 1, cursor: undefined })
    const all = await updateMany(query, change as never, {
      all: true,
      onError: 'continue',
      concurrency: 1,
    })
    // By now nobody has the title t3.
    expect(all).toMatchObject({ done: 3, failures: [] })
  })

  test('reports progress with a cursor after each chunk, and stops when it is aborted', async () => {
    const { Task } = table.entities
    await addTasks(60)
    const controller = new AbortController()
    const progress: number[] = []
    const query = Task.query({ owner: 'alice' })
    const error = await updateMany(
      query,
      { kind: 'x' },
      {
        all: true,
        signal: controller.signal,
        onProgress: ({ done }) => {
          progress.push(done)
          if (done === 50) controller.abort(new Error('enough'))
        },
      },
    ).catch((error) => error)
    expect(progress).toEqual([25, 50])
    expect(error.cause.message).toBe('enough')
    const rest = await updateMany(query, { kind: 'y' }, { all: true, cursor: error.report.cursor })
    expect(rest.done).toBe(10)
    expect(await query.where((attr, op) => op.eq(attr.kind, 'x')).count()).toBe(50)
  })

  test('goes through buckets of time by one cursor', async () => {
    const { Day } = table.entities
    const days = Array.from({ length: 40 }, (_, at) => new Date(Date.UTC(2026, 0, 1 + at)))
    await Day.batchWrite(days.map((day) => ({ day })))
    const query = Day.query().where((attr, op) => op.between(attr.day, days[0]!, days[39]!))
    const first = await updateMany(query, { mark: 'x' }, { limit: 30 })
    expect(first.done).toBe(30)
    const rest = await updateMany(query, { mark: 'y' }, { all: true, cursor: first.cursor })
    expect(rest.done).toBe(10)
    expect((await query).map(({ mark }) => mark).join('')).toBe('x'.repeat(30) + 'y'.repeat(10))
  })
})

describe('deleteMany', () => {
  test('deletes items with their copies, unique values and counts', async () => {
    const { Task, Titled, User } = table.entities
    await addTasks(4)
    const query = Task.query({ owner: 'alice' }).where((attr, op) => op.gt(attr.number, 1))
    expect(await deleteMany(query, { limit: 10 })).toMatchObject({ done: 3, cursor: undefined })
    expect(await User.get({ owner: 'alice' })).toMatchObject({ tasks: 1 })
    expect(await Titled.get({ title: 't2' })).toBeUndefined()
    await Task.create({ owner: 'alice', number: 9, title: 't2' })
  })

  test('reads keys alone, so that an index which has nothing else will do', async () => {
    const { Task } = table.entities
    await addTasks(3)
    const query = Task.query()
      .where((attr, op) => op.eq(attr.kind, 'chore'))
      .useIndex('byKind')
    expect(await deleteMany(query, { all: true })).toMatchObject({ done: 3, skipped: 0 })
    expect(await Task.scan().count()).toBe(0)
  })

  test('stays in the scope of its query', async () => {
    const { Note } = table.entities
    await Note.batchWrite(['alice', 'bob'].map((owner) => ({ owner, id: '1' })))
    const scope = table.scope({ owner: 'bob' })
    expect(await deleteMany(scope.entities.Note.query(), { all: true })).toMatchObject({ done: 1 })
    expect(await Note.query({ owner: 'alice' }).count()).toBe(1)
  })

  test('refuses what is not a query, and copies', async () => {
    const { Task, Titled } = table.entities
    await expect(async () => deleteMany([] as never, { all: true })).rejects.toThrow(
      /the first argument is not a query/,
    )
    await expect(async () =>
      deleteMany(Titled.query({ title: 't1' }) as never, { all: true }),
    ).rejects.toThrow(/change Task: its copies follow/)
    await expect(async () => deleteMany(Task.scan().parallel(2), { all: true })).rejects.toThrow(
      /parallel\(\)/,
    )
  })
})
