import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { Table } from 'dynamodb-onetable'
import { expect } from 'vitest'
import { onEachTarget, type PeerContext } from './on-each-target.ts'

const schema = {
  format: 'onetable:1.1.0',
  version: '0.0.1',
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk', project: 'all' },
  },
  models: {
    Account: {
      pk: { type: String, value: 'account:${id}' },
      sk: { type: String, value: 'account:' },
      id: { type: String, required: true },
      name: { type: String, required: true },
      balance: { type: Number, default: 0 },
      email: { type: String, unique: true },
      opened: { type: Date },
      tags: { type: Set },
    },
    User: {
      pk: { type: String, value: 'account:${accountId}' },
      sk: { type: String, value: 'user:${id}' },
      gsi1pk: { type: String, value: 'role:${role}' },
      gsi1sk: { type: String, value: 'user:${id}' },
      accountId: { type: String, required: true },
      id: { type: String, required: true },
      role: { type: String, enum: ['admin', 'user'], default: 'user' },
      age: { type: Number },
    },
  },
  params: { isoDates: true, timestamps: true },
} as const

async function openTable({ config, tableName }: PeerContext) {
  const client = new DynamoDBClient(config)
  const table = new Table({ client, name: tableName, schema, partial: true })
  await table.createTable()
  expect(await table.exists()).toBe(true)
  return { table, accounts: table.getModel('Account'), users: table.getModel('User') }
}

onEachTarget('OneTable', (test) => {
  test('a model is created, read, updated and removed', async (context) => {
    const { accounts } = await openTable(context)
    const opened = new Date('2026-01-02T03:04:05.678Z')
    await accounts.create({ id: '1', name: 'Acme', opened, tags: new Set(['a']) })
    const read = await accounts.get({ id: '1' })
    expect(read).toMatchObject({ id: '1', name: 'Acme', balance: 0, opened })
    const updated = await accounts.update(
      { id: '1', name: 'Acme Ltd' },
      { add: { balance: 7 }, return: 'get' },
    )
    expect(updated).toMatchObject({ name: 'Acme Ltd', balance: 7 })
    await accounts.remove({ id: '1' })
    expect(await accounts.get({ id: '1' })).toBeUndefined()
  })

  test('creating twice fails and changes nothing', async (context) => {
    const { users } = await openTable(context)
    await users.create({ accountId: '1', id: 'u1', age: 30 })
    await expect(users.create({ accountId: '1', id: 'u1', age: 31 })).rejects.toMatchObject({
      message: expect.stringContaining('Conditional create failed'),
    })
    expect((await users.get({ accountId: '1', id: 'u1' }))?.age).toBe(30)
  })

  test('a unique attribute is guarded by a transaction', async (context) => {
    const { accounts } = await openTable(context)
    await accounts.create({ id: '1', name: 'Acme', email: 'a@example.com' })
    await expect(
      accounts.create({ id: '2', name: 'Other', email: 'a@example.com' }),
    ).rejects.toMatchObject({ code: 'UniqueError' })
    expect(await accounts.get({ id: '2' })).toBeUndefined()
  })

  test('finds go by key, index and filter, page by page', async (context) => {
    const { users } = await openTable(context)
    for (let n = 0; n < 9; n++) {
      const role = n % 3 === 0 ? 'admin' : 'user'
      await users.create({ accountId: '1', id: `u${n}`, role, age: 20 + n })
    }
    const admins = await users.find({ role: 'admin' }, { index: 'gsi1' })
    expect(admins.map((user) => user.id)).toEqual(['u0', 'u3', 'u6'])
    const old = await users.find({ accountId: '1' }, { where: '${age} >= {26}', reverse: true })
    expect(old.map((user) => user.id)).toEqual(['u8', 'u7', 'u6'])

    const found: (string | undefined)[] = []
    let next: object | undefined
    let pages = 0
    do {
      const page = await users.find(
        { accountId: '1' },
        { limit: 4, ...(next === undefined ? {} : { next }) },
      )
      found.push(...page.map((user) => user.id))
      next = page.next
      pages++
    } while (next !== undefined)
    expect(found).toEqual(Array.from({ length: 9 }, (_, n) => `u${n}`))
    expect(pages).toBe(3)
    expect(await users.scan({})).toHaveLength(9)
  })

  test('batches write and read', async (context) => {
    const { table, users } = await openTable(context)
    const batch = {}
    for (let n = 0; n < 5; n++) await users.create({ accountId: '1', id: `u${n}` }, { batch })
    await table.batchWrite(batch)
    const reads = {}
    for (const id of ['u1', 'u2', 'none']) await users.get({ accountId: '1', id }, { batch: reads })
    const read = (await table.batchGet(reads, { parse: true, hidden: false })) as { id: string }[]
    expect(read.map((user) => user.id).sort()).toEqual(['u1', 'u2'])
  })

  test('a transaction writes all or nothing', async (context) => {
    const { table, accounts, users } = await openTable(context)
    await accounts.create({ id: '1', name: 'Acme' })
    const join = async () => {
      const transaction = {}
      await accounts.update({ id: '1' }, { add: { balance: 1 }, transaction })
      await users.create({ accountId: '1', id: 'u1' }, { transaction })
      await table.transact('write', transaction)
    }
    await join()
    await expect(join()).rejects.toMatchObject({
      code: 'TransactionCanceledException',
      context: {
        err: { CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }] },
      },
    })
    expect((await accounts.get({ id: '1' }))?.balance).toBe(1)
  })

  test('the table can be deleted', async (context) => {
    const { table } = await openTable(context)
    await table.deleteTable('DeleteTableForever')
    await expect.poll(() => table.exists(), { timeout: 20_000 }).toBe(false)
  })
})
