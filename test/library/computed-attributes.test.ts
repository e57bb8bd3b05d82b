import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { describe, expect, test } from 'vitest'

/** Attributes that are computed from others, and values that `set` and `get` change on their
 * way. */

const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byName: { hash: 'gsi1pk', sort: 'gsi1sk' },
    byMail: { hash: 'gsi2pk' },
  },
  models: {
    Person: {
      key: { pk: 'PERSON#${id}', sk: 'PERSON' },
      index: { gsi1pk: 'TEAM#${team}', gsi1sk: 'NAME#${fullName}', gsi2pk: 'MAIL#${email}' },
      attributes: {
        id: { type: String, required: true },
        team: { type: String, required: true },
        first: { type: String },
        last: { type: String },
        fullName: {
          type: String,
          from: ['first', 'last'],
          compute: ({ first, last }) => `${last}, ${first}`,
        },
        email: {
          type: String,
          set: (text: string) => text.toLowerCase(),
        },
        points: {
          type: Number,
          set: (points: number) => points * 100,
          get: (stored: number) => stored / 100,
        },
      },
      copies: {
        ByName: { key: { pk: 'NAME#${fullName}', sk: 'PERSON#${id}' }, attributes: ['fullName'] },
      },
    },
  },
})

async function people() {
  const engine = createEngine()
  const table = new Table({ name: 'People', schema, client: engine })
  await table.create()
  const items = async () => (await engine.send('Scan', { TableName: 'People' })).Items ?? []
  const person = async (id: string) => (await items()).find(({ pk }) => pk?.S === `PERSON#${id}`)
  return { ...table.entities, table, items, person }
}

const ada = { id: '1', team: 'a', first: 'Ada', last: 'Lovelace' }

describe('a computed attribute', () => {
  test('is stored with the item, and in the keys and copies that name it', async () => {
    const { Person, ByName, person } = await people()
    const made = await Person.put(ada).execute()
    expect(made.fullName).toBe('Lovelace, Ada')
    expect(await person('1')).toMatchObject({
      fullName: { S: 'Lovelace, Ada' },
      gsi1sk: { S: 'NAME#Lovelace, Ada' },
    })
    expect(await ByName.query({ fullName: 'Lovelace, Ada' }).execute()).toMatchObject([{ id: '1' }])
  })

  test('follows a change of one source, with its keys and copies', async () => {
    const { Person, ByName, person, items } = await people()
    await Person.put(ada).execute()
    await Person.update({ id: '1' }).set({ last: 'King' }).execute()
    expect(await person('1')).toMatchObject({
      fullName: { S: 'King, Ada' },
      gsi1sk: { S: 'NAME#King, Ada' },
    })
    expect(await ByName.query({ fullName: 'King, Ada' }).execute()).toHaveLength(1)
    expect(await items()).toHaveLength(2)
  })

  test('is gone with a source, and so are the keys that need it', async () => {
    const { Person, person, items } = await people()
    await Person.put(ada).execute()
    await Person.update({ id: '1' }).remove('first').execute()
    const stored = await person('1')
    expect(stored).not.toHaveProperty('fullName')
    expect(stored).not.toHaveProperty('gsi1pk')
    expect(await items()).toHaveLength(1)
  })

  test('is right after an upsert, of a new item and of one that is there', async () => {
    const { Person, person } = await people()
    await Person.upsert({ id: '1' }).set({ team: 'a', first: 'Ada', last: 'Lovelace' }).execute()
    expect((await person('1'))?.fullName).toEqual({ S: 'Lovelace, Ada' })
    await Person.upsert({ id: '1' }).set({ team: 'b', last: 'King' }).execute()
    expect(await person('1')).toMatchObject({
      fullName: { S: 'King, Ada' },
      gsi1pk: { S: 'TEAM#b' },
      gsi1sk: { S: 'NAME#King, Ada' },
    })
  })

  test('is asked for as any other, and never given', async () => {
    const { Person } = await people()
    await Person.put(ada).execute()
    const found = await Person.query({ team: 'a', fullName: 'Lovelace, Ada' }).execute()
    expect(found).toHaveLength(1)
    await expect(
      // @ts-expect-error It follows from the names.
      Person.create({ ...ada, id: '2', fullName: 'x' }).execute(),
    ).rejects.toThrow('"fullName" is computed from other attributes, and can\'t be given')
    await expect(
      // @ts-expect-error It follows from the names.
      Person.update({ id: '1' }).set({ fullName: 'x' }).execute(),
    ).rejects.toThrow('"fullName" is computed from other attributes')
  })

  test('is computed again where an item that was read is put with other sources', async () => {
    const { Person } = await people()
    const read = await Person.put(ada)
    expect(await Person.put({ ...read, last: 'King' })).toMatchObject({ fullName: 'King, Ada' })
    expect(await Person.get({ id: '1' })).toMatchObject({ fullName: 'King, Ada' })
  })

  test('needs the other sources in a transaction, which can not read first', async () => {
    const { Person, table, person } = await people()
    await Person.put(ada).execute()
    const update = Person.update({ id: '1' }).set({ last: 'King' })
    await expect(table.transactWrite().add(update).execute()).rejects.toThrow('first')
    const given = update.given({ first: 'Ada', team: 'a', fullName: 'Lovelace, Ada' })
    await table.transactWrite().add(given).execute()
    expect((await person('1'))?.gsi1sk).toEqual({ S: 'NAME#King, Ada' })
  })
})

test('a computed attribute is in the primary key only if its sources never change', async () => {
  const post = (readonly: boolean) =>
    defineSchema({
      indexes: { primary: { hash: 'pk' } },
      models: {
        Post: {
          key: { pk: 'POST#${slug}' },
          attributes: {
            title: { type: String, required: true, readonly },
            slug: {
              type: String,
              from: ['title'],
              compute: ({ title }) => title.toLowerCase().replaceAll(' ', '-'),
            },
          },
        },
      },
    })
  expect(() => post(false)).toThrow('computed from "title", which can change')
  const table = new Table({ name: 'Posts', schema: post(true), client: createEngine() })
  await table.create()
  await table.entities.Post.put({ title: 'Two Words' }).execute()
  const found = await table.entities.Post.get({ slug: 'two-words' }).execute()
  expect(found?.title).toBe('Two Words')
})

describe('an attribute with set and get', () => {
  test('is stored as set gives it, and read as get does', async () => {
    const { Person, person } = await people()
    const made = await Person.put({ ...ada, email: 'Ada@X.org', points: 1.5 }).execute()
    expect(made).toMatchObject({ email: 'ada@x.org', points: 1.5 })
    expect(await person('1')).toMatchObject({ email: { S: 'ada@x.org' }, points: { N: '150' } })
    await Person.update({ id: '1' }).set({ points: 2 }).execute()
    expect((await Person.get({ id: '1' }).execute())?.points).toBe(2)
  })

  test('is equal to every value that set stores alike', async () => {
    const { Person } = await people()
    await Person.put({ ...ada, email: 'ada@x.org', points: 2 }).execute()
    const found = await Person.scan()
      .where((attr, op) => op.and(op.eq(attr.email, 'ADA@x.org'), op.in(attr.points, [2, 3])))
      .execute()
    expect(found).toHaveLength(1)
    const other = await Person.scan()
      .where((attr, op) => op.ne(attr.points, 2))
      .execute()
    expect(other).toEqual([])
  })

  test('is equal to them also in keys, whatever index answers', async () => {
    const { Person } = await people()
    await Person.put({ ...ada, email: 'ada@x.org', points: 2 }).execute()
    const byMail = Person.query({ email: 'ADA@x.org' })
    expect(byMail.explain().index).toBe('byMail')
    expect(await byMail.execute()).toHaveLength(1)
    const listed = Person.query().where((attr, op) => op.in(attr.email, ['ADA@X.org', 'b@x.org']))
    expect(await listed.execute()).toHaveLength(1)
    expect(await Person.query({ email: 'Ada@x.org', points: 2 }).execute()).toHaveLength(1)
    expect(await Person.query({ email: 'Ada@x.org', points: 200 }).execute()).toEqual([])
  })

  test('has no order and no parts that could be asked for', async () => {
    const { Person } = await people()
    const scan = Person.scan()
    expect(() => scan.where((attr, op) => op.gt(attr.points, 1))).toThrow(
      '"points" is stored as its set() returns it, so only eq, ne, in and exists can compare it',
    )
    expect(() => scan.where((attr, op) => op.beginsWith(attr.email, 'a'))).toThrow(
      'as its set() returns it',
    )
    expect(() => scan.where((attr, op) => op.size(attr.email).gt(1))).toThrow('another size')
    await expect(Person.update({ id: '1' }).add('points', 1).execute()).rejects.toThrow(
      'takes whole values only',
    )
  })

  test('that throws is an error of the input, with the cause', async () => {
    const { Person } = await people()
    const put = Person.put({ ...ada, email: 1 as never })
    await expect(put.execute()).rejects.toMatchObject({ cause: expect.any(TypeError) })
  })
})

test.each<[string, object]>([
  ['it has from without compute', { type: String, from: ['id'] }],
  ['from names no attributes', { type: String, from: [], compute: () => '' }],
  ['which is not an attribute', { type: String, from: ['x'], compute: () => '' }],
  ['also supplied in another way', { type: String, from: ['id'], compute: () => '', default: 'x' }],
  ['it has get without set', { type: String, get: () => '' }],
  ['set changes it, and it has another role', { type: Number, set: () => 1, version: true }],
])('a definition is refused: %s', (message, attribute) => {
  const definition = {
    indexes: { primary: { hash: 'pk' } },
    models: { M: { key: { pk: '${id}' }, attributes: { id: { type: String }, attribute } } },
  }
  const make = () => new Table({ name: 'T', schema: definition as never, client: createEngine() })
  expect(make).toThrow(message)
})
