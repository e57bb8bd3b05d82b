import type { SchemaDefinition } from 'singletable'
import { createEngine } from 'singletable/engine'
import {
  checkAttribute,
  custom,
  deriveAttribute,
  type Migration,
  retypeAttribute,
} from 'singletable/migrations'
import { compileSchema, type Item, reverseSteps } from 'singletable/tools'
import { expect, test } from 'vitest'
import { dump, type Entities, migrate, open, schemaOf } from './migration-fixture.ts'

const FRAME = { pk: { S: 'USER#1' }, sk: { S: 'USER' }, _type: { S: 'User' }, id: { S: '1' } }

/** Applies steps to one item, and takes them back. */
async function tried(
  { before, after, steps }: Migration & { before: SchemaDefinition; after: SchemaDefinition },
  write: (entities: Entities) => Promise<unknown>,
) {
  const place = { transport: createEngine(), tableName: 'Users' }
  const old = open(before, place)
  await old.table.create()
  await write(old.entities)
  const original = await dump(place)
  let problem = ''
  try {
    await migrate(place, { before, after, steps }, { keepsUndoLog: true })
  } catch (error) {
    problem = String(error)
  }
  return {
    problem,
    original,
    // The mark of what the undo log has is not a value.
    items: (await dump(place)).map(({ _undo, ...item }) => item),
    async back(): Promise<Item[]> {
      const reversed = reverseSteps(steps, compileSchema(before), true)
      const change = { before: after, after: before, steps: reversed.steps }
      await migrate(place, change, { isDown: true })
      return dump(place)
    },
  }
}

test.each(['01234', ' ', '0x10', '', '1e3', '9007199254740993'])(
  'a text that no number gives again is reported by a lossless retype, and stays: "%s"',
  async (zip) => {
    const steps = [retypeAttribute('User', 'zip', Number, { back: String, isLossless: true })]
    const before = schemaOf({ zip: { type: String } })
    const after = schemaOf({ zip: { type: Number } })
    const run = await tried({ before, after, steps }, async ({ User }) => {
      await User.put({ id: '1', zip })
      await User.put({ id: '2', zip: '1234' })
    })
    expect(run.problem).toContain('["USER#1","USER"] "zip"')
    expect(run.items).toMatchObject([{ zip: { S: zip } }, { zip: { N: '1234' } }])
  },
)

test('a custom step can change what it is given in place', async () => {
  const attributes = {
    tags: { type: Array },
    names: { type: Set },
    at: { type: Date },
    note: {
      type: Object,
      schema: { text: { type: String }, secret: { type: String, hidden: true } },
    },
  }
  const schema = schemaOf(attributes)
  const steps = [
    custom('User', (values) => {
      const { tags, names, at, note } = values as {
        tags: string[]
        names: Set<string>
        at: Date
        note: { text: string }
      }
      if (!tags.includes('new')) tags.push('new')
      names.add('b')
      at.setUTCFullYear(2020)
      note.text = 'changed'
      return { ...values }
    }),
  ]
  const run = await tried({ before: schema, after: schema, steps }, ({ User }) =>
    User.put({
      id: '1',
      tags: ['a'],
      names: new Set(['a']),
      at: new Date('2026-01-01'),
      note: { text: 'first', secret: 'kept' },
    }),
  )
  expect(run.problem).toBe('')
  expect(run.items).toEqual([
    {
      ...FRAME,
      tags: { L: [{ S: 'a' }, { S: 'new' }] },
      names: { SS: ['a', 'b'] },
      at: { S: '2020-01-01T00:00:00.000Z' },
      note: { M: { text: { S: 'changed' }, secret: { S: 'kept' } } },
    },
  ])
  expect(await run.back()).toEqual(run.original)
})

test('a custom step leaves what it gives as it was given, in the form that it has', async () => {
  const schema = schemaOf({ at: { type: Date }, name: { type: String } })
  const steps = [custom('User', (values) => ({ ...values, name: 'x' }))]
  const place = { transport: createEngine(), tableName: 'Users' }
  await open(schema, place).table.create()
  const Item = { ...FRAME, at: { S: '2026-01-01' } }
  await place.transport.send('PutItem', { TableName: 'Users', Item })
  await migrate(place, { before: schema, after: schema, steps })
  expect(await dump(place)).toEqual([{ ...Item, name: { S: 'x' } }])
})

test('a custom step removes an attribute that only the older schema has, by its stored name', async () => {
  const before = schemaOf({ first: { type: String, map: 'f' } })
  const after = schemaOf({ name: { type: String } })
  const steps = [
    custom('User', ({ first, ...others }) =>
      first === undefined ? undefined : { ...others, name: first },
    ),
  ]
  const run = await tried({ before, after, steps }, ({ User }) => User.put({ id: '1', first: 'A' }))
  expect(run.problem).toBe('')
  expect(run.items).toEqual([{ ...FRAME, name: { S: 'A' } }])
  expect(await run.back()).toEqual(run.original)
})

test('a custom step moves a value to an attribute that is stored under the same name', async () => {
  const before = schemaOf({ first: { type: String, map: 'f' } })
  const after = schemaOf({ name: { type: String, map: 'f' } })
  const steps = [custom('User', ({ id, first, name }) => ({ id, name: name ?? first }))]
  const run = await tried({ before, after, steps }, ({ User }) => User.put({ id: '1', first: 'A' }))
  expect(run.items).toEqual([{ ...FRAME, f: { S: 'A' } }])
})

test('an attribute that the schema computes is computed for the items there are', async () => {
  const names = { first: { type: String }, last: { type: String } }
  const full = {
    type: String,
    from: ['first', 'last'],
    compute: ({ first, last }: Record<string, string>) => `${first} ${last}`,
  }
  const run = await tried(
    {
      before: schemaOf(names),
      after: schemaOf({ ...names, full }),
      steps: [deriveAttribute('User', 'full')],
    },
    async ({ User }) => {
      await User.put({ id: '1', first: 'Ada', last: 'L' })
      await User.put({ id: '2', first: 'Bob' })
    },
  )
  expect(run.problem).toBe('')
  expect(run.items.map((item) => item.full)).toEqual([{ S: 'Ada L' }, undefined])
  expect(await run.back()).toEqual(run.original)
})

test('values that the newer schema refuses are reported, and stay as they are', async () => {
  const before = schemaOf({ plan: { type: String }, place: { type: Object, schema: {} } })
  const after = schemaOf({
    plan: { type: String, enum: ['free', 'paid'] },
    place: { type: Object, schema: { city: { type: String, required: true } } },
  })
  const steps = [checkAttribute('User', 'plan'), checkAttribute('User', 'place')]
  const run = await tried({ before, after, steps }, async ({ User }) => {
    await User.put({ id: '1', plan: 'free' })
    await User.put({ id: '2', plan: 'gold' })
    await User.put({ id: '3', place: {} })
  })
  expect(run.problem).not.toContain('USER#1')
  expect(run.problem).toContain('["USER#2","USER"] "plan": "gold" is not one of "free", "paid"')
  expect(run.problem).toContain('["USER#3","USER"] "place.city" is missing')
  expect(run.items).toEqual(run.original)
})
