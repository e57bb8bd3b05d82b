import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'

const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byTeam: { hash: 'teamPk', sort: 'teamSk', project: 'keys' },
  },
  models: {
    Task: {
      key: { pk: 'OWNER#${owner}', sk: 'TASK#${number:pad(4)}' },
      index: { teamPk: 'TEAM#${team}', teamSk: '${due}#${kind:lower}#${path}' },
      attributes: {
        owner: { type: String, required: true, map: 'o' },
        number: { type: Number, required: true },
        team: { type: String, required: true },
        kind: { type: String, required: true },
        due: { type: Date, required: true },
        path: { type: Array, items: { type: String }, required: true },
        title: { type: String },
      },
    },
    Tag: {
      key: { pk: 'TAG#${tag}', sk: 'TAG' },
      index: { teamPk: 'TEAM#${team}', teamSk: 'TAG#${tag}' },
      attributes: {
        tag: { type: String, required: true },
        team: { type: String, required: true },
      },
    },
  },
  patterns: {
    dueInTeam: {
      op: 'query',
      entity: 'Task',
      index: 'byTeam',
      by: ['team'],
      select: ['owner', 'due'],
    },
  },
})

const due = new Date('2026-03-01T12:00:00.000Z')

async function tasks() {
  const table = new Table({ name: 'tasks', schema, client: createEngine() })
  await table.create()
  const { Task, Tag } = table.entities
  for (const number of [1, 2]) {
    const path = ['a', `${number}`]
    await Task.put({ owner: 'ann', number, team: 'red', kind: 'Bug', due, path, title: 'x' })
  }
  await Tag.put({ tag: 'new', team: 'red' })
  return table
}

test('what the keys of an index contain can be selected, though the index does not project it', async () => {
  const { Task } = (await tasks()).entities
  const query = Task.query({ team: 'red' }).useIndex('byTeam')
  expect(await query.select(['owner', 'number', 'due', 'path'])).toEqual([
    { owner: 'ann', number: 1, due, path: ['a', '1'] },
    { owner: 'ann', number: 2, due, path: ['a', '2'] },
  ])
  expect(await query.select(['number']).order('desc').first()).toEqual({ number: 2 })
  expect(query.select(['number']).params().ProjectionExpression).not.toContain('number')
  expect(await Task.scan().useIndex('byTeam').select(['due']).limit(1)).toEqual([{ due }])
})

test('patterns select it, too', async () => {
  const { patterns } = await tasks()
  const { items } = await patterns.dueInTeam({ team: 'red' })
  expect(items).toEqual([
    { owner: 'ann', due },
    { owner: 'ann', due },
  ])
})

test('a model that is whole in its keys needs no select', async () => {
  const { Tag } = (await tasks()).entities
  const query = Tag.query({ team: 'red' }).useIndex('byTeam')
  expect(await query).toEqual([{ tag: 'new', team: 'red' }])
})

test('what a key has only in part is refused', async () => {
  const { Task } = (await tasks()).entities
  const query = Task.query({ team: 'red' }).useIndex('byTeam')
  // @ts-expect-error the key has it in lower case
  await expect(query.select(['kind']).execute()).rejects.toThrow('does not have "kind"')
  // @ts-expect-error no key has the title
  await expect(query.select(['title', 'due']).execute()).rejects.toThrow('does not have "title"')
  const part = query.select((attr) => [attr.path[0]!])
  await expect(part.execute()).rejects.toThrow('does not have "path"')
})
