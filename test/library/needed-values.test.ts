import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'

interface LooseEntity {
  create(item: object): { execute(): Promise<unknown> }
  update(key: object): { set(values: object): { explain(): { operation: string } } }
  query(values: object): { useIndex(name: string): { execute(): Promise<unknown> } }
}

const required = { type: String, required: true } as const

test('an attribute that is unique without regard to case can be the key of a copy', () => {
  const create = (unique: true | 'ignore-case', pk: string) =>
    new Table({
      name: 'Users',
      client: createEngine(),
      schema: {
        indexes: { primary: { hash: 'pk', sort: 'sk' } },
        models: {
          User: {
            key: { pk: 'USER#${id}', sk: 'USER' },
            attributes: { id: required, email: { type: String, unique } },
            copies: { UserByEmail: { key: { pk, sk: 'USER' } } },
          },
        },
      },
    })
  expect(() => create(true, 'EMAIL#${email}')).not.toThrow()
  expect(() => create('ignore-case', 'EMAIL#${email}')).not.toThrow()
  expect(() => create('ignore-case', 'EMAIL#${email:lower}')).not.toThrow()
  // Two that differ in case alone would have one copy.
  expect(() => create(true, 'EMAIL#${email:lower}')).toThrow('could have the same copy')
})

test.each(['', ':lower'])(
  'an update that names owner in its key needs no read for ${owner%s} in an index key',
  async (modifier) => {
    const schema = defineSchema({
      indexes: {
        primary: { hash: 'pk', sort: 'sk' },
        gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
      },
      models: {
        Issue: {
          key: { pk: `REPO#\${owner${modifier}}`, sk: 'ISSUE#${number:pad(4)}' },
          index: {
            gsi1pk: `REPO#\${owner${modifier}}#\${status}`,
            gsi1sk: 'ISSUE#${number:pad(4)}',
          },
          attributes: {
            owner: required,
            number: { type: Number, required: true },
            status: { type: String, default: 'open' },
          },
        },
      },
    })
    const table = new Table({ name: 'Issues', schema, client: createEngine() })
    await table.create()
    // The templates are not literals here, so that types know nothing of the keys.
    const Issue = table.entities.Issue as unknown as LooseEntity
    const owner = modifier === '' ? 'alice' : 'Alice'
    await Issue.create({ owner, number: 1 }).execute()
    const update = Issue.update({ owner: 'alice', number: 1 }).set({ status: 'closed' })
    expect(update.explain().operation).toBe('UpdateItem')
    await table
      .transactWrite()
      .add(update as never)
      .execute()
    const found = await Issue.query({ owner, status: 'closed' }).useIndex('gsi1').execute()
    expect(found).toEqual([{ owner, number: 1, status: 'closed' }])
  },
)

test('updating one unique attribute in a transaction needs its own value alone', async () => {
  const schema = defineSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
      User: {
        key: { pk: 'USER#${id}', sk: 'U' },
        attributes: {
          id: required,
          email: { type: String, unique: true },
          handle: { type: String, unique: true },
          team: { type: String },
          name: { type: String },
        },
        copies: { Teammate: { key: { pk: 'TEAM#${team}', sk: 'U#${id}' }, attributes: ['name'] } },
      },
    },
  })
  const client = createEngine()
  const table = new Table({ name: 'Users', schema, client })
  await table.create()
  const { User, Teammate } = table.entities
  const user = { id: '1', email: 'a@x', handle: 'ann', team: 't', name: 'Ann' }
  await User.create(user).execute()
  const update = User.update({ id: '1' }).set({ email: 'b@x' })
  expect(() => update.dbParams()).toThrow('depends on "email".')
  const known = update.given({ email: 'a@x' })
  await table.transactWrite().add(known).execute()
  expect(await User.get({ id: '1' }).execute()).toEqual({ ...user, email: 'b@x' })
  expect(await Teammate.get({ team: 't', id: '1' }).execute()).toMatchObject({ name: 'Ann' })
  await User.create({ id: '2', email: 'a@x' }).execute()
  for (const taken of [{ email: 'b@x' }, { handle: 'ann' }]) {
    const create = User.create({ id: '3', ...taken }).execute()
    await expect(create).rejects.toMatchObject({ code: 'UNIQUE_TAKEN' })
  }
})

test("unique: 'ignore-case' finds values that differ in case alone, in all scripts", async () => {
  const schema = defineSchema({
    indexes: { primary: { hash: 'pk' } },
    models: {
      User: {
        key: { pk: 'USER#${id}' },
        attributes: { id: required, email: { type: String, unique: 'ignore-case' } },
      },
    },
  })
  const client = createEngine()
  const table = new Table({ name: 'Users', schema, client })
  await table.create()
  let id = 0
  const create = (email: string) => table.entities.User.create({ id: `${++id}`, email }).execute()
  for (const email of ['ann@x', 'ẗim@x', 'ǰon@x', 'nikos@xσ', 'straße@x', 'K@x']) {
    await create(email)
    for (const other of [email.toUpperCase(), email.normalize('NFD'), email.toLowerCase()]) {
      await expect(create(other)).rejects.toMatchObject({ code: 'UNIQUE_TAKEN' })
    }
  }
  const { Items = [] } = await client.send('Scan', { TableName: 'Users' })
  const guards = Items.filter(({ _type }) => _type?.S === '_unique')
  expect(guards.map(({ _folding }) => _folding?.S)).toEqual(guards.map(() => '14.0'))
})

test.each([
  ['update', { op: 'update', by: ['orderId'], set: ['status'] }, '"userId"'],
  ['delete', { op: 'delete', by: ['orderId'] }, '"userId"'],
  ['put', { op: 'put' }, '"userId" and "status"'],
] as const)(
  'a step of a transaction that would need current values in every call is refused: %s',
  (op, step, names) => {
    const create = (only: object) =>
      new Table({
        name: 'Orders',
        client: createEngine(),
        schema: {
          indexes: { primary: { hash: 'pk', sort: 'sk' } },
          models: {
            Order: {
              key: { pk: 'ORDER#${orderId}', sk: 'ORDER' },
              attributes: {
                orderId: required,
                userId: required,
                status: { type: String },
                note: { type: String },
              },
              copies: {
                UserOrder: {
                  key: { pk: 'USER#${userId}', sk: 'ORDER#${orderId}' },
                  attributes: ['status'],
                },
              },
            },
          },
          patterns: { ship: { op: 'transact', steps: { order: { entity: 'Order', ...only } } } },
        } as never,
      })
    expect(() => create(step)).toThrow(`depends on its current ${names}`)
    expect(() => create(step)).toThrow(op === 'put' ? "op: 'create'" : "add 'userId' to given")
    if (op !== 'put') expect(() => create({ ...step, given: ['userId'] })).not.toThrow()
    // What the copy does not have, and a new item, need none.
    expect(() => create({ op: 'update', by: ['orderId'], set: ['note'] })).not.toThrow()
    expect(() => create({ op: 'create' })).not.toThrow()
  },
)
