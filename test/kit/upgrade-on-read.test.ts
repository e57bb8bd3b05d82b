import { Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import {
  addAttribute,
  deriveAttribute,
  rekey,
  renameAttribute,
  retypeAttribute,
  upgradeOnRead,
} from 'singletable/migrations'
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
const NEW = { id: '1', team: 'red', email: 'a@x', age: 41, plan: 'free', domain: 'x' }

interface Loose {
  put(input: object): Promise<unknown>
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
    const client = upgradeOnRead(target.client, { table: name, before, after, migration })
    const table = new Table({ name, schema: after, client })
    const User = table.entities.User as unknown as Loose
    return {
      Old,
      User,
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
    expect(items.map(({ pk }) => pk?.S)).toEqual(['TEAM#red', 'UNIQUE#User#email#b@y'])
    expect(items[0]).toMatchObject({ email: { S: 'b@y' }, age: { N: '41' }, plan: { S: 'free' } })
    expect(items[0]).not.toHaveProperty('mail')
    // Older code that still runs writes another one.
    await Old.put({ id: '2', team: 'red', mail: 'c@z', age: '7' })
    expect(await User.query({ team: 'red' })).toMatchObject([{ age: 41 }, { age: 7, plan: 'free' }])
  })
})

test('a step that moves items is refused', () => {
  const options = { table: 'Blog', before, after, migration: { steps: [rekey('User')] } }
  expect(() => upgradeOnRead(createEngine(), options)).toThrow('has the step rekey')
})

test('the steps of two branches are one upgrade, whichever of them an item has had already', async () => {
  const engine = createEngine()
  const old = schemaOf({ mail: { type: String } })
  const merged = schemaOf({ email: { type: String }, plan: { type: String, required: true } })
  const steps = [renameAttribute('User', 'mail', 'email'), addAttribute('User', 'plan', 'free')]
  const options = { table: 'Merged', before: old, after: merged, migration: { steps } }
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
