import { defineSchema } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { libraryTable, refuses } from '../corpus/library-table.ts'

/** What went wrong in other libraries, each as a test that it does not here. */

let engine: Engine
beforeEach(() => {
  engine = createEngine()
})
afterEach(() => engine.close())

const text = { type: String, required: true } as const

describe('labels in keys, as ElectroDB writes them', () => {
  const PAIRS = [
    { a: '1#b_2', b: '3' },
    { a: '1', b: '2#b_3' },
  ] as const

  const labelled = (encode: boolean) =>
    defineSchema({
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: {
        Pair: {
          key: { pk: '$app', sk: '$pair#a_${a}#b_${b}' },
          attributes: { a: { ...text, encode }, b: { ...text, encode } },
        },
      },
    })

  test('values that contain the next label are two items when escaped', async () => {
    const { table, items } = await libraryTable(engine, labelled(true))
    const { Pair } = table.entities
    for (const pair of PAIRS) await Pair.create(pair).execute()
    expect(await items()).toHaveLength(2)
    expect(await Pair.batchGet(PAIRS).execute()).toEqual(PAIRS)
    for (const pair of PAIRS) {
      expect(await Pair.query({ a: pair.a }).useIndex('primary').execute()).toEqual([pair])
    }
  })

  test('values that contain the next label are refused otherwise', async () => {
    const { table, sent } = await libraryTable(engine, labelled(false))
    for (const pair of PAIRS) {
      const { Pair } = table.entities
      await refuses(() => Pair.put(pair).execute(), 'KEY_COMPONENT_INVALID')
      await refuses(() => Pair.get(pair).execute(), 'KEY_COMPONENT_INVALID')
    }
    expect(sent).toEqual([])
  })

  test('keys are not lowered, so ids that differ in case are different items', async () => {
    const { table, items } = await libraryTable(engine, labelled(false))
    for (const a of ['V1StGXR8', 'v1stgxr8', 'V1STGXR8']) {
      await table.entities.Pair.create({ a, b: 'x' }).execute()
    }
    expect((await items()).map(({ sk }) => sk?.S)).toEqual([
      '$pair#a_V1STGXR8#b_x',
      '$pair#a_V1StGXR8#b_x',
      '$pair#a_v1stgxr8#b_x',
    ])
  })
})

describe('an item without an optional part of an index key', () => {
  const schema = defineSchema({
    indexes: {
      primary: { hash: 'pk', sort: 'sk' },
      gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
      gsi2: { hash: 'gsi2pk', sort: 'gsi2sk' },
    },
    models: {
      Task: {
        key: { pk: 'TASK#${id}', sk: 'TASK' },
        index: {
          gsi1pk: 'OWNER#${owner}',
          gsi1sk: 'DUE#${due}#${id}',
          gsi2pk: 'TEAM#${team}',
          gsi2sk: 'OWNER#${owner}',
        },
        attributes: {
          id: text,
          owner: { type: String },
          due: { type: String },
          team: { type: String },
        },
      },
    },
  })
  const KEYS = ['gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk']

  test.each([
    [{}, []],
    [{ owner: 'ann' }, []],
    [{ due: 'soon' }, []],
    [{ owner: 'ann', due: 'soon' }, ['gsi1pk', 'gsi1sk']],
    [{ team: 'red', due: 'soon' }, []],
    [{ team: 'red', owner: 'ann' }, ['gsi2pk', 'gsi2sk']],
    [{ team: 'red', owner: 'ann', due: 'soon' }, KEYS],
  ])('%j has exactly the key attributes %j', async (attributes, expected) => {
    const { table, items } = await libraryTable(engine, schema)
    const { Task } = table.entities
    await Task.put({ id: '1', ...attributes }).execute()
    await Task.create({ id: '2', ...attributes }).execute()
    await Task.batchWrite([{ id: '3', ...attributes }]).execute()
    await table
      .transactWrite()
      .addPut(Task.put({ id: '4', ...attributes }))
      .execute()
    if (Object.keys(attributes).length > 0) await Task.upsert({ id: '5' }).set(attributes).execute()
    await Task.put({ id: '6' }).execute()
    if (Object.keys(attributes).length > 0) await Task.update({ id: '6' }).set(attributes).execute()
    for (const item of await items()) {
      expect(KEYS.filter((name) => Object.hasOwn(item, name))).toEqual(expected)
      expect(JSON.stringify(item)).not.toMatch(/undefined|null|\$\{/)
    }
  })
})

describe('placeholders of expressions, which met in Dynatable', () => {
  const schema = defineSchema({
    indexes: { primary: { hash: 'pk' } },
    models: {
      User: {
        key: { pk: 'USER#${id}' },
        attributes: {
          id: text,
          name: { type: String },
          version: { type: Number },
          count: { type: Number },
          list: { type: Array, items: { type: String } },
          tags: { type: Set, items: { type: String } },
          place: { type: Object, schema: { name: { type: String }, version: { type: Number } } },
        },
      },
    },
  })

  test('a condition on the attribute that is set compares with its own value', async () => {
    const { table } = await libraryTable(engine, schema)
    const { User } = table.entities
    await User.put({ id: '1', name: '1', version: 1 }).execute()
    const rename = User.update({ id: '1' })
      .set('name', 'n')
      .add('version', 1)
      .where((attr, op) => op.eq(attr.name, '1'))
      .where((attr, op) => op.eq(attr.version, 1))
    expect(await rename.execute()).toEqual({ id: '1', name: 'n', version: 2 })
    const error = await refuses(() => rename.execute(), 'CONDITION_FAILED')
    expect(error).toMatchObject({ item: { id: '1', name: 'n', version: 2 } })
  })

  test('all kinds of changes and conditions on like names work in one update', async () => {
    const { table } = await libraryTable(engine, schema)
    const { User } = table.entities
    await User.put({
      id: '1',
      name: 'a',
      version: 1,
      list: ['a'],
      tags: new Set(['a', 'b']),
      place: { name: 'a', version: 1 },
    }).execute()
    const update = User.update({ id: '1' })
      .set({ name: 'b' })
      .set((attr) => attr.place.name, 'c')
      .remove((attr) => attr.place.version)
      .add('version', 1)
      .setDefault({ count: 1 })
      .append('list', ['b'])
      .delete('tags', ['a'])
      .where((attr, op) =>
        op.and(
          op.eq(attr.name, 'a'),
          op.eq(attr.place.name, 'a'),
          op.eq(attr.version, 1),
          op.eq(attr.place.version, 1),
          op.notExists(attr.count),
          op.contains(attr.tags, 'a'),
          op.eq(op.size(attr.list), 1),
          op.in(attr.name, ['a', 'b', 'c']),
          op.between(attr.version, 1, 1),
          op.eq(attr.name, attr.place.name),
        ),
      )
    expect(await update.execute()).toEqual({
      id: '1',
      name: 'b',
      version: 2,
      count: 1,
      list: ['a', 'b'],
      tags: new Set(['b']),
      place: { name: 'c' },
    })
  })

  test('the conditions of a transaction do not take the placeholders of each other', async () => {
    const { table } = await libraryTable(engine, schema)
    const { User } = table.entities
    for (const id of ['1', '2', '3'])
      await User.put({ id, name: id, version: Number(id) }).execute()
    await table
      .transactWrite()
      .addUpdate(
        User.update({ id: '1' })
          .set({ name: 'x' })
          .where((attr, op) => op.eq(attr.name, '1')),
      )
      .addUpdate(
        User.update({ id: '2' })
          .add('version', 1)
          .where((attr, op) => op.eq(attr.version, 2)),
      )
      .addConditionCheck(User.check({ id: '3' }).where((attr, op) => op.eq(attr.name, '3')))
      .execute()
    const found = await User.batchGet([{ id: '1' }, { id: '2' }]).execute()
    expect(found).toEqual([
      { id: '1', name: 'x', version: 1 },
      { id: '2', name: '2', version: 3 },
    ])
  })

  test('attributes may have names that mean something in expressions', async () => {
    const names = [
      '#n0',
      ':v0',
      '#0',
      ':0',
      'a.b',
      'a[0]',
      'a b',
      'SET',
      'size(a)',
      'name, version',
      '0',
      'ä',
      ')',
    ]
    const { loose } = await libraryTable(engine, {
      indexes: { primary: { hash: 'pk' } },
      models: {
        Odd: {
          key: { pk: 'ODD#${id}' },
          attributes: {
            id: text,
            ...Object.fromEntries(names.map((name) => [name, { type: String }])),
          },
        },
      },
    })
    await loose.Odd.put({ id: '1' }).execute()
    for (const name of names) {
      const written = await loose.Odd.update({ id: '1' })
        .set({ [name]: `of ${name}` })
        // biome-ignore lint/suspicious/noExplicitAny: the names are not identifiers.
        .where((attr: any, op: any) => op.notExists(attr[name]))
        .execute()
      expect(written[name]).toBe(`of ${name}`)
    }
    const expected = Object.fromEntries(names.map((name) => [name, `of ${name}`]))
    expect(await loose.Odd.get({ id: '1' }).execute()).toEqual({ id: '1', ...expected })
    for (const name of names) {
      const found = await loose.Odd.query({ id: '1', [name]: `of ${name}` })
        .select([name])
        .execute()
      expect(found).toEqual([{ [name]: `of ${name}` }])
    }
  })
})

describe('values in templates', () => {
  const schema = defineSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
      User: { key: { pk: 'USERS', sk: 'user#${id}' }, attributes: { id: text } },
    },
  })

  test('an id of "${" does not find all users, as it does in OneTable', async () => {
    const { table } = await libraryTable(engine, schema)
    const { User } = table.entities
    for (const id of ['1', '2']) await User.put({ id }).execute()
    for (const id of ['${', '${id', '${id}', '$']) {
      expect(await User.query({ id }).useIndex('primary').execute()).toEqual([])
      expect(await User.get({ id }).execute()).toBeUndefined()
      const { KeyConditionExpression } = User.query({ id }).useIndex('primary').dbParams()
      expect(KeyConditionExpression).not.toContain('begins_with')
    }
  })

  test('"$&" and its like are not replaced, as they are in Dynatable', async () => {
    const { table } = await libraryTable(engine, schema)
    for (const id of ['$&', '$`', "$'", '$$', '$1', '$<id>']) {
      expect(table.entities.User.renderKey({ id })).toEqual({ pk: 'USERS', sk: `user#${id}` })
    }
  })
})

describe('members of batches', () => {
  const schema = defineSchema({
    indexes: { primary: { hash: 'pk' } },
    models: { Note: { key: { pk: 'NOTE#${id}' }, attributes: { id: text } } },
  })
  const notes = Array.from({ length: 110 }, (_, index) => ({ id: String(index) }))

  test('keys that come back unprocessed are not lost, as they are in OneTable', async () => {
    const { table } = await libraryTable(engine, schema)
    const { Note } = table.entities
    await Note.batchWrite(notes).execute()
    engine.faults.add({
      kind: 'unprocessed',
      operation: 'BatchGetItem',
      probability: 0.7,
      count: 300,
    })
    expect(await Note.batchGet(notes).execute()).toEqual(notes)
  })

  test('items that come back unprocessed are not lost, as they were in Dynamoose', async () => {
    const { table, items } = await libraryTable(engine, schema)
    engine.faults.add({
      kind: 'unprocessed',
      operation: 'BatchWriteItem',
      probability: 0.7,
      count: 300,
    })
    expect(await table.entities.Note.batchWrite(notes).execute()).toEqual(notes)
    expect(await items()).toHaveLength(notes.length)
  })
})

test('a stored map with a member __proto__ does not give its reader rights, as it does with the SDK', async () => {
  const { table, store } = await libraryTable(engine, {
    indexes: { primary: { hash: 'pk' } },
    models: {
      User: { key: { pk: 'USER#${id}' }, attributes: { id: text, profile: { type: 'any' } } },
    },
  })
  const members = JSON.parse('{"__proto__":{"M":{"isAdmin":{"BOOL":true}}}}')
  await store({ pk: { S: 'USER#1' }, id: { S: '1' }, profile: { M: members } })
  const user = await table.entities.User.get({ id: '1' }).execute()
  const profile = user?.profile as { isAdmin?: boolean }
  expect(profile.isAdmin).toBeUndefined()
  expect(Object.keys(profile)).toEqual(['__proto__'])
  expect(JSON.stringify(profile)).toBe('{"__proto__":{"isAdmin":true}}')
})
