import {
  defineSchema,
  InputError,
  type PlannedWrite,
  Table,
  TransactionCanceledError,
} from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, expectTypeOf, test } from 'vitest'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    Account: {
      key: { pk: 'ACCOUNT#${id}' },
      attributes: {
        id: { type: String, required: true },
        balance: { type: Number, required: true },
      },
    },
  },
})

async function bank() {
  const table = new Table({ name: 'bank', schema, client: createEngine() })
  await table.create()
  const { Account } = table.entities
  await table.batchWrite([
    Account.put({ id: 'a', balance: 10 }),
    Account.put({ id: 'b', balance: 0 }),
  ])
  return { table, Account }
}

test('a list of writes is a transaction, with results in its order', async () => {
  const { table, Account } = await bank()
  const results = await table.transactWrite([
    Account.put({ id: 'd', balance: 1 }),
    Account.update({ id: 'a' }).add('balance', -1),
    Account.check({ id: 'b' }),
  ])
  expect(results).toEqual([{ id: 'd', balance: 1 }, undefined, undefined])
  const [c, none] = await table.transactWrite([
    Account.put({ id: 'c', balance: 2 }),
    Account.delete({ id: 'a' }),
  ])
  expectTypeOf(c.balance).toEqualTypeOf<number>()
  expectTypeOf(none).toEqualTypeOf<undefined>()
  expect([c, none]).toEqual([{ id: 'c', balance: 2 }, undefined])
})

test('nothing of a list is sent before it is awaited, and all of it or nothing is written', async () => {
  const { table, Account } = await bank()
  const transfer = table.transactWrite([
    Account.update({ id: 'a' })
      .add('balance', -20)
      .where((attr, op) => op.gte(attr.balance, 20)),
    Account.update({ id: 'b' }).add('balance', 20),
  ])
  expect(await Account.get({ id: 'b' })).toEqual({ id: 'b', balance: 0 })
  await expect(transfer.execute()).rejects.toThrow(TransactionCanceledError)
  expect(await Account.get({ id: 'b' })).toEqual({ id: 'b', balance: 0 })
  expect(transfer.explain().map(({ operation }) => operation)).toEqual(['UpdateItem', 'UpdateItem'])
  const both = table.transactWrite([Account.put({ id: 'c', balance: 1 })])
  await both.addPut(Account.put({ id: 'd', balance: 1 })).withClientRequestToken('t')
  expect(await Account.get({ id: 'd' })).toEqual({ id: 'd', balance: 1 })
})

test('a list of gets is read as of one moment, each with its own type', async () => {
  const { table, Account } = await bank()
  const [a, b] = await table.transactGet([
    Account.get({ id: 'a' }),
    Account.get({ id: 'b' }).select(['balance']),
  ])
  expectTypeOf(b).toEqualTypeOf<{ balance: number } | undefined>()
  expect([a, b]).toEqual([{ id: 'a', balance: 10 }, { balance: 0 }])
  const three = table.transactGet([Account.get({ id: 'a' })]).addGet(Account.get({ id: 'x' }))
  expect(await three).toEqual([{ id: 'a', balance: 10 }, undefined])
})

test('a list that is filled in a loop has the type of what transactions take', async () => {
  const { table, Account } = await bank()
  const writes: PlannedWrite[] = [Account.update({ id: 'a' }).add('balance', 1)]
  for (const id of ['x', 'y']) writes.push(Account.create({ id, balance: 1 }))
  const [nothing, x] = await table.transactWrite(writes)
  expectTypeOf(x).toEqualTypeOf<unknown>()
  expect([nothing, x]).toEqual([undefined, { id: 'x', balance: 1 }])
  const puts = ['v', 'w'].map((id) => Account.create({ id, balance: 1 }))
  const [v] = await table.transactWrite(puts)
  expect(v?.balance).toBe(1)
})

test('what is not a list of builders is refused, with its position', async () => {
  const { table, Account } = await bank()
  const put = Account.put({ id: 'c', balance: 1 })
  const wrong: [() => unknown, string][] = [
    // @ts-expect-error it takes a list
    [() => table.transactWrite(put), 'an array was expected'],
    // @ts-expect-error it takes a list
    [() => table.transactGet(null), 'an array was expected'],
    // @ts-expect-error gets are read by transactGet
    [() => table.transactWrite([put, Account.get({ id: 'a' })]).execute(), 'Operation 1'],
    // @ts-expect-error writes are written by transactWrite
    [() => table.transactGet([put]).execute(), 'Operation 0'],
    // @ts-expect-error it runs already
    [() => table.transactWrite([put.execute()]).execute(), 'Operation 0'],
  ]
  for (const [call, text] of wrong) {
    const failure = await (async () => call())().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(InputError)
    expect(String(failure)).toContain(text)
  }
})
