import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { beforeAll, describe, expect, it } from 'vitest'

/** A key in lower case narrows an equality and a filter decides it: a limit must still hold. */

const attributes = {
  name: { type: String, required: true },
  id: { type: String, required: true },
  text: { type: String, required: true },
} as const
const stats = { itemBytes: 180, perPartition: { average: 400 } }

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Note: { key: { pk: 'U#${name:lower}', sk: 'N#${id}' }, attributes, stats },
    Line: { key: { pk: 'L#${name}', sk: 'A#${id}' }, attributes, stats },
    Mark: { key: { pk: 'L#${name}', sk: '${id}' }, attributes, stats },
  },
  patterns: {
    notes: { op: 'query', entity: 'Note', by: ['name'], limit: 20 },
    marks: { op: 'query', entity: 'Mark', by: ['name'], limit: 20 },
  },
})
const table = new Table({ name: 'App', schema, client: createEngine() })
const { Note, Line, Mark } = table.entities

beforeAll(async () => {
  await table.create()
  for (let number = 0; number < 400; number++) {
    const id = String(number).padStart(4, '0')
    const text = 'x'.repeat(100)
    // Only the last ten have a capital letter.
    await Note.put({ name: number < 390 ? 'ada' : 'Ada', id, text })
    await Line.put({ name: 'ada', id, text })
    await Mark.put({ name: 'ada', id, text })
  }
})

describe('a limit with a key in lower case', () => {
  it('reads no more items than are wanted, in builders and in patterns', async () => {
    const run = await table.patterns.notes({ name: 'ada' }).measure()
    expect([run.itemsRead, run.requests]).toEqual([20, 1])
    expect(run.consumed).toBe(run.plan.cost?.rru)
    expect(table.patterns.notes({ name: 'ada' }).params()).toMatchObject({ Limit: 20 })
    expect(Note.query({ name: 'ada' }).limit(20).params()).toMatchObject({ Limit: 20 })
    expect(await Note.query({ name: 'ada' }).limit(20)).toHaveLength(20)
  })

  it('reads each page of a listing so', async () => {
    const first = await table.patterns.notes({ name: 'ada' }).page()
    const again = table.patterns.notes({ name: 'ada' }, { cursor: first.cursor! })
    expect((await again.measure()).itemsRead).toBe(20)
  })

  it('reads large pages once the first items have another case', async () => {
    const run = await table.patterns.notes({ name: 'Ada' }).measure()
    expect(run.result.items).toHaveLength(10)
    expect([run.itemsRead, run.requests]).toEqual([400, 2])
  })

  it('is not counted on where a filter leaves out items of other models', async () => {
    const run = await table.patterns.marks({ name: 'ada' }).measure()
    expect(run.itemsRead).toBeGreaterThan(400)
    expect(run.consumed).toBeLessThanOrEqual(run.plan.cost!.rru)
  })
})
