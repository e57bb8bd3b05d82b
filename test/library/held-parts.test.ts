import { Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'
import { schema } from './held-parts-schema.ts'

const due = new Date('2026-03-01T12:00:00.000Z')
const whole = {
  owner: 'ann',
  number: 7,
  team: 'red',
  kind: 'Bug',
  due,
  title: 'Leak',
  first: 'Ann',
  last: 'Lee',
  lead: 'ben',
  position: 2,
}

async function tasks() {
  const table = new Table({ name: 'tasks', schema, client: createEngine() })
  await table.create()
  await table.entities.Task.put({ ...whole, secret: 's' })
  await table.entities.Session.put({ owner: 'ann', team: 'red', device: 'phone' })
  return table.entities
}

// What the types say of these is in test/types/held-parts.test-d.ts.
test('an index of keys that is named gives what the keys contain', async () => {
  const { Task } = await tasks()
  const query = Task.query({ team: 'red' }).useIndex('byTeam')
  const part = { owner: 'ann', number: 7, team: 'red', due }
  expect(await query).toEqual([part])
  expect(await query.first()).toEqual(part)
  expect((await query.executeWithPagination()).items).toEqual([part])
  expect(await Task.scan().useIndex('byTeam')).toEqual([part])
  expect(await query.count()).toBe(1)
})

test('an index of some attributes gives them, and what is computed from them', async () => {
  const { Task } = await tasks()
  const { team, kind, due: _, ...part } = whole
  expect(await Task.query({ lead: 'ben' }).useIndex('byLead')).toEqual([
    { ...part, name: 'Ann Lee' },
  ])
})

test('hydrate() and select() decide what is given, before or after the index is named', async () => {
  const { Task } = await tasks()
  const query = Task.query({ team: 'red' })
  const all = [{ ...whole, name: 'Ann Lee' }]
  expect(await query.useIndex('byTeam').hydrate()).toEqual(all)
  expect(await query.hydrate().useIndex('byTeam')).toEqual(all)
  expect(await query.select(['number']).useIndex('byTeam')).toEqual([{ number: 7 }])
  expect(await query.hydrate().select(['title']).useIndex('byTeam')).toEqual([{ title: 'Leak' }])
  expect(await Task.query({ kind: 'Bug' }).useIndex('byKind')).toEqual(all)
  // @ts-expect-error the compiler knows what the index holds
  const unheld = query.useIndex('byTeam').select(['title'])
  await expect(unheld.execute()).rejects.toThrow('PLAN_PROJECTION')
})

test('an index that is chosen never gives parts unasked', async () => {
  const { Task } = await tasks()
  await expect(Task.query({ team: 'red' }).execute()).rejects.toThrow('PLAN_PROJECTION')
})

test('an index without the time to live gives parts only where expired items are wanted', async () => {
  const { Session } = await tasks()
  const query = Session.query({ team: 'red' }).useIndex('byTeam')
  await expect(query.execute()).rejects.toThrow('does not have "endsAt"')
  expect(await query.includeExpired()).toEqual([{ owner: 'ann', team: 'red' }])
})
