import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { beforeEach, describe, expect, test } from 'vitest'

const attributes = {
  id: { type: String, required: true },
  name: { type: String },
  plan: { type: String, default: 'trial' },
  token: { type: String, generate: 'ulid' },
  hits: { type: Number, default: 5 },
  tags: { type: Set, items: { type: String }, default: () => new Set(['new']) },
  log: { type: Array, items: { type: String }, default: () => ['made'] },
} as const

const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  params: { timestamps: true },
  models: {
    User: { key: { pk: 'USER#${id}' }, attributes },
    Indexed: {
      key: { pk: 'INDEXED#${id}' },
      index: { gsi1pk: 'PLAN#${plan}', gsi1sk: '${id}' },
      attributes,
    },
    Unique: {
      key: { pk: 'UNIQUE_USER#${id}' },
      attributes: { ...attributes, name: { type: String, unique: true } },
    },
  },
})

let table: Table<typeof schema>
let requests: string[] = []

beforeEach(async () => {
  const engine = createEngine()
  requests = []
  table = new Table({
    name: 'Users',
    schema,
    client: {
      send(operation: never, request: never, options: never) {
        requests.push(operation)
        return engine.send(operation, request, options)
      },
    } as never,
  })
  await table.create()
  requests = []
})

describe.each(['User', 'Indexed', 'Unique'] as const)('upsert of %s', (name) => {
  // The three have the same attributes.
  const entity = () => table.entities[name] as typeof table.entities.User

  test('sets defaults, generated ids and createdAt of a new item', async () => {
    const made = await entity().upsert({ id: '1' }).set({ name: 'a' }).execute()
    expect(made).toMatchObject({ id: '1', name: 'a', plan: 'trial', hits: 5, log: ['made'] })
    expect(made.token).toHaveLength(26)
    expect(made.createdAt).toEqual(made.updatedAt)
    expect(await entity().get({ id: '1' }).execute()).toEqual(made)
  })

  test('does not bring back what was removed from an existing item', async () => {
    await entity().create({ id: '1', name: 'a' }).execute()
    await entity().update({ id: '1' }).remove('plan', 'token', 'hits', 'tags', 'log').execute()
    const changed = await entity().upsert({ id: '1' }).set({ name: 'b' }).execute()
    expect(Object.keys(changed).sort()).toEqual(['createdAt', 'id', 'name', 'updatedAt'])
    const again = await entity().upsert({ id: '1' }).set({ name: 'c' }).execute()
    expect(Object.keys(again).sort()).toEqual(['createdAt', 'id', 'name', 'updatedAt'])
  })

  test('changes the defaults of a new item, and of an existing one what it has', async () => {
    const upsert = () =>
      entity()
        .upsert({ id: '1' })
        .add('hits', 1)
        .add('tags', ['hot'])
        .append('log', ['seen'])
        .execute()
    const first = { hits: 6, tags: new Set(['hot', 'new']), log: ['made', 'seen'] }
    expect(await upsert()).toMatchObject(first)
    expect(await entity().get({ id: '1' }).execute()).toMatchObject(first)
    expect(await upsert()).toMatchObject({ hits: 7, log: ['made', 'seen', 'seen'] })
    await entity()
      .update({ id: '1' })
      .remove('hits', 'log')
      .delete('tags', ['hot', 'new'])
      .execute()
    expect(await upsert()).toMatchObject({ hits: 1, tags: new Set(['hot']), log: ['seen'] })
  })

  test('takes members from the default of a new item, and removes a default', async () => {
    const made = await entity().upsert({ id: '1' }).delete('tags', ['new']).remove('plan').execute()
    expect(made).not.toHaveProperty('tags')
    expect(made).not.toHaveProperty('plan')
    expect(made.hits).toBe(5)
  })

  test('with a condition that does not hold changes nothing', async () => {
    await entity().create({ id: '1', name: 'a' }).execute()
    await entity().update({ id: '1' }).remove('plan').execute()
    const upsert = entity()
      .upsert({ id: '1' })
      .set({ name: 'b' })
      .where((attr, op) => op.eq(attr.name, 'x'))
    await expect(upsert.execute()).rejects.toMatchObject({ code: 'CONDITION_FAILED' })
    expect(await entity().get({ id: '1' }).execute()).toMatchObject({ name: 'a' })
  })
})

test('an upsert takes one request where the item is new or has all its defaults', async () => {
  const { User } = table.entities
  const upsert = () => User.upsert({ id: '1' }).set({ name: 'a' }).add('hits', 1).execute()
  await upsert()
  await upsert()
  expect(requests).toEqual(['UpdateItem', 'UpdateItem'])
  await User.update({ id: '1' }).remove('plan').execute()
  requests = []
  expect(await upsert()).toMatchObject({ hits: 8 })
  expect(requests).toEqual(['UpdateItem', 'UpdateItem'])
})

test('in a transaction, too', async () => {
  const { User } = table.entities
  await User.create({ id: '1' }).execute()
  await User.update({ id: '1' }).remove('plan', 'hits').execute()
  const upserts = ['1', '2'].map((id) => User.upsert({ id }).set({ name: 'b' }).add('hits', 1))
  await table.transactWrite().add(upserts[0]!).add(upserts[1]!).execute()
  const [one, two] = await User.batchGet([{ id: '1' }, { id: '2' }]).execute()
  expect(one).toMatchObject({ name: 'b', hits: 1 })
  expect(one).not.toHaveProperty('plan')
  expect(two).toMatchObject({ name: 'b', hits: 6, plan: 'trial' })
})
