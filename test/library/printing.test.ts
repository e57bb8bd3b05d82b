import { inspect } from 'node:util'
import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'

const SECRET = 'a-secret-that-nobody-should-log'
const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Task: {
      key: { pk: 'TASK#${id}', sk: 'TASK' },
      attributes: { id: { type: String, required: true }, title: { type: String } },
    },
  },
  patterns: { task: { op: 'get', entity: 'Task', by: ['id'] } },
})
const table = new Table({ name: 'Tasks', schema, client: createEngine(), cursorSecret: SECRET })
const { Task } = table.entities

/** What people log, on purpose or in the message of a failed test. */
const LOGGED: readonly (readonly [string, unknown])[] = [
  ['the table', table],
  ['its entities', table.entities],
  ['its patterns', table.patterns],
  ['an entity', Task],
  ['a scope', table.scope({ id: '1' })],
  ['a get', Task.get({ id: '1' })],
  ['a query', Task.query({ id: '1' })],
  ['an update', Task.update({ id: '1' }).set({ title: 'x' })],
  ['a transaction', table.transactWrite([Task.put({ id: '1' })])],
  ['a call of a pattern', table.patterns.task({ id: '1' })],
  ['an object with a table in it', { deep: { table } }],
]

test.each(LOGGED)('%s is printed without the secrets of the table', (_, value) => {
  for (const text of [
    inspect(value),
    inspect(value, { depth: null, showHidden: true }),
    JSON.stringify(value) ?? '',
    `${Object.prototype.toString.call(value)}`,
  ]) {
    expect(text).not.toContain(SECRET)
  }
})

test('a call that was not awaited is printed in one line', () => {
  expect(inspect(Task.get({ id: '1' }))).toBe('call of Task in table "Tasks", not awaited')
  expect(inspect(Task.query({ id: '1' }))).toBe('call of Task in table "Tasks", not awaited')
  expect(inspect(table.patterns.task({ id: '1' }))).toBe(
    'call of pattern "task" in table "Tasks", not awaited',
  )
  expect(JSON.stringify(Task.put({ id: '1' }))).toBe(
    '"call of Task in table \\"Tasks\\", not awaited"',
  )
  expect(inspect(Task)).toBe('entity Task in table "Tasks"')
})

test('entities and patterns can be turned into strings', () => {
  expect(String(table.entities)).toBe('[object entity]')
  expect(String(table.patterns)).toBe('[object pattern]')
})
