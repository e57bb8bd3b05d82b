import { defineSchema, type GetParams, type Table, TransactionCanceledError } from 'singletable'
import { beforeEach, describe, expect, test } from 'vitest'
import { codeOf, failureOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'
import { requestsOf } from './requests-of.ts'

/** Writes and reads of several items, all or none. */

const BankSchema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, byOwner: { hash: 'gsi1pk', sort: 'gsi1sk' } },
  models: {
    Account: {
      key: { pk: 'ACCOUNT#${id}', sk: 'ACCOUNT' },
      index: { gsi1pk: 'OWNER#${owner}', gsi1sk: 'ACCOUNT#${id}' },
      attributes: {
        id: { type: String, required: true },
        owner: { type: String },
        balance: { type: Number, default: 0 },
      },
    },
    Transfer: {
      key: { pk: 'ACCOUNT#${from}', sk: 'TRANSFER#${number}' },
      attributes: {
        from: { type: String, required: true },
        number: { type: String, required: true },
        amount: { type: Number, required: true },
      },
    },
  },
})

onEachTarget((target) => {
  let table: Table<typeof BankSchema>
  beforeEach(async () => {
    table = await target.table(BankSchema)
    await table.entities.Account.batchWrite([
      { id: 'a', balance: 10 },
      { id: 'b', balance: 0 },
      { id: 'c', balance: 5 },
    ]).execute()
  })

  const transfer = (amount: number, number = '1') => {
    const { Account, Transfer } = table.entities
    return table
      .transactWrite()
      .addUpdate(
        Account.update({ id: 'a' })
          .add('balance', -amount)
          .where((attr, op) => op.gte(attr.balance, amount)),
      )
      .addUpdate(Account.update({ id: 'b' }).add('balance', amount))
      .addPut(Transfer.create({ from: 'a', number, amount }))
      .addConditionCheck(Account.check({ id: 'c' }))
  }
  const balances = async (): Promise<(number | undefined)[]> => {
    const found = await table.entities.Account.batchGet(
      ['a', 'b', 'c'].map((id) => ({ id })),
    ).execute()
    return found.map((account) => account?.balance)
  }

  describe('transactWrite', () => {
    test('carries out everything, and gives what was put', async () => {
      const results = await transfer(7).execute()
      expect(results).toEqual([
        undefined,
        undefined,
        { from: 'a', number: '1', amount: 7 },
        undefined,
      ])
      expect(await balances()).toEqual([3, 7, 5])
      expect(await requestsOf(table, () => transfer(1, '2').execute())).toEqual([
        'TransactWriteItems',
      ])
    })

    test('nothing is done when one condition fails; the error names it and has the item', async () => {
      const error = await failureOf(() => transfer(11).execute())
      expect(error).toBeInstanceOf(TransactionCanceledError)
      expect(error).toMatchObject({
        failures: [
          {
            index: 0,
            operation: 'update Account',
            entity: 'Account',
            reason: 'ConditionalCheckFailed',
            item: { id: 'a', balance: 10 },
          },
        ],
      })
      expect(await balances()).toEqual([10, 0, 5])
    })

    test('a create of what exists, an update and a check of what does not exist', async () => {
      const { Account, Transfer } = table.entities
      const error = await failureOf(() =>
        table
          .transactWrite()
          .addPut(Account.create({ id: 'a' }))
          .addUpdate(Account.update({ id: 'x' }).add('balance', 1))
          .addConditionCheck(Transfer.check({ from: 'a', number: '1' }))
          .addDelete(Account.delete({ id: 'c' }))
          .execute(),
      )
      expect(error).toMatchObject({
        failures: [
          { index: 0, operation: 'create Account', item: { id: 'a', balance: 10 } },
          { index: 1, operation: 'update Account' },
          { index: 2, operation: 'check Transfer' },
        ],
      })
      expect(await balances()).toEqual([10, 0, 5])
    })

    test('a delete with a condition', async () => {
      const { Account } = table.entities
      const close = () =>
        table
          .transactWrite()
          .addDelete(Account.delete({ id: 'b' }).where((attr, op) => op.eq(attr.balance, 0)))
          .execute()
      await close()
      expect(await balances()).toEqual([10, undefined, 5])
      expect(await codeOf(close)).toBe('TRANSACTION_CANCELED')
    })

    test('a check with a condition', async () => {
      const { Account, Transfer } = table.entities
      const write = (least: number) =>
        table
          .transactWrite()
          .addConditionCheck(
            Account.check({ id: 'c' }).where((attr, op) => op.gte(attr.balance, least)),
          )
          .addPut(Transfer.put({ from: 'c', number: '1', amount: 1 }))
          .execute()
      await write(5)
      expect(await codeOf(() => write(6))).toBe('TRANSACTION_CANCELED')
    })

    test('takes what dbParams() gives, and add() takes any builder', async () => {
      const { Account, Transfer } = table.entities
      await table
        .transactWrite()
        .addUpdate(Account.update({ id: 'a' }).add('balance', -1).dbParams())
        .addPut(Transfer.put({ from: 'a', number: '1', amount: 1 }).dbParams())
        .addDelete(Account.delete({ id: 'b' }).dbParams())
        .addConditionCheck(Account.check({ id: 'c' }).dbParams())
        .execute()
      await table
        .transactWrite()
        .add(Account.upsert({ id: 'd' }).set({ balance: 1 }))
        .add(Account.delete({ id: 'c' }))
        .execute()
      expect(await balances()).toEqual([9, undefined, undefined])
      expect(await Account.get({ id: 'd' }).execute()).toEqual({ id: 'd', balance: 1 })
    })

    test('one token, one effect', async () => {
      const once = transfer(2).withClientRequestToken('token-of-transfer-1')
      await once.execute()
      await once.execute()
      expect(await balances()).toEqual([8, 2, 5])
    })

    test('a token that was used for other values is reported, and nothing is done', async () => {
      const write = (amount: number) =>
        transfer(amount).withClientRequestToken('token-of-transfer-2')
      await write(2)
      expect(await write(3).result()).toMatchObject({ ok: false, reason: 'TRANSACTION_REPEATED' })
      expect(await codeOf(() => write(4).execute())).toBe('TRANSACTION_REPEATED')
      expect(await balances()).toEqual([8, 2, 5])
    })

    test('index keys are written', async () => {
      const { Account } = table.entities
      await table
        .transactWrite()
        .addUpdate(Account.update({ id: 'a' }).set({ owner: 'ann' }))
        .addPut(Account.put({ id: 'e', owner: 'ann' }))
        .execute()
      expect((await Account.query({ owner: 'ann' }).execute()).map(({ id }) => id)).toEqual([
        'a',
        'e',
      ])
    })

    test('an item twice, nothing at all and more than 100 are refused before sending', async () => {
      const { Account } = table.entities
      const twice = table
        .transactWrite()
        .addPut(Account.put({ id: 'z' }))
        .addConditionCheck(Account.check({ id: 'z' }))
      const many = Array.from({ length: 101 }, (_, id) => Account.put({ id: `${id}` })).reduce(
        (all, put) => all.addPut(put),
        table.transactWrite(),
      )
      const requests = await requestsOf(table, async () => {
        for (const wrong of [twice, many, table.transactWrite()]) {
          expect(await codeOf(() => wrong.execute())).toBe('TRANSACTION_INVALID')
        }
      })
      expect(requests).toEqual([])
    })

    test('a check alone can not be executed', async () => {
      const { Account } = table.entities
      const check: unknown = Account.check({ id: 'a' })
      const { execute } = check as { execute(): Promise<unknown> }
      expect(await codeOf(() => execute.call(check))).toBe('PLAN_INVALID')
    })
  })

  describe('transactGet', () => {
    test('gives items of several models in the order of the calls', async () => {
      const { Account, Transfer } = table.entities
      await transfer(1).execute()
      const found = await table
        .transactGet()
        .addGet(Transfer.get({ from: 'a', number: '1' }))
        .addGet(Account.get({ id: 'x' }))
        .addGet(Account.get({ id: 'a' }).select(['balance']))
        .addGet(Account.get({ id: 'b' }).dbParams())
        .execute()
      expect(found).toEqual([
        { from: 'a', number: '1', amount: 1 },
        undefined,
        { balance: 9 },
        { id: 'b', balance: 1 },
      ])
    })

    test('an item twice and more than 100 are refused before sending', async () => {
      const { Account } = table.entities
      const twice = table
        .transactGet()
        .addGet(Account.get({ id: 'a' }))
        .addGet(Account.get({ id: 'a' }))
      // The type of the results grows with each call, so a loop needs a type of its own.
      interface Reads {
        addGet(params: GetParams): Reads
        execute(): Promise<unknown>
      }
      let many: Reads = table.transactGet()
      for (let id = 0; id < 101; id++) many = many.addGet(Account.get({ id: `${id}` }).dbParams())
      for (const wrong of [twice, many]) {
        expect(await codeOf(() => wrong.execute())).toBe('TRANSACTION_INVALID')
      }
    })

    test('nothing to read is an empty list', async () => {
      expect(await table.transactGet().execute()).toEqual([])
    })
  })

  test('a transaction may span tables whose key attributes have other names', async () => {
    const log = await target.table({
      indexes: { primary: { hash: 'id' } },
      models: {
        Entry: {
          key: { id: 'ENTRY#${number}' },
          attributes: { number: { type: String, required: true } },
        },
        Sum: {
          key: { id: 'SUM#${number}' },
          attributes: { number: { type: String, required: true } },
        },
      },
    })
    await table
      .transactWrite()
      .addPut(table.entities.Account.put({ id: 'd', balance: 1 }))
      .addPut(log.entities.Entry.put({ number: '1' }))
      .addPut(log.entities.Sum.put({ number: '1' }))
      .execute()
    const found = await table
      .transactGet()
      .addGet(table.entities.Account.get({ id: 'd' }))
      .addGet(log.entities.Entry.get({ number: '1' }))
      .execute()
    expect(found).toEqual([{ id: 'd', balance: 1 }, { number: '1' }])
  })
})
