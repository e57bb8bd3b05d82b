import { type SchemaDefinition, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import {
  addAttribute,
  deriveAttribute,
  rekey,
  renameAttribute,
  retypeAttribute,
  type Step,
  upgradeOnRead,
} from 'singletable/migrations'
import type { Item, Transport } from 'singletable/tools'
import { expect, test } from 'vitest'
import { connect } from '../../packages/singletable/src/execute/connect.ts'
import { onEachTarget } from '../behaviour/on-each-target.ts'
import { dump, schemaOf } from './migration-fixture.ts'

const INDEX = { key: { pk: 'TEAM#${team}', sk: 'USER#${id}' } }
const TEAM = { team: { type: String, required: true } }
const before = schemaOf(
  { ...TEAM, mail: { type: String, unique: true }, age: { type: String } },
  INDEX,
)
const after = schemaOf(
  {
    ...TEAM,
    email: { type: String, unique: true },
    age: { type: Number },
    plan: { type: String, required: true },
    domain: { type: String },
  },
  INDEX,
)
const migration = {
  steps: [
    renameAttribute('User', 'mail', 'email'),
    retypeAttribute('User', 'age', (age) => Number(age)),
    addAttribute('User', 'plan', 'free'),
    deriveAttribute('User', 'domain', ({ email }) => String(email).split('@')[1]),
  ],
}
const ID = '20261118T000000Z_test'
const NEW = { id: '1', team: 'red', email: 'a@x', age: 41, plan: 'free', domain: 'x' }

interface Loose {
  create(input: object): Promise<unknown>
  getByUnique(values: object): Promise<object | undefined>
  put(input: object): Promise<unknown>
  delete(key: object): Promise<unknown>
  get(key: object): Promise<object> & { select(names: readonly string[]): Promise<object> }
  update(key: object): { set(changes: object): Promise<unknown> }
  query(values: object): Promise<readonly object[]>
  scan(): Promise<readonly object[]>
  batchGet(keys: readonly object[]): Promise<readonly object[]>
}

onEachTarget((target) => {
  async function opened() {
    const old = await target.table(before)
    const { name } = old
    // The schemas of these tests are made at run time, so that their types say nothing.
    const Old = old.entities.User as unknown as Loose
    await Old.put({ id: '1', team: 'red', mail: 'a@x', age: '41' })
    const client = upgradeOnRead(target.client, {
      table: name,
      migrations: [{ id: ID, before, after, migration }],
    })
    const table = new Table({ name, schema: after, client })
    const User = table.entities.User as unknown as Loose
    return {
      Old,
      User,
      name,
      client,
      dump: () => dump({ transport: connect(target.client, ''), tableName: name }),
    }
  }
  const key = { id: '1', team: 'red' }

  test('an older item is given in its new form by key, query, scan and batch', async () => {
    const { User, dump } = await opened()
    const stored = await dump()
    expect(await User.get(key)).toEqual(NEW)
    expect(await User.get(key).select(['email', 'plan'])).toEqual({ email: 'a@x', plan: 'free' })
    expect(await User.query({ team: 'red' })).toEqual([NEW])
    expect(await User.scan()).toEqual([NEW])
    expect(await User.batchGet([key])).toEqual([NEW])
    expect(await dump()).toEqual(stored)
  })

  test('an older item that is changed is stored in its new form, with its guards', async () => {
    const { Old, User, dump } = await opened()
    await User.update(key).set({ email: 'b@y' })
    expect(await User.get(key)).toMatchObject({ email: 'b@y', age: 41, plan: 'free' })
    const items = await dump()
    // The guard under the older name is for older code, which looks for no other.
    expect(items.map(({ pk }) => pk?.S)).toEqual([
      'TEAM#red',
      'UNIQUE#User#email#b@y',
      'UNIQUE#User#mail#b@y',
    ])
    expect(items[0]).toMatchObject({ email: { S: 'b@y' }, age: { N: '41' }, plan: { S: 'free' } })
    expect(items[0]).not.toHaveProperty('mail')
    // Older code that still runs writes another one.
    await Old.put({ id: '2', team: 'red', mail: 'c@z', age: '7' })
    expect(await User.query({ team: 'red' })).toMatchObject([{ age: 41 }, { age: 7, plan: 'free' }])
  })

  test('a unique value that has another name now is taken for old and new code', async () => {
    const { Old, User, dump } = await opened()
    const taken = { code: 'UNIQUE_TAKEN' }
    // Nobody has upgraded the item, so that only the guard under the older name is there.
    expect(await User.getByUnique({ email: 'a@x' })).toEqual(NEW)
    const other = { id: '2', team: 'red', plan: 'paid' }
    await expect(User.create({ ...other, email: 'a@x' })).rejects.toMatchObject(taken)
    await User.create({ ...other, email: 'b@x' })
    await expect(Old.create({ id: '3', team: 'red', mail: 'b@x' })).rejects.toMatchObject(taken)
    await expect(Old.update(key).set({ mail: 'b@x' })).rejects.toMatchObject(taken)
    await expect(User.update(key).set({ email: 'b@x' })).rejects.toMatchObject(taken)
    await User.update({ id: '2', team: 'red' }).set({ email: 'c@x' })
    await Old.create({ id: '3', team: 'red', mail: 'b@x' })
    for (const id of ['1', '2', '3']) await User.delete({ id, team: 'red' })
    expect(await dump()).toEqual([])
  })

  test('a statement in PartiQL is refused, and one on another table is not', async () => {
    const { User: _, name, client } = await opened()
    const statement = (text: string) => client.send('ExecuteStatement', { Statement: text })
    await expect(statement(`SELECT * FROM "${name}" WHERE pk = 'x'`)).rejects.toThrow('PartiQL')
    await expect(
      client.send('BatchExecuteStatement', {
        Statements: [{ Statement: `DELETE FROM "${name}" WHERE pk = 'x' AND sk = 'y'` }],
      }),
    ).rejects.toThrow('PartiQL')
    await expect(
      client.send('ExecuteTransaction', {
        TransactStatements: [{ Statement: `INSERT INTO "${name}" VALUE {'pk': 'x', 'sk': 'y'}` }],
      }),
    ).rejects.toThrow('PartiQL')
    await expect(statement(`SELECT * FROM "${name}2" WHERE pk = '${name}'`)).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    })
  })

  test('a batch leaves nothing of the older form of its items behind', async () => {
    const { client, name, dump } = await opened()
    const Key = { pk: { S: 'TEAM#red' }, sk: { S: 'USER#1' } }
    const Item = { ...Key, _type: { S: 'User' }, id: { S: '1' }, team: { S: 'red' } }
    await client.send('BatchWriteItem', { RequestItems: { [name]: [{ PutRequest: { Item } }] } })
    expect((await dump())[0]).toEqual({ ...Item, _v: { S: ID } })
  })
})

test('a unique value whose guards older code can not know is refused', () => {
  const wrap = (from: object, to: object, steps: readonly Step[]) =>
    upgradeOnRead(createEngine(), {
      table: 'Users',
      migrations: [{ id: ID, before: schemaOf(from), after: schemaOf(to), migration: { steps } }],
    })
  const unique = { type: String, unique: true }
  const folded = { type: String, unique: 'ignore-case' }
  const retype = retypeAttribute('User', 'mail', Number)
  const derive = deriveAttribute('User', 'mail', ({ id }) => id)
  const swap = renameAttribute('User', 'mail', 'email')
  expect(() => wrap({ mail: unique }, { mail: folded }, [])).toThrow('made of other text')
  expect(() => wrap({ mail: { type: String } }, { mail: unique }, [])).toThrow('have no guards')
  expect(() => wrap({ mail: unique }, { mail: { type: Number, unique: true } }, [retype])).toThrow(
    'retypeAttribute gives items another value',
  )
  expect(() => wrap({}, { mail: unique }, [derive])).toThrow('deriveAttribute gives items')
  expect(() => wrap({ mail: unique }, { email: unique, mail: unique }, [swap])).toThrow(
    'another unique value had its name',
  )
  expect(() => wrap({}, { mail: unique }, [])).not.toThrow()
})

test('a step that moves items is refused', () => {
  const options = {
    table: 'Blog',
    migrations: [{ id: ID, before, after, migration: { steps: [rekey('User')] } }],
  }
  expect(() => upgradeOnRead(createEngine(), options)).toThrow('has the step rekey')
})

test('the steps of two branches are one upgrade, whichever of them an item has had already', async () => {
  const engine = createEngine()
  const old = schemaOf({ mail: { type: String } })
  const merged = schemaOf({ email: { type: String }, plan: { type: String, required: true } })
  const steps = [renameAttribute('User', 'mail', 'email'), addAttribute('User', 'plan', 'free')]
  const options = {
    table: 'Merged',
    migrations: [{ id: ID, before: old, after: merged, migration: { steps } }],
  }
  const table = new Table({
    name: 'Merged',
    schema: merged,
    client: upgradeOnRead(engine, options),
  })
  await table.create()
  const forms = [
    { mail: { S: 'a@x' } },
    { email: { S: 'a@x' } },
    { mail: { S: 'a@x' }, plan: { S: 'free' } },
    { email: { S: 'a@x' }, plan: { S: 'free' } },
  ]
  for (const [at, form] of forms.entries()) {
    const id = String(at)
    const key = { pk: { S: `USER#${id}` }, sk: { S: 'USER' } }
    const Item = { ...key, id: { S: id }, _type: { S: 'User' }, ...form }
    await engine.send('PutItem', { TableName: 'Merged', Item })
    const User = table.entities.User as unknown as Loose
    expect(await User.get({ id })).toEqual({ id, email: 'a@x', plan: 'free' })
  }
})

const loose = (table: Table<SchemaDefinition>): Loose => table.entities.User as unknown as Loose
const SCHEMAS = [
  schemaOf({ mail: { type: String } }),
  schemaOf({ email: { type: String } }),
  schemaOf({ contact: { type: String }, mail: { type: String } }),
] as const
const IDS = ['20260101T000000Z_email', '20260201T000000Z_contact'] as const
const CHAIN = [
  {
    id: IDS[0],
    before: SCHEMAS[0],
    after: SCHEMAS[1],
    migration: { steps: [renameAttribute('User', 'mail', 'email')] },
  },
  {
    id: IDS[1],
    before: SCHEMAS[1],
    after: SCHEMAS[2],
    migration: { steps: [renameAttribute('User', 'email', 'contact')] },
  },
]
const KEY = { pk: { S: 'USER#1' }, sk: { S: 'USER' } }

/** Programs of three versions on one table; `calls` are the requests that reach it. */
async function programs() {
  const engine = createEngine()
  const calls: string[] = []
  const transport: Transport = {
    send: (operation, request, options) => {
      calls.push(operation)
      return engine.send(operation, request, options)
    },
  }
  const name = 'Users'
  const old = new Table({ name, schema: SCHEMAS[0], client: transport })
  await old.create()
  const opened = (count: number): Loose =>
    loose(
      new Table({
        name,
        schema: SCHEMAS[count]!,
        client: upgradeOnRead(transport, { table: name, migrations: CHAIN.slice(0, count) }),
      }) as unknown as Table<SchemaDefinition>,
    )
  return {
    users: [loose(old as unknown as Table<SchemaDefinition>), opened(1), opened(2)] as const,
    calls,
    stored: async () => (await engine.send('GetItem', { TableName: name, Key: KEY })).Item,
    async store(item: Item) {
      const Item = { ...KEY, id: { S: '1' }, _type: { S: 'User' }, ...item }
      await engine.send('PutItem', { TableName: name, Item })
    },
  }
}

test('several migrations upgrade an item at once, and only those that its version lacks', async () => {
  const { users, store } = await programs()
  await store({ mail: { S: 'a@x' } })
  expect(await users[2].get({ id: '1' })).toEqual({ id: '1', contact: 'a@x' })
  await store({ email: { S: 'b@x' }, _v: { S: IDS[0] } })
  expect(await users[2].get({ id: '1' })).toEqual({ id: '1', contact: 'b@x' })
  // The first name has come back with another meaning.
  await store({ mail: { S: 'letter box' }, contact: { S: 'c@x' }, _v: { S: IDS[1] } })
  expect(await users[2].get({ id: '1' })).toEqual({ id: '1', contact: 'c@x', mail: 'letter box' })
})

test('what an old program writes after the upgrade of an item wins', async () => {
  const { users, stored } = await programs()
  await users[1].put({ id: '1', email: 'a@x' })
  expect((await stored())?._v).toEqual({ S: IDS[0] })
  await users[0].update({ id: '1' }).set({ mail: 'b@x' })
  expect(await users[1].get({ id: '1' })).toEqual({ id: '1', email: 'b@x' })
  expect(await users[2].get({ id: '1' })).toEqual({ id: '1', contact: 'b@x' })
})

test('an item of a newer program is refused, and not changed', async () => {
  const { users, stored } = await programs()
  await users[2].put({ id: '1', contact: 'a@x' })
  const before = await stored()
  const message = `is of version "${IDS[1]}", which is newer than "${IDS[0]}"`
  await expect(users[1].get({ id: '1' })).rejects.toThrow(message)
  await expect(users[1].scan()).rejects.toThrow(message)
  await expect(users[1].update({ id: '1' }).set({ email: 'b@x' })).rejects.toThrow(message)
  await expect(users[1].put({ id: '1', email: 'b@x' })).rejects.toThrow(message)
  expect(await stored()).toEqual(before)
})

test('an update is repeated if an old program replaces the item in between', async () => {
  const engine = createEngine()
  const name = 'Users'
  const old = new Table({ name, schema: SCHEMAS[0], client: engine })
  await old.create()
  const Old = loose(old as unknown as Table<SchemaDefinition>)
  let isReplaced = false
  const client: Transport = {
    async send(operation, request, options) {
      if (operation === 'UpdateItem' && !isReplaced) {
        isReplaced = true
        await Old.put({ id: '1', mail: 'b@x' })
      }
      return engine.send(operation, request, options)
    },
  }
  const schema = schemaOf({
    email: { type: String },
    plan: { type: String },
    age: { type: Number },
  })
  const steps = [renameAttribute('User', 'mail', 'email'), addAttribute('User', 'plan', 'free')]
  const migrations = [{ id: ID, before: SCHEMAS[0], after: schema, migration: { steps } }]
  const User = loose(
    new Table({ name, schema, client: upgradeOnRead(client, { table: name, migrations }) }),
  )
  await User.put({ id: '1', email: 'a@x' })
  await User.update({ id: '1' }).set({ age: 7 })
  // Without the repetition it would have the version, and never get a plan.
  expect(await User.get({ id: '1' })).toEqual({ id: '1', email: 'b@x', plan: 'free', age: 7 })
})

test("a version is hidden: entities don't return it, and a put needs no update to keep it", async () => {
  const { users, calls, store } = await programs()
  await store({ mail: { S: 'a@x' }, _v: { S: 'x' } })
  expect(await users[0].get({ id: '1' })).toEqual({ id: '1', mail: 'a@x' })
  calls.length = 0
  await users[0].put({ id: '1', mail: 'b@x' })
  expect(calls).toEqual(['PutItem'])
})

test('a model that has the attribute for the version is refused, unless the schema names another', async () => {
  const definition = schemaOf({ count: { type: Number, map: '_v' } })
  const migration = { steps: [addAttribute('User', 'count', 0)] }
  const withField = { ...definition, params: { itemVersionField: '_migration' } }
  const wrap = (after: SchemaDefinition) =>
    upgradeOnRead(createEngine(), {
      table: 'Users',
      migrations: [{ id: ID, before: definition, after, migration }],
    })
  expect(() => wrap(definition)).toThrow('"_v" is where migrations keep the version of items')
  expect(() => wrap(withField)).not.toThrow()
})
