import { DecodeError, defineSchema, Table, undecodedOf } from 'singletable'
import { createEngine } from 'singletable/engine'
import { updateMany } from 'singletable/many'
import { beforeEach, describe, expect, expectTypeOf, test } from 'vitest'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Owner: {
      key: { pk: 'USER#${owner}', sk: 'USER' },
      attributes: { owner: { type: String, required: true } },
    },
    Task: {
      key: { pk: 'USER#${owner}', sk: 'TASK#${id}' },
      attributes: {
        owner: { type: String, required: true },
        id: { type: String, required: true },
        hours: { type: Number, required: true },
      },
    },
  },
  patterns: {
    tasks: { op: 'query', entity: 'Task', by: ['owner'] },
    owners: {
      op: 'query',
      entity: 'Task',
      by: ['owner'],
      // biome-ignore lint/suspicious/noThenProperty: it is the schema's own word, and no function.
      then: { op: 'batchGet', entity: 'Owner' },
    },
    everything: { op: 'query', entity: ['Owner', 'Task'], by: ['owner'] },
  },
})

const engine = createEngine()
let table = new Table({ name: 'tasks', schema, client: engine })
let made = 0

/** Three tasks, of which the second has text for a number. */
beforeEach(async () => {
  table = new Table({ name: `tasks${made++}`, schema, client: engine })
  await table.create()
  await table.entities.Owner.put({ owner: 'alice' })
  await table.entities.Task.batchWrite(
    ['1', '2', '3'].map((id) => ({ owner: 'alice', id, hours: 1 })),
  )
  await engine.send('UpdateItem', {
    TableName: table.name,
    Key: { pk: { S: 'USER#alice' }, sk: { S: 'TASK#2' } },
    UpdateExpression: 'SET hours = :h',
    ExpressionAttributeValues: { ':h': { S: 'many' } },
  })
})

const RAW = {
  pk: { S: 'USER#alice' },
  sk: { S: 'TASK#2' },
  _type: { S: 'Task' },
  owner: { S: 'alice' },
  id: { S: '2' },
  hours: { S: 'many' },
}
const KEY = { pk: RAW.pk, sk: RAW.sk }

describe('an item that does not fit its model', () => {
  test('is an error unless asked otherwise', async () => {
    const query = table.entities.Task.query({ owner: 'alice' })
    await expect(query).rejects.toThrow(DecodeError)
    await expect(query.execute({ onDecodeError: 'throw' })).rejects.toThrow(DecodeError)
  })

  test('is skipped by a call that says so, and is next to the results with its reason', async () => {
    const query = table.entities.Task.query({ owner: 'alice' })
    const tasks = await query.execute({ onDecodeError: 'skip' })
    expectTypeOf(tasks[0]!.hours).toEqualTypeOf<number>()
    expect(tasks.map(({ id }) => id)).toEqual(['1', '3'])
    const [left, ...others] = undecodedOf(tasks)
    expect(left).toEqual({ key: KEY, error: expect.any(DecodeError) })
    expect(left?.error.what).toMatch(/"hours"/)
    expect(others).toEqual([])
    expect(undecodedOf([])).toEqual([])
  })

  test('comes as it is stored with raw', async () => {
    const query = table.entities.Task.query({ owner: 'alice' })
    const tasks = await query.execute({ onDecodeError: 'raw' })
    expect(undecodedOf(tasks)[0]?.item).toEqual(RAW)
  })

  test('does not count towards a limit, and pages stay in step', async () => {
    const query = table.entities.Task.query({ owner: 'alice' })
    const all = await query.limit(2).execute({ onDecodeError: 'skip' })
    expect(all.map(({ id }) => id)).toEqual(['1', '3'])
    const page = await query.limit(2).executeWithPagination({ onDecodeError: 'skip' })
    expect(page.undecoded?.map(({ key }) => key)).toEqual([KEY])
    expect(undecodedOf(page)).toBe(page.undecoded)
    const behind = page.cursorOf(0)
    const rest = await query.cursor(behind).execute({ onDecodeError: 'skip' })
    expect(rest.map(({ id }) => id)).toEqual(['3'])
    expect((await query.limit(1).executeWithPagination()).undecoded).toBeUndefined()
  })

  test('is skipped by all reads of several items of a table that says so', async () => {
    const lenient = new Table({ name: table.name, schema, client: engine, onDecodeError: 'raw' })
    const { Task } = lenient.entities
    expect(await Task.scan().parallel(2)).toHaveLength(2)
    const batch = await Task.batchGet(['1', '2', '9'].map((id) => ({ owner: 'alice', id })))
    expect(batch.map((task) => task?.id)).toEqual(['1', undefined, undefined])
    expect(undecodedOf(batch)[0]?.item).toEqual(RAW)
    const groups = await lenient.collect(['Owner', 'Task'], { owner: 'alice' })
    expect(groups.Task).toHaveLength(2)
    expect(undecodedOf(groups)).toHaveLength(1)
    const results = Task.query({ owner: 'alice' }).iterate()
    const ids = []
    for await (const { id } of results) ids.push(id)
    expect(ids).toEqual(['1', '3'])
    expect(undecodedOf(results)).toHaveLength(1)
    await expect(
      Task.query({ owner: 'alice' }).execute({ onDecodeError: 'throw' }),
    ).rejects.toThrow()
    const report = await updateMany(
      Task.query({ owner: 'alice' }),
      (task, { id, hours }) => task.set({ hours: hours + Number(id) }),
      { all: true },
    )
    expect(report.done).toBe(2)
    expect((await Task.query({ owner: 'alice' })).map(({ hours }) => hours)).toEqual([2, 4])
    // Of one item nothing could be given in its place.
    await expect(Task.get({ owner: 'alice', id: '2' })).rejects.toThrow(DecodeError)
  })

  test('needs a known choice', async () => {
    const query = table.entities.Task.query({ owner: 'alice' })
    await expect(query.execute({ onDecodeError: 'ignore' as never })).rejects.toThrow(
      /"onDecodeError" is not 'throw', 'skip' or 'raw'/,
    )
    expect(
      () => new Table({ name: 'x', schema, client: engine, onDecodeError: 'x' as never }),
    ).toThrow(/onDecodeError must be 'throw', 'skip' or 'raw'/)
    const put = table.entities.Owner.put({ owner: 'bob' })
    await expect(put.execute({ onDecodeError: 'skip' } as never)).rejects.toThrow(
      /"onDecodeError" is not an option/,
    )
  })
})

test('patterns leave them out as builders do, by an option of the call or of the table', async () => {
  const { patterns } = table
  const alice = { owner: 'alice' }
  await expect(patterns.tasks(alice).execute()).rejects.toThrow(DecodeError)
  const raw = await patterns.tasks(alice, { onDecodeError: 'raw' })
  expect(raw.items.map(({ id }) => id)).toEqual(['1', '3'])
  expect(undecodedOf(raw).map(({ item }) => item?.hours)).toEqual([{ S: 'many' }])
  const page = await patterns.tasks(alice).page({ onDecodeError: 'skip' })
  expect(page.undecoded).toHaveLength(1)
  const options = { onDecodeError: 'skip' } as const
  for (const each of [patterns.tasks(alice).iterate(options), patterns.tasks.all(alice, options)]) {
    const ids: string[] = []
    for await (const { id } of each) ids.push(id)
    expect([ids, undecodedOf(each).length]).toEqual([['1', '3'], 1])
  }
  const lenient = new Table({ name: table.name, schema, client: engine, onDecodeError: 'skip' })
  expect(undecodedOf(await lenient.patterns.tasks(alice))).toHaveLength(1)
  const groups = await lenient.patterns.everything(alice)
  expect([groups.groups.Task.length, undecodedOf(groups).length]).toEqual([2, 1])
})

test('patterns that fetch other items one by one leave those out that do not fit', async () => {
  await engine.send('UpdateItem', {
    TableName: table.name,
    Key: { pk: { S: 'USER#alice' }, sk: { S: 'USER' } },
    UpdateExpression: 'SET #owner = :n',
    ExpressionAttributeNames: { '#owner': 'owner' },
    ExpressionAttributeValues: { ':n': { N: '1' } },
  })
  const options = { onDecodeError: 'skip' } as const
  const { owners } = table.patterns
  for (const each of [
    owners({ owner: 'alice' }).iterate(options),
    owners.all({ owner: 'alice' }, options),
  ]) {
    for await (const owner of each) expect(owner).toBe('none')
    expect(undecodedOf(each)[0]?.error.what).toContain('"owner"')
  }
})
