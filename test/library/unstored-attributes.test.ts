import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { beforeEach, describe, expect, test } from 'vitest'

/** Computed attributes with `stored: false`: in keys and in what reading gives, and not in the
 * item. */

const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byName: { hash: 'gsi1pk', sort: 'gsi1sk' },
    byTeam: { hash: 'gsi2pk', project: ['first', 'team', 'id'] },
  },
  models: {
    Person: {
      key: { pk: 'PERSON#${id}', sk: 'PERSON' },
      index: { gsi1pk: 'TEAM#${team}', gsi1sk: 'NAME#${fullName}', gsi2pk: 'T#${team}' },
      attributes: {
        id: { type: String, required: true },
        team: { type: String, required: true },
        first: { type: String },
        last: { type: String, hidden: true },
        fullName: {
          type: String,
          stored: false,
          from: ['first', 'last'],
          compute: ({ first, last }) => `${last}, ${first}`,
        },
      },
      copies: {
        ByName: { key: { pk: 'NAME#${fullName}', sk: 'PERSON#${id}' }, attributes: ['fullName'] },
      },
    },
  },
})

const engine = createEngine()
let table = new Table({ name: 'People', schema, client: engine })
let { Person, ByName } = table.entities
let made = 0
const ada = { id: '1', team: 'a', first: 'Ada', last: 'Lovelace' }

beforeEach(async () => {
  table = new Table({ name: `People${made++}`, schema, client: engine })
  ;({ Person, ByName } = table.entities)
  await table.create()
})

async function stored() {
  const { Items = [] } = await engine.send('Scan', { TableName: table.name })
  return Items.find(({ pk }) => pk?.S === 'PERSON#1')
}

describe('a computed attribute that is not stored', () => {
  test('is in what put and reads give and in keys, and not in the item', async () => {
    expect((await Person.put(ada)).fullName).toBe('Lovelace, Ada')
    expect(await stored()).not.toHaveProperty('fullName')
    expect((await stored())?.gsi1sk).toEqual({ S: 'NAME#Lovelace, Ada' })
    const found = await Person.get({ id: '1' })
    expect(found).toMatchObject({ id: '1', fullName: 'Lovelace, Ada' })
    expect(found).not.toHaveProperty('last')
    expect(await Person.scan()).toMatchObject([{ fullName: 'Lovelace, Ada' }])
  })

  test('is answered by the key that has it', async () => {
    await Person.put(ada)
    await Person.put({ ...ada, id: '2', last: 'King' })
    const query = Person.query({ team: 'a', fullName: 'King, Ada' })
    expect(query.explain().index).toBe('byName')
    expect(await query).toMatchObject([{ id: '2', fullName: 'King, Ada' }])
    const begins = Person.query({ team: 'a' }).where((attr, op) =>
      op.beginsWith(attr.fullName, 'Love'),
    )
    expect(await begins).toMatchObject([{ id: '1' }])
  })

  test('moves keys and copies when a source changes, and is gone with it', async () => {
    await Person.put(ada)
    expect((await Person.update({ id: '1' }).set({ last: 'King' })).fullName).toBe('King, Ada')
    expect(await stored()).toMatchObject({ gsi1sk: { S: 'NAME#King, Ada' } })
    expect(await stored()).not.toHaveProperty('fullName')
    expect(await ByName.query({ fullName: 'King, Ada' })).toMatchObject([
      { id: '1', fullName: 'King, Ada' },
    ])
    expect(await ByName.query({ fullName: 'Lovelace, Ada' })).toEqual([])
    await Person.update({ id: '1' }).set({ team: 'b' })
    expect(await Person.query({ team: 'b', fullName: 'King, Ada' })).toHaveLength(1)
    expect(await Person.update({ id: '1' }).remove('first')).not.toHaveProperty('fullName')
    expect(await stored()).not.toHaveProperty('gsi1sk')
    expect(await ByName.query({ fullName: 'King, Ada' })).toEqual([])
  })

  test('is right after an upsert, of a new item and of one that is there', async () => {
    await Person.upsert({ id: '1' }).set({ team: 'a', first: 'Ada', last: 'Lovelace' })
    await Person.upsert({ id: '1' }).set({ team: 'b', last: 'King' })
    expect(await stored()).toMatchObject({
      gsi1pk: { S: 'TEAM#b' },
      gsi1sk: { S: 'NAME#King, Ada' },
    })
    expect(await stored()).not.toHaveProperty('fullName')
  })

  test('leaves nothing behind when its item is deleted', async () => {
    await Person.put(ada)
    await Person.delete({ id: '1' })
    expect((await engine.send('Scan', { TableName: table.name })).Items).toEqual([])
  })

  test('is selected by what it is computed from', async () => {
    await Person.put(ada)
    const select = Person.get({ id: '1' }).select((attr) => [attr.fullName])
    expect(await select).toEqual({ fullName: 'Lovelace, Ada' })
    const other = Person.get({ id: '1' }).select((attr) => [attr.first])
    expect(await other).toEqual({ first: 'Ada' })
    const query = Person.query({ team: 'a' }).useIndex('byTeam')
    // @ts-expect-error the compiler knows what the index holds
    expect(() => query.select((attr) => [attr.fullName]).explain()).toThrow(
      'Index "byTeam" does not have "last", which the call needs',
    )
  })

  test('can not be asked for where DynamoDB would have to compute it', async () => {
    await Person.put(ada)
    const refused = '"fullName" is computed and not stored'
    expect(() =>
      Person.scan()
        .where((attr, op) => op.eq(attr.fullName, 'x'))
        .explain(),
    ).toThrow(refused)
    expect(() =>
      Person.query({ team: 'a' })
        .where((attr, op) => op.or(op.eq(attr.fullName, 'x'), op.eq(attr.first, 'x')))
        .explain(),
    ).toThrow(refused)
    const update = Person.update({ id: '1' })
    await expect(
      update.set({ first: 'x' }).where((attr, op) => op.eq(attr.fullName, 'x')),
    ).rejects.toThrow(refused)
    await expect(update.set('first', (attr) => attr.fullName)).rejects.toThrow('is not stored')
    await expect(update.set({ team: 'b' }).given({ fullName: 'x' })).rejects.toThrow(
      'is not stored: give first and last',
    )
    expect(() => Person.scan().where((attr, op) => op.size(attr.fullName).gt(1))).toThrow(
      'is not stored',
    )
    // @ts-expect-error It follows from the names.
    await expect(Person.create({ ...ada, fullName: 'x' })).rejects.toThrow('is computed from other')
    expect(await Person.put({ ...ada, fullName: 'x' })).toMatchObject({ fullName: 'Lovelace, Ada' })
  })

  test('ignores a value that an older program stored', async () => {
    await Person.put(ada)
    await engine.send('UpdateItem', {
      TableName: table.name,
      Key: { pk: { S: 'PERSON#1' }, sk: { S: 'PERSON' } },
      UpdateExpression: 'SET fullName = :old',
      ExpressionAttributeValues: { ':old': { S: 'old' } },
    })
    expect((await Person.get({ id: '1' }))?.fullName).toBe('Lovelace, Ada')
  })

  test('makes a primary key of sources that never change', async () => {
    const posts = defineSchema({
      indexes: { primary: { hash: 'pk' } },
      models: {
        Post: {
          key: { pk: 'POST#${slug}' },
          attributes: {
            title: { type: String, required: true, readonly: true },
            text: { type: String },
            slug: {
              type: String,
              stored: false,
              from: ['title'],
              compute: ({ title }) => title.toLowerCase().replaceAll(' ', '-'),
            },
          },
          copies: { Slug: { key: { pk: 'SLUG#${slug}' } } },
        },
      },
    })
    const blog = new Table({ name: 'Posts', schema: posts, client: createEngine() })
    await blog.create()
    const { Post, Slug } = blog.entities
    await Post.put({ title: 'Two Words' })
    await Post.update({ slug: 'two-words' }).set({ text: 'x' })
    expect(await Post.get({ slug: 'two-words' })).toMatchObject({ text: 'x', slug: 'two-words' })
    expect(await Slug.get({ slug: 'two-words' })).toMatchObject({ text: 'x' })
    await Post.delete({ slug: 'two-words' })
    expect(await Slug.get({ slug: 'two-words' })).toBeUndefined()
  })
})

const computed = { type: String, from: ['id'], compute: () => 'x', stored: false }

test.each<[string, object, object?]>([
  ['needs from and compute', { type: String, stored: false }],
  ['no map or unique', { ...computed, unique: true }],
  ['neither true nor false', { ...computed, stored: 'no' }],
  ['it is a key attribute, and not stored', computed, { byName: { hash: 'name' } }],
  [
    'it projects "name", which is not stored',
    computed,
    { byId: { hash: 'id', project: ['name'] } },
  ],
])('a definition is refused: %s', (message, name, indexes = {}) => {
  const definition = {
    indexes: { primary: { hash: 'pk' }, ...indexes },
    models: { M: { key: { pk: '${id}' }, attributes: { id: { type: String }, name } } },
  }
  const make = () => new Table({ name: 'T', schema: definition as never, client: createEngine() })
  expect(make).toThrow(message)
})

test('a pattern that would filter by it is refused when the schema is read', () => {
  const definition = {
    ...schema,
    patterns: {
      x: {
        op: 'query',
        entity: 'Person',
        index: 'byTeam',
        by: ['team'],
        where: { fullName: '$n' },
      },
    },
  }
  const make = () => new Table({ name: 'T', schema: definition as never, client: createEngine() })
  expect(make).toThrow('"fullName", which is computed and not stored')
})
