import type { SchemaDefinition } from 'singletable'
import type { Values } from 'singletable/migrations'
import {
  addAttribute,
  countItems,
  createIndex,
  custom,
  deleteModel,
  derivedItems,
  dropIndex,
  indexKeys,
  type Migration,
  mergeModel,
  rekey,
  removeAttribute,
  renameAttribute,
  renameModel,
  retypeAttribute,
  splitModel,
} from 'singletable/migrations'
import { compileSchema, reverseSteps } from 'singletable/tools'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../packages/singletable/src/execute/connect.ts'
import { onEachTarget } from '../behaviour/on-each-target.ts'
import { dump, type Entities, migrate, open, PRIMARY, schemaOf } from './migration-fixture.ts'

let tables = 0

// Every kind of change of a schema, on everything that is DynamoDB or behaves like it.
onEachTarget(({ client }) => {
  const transport = connect(client, 'migrations')

  async function migrated(
    before: SchemaDefinition,
    after: SchemaDefinition,
    { steps }: Migration,
    write: (entities: Entities) => Promise<unknown>,
  ) {
    const place = { transport, tableName: `migrations-${process.pid}-${tables++}` }
    const old = open(before, place)
    await old.table.create()
    // Other tests use the same DynamoDB Local, which grows slow with many tables.
    onTestFinished(async () => void (await old.table.delete()))
    await write(old.entities)
    const original = await dump(place)
    expect(await migrate(place, { before, after, steps }, { keepsUndoLog: true })).toBe(true)
    return {
      place,
      ...open(after, place),
      items: await dump(place),
      original,
      /** Takes the steps back, and gives the items. */
      async back() {
        const reversed = reverseSteps(steps, compileSchema(before), true)
        expect(reversed.reasons).toEqual([])
        const change = { before: after, after: before, steps: reversed.steps }
        await migrate(place, change, { isDown: true })
        const { Items = [] } = await transport.send('Scan', { TableName: place.tableName })
        expect(Items.filter(({ pk }) => pk?.S?.includes('UNDO'))).toEqual([])
        return dump(place)
      },
    }
  }

  test('a new required attribute is given to items that lack it, and to no others', async () => {
    const before = schemaOf({ plan: { type: String } })
    const after = schemaOf({ plan: { type: String, required: true } })
    const steps = [addAttribute('User', 'plan', 'free')]
    const { entities } = await migrated(before, after, { steps }, async ({ User }) => {
      await User.put({ id: '1' })
      await User.put({ id: '2', plan: 'paid' })
    })
    expect(await entities.User.get({ id: '1' })).toMatchObject({ plan: 'free' })
    expect(await entities.User.get({ id: '2' })).toMatchObject({ plan: 'paid' })
    const isNew = await migrated(schemaOf({}), after, { steps }, ({ User }) =>
      User.put({ id: '1' }),
    )
    expect(await isNew.back()).toEqual(isNew.original)
  })

  test('a renamed attribute keeps its value, and one that has both names keeps the new one', async () => {
    const before = schemaOf({ mail: { type: String } })
    const after = schemaOf({ email: { type: String } })
    const steps = [renameAttribute('User', 'mail', 'email')]
    const { items, back, original } = await migrated(before, after, { steps }, ({ User }) =>
      User.put({ id: '1', mail: 'a@x' }),
    )
    expect(items).toMatchObject([{ email: { S: 'a@x' } }])
    expect(items[0]).not.toHaveProperty('mail')
    expect(await back()).toEqual(original)
  })

  test('an attribute of another type is converted', async () => {
    const before = schemaOf({ age: { type: String } })
    const after = schemaOf({ age: { type: Number } })
    const steps = [retypeAttribute('User', 'age', (age) => Number(age))]
    const run = await migrated(before, after, { steps }, async ({ User }) => {
      await User.put({ id: '1', age: '41' })
    })
    expect(run.items).toMatchObject([{ age: { N: '41' } }])
    expect(await run.back()).toEqual(run.original)
  })

  test('a removed attribute and all items of a removed model are gone', async () => {
    const note = {
      Note: {
        key: { pk: 'USER#${id}', sk: 'NOTE#${n}' },
        attributes: { id: { type: String, required: true }, n: { type: String, required: true } },
      },
    }
    const before = schemaOf({ legacy: { type: String } }, {}, note)
    const after = schemaOf({})
    const steps = [removeAttribute('User', 'legacy'), deleteModel('Note')]
    const run = await migrated(before, after, { steps }, async ({ User, Note }) => {
      await User.put({ id: '1', legacy: 'x' })
      await Note.put({ id: '1', n: '1' })
    })
    expect(run.items).toEqual([
      {
        pk: { S: 'USER#1' },
        sk: { S: 'USER' },
        _type: { S: 'User' },
        id: { S: '1' },
        // The record of the undo log is its own.
        _undo: { S: expect.any(String) },
      },
    ])
    expect(await run.back()).toEqual(run.original)
  })

  test('items move to the keys of new templates, and their guards and copies follow', async () => {
    const attributes = { email: { type: String, unique: true }, team: { type: String } }
    const copies = { Member: { key: { pk: 'TEAM#${team}', sk: 'USER#${id}' } } }
    const before = schemaOf(attributes, { copies })
    const after = schemaOf(attributes, {
      key: { pk: 'PERSON#${id}', sk: 'PERSON' },
      copies: { Member: { key: { pk: 'GROUP#${team}', sk: 'PERSON#${id}' } } },
    })
    const { items, entities } = await migrated(
      before,
      after,
      { steps: [rekey('User')] },
      async ({ User }) => {
        await User.put({ id: '1', email: 'a@x', team: 'red' })
        await User.put({ id: '2', email: 'b@x', team: 'red' })
      },
    )
    expect(items.map(({ pk }) => pk?.S).sort()).toEqual([
      'GROUP#red',
      'GROUP#red',
      'PERSON#1',
      'PERSON#2',
      'UNIQUE#User#email#a@x',
      'UNIQUE#User#email#b@x',
    ])
    await expect(entities.User.create({ id: '3', email: 'a@x' })).rejects.toMatchObject({
      code: 'UNIQUE_TAKEN',
    })
    await entities.User.delete({ id: '1' })
    await entities.User.create({ id: '3', email: 'a@x' })
  })

  test('items become items of a model with another name', async () => {
    const before = schemaOf({ name: { type: String } })
    const after = {
      indexes: PRIMARY,
      models: {
        Person: {
          key: { pk: 'PERSON#${id}', sk: 'PERSON' },
          attributes: { id: { type: String, required: true }, name: { type: String } },
        },
      },
    } as unknown as SchemaDefinition
    const steps = [renameModel('User', 'Person')]
    const { entities } = await migrated(before, after, { steps }, async ({ User }) => {
      await User.put({ id: '1', name: 'Ada' })
    })
    expect(await entities.Person.get({ id: '1' })).toMatchObject({ name: 'Ada' })
  })

  test('parts of an item become items of their own', async () => {
    const before = schemaOf({ street: { type: String }, city: { type: String } })
    const after = schemaOf(
      {},
      {},
      {
        Address: {
          key: { pk: 'USER#${id}', sk: 'ADDRESS' },
          attributes: {
            id: { type: String, required: true },
            street: { type: String },
            city: { type: String },
          },
        },
      },
    )
    const steps = [
      splitModel('User', {
        into: ['Address'],
        make: ({ id, street, city }) => [{ model: 'Address', values: { id, street, city } }],
        remove: ['street', 'city'],
      }),
    ]
    const run = await migrated(before, after, { steps }, async ({ User }) => {
      await User.put({ id: '1', street: 'Long Lane', city: 'Delft' })
      await User.put({ id: '2' })
    })
    const { items, entities, back, original } = run
    expect(items).toHaveLength(3)
    expect(await entities.Address.get({ id: '1' })).toMatchObject({ city: 'Delft' })
    expect(await back()).toEqual(original)
  })

  const ADDRESS = {
    Address: {
      key: { pk: 'USER#${id}', sk: 'ADDRESS' },
      attributes: { id: { type: String, required: true }, city: { type: String } },
    },
  }
  const MERGE = {
    into: 'User',
    key: ({ id }: Values) => ({ id }),
    merge: (user: Values, { city }: Values) => ({ ...user, city }),
    adds: ['city'],
  }

  test('items become parts of items that move, and are items of their own again', async () => {
    const before = schemaOf({ email: { type: String, unique: true } }, {}, ADDRESS)
    const after = schemaOf(
      { email: { type: String, unique: true }, city: { type: String } },
      { key: { pk: 'PERSON#${id}', sk: 'PERSON' } },
    )
    const steps = [mergeModel('Address', MERGE), rekey('User')]
    const { items, back, original } = await migrated(
      before,
      after,
      { steps },
      async ({ User, Address }) => {
        for (const id of ['1', '2', '3']) await User.put({ id, email: `${id}@x` })
        for (const id of ['1', '2']) await Address.put({ id, city: `City ${id}` })
      },
    )
    expect(items.filter(({ _type }) => _type?.S === 'User')).toMatchObject([
      { pk: { S: 'PERSON#1' }, city: { S: 'City 1' } },
      { pk: { S: 'PERSON#2' }, city: { S: 'City 2' } },
      { pk: { S: 'PERSON#3' } },
    ])
    expect(items).toHaveLength(6)
    expect(await back()).toEqual(original)
  })

  test('a merge and a split with a way back keep what the application changed since', async () => {
    const apart = schemaOf({}, {}, ADDRESS)
    const together = schemaOf({ city: { type: String } })
    const make = ({ id, city }: Values) => [{ model: 'Address', values: { id, city } }]
    const merged = await migrated(
      apart,
      together,
      { steps: [mergeModel('Address', { ...MERGE, back: make })] },
      async ({ User, Address }) => {
        await User.put({ id: '1' })
        await Address.put({ id: '1', city: 'Delft' })
      },
    )
    await merged.entities.User.update({ id: '1' }).set({ city: 'Gouda' })
    expect(await merged.back()).toMatchObject([
      { _type: { S: 'Address' }, city: { S: 'Gouda' } },
      { _type: { S: 'User' } },
    ])
    const { key, merge } = MERGE
    const split = { into: ['Address'], make, remove: ['city'], back: { key, merge } }
    const apartAgain = await migrated(
      together,
      apart,
      { steps: [splitModel('User', split)] },
      ({ User }) => User.put({ id: '1', city: 'Delft' }),
    )
    await apartAgain.entities.Address.update({ id: '1' }).set({ city: 'Gouda' })
    const [user, ...others] = await apartAgain.back()
    expect(user).toMatchObject({ _type: { S: 'User' }, city: { S: 'Gouda' } })
    expect(others).toEqual([])
  })

  test('a new index gets its keys first, is made then, and has every item', async () => {
    const before = schemaOf({ status: { type: String } })
    const after = {
      ...schemaOf(
        { status: { type: String } },
        { index: { gsi1pk: 'STATUS#${status}', gsi1sk: 'USER#${id}' } },
      ),
      indexes: { ...PRIMARY, gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } },
    } as SchemaDefinition
    const steps = [indexKeys('User'), createIndex('gsi1')]
    const run = await migrated(before, after, { steps }, async ({ User }) => {
      for (let id = 0; id < 30; id++) await User.put({ id: String(id), status: 'open' })
      await User.put({ id: 'none' })
    })
    expect(await run.entities.User.query({ status: 'open' })).toHaveLength(30)
    expect(await run.back()).toEqual(run.original)
  })

  test('values that are to be unique are guarded, and those that are not are listed', async () => {
    const before = schemaOf({ email: { type: String } })
    const after = schemaOf({ email: { type: String, unique: true } })
    const steps = [derivedItems('User')]
    const { entities } = await migrated(before, after, { steps }, async ({ User }) => {
      await User.put({ id: '1', email: 'a@x' })
      await User.put({ id: '2', email: 'b@x' })
    })
    await expect(entities.User.create({ id: '3', email: 'b@x' })).rejects.toMatchObject({
      code: 'UNIQUE_TAKEN',
    })
    const twice = migrated(before, after, { steps }, async ({ User }) => {
      await User.put({ id: '1', email: 'a@x' })
      await User.put({ id: '2', email: 'a@x' })
    })
    await expect(twice).rejects.toThrow(
      '["USER#1","USER"] and ["USER#2","USER"] both need ["UNIQUE#User#email#a@x"',
    )
  })

  test('existing items are counted, and the application continues counting from there', async () => {
    const comment = (counts: object) => ({
      Comment: {
        key: { pk: 'USER#${id}', sk: 'COMMENT#${n}' },
        attributes: { id: { type: String, required: true }, n: { type: String, required: true } },
      },
      ...counts,
    })
    const before = schemaOf({}, {}, comment({}))
    const after = schemaOf({ comments: { type: Number, counts: 'Comment' } }, {}, comment({}))
    const steps = [countItems('User', 'comments')]
    const { entities } = await migrated(before, after, { steps }, async ({ User, Comment }) => {
      await User.put({ id: '1' })
      await User.put({ id: '2' })
      for (const n of ['1', '2', '3']) await Comment.put({ id: '1', n })
    })
    expect(await entities.User.get({ id: '1' })).toMatchObject({ comments: 3 })
    expect(await entities.User.get({ id: '2' })).toMatchObject({ comments: 0 })
    await entities.Comment.create({ id: '1', n: '4' })
    expect(await entities.User.get({ id: '1' })).toMatchObject({ comments: 4 })
  })

  test('a new optional attribute and a new model need no step', async () => {
    const before = schemaOf({})
    const after = schemaOf({ nick: { type: String } }, {}, NOTE)
    const { entities } = await migrated(before, after, { steps: [] }, ({ User }) =>
      User.put({ id: '1' }),
    )
    expect(await entities.User.get({ id: '1' })).toEqual({ id: '1' })
  })

  test('an index of attributes as they are is made with all items', async () => {
    const before = schemaOf({ status: { type: String } })
    const after = {
      ...before,
      indexes: { ...PRIMARY, byStatus: { hash: 'status', sort: 'id' } },
    } as SchemaDefinition
    const steps = [createIndex('byStatus')]
    const { place, back } = await migrated(before, after, { steps }, ({ User }) =>
      User.put({ id: '1', status: 'open' }),
    )
    const found = await transport.send('Query', {
      TableName: place.tableName,
      IndexName: 'byStatus',
      KeyConditionExpression: '#status = :open',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':open': { S: 'open' } },
    })
    expect(found.Count).toBe(1)
    await back()
    const { Table } = await transport.send('DescribeTable', { TableName: place.tableName })
    expect(Table?.GlobalSecondaryIndexes ?? []).toEqual([])
  })

  test('index keys of other templates are written, and the old ones go with their index', async () => {
    const index = (keys: object, name: string): SchemaDefinition =>
      ({
        ...schemaOf({ status: { type: String } }, { index: keys }),
        indexes: { ...PRIMARY, [name]: { hash: `${name}pk`, sort: `${name}sk` } },
      }) as SchemaDefinition
    const before = index({ onepk: 'STATUS#${status}', onesk: 'USER#${id}' }, 'one')
    const after = index({ twopk: 'STATE#${status}', twosk: 'U#${id}' }, 'two')
    const steps = [indexKeys('User'), createIndex('two'), dropIndex('one')]
    const { entities, items, back, original } = await migrated(
      before,
      after,
      { steps },
      ({ User }) => User.put({ id: '1', status: 'open' }),
    )
    expect(items).toMatchObject([{ twopk: { S: 'STATE#open' }, twosk: { S: 'U#1' } }])
    expect(items[0]).not.toHaveProperty('onepk')
    expect(await entities.User.query({ status: 'open' })).toHaveLength(1)
    expect(await back()).toEqual(original)
  })

  test('another prefix moves all items that have it, with index keys and guards, and back', async () => {
    const of = (prefix: string): SchemaDefinition =>
      ({
        ...schemaOf(
          { email: { type: String, unique: true }, team: { type: String } },
          {
            key: { pk: `${prefix}#\${id}`, sk: 'USER' },
            index: { gsi1pk: 'TEAM#${team}', gsi1sk: `${prefix}#\${id}` },
          },
          {
            Note: {
              key: { pk: `${prefix}#\${id}`, sk: 'NOTE#${n}' },
              attributes: {
                id: { type: String, required: true },
                n: { type: String, required: true },
              },
            },
          },
        ),
        indexes: { ...PRIMARY, gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } },
      }) as SchemaDefinition
    const run = await migrated(
      of('USER'),
      of('MEMBER'),
      { steps: [rekey('User'), rekey('Note')] },
      async ({ User, Note }) => {
        await User.put({ id: '1', email: 'a@x', team: 'red' })
        await Note.put({ id: '1', n: '1' })
      },
    )
    expect(run.items.map(({ pk, gsi1sk }) => [pk?.S, gsi1sk?.S])).toEqual([
      ['MEMBER#1', undefined],
      ['MEMBER#1', 'MEMBER#1'],
      ['UNIQUE#User#email#a@x', undefined],
    ])
    expect(await run.entities.User.query({ team: 'red' })).toMatchObject([{ id: '1' }])
    expect(await run.back()).toEqual(run.original)
  })

  test('code of the migration changes, deletes and leaves items', async () => {
    const schema = schemaOf({ plan: { type: String } })
    const steps = [
      custom('User', ({ id, plan }) => {
        if (plan === 'trial') return null
        return plan === undefined ? undefined : { id, plan: 'paid' }
      }),
    ]
    const run = await migrated(schema, schema, { steps }, async ({ User }) => {
      await User.put({ id: '1', plan: 'gold' })
      await User.put({ id: '2', plan: 'trial' })
      await User.put({ id: '3' })
    })
    const { items, back, original } = run
    expect(items.map(({ id, plan }) => [id?.S, plan?.S])).toEqual([
      ['1', 'paid'],
      ['3', undefined],
    ])
    expect(await back()).toEqual(original)
  })

  test('a table without a sort key is migrated', async () => {
    const of = (key: object, attributes: object) =>
      ({
        indexes: { primary: { hash: 'pk' } },
        models: {
          User: { key, attributes: { id: { type: String, required: true }, ...attributes } },
        },
      }) as unknown as SchemaDefinition
    const before = of({ pk: 'USER#${id}' }, { mail: { type: String } })
    const after = of({ pk: 'PERSON#${id}' }, { email: { type: String } })
    const steps = [renameAttribute('User', 'mail', 'email'), rekey('User')]
    const { items } = await migrated(before, after, { steps }, ({ User }) =>
      User.put({ id: '1', mail: 'a@x' }),
    )
    expect(items).toMatchObject([{ pk: { S: 'PERSON#1' }, email: { S: 'a@x' } }])
  })

  test('items move into and out of buckets of time and shards', async () => {
    const attributes = { at: { type: Date, required: true } }
    const before = schemaOf(attributes)
    const after = schemaOf(attributes, {
      key: { pk: 'USERS#${at:day}#${shard}', sk: '${at}#${id}' },
      shard: { count: 4, by: ['id'] },
    })
    const migration = { steps: [rekey('User')] }
    const moved = await migrated(before, after, migration, async ({ User }) => {
      for (const id of ['1', '2', '3']) await User.put({ id, at: new Date('2026-11-18T10:00:00Z') })
    })
    for (const id of ['1', '2', '3']) {
      expect(
        await moved.entities.User.get({ id, at: new Date('2026-11-18T10:00:00Z') }),
      ).toBeDefined()
    }
    expect((await moved.back()).map(({ pk }) => pk?.S)).toEqual(['USER#1', 'USER#2', 'USER#3'])
  })
})

const NOTE = {
  Note: {
    key: { pk: 'USER#${id}', sk: 'NOTE#${n}' },
    attributes: { id: { type: String, required: true }, n: { type: String, required: true } },
  },
}
