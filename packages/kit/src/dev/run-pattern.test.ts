import { defineSchema, type SchemaDefinition, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { compileSchema } from 'singletable/tools'
import { expect, test } from 'vitest'
import { readSample } from '../examples/read-sample.ts'
import { runPattern } from './run-pattern.ts'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, open: { hash: 'openpk', sort: 'opensk' } },
  models: {
    Reading: {
      key: { pk: 'R#${server}#${at:day}', sk: '${at}' },
      attributes: {
        server: { type: String, required: true },
        at: { type: Date, required: true },
      },
    },
    Task: {
      key: { pk: 'T#${owner}', sk: '${taskId}' },
      index: { openpk: 'OPEN#${owner}', opensk: '${taskId}' },
      when: { open: { state: 'open' } },
      attributes: {
        owner: { type: String, required: true },
        taskId: { type: String, required: true },
        state: { type: String, enum: ['open', 'done'], required: true },
        tags: { type: Array, items: { type: String }, required: true },
        effort: { type: Number, required: true },
      },
    },
  },
  patterns: {
    readings: { op: 'query', entity: 'Reading', by: ['server'], range: 'at' },
    openTasks: { op: 'query', entity: 'Task', index: 'open', by: ['owner'] },
    tagged: {
      op: 'query',
      entity: 'Task',
      by: ['owner'],
      filter: { tags: { contains: '$tag' }, effort: { between: ['$least', '$most'] } },
    },
    several: { op: 'transactGet', entity: 'Task', by: ['owner', 'taskId'] },
    finish: { op: 'update', entity: 'Task', by: ['owner', 'taskId'], set: ['state'] },
    everything: { op: 'scan', reason: 'an export' },
  },
})

test('inputs are taken from the items, so that patterns have answers', async () => {
  const engine = createEngine()
  const table = new Table({ name: 'Mixed', schema, client: engine })
  await table.create()
  const day = (text: string): Date => new Date(`2026-01-${text}T12:00:00Z`)
  await table.entities.Reading.batchWrite([
    { server: 'a', at: day('03') },
    { server: 'b', at: day('01') },
    { server: 'b', at: day('02') },
  ]).execute()
  const task = { tags: ['x', 'y'], effort: 3 }
  await table.entities.Task.batchWrite([
    { ...task, owner: 'al', taskId: '1', state: 'done' },
    { ...task, owner: 'al', taskId: '2', state: 'done' },
    { ...task, owner: 'bo', taskId: '1', state: 'open' },
  ]).execute()
  const compiled = compileSchema(schema)
  const sample = await readSample(engine, compiled, 'Mixed')
  expect(sample).toMatchObject({ unknown: 0, isWhole: true })
  const outcomes = new Map<string, unknown>()
  for (const pattern of compiled.patterns.values()) {
    // What runs patterns knows no more of a schema than that it is one.
    const loose = table as unknown as Table<SchemaDefinition>
    const { name, outcome } = await runPattern(loose, pattern, sample)
    outcomes.set(
      name,
      outcome.kind === 'answered'
        ? [outcome.input, [...outcome.groups.values()].flat().length]
        : outcome,
    )
  }
  expect(Object.fromEntries(outcomes)).toEqual({
    // Without a start the days to look into have to be named.
    readings: [{ server: 'b', at: { from: day('01'), to: day('02') } }, 2],
    // Who has most tasks has no open ones.
    openTasks: [{ owner: 'bo' }, 1],
    tagged: [{ owner: 'al', tag: 'x', least: 3, most: 3 }, 2],
    several: [expect.any(Array), 3],
    finish: { kind: 'plan' },
    everything: { kind: 'plan' },
  })
  await engine.close()
})
