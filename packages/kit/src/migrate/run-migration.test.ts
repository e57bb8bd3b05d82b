import { type SchemaDefinition, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import {
  addAttribute,
  countItems,
  createIndex,
  defineMigration,
  deleteModel,
  derivedItems,
  indexKeys,
  type Migration,
  rekey,
  removeAttribute,
  renameAttribute,
  renameModel,
  retypeAttribute,
  splitModel,
} from 'singletable/migrations'
import { compileSchema, type Item, systemEnvironment, type Transport } from 'singletable/tools'
import { expect, test } from 'vitest'
import { joinMigration } from './join-migration.ts'
import { Journal } from './journal.ts'
import { runMigration } from './run-migration.ts'

interface Loose {
  put(input: object): Promise<unknown>
  create(input: object): Promise<unknown>
  get(key: object): Promise<object | undefined>
  delete(key: object): Promise<unknown>
  query(values: object): Promise<readonly object[]>
}
/** Those that the schemas of these tests have. */
type Entities = Record<'User' | 'Note' | 'Person' | 'Address' | 'Comment', Loose>

const PRIMARY = { primary: { hash: 'pk', sort: 'sk' } } as const
const NAME = 'Blog'

function schemaOf(attributes: object, more: object = {}, others: object = {}): SchemaDefinition {
  return {
    indexes: PRIMARY,
    models: {
      User: {
        key: { pk: 'USER#${id}', sk: 'USER' },
        attributes: { id: { type: String, required: true }, ...attributes },
        ...more,
      },
      ...others,
    },
  } as unknown as SchemaDefinition
}

function open(definition: SchemaDefinition, transport: Transport) {
  const table = new Table({ name: NAME, schema: definition, client: transport })
  // The schemas of these tests are made at run time, so that their types say nothing.
  return { table, entities: table.entities as unknown as Entities }
}

async function dump(transport: Transport): Promise<Item[]> {
  const { Items = [] } = await transport.send('Scan', { TableName: NAME, ConsistentRead: true })
  return Items.filter(({ _type }) => _type?.S !== '_kit')
}

async function migrate(
  transport: Transport,
  before: SchemaDefinition,
  after: SchemaDefinition,
  migration: Migration,
): Promise<boolean> {
  const schema = compileSchema(after)
  const journal = new Journal({
    transport,
    tableName: NAME,
    schema,
    environment: systemEnvironment,
    owner: 'test',
  })
  await journal.acquire()
  try {
    return await runMigration({
      transport,
      tableName: NAME,
      environment: systemEnvironment,
      journal,
      id: '20261118T000000Z_test',
      checksum: 'x',
      before: compileSchema(before),
      after: schema,
      migration,
      segments: 4,
      signal: new AbortController().signal,
      onProgress() {},
      onRequest() {},
    })
  } finally {
    await journal.release()
  }
}

async function migrated(
  before: SchemaDefinition,
  after: SchemaDefinition,
  migration: Migration,
  write: (entities: Entities) => Promise<void>,
) {
  const engine = createEngine()
  const old = open(before, engine)
  await old.table.create()
  await write(old.entities)
  expect(await migrate(engine, before, after, migration)).toBe(true)
  return { engine, ...open(after, engine), items: await dump(engine) }
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
})

test('a renamed attribute keeps its value, and one that has both names keeps the new one', async () => {
  const before = schemaOf({ mail: { type: String } })
  const after = schemaOf({ email: { type: String } })
  const steps = [renameAttribute('User', 'mail', 'email')]
  const { items } = await migrated(before, after, { steps }, async ({ User }) => {
    await User.put({ id: '1', mail: 'a@x' })
  })
  expect(items).toMatchObject([{ email: { S: 'a@x' } }])
  expect(items[0]).not.toHaveProperty('mail')
})

test('an attribute of another type is converted', async () => {
  const before = schemaOf({ age: { type: String } })
  const after = schemaOf({ age: { type: Number } })
  const steps = [retypeAttribute('User', 'age', (age) => Number(age))]
  const { items } = await migrated(before, after, { steps }, async ({ User }) => {
    await User.put({ id: '1', age: '41' })
  })
  expect(items).toMatchObject([{ age: { N: '41' } }])
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
  const { items } = await migrated(before, after, { steps }, async ({ User, Note }) => {
    await User.put({ id: '1', legacy: 'x' })
    await Note.put({ id: '1', n: '1' })
  })
  expect(items).toEqual([
    { pk: { S: 'USER#1' }, sk: { S: 'USER' }, _type: { S: 'User' }, id: { S: '1' } },
  ])
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
  const { items, entities } = await migrated(before, after, { steps }, async ({ User }) => {
    await User.put({ id: '1', street: 'Long Lane', city: 'Delft' })
    await User.put({ id: '2' })
  })
  expect(items).toHaveLength(3)
  expect(await entities.Address.get({ id: '1' })).toMatchObject({ city: 'Delft' })
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
  const { entities } = await migrated(before, after, { steps }, async ({ User }) => {
    for (let id = 0; id < 300; id++) await User.put({ id: String(id), status: 'open' })
    await User.put({ id: 'none' })
  })
  expect(await entities.User.query({ status: 'open' })).toHaveLength(300)
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
  await expect(twice).rejects.toThrow('1 items can\'t be migrated:\n  ["USER#')
})

test('items that are there are counted, and the application goes on counting from there', async () => {
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

test('four workers share one migration, and each item is changed once', async () => {
  const engine = createEngine()
  const before = schemaOf({})
  const after = schemaOf({ plan: { type: String, required: true } })
  const old = open(before, engine)
  await old.table.create()
  for (let id = 0; id < 400; id++) await old.entities.User.put({ id: String(id) })
  let updates = 0
  const transport: Transport = {
    send: (operation, request, options) => {
      if (operation === 'UpdateItem') updates++
      return engine.send(operation, request, options)
    },
  }
  const optionsOf = () => {
    const schema = compileSchema(after)
    const environment = systemEnvironment
    return {
      transport,
      tableName: NAME,
      environment,
      journal: new Journal({ transport, tableName: NAME, schema, environment, owner: 'test' }),
      id: '20261118T000000Z_test',
      checksum: 'x',
      before: compileSchema(before),
      after: schema,
      migration: { steps: [addAttribute('User', 'plan', 'free')] },
      segments: 8,
      signal: new AbortController().signal,
      onProgress() {},
      onRequest() {},
    }
  }
  const leader = optionsOf()
  await leader.journal.acquire()
  const leading = runMigration(leader)
  const joined = [1, 2, 3].map(async () => {
    // Until the leader has noted that it runs, there is nothing to join.
    const options = optionsOf()
    while (!(await options.journal.read()).records.has(options.id)) await null
    return joinMigration(options)
  })
  expect(await leading).toBe(true)
  expect(await Promise.all(joined)).toEqual([true, true, true])
  await leader.journal.release()
  expect(updates).toBe(400)
  expect(await open(after, engine).table.entities.User?.scan()).toHaveLength(400)
})

test('a second process is refused while the first one works', async () => {
  const engine = createEngine()
  const definition = schemaOf({})
  await open(definition, engine).table.create()
  const schema = compileSchema(definition)
  const options = {
    transport: engine,
    tableName: NAME,
    schema,
    environment: systemEnvironment,
    owner: 'ada@laptop',
  }
  const first = new Journal(options)
  await first.acquire()
  await expect(new Journal(options).acquire()).rejects.toThrow('ada@laptop')
  await first.release()
  await new Journal(options).acquire()
})

test('the steps of a migration are frozen', () => {
  expect(Object.isFrozen(defineMigration({ steps: [rekey('User')] }).steps)).toBe(true)
})
