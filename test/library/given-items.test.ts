import { ConditionFailedError, defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { beforeEach, expect, test } from 'vitest'

/** Items that were read, as current values: what they lack is known to be absent. */

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, byOwner: { hash: 'gsi1pk', sort: 'gsi1sk' } },
  models: {
    Task: {
      key: { pk: 'TASK#${id}', sk: 'TASK' },
      index: { gsi1pk: 'OWNER#${owner}', gsi1sk: '${status}#${due}' },
      attributes: {
        id: { type: String, required: true },
        status: { type: String, default: 'todo', required: true },
        owner: { type: String },
        due: { type: String },
        secret: { type: String, hidden: true },
        version: { type: Number, version: true },
      },
      copies: {
        TaskList: { key: { pk: 'TASKS', sk: 'TASK#${id}' }, attributes: ['status', 'due'] },
      },
    },
  },
})

let table = new Table({ name: 'Work', schema, client: createEngine() })
let { Task, TaskList } = table.entities

beforeEach(async () => {
  table = new Table({ name: 'Work', schema, client: createEngine() })
  await table.create()
  ;({ Task, TaskList } = table.entities)
})

test('an update in a transaction takes the item that was read', async () => {
  const task = await Task.create({ id: '1', secret: 's' })
  await table.transactWrite([Task.update(task).set({ status: 'done' }).given(task)])
  expect(await TaskList.get({ id: '1' })).toMatchObject({ status: 'done' })
})

test('what the item lacks has to be absent still', async () => {
  const task = await Task.create({ id: '1' })
  await Task.update({ id: '1' }).set({ due: '2030' })
  const update = Task.update(task)
    .set({ status: 'done' })
    .given({ ...task, version: 2 })
  await expect(update).rejects.toThrow(ConditionFailedError)
  const result = await table.transactWrite([update]).result()
  expect(result).toMatchObject({ ok: false, reason: 'CONDITION_FAILED' })
})

test('a delete in a transaction takes the item that was read', async () => {
  const task = await Task.create({ id: '1' })
  await table.transactWrite([Task.delete(task).given(task)])
  expect(await TaskList.get({ id: '1' })).toBeUndefined()
})

test('some values say nothing of the others', async () => {
  await Task.create({ id: '1' })
  const update = Task.update({ id: '1' }).set({ status: 'done' }).given({ id: '1', status: 'todo' })
  await expect(table.transactWrite([update])).rejects.toThrow('UPDATE_NEEDS_ATTRIBUTES')
})

test('save() in a transaction knows the rest from the item that was read', async () => {
  const task = await Task.create({ id: '1', owner: 'ann' })
  await table.transactWrite([Task.save({ ...task, status: 'doing', due: '2030' }, task)])
  expect(await Task.query({ owner: 'ann' }).useIndex('byOwner')).toMatchObject([
    { status: 'doing', due: '2030' },
  ])
  expect(await TaskList.get({ id: '1' })).toMatchObject({ status: 'doing', due: '2030' })
  const again = table.transactWrite([Task.save({ ...task, status: 'done' }, task)])
  expect(await again.result()).toMatchObject({ ok: false, reason: 'VERSION_CONFLICT' })
})

test('ifVersion() needs a version', () => {
  const none = undefined as unknown as number
  for (const write of [
    Task.update({ id: '1' }),
    Task.delete({ id: '1' }),
    Task.check({ id: '1' }),
  ]) {
    expect(() => write.ifVersion(none)).toThrow(
      /ifVersion\(\) was given undefined.*\n.*\n +fix: +give "version" of the item as it was read/,
    )
  }
  expect(() => Task.update({ id: '1' }).ifVersion(1.5)).toThrow('ifVersion() was given 1.5')
})
