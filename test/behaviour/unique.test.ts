import { ConditionFailedError, defineSchema, type Table, UniqueViolationError } from 'singletable'
import { beforeEach, describe, expect, test } from 'vitest'
import { codeOf, failureOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'
import { requestsOf } from './requests-of.ts'
import { ShopSchema } from './shop-schema.ts'

/** Values that no two items have, kept by guards in the same transaction. */

onEachTarget((target) => {
  let table: Table<typeof ShopSchema>
  let now = Date.UTC(2030, 0, 1)
  const environment = {
    now: () => now,
    randomBytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)),
    schedule(callback: () => void, delayMs: number) {
      const timer = setTimeout(callback, delayMs)
      return () => clearTimeout(timer)
    },
  }
  beforeEach(async () => {
    now = Date.UTC(2030, 0, 1)
    table = await target.table(ShopSchema, { environment })
    await table.entities.User.create({ userId: 'ann', email: 'Ann@x.org' }).execute()
  })

  const create = (userId: string, email: string) => () =>
    table.entities.User.create({ userId, email }).execute()

  describe('getByUnique', () => {
    test('gives the item that has the value, by two consistent reads', async () => {
      const { User } = table.entities
      const found = User.getByUnique({ email: 'ANN@x.org' })
      const requests = await requestsOf(table, async () => {
        expect(await found).toMatchObject({ userId: 'ann', email: 'Ann@x.org' })
      })
      expect(requests).toEqual(['GetItem', 'GetItem'])
      expect(await User.getByUnique({ email: 'bob@x.org' })).toBeUndefined()
    })

    test('has the words of other reads', async () => {
      const { User } = table.entities
      const found = User.getByUnique({ email: 'ann@x.org' }).consistent()
      expect(await found.select(['userId'])).toEqual({ userId: 'ann' })
      expect(await found.select((attr) => [attr.email])).toEqual({ email: 'Ann@x.org' })
      await User.update({ userId: 'ann' }).set({ expiresAt: new Date(now - 1000) })
      expect(await found.select(['userId'])).toBeUndefined()
      expect(await found.includeExpired().select(['userId'])).toEqual({ userId: 'ann' })
      expect(found.params()).toMatchObject({ ConsistentRead: true })
      expect(found.explain()).toMatchObject({
        operation: 'GetItem',
        entity: 'User',
        requests: '2, the second to the key that the first gives',
      })
    })

    test('can be an access pattern', async () => {
      const own = await target.table(
        defineSchema({
          indexes: { primary: { hash: 'pk', sort: 'sk' } },
          models: {
            User: {
              key: { pk: 'USER#${id}', sk: 'USER' },
              attributes: {
                id: { type: String, required: true },
                email: { type: String, unique: 'ignore-case' },
                tenant: { type: String },
                seat: { type: Number },
              },
              unique: { seat: ['tenant', 'seat'] },
              stats: { itemBytes: 400 },
            },
          },
          patterns: {
            byEmail: { op: 'getByUnique', entity: 'User', by: ['email'] },
            bySeat: { op: 'getByUnique', entity: 'User', by: ['seat', 'tenant'], select: ['id'] },
          },
        }),
      )
      const ann = { id: 'ann', email: 'Ann@x.org', tenant: 'acme', seat: 7 }
      await own.entities.User.create(ann)
      const { byEmail, bySeat } = own.patterns
      expect(await byEmail({ email: 'ann@x.org' })).toMatchObject({ item: ann })
      expect((await byEmail({ email: 'bob@x.org' })).item).toBeUndefined()
      expect((await bySeat({ tenant: 'acme', seat: 7 })).item).toEqual({ id: 'ann' })
      expect(byEmail.plan()).toMatchObject({
        op: 'GetItem',
        key: null,
        consistency: 'strong',
        requests: 2,
        cost: { rru: 2 },
      })
      const { requests, itemsReturned, consumed } = await byEmail({ email: 'ann@x.org' }).measure()
      expect({ requests, itemsReturned, consumed }).toEqual({
        requests: 2,
        itemsReturned: 1,
        consumed: 2,
      })
    })

    test('follows the value to another item, and ends with it', async () => {
      const { User } = table.entities
      await User.update({ userId: 'ann' }).set({ email: 'new@x.org' })
      expect(await User.getByUnique({ email: 'ann@x.org' })).toBeUndefined()
      await User.create({ userId: 'bob', email: 'ann@x.org' })
      expect(await User.getByUnique({ email: 'ann@x.org' })).toMatchObject({ userId: 'bob' })
      await User.delete({ userId: 'bob' })
      expect(await User.getByUnique({ email: 'ann@x.org' })).toBeUndefined()
    })

    test('takes all values of a rule of several attributes', async () => {
      const { User } = table.entities
      await User.update({ userId: 'ann' }).set({ tenant: 'acme', handle: 'a' })
      const ann = await User.getByUnique({ tenant: 'acme', handle: 'a' })
      expect(ann?.userId).toBe('ann')
      expect(await User.getByUnique({ tenant: 'other', handle: 'a' })).toBeUndefined()
    })

    test('does not give an item whose time to live is over', async () => {
      const { User } = table.entities
      await User.update({ userId: 'ann' }).set({ expiresAt: new Date(now + 1000) })
      expect(await User.getByUnique({ email: 'ann@x.org' })).toMatchObject({ userId: 'ann' })
      now += 2000
      expect(await User.getByUnique({ email: 'ann@x.org' })).toBeUndefined()
    })

    test.each([
      ['an attribute that is not unique', { name: 'Ann' }, 'or { tenant, handle }'],
      ['half of a rule', { tenant: 'acme' }, '{ email }, or'],
      ['more than a rule', { email: 'a', tenant: 'acme' }, '{ email }, or'],
      ['a value of another type', { email: 1 }, 'not a string'],
      ['nothing', undefined, 'an object was expected'],
    ])('%s is refused with what can be given', async (_, values, text) => {
      const error = await failureOf(() => table.entities.User.getByUnique(values as never))
      expect(error.code).toBe('INPUT_INVALID')
      expect(error.message).toContain(text)
    })

    test('in a scope finds what is in the scope alone', async () => {
      const email = { type: String, unique: true } as const
      const id = { type: String, required: true } as const
      const own = await target.table(
        defineSchema({
          indexes: { primary: { hash: 'pk', sort: 'sk' } },
          models: {
            Member: {
              key: { pk: 'TENANT#${tenantId}', sk: 'MEMBER#${id}' },
              attributes: { tenantId: id, id, email, nick: { type: String } },
              unique: { nick: ['tenantId', 'nick'] },
            },
          },
        }),
      )
      const [acme, other] = ['acme', 'other'].map((tenantId) => own.scope({ tenantId }).entities)
      await acme!.Member.create({ id: '1', email: 'a@x.org', nick: 'a' })
      expect(await acme!.Member.getByUnique({ email: 'a@x.org' })).toMatchObject({ id: '1' })
      expect(await acme!.Member.getByUnique({ nick: 'a' })).toMatchObject({ id: '1' })
      expect(await other!.Member.getByUnique({ email: 'a@x.org' })).toBeUndefined()
      expect(await other!.Member.getByUnique({ nick: 'a' })).toBeUndefined()
    })
  })

  describe('a value that is taken', () => {
    test('is refused by an error that names model, constraint and attributes', async () => {
      const error = await failureOf(create('bob', 'ann@X.org'))
      expect(error).toBeInstanceOf(UniqueViolationError)
      expect(error).toBeInstanceOf(ConditionFailedError)
      expect(error).toMatchObject({
        code: 'UNIQUE_TAKEN',
        constraint: 'email',
        attributes: ['email'],
      })
      expect(error.message).toContain('Another User has the same "email"')
      expect(await table.entities.User.get({ userId: 'bob' }).execute()).toBeUndefined()
    })

    test('is refused by put, update, upsert and batches as well', async () => {
      const { User } = table.entities
      const taken = { email: 'ANN@x.org' }
      expect(await codeOf(() => User.put({ userId: 'bob', ...taken }).execute())).toBe(
        'UNIQUE_TAKEN',
      )
      expect(await codeOf(() => User.upsert({ userId: 'bob' }).set(taken).execute())).toBe(
        'UNIQUE_TAKEN',
      )
      await User.put({ userId: 'bob' }).execute()
      expect(await codeOf(() => User.update({ userId: 'bob' }).set(taken).execute())).toBe(
        'UNIQUE_TAKEN',
      )
      const error = await failureOf(() => User.batchWrite([{ userId: 'eve', ...taken }]).execute())
      expect(error).toMatchObject({ code: 'BATCH_INCOMPLETE', cause: { code: 'UNIQUE_TAKEN' } })
    })

    test('is reported by a transaction at the place of the write', async () => {
      const { User, Group } = table.entities
      const error = await failureOf(() =>
        table
          .transactWrite()
          .add(Group.create({ groupId: 'g' }))
          .add(User.create({ userId: 'bob', email: 'ann@x.org' }))
          .execute(),
      )
      expect(error).toMatchObject({
        code: 'TRANSACTION_CANCELED',
        failures: [{ index: 1, operation: 'unique "email" of User', entity: 'User' }],
      })
    })

    test('an item that exists is reported before a value that is taken', async () => {
      expect(await codeOf(create('ann', 'ann@x.org'))).toBe('ITEM_EXISTS')
    })
  })

  describe('a value is free again, where other libraries leave its guard behind', () => {
    test('after an update to another one (the guard of the old value is gone)', async () => {
      await table.entities.User.update({ userId: 'ann' }).set({ email: 'a@x.org' }).execute()
      await create('bob', 'ann@x.org')()
      expect(await codeOf(create('eve', 'A@x.org'))).toBe('UNIQUE_TAKEN')
    })

    test('after the attribute was removed', async () => {
      await table.entities.User.update({ userId: 'ann' }).remove('email').execute()
      await create('bob', 'ann@x.org')()
    })

    test('after an upsert to another one', async () => {
      await table.entities.User.upsert({ userId: 'ann' }).set({ email: 'a@x.org' }).execute()
      await create('bob', 'ann@x.org')()
      expect(await codeOf(create('eve', 'a@x.org'))).toBe('UNIQUE_TAKEN')
    })

    test('after the item was deleted', async () => {
      await table.entities.User.delete({ userId: 'ann' }).execute()
      await create('bob', 'ann@x.org')()
    })

    test('after a put without it', async () => {
      await table.entities.User.put({ userId: 'ann' }).execute()
      await create('bob', 'ann@x.org')()
    })

    test('after a soft delete by the time to live, when the time is over', async () => {
      const expiresAt = new Date(now + 60_000)
      await table.entities.User.update({ userId: 'ann' }).set({ expiresAt }).execute()
      expect(await codeOf(create('bob', 'ann@x.org'))).toBe('UNIQUE_TAKEN')
      now += 61_000
      await create('bob', 'ann@x.org')()
      // What belongs to somebody else by now is not given up with the old item.
      await table.entities.User.delete({ userId: 'ann' }).execute()
      expect(await codeOf(create('eve', 'ann@x.org'))).toBe('UNIQUE_TAKEN')
    })

    test('a failed write takes nothing', async () => {
      const { User } = table.entities
      await create('bob', 'bob@x.org')()
      const both = User.update({ userId: 'bob' })
        .set({ email: 'new@x.org' })
        .where((attr, op) => op.eq(attr.name, 'nobody'))
      expect(await codeOf(() => both.execute())).toBe('CONDITION_FAILED')
      await create('eve', 'new@x.org')()
    })
  })

  describe('the value itself', () => {
    test('keeps its case, and can be set again by its own item', async () => {
      const { User } = table.entities
      expect(await User.get({ userId: 'ann' }).execute()).toMatchObject({ email: 'Ann@x.org' })
      await User.update({ userId: 'ann' }).set({ email: 'ANN@X.ORG' }).execute()
      await User.put({ userId: 'ann', email: 'ann@x.org' }).execute()
      expect(await codeOf(create('bob', 'ann@x.org'))).toBe('UNIQUE_TAKEN')
    })

    test('moves with its item', async () => {
      const { User } = table.entities
      await User.update({ userId: 'ann' }).set({ userId: 'anna' }).execute()
      expect(await codeOf(create('bob', 'ann@x.org'))).toBe('UNIQUE_TAKEN')
      await User.delete({ userId: 'anna' }).execute()
      await create('bob', 'ann@x.org')()
    })

    test('a move to the key of an item whose time is over takes what that one had', async () => {
      const { User } = table.entities
      const expiresAt = new Date(now + 60_000)
      await User.create({ userId: 'bob', email: 'bob@x.org', expiresAt }).execute()
      now += 61_000
      await User.update({ userId: 'ann' }).set({ userId: 'bob' }).execute()
      expect(await User.get({ userId: 'bob' }).execute()).toMatchObject({ email: 'Ann@x.org' })
      await create('eve', 'bob@x.org')()
      expect(await codeOf(create('ann', 'ann@x.org'))).toBe('UNIQUE_TAKEN')
    })

    test('can be any string, and different strings never share a guard', async () => {
      const strings = [
        'a#b',
        'a',
        'b',
        'a$Sb',
        '$',
        '',
        ' ',
        '#',
        'ä',
        'UNIQUE#User#email#a',
        '\u0000',
      ]
      for (const [index, email] of strings.entries()) await create(`u${index}`, email)()
      for (const [index, email] of strings.entries()) {
        expect(await codeOf(create(`v${index}`, email))).toBe('UNIQUE_TAKEN')
      }
    })

    test('that is too long for a key is refused', async () => {
      expect(await codeOf(create('bob', 'x'.repeat(2100)))).toBe('INPUT_INVALID')
    })

    test('of several attributes together counts only when all are there', async () => {
      const { User } = table.entities
      const user = (userId: string, tenant: string, handle: string) => () =>
        User.create({ userId, tenant, handle }).execute()
      await user('1', 'x', 'y')()
      await user('2', 'x', 'z')()
      await user('3', 'xy', '')()
      await user('4', '', 'xy')()
      const error = await failureOf(user('5', 'x', 'y'))
      expect(error).toMatchObject({ constraint: 'handle', attributes: ['tenant', 'handle'] })
      expect(error.message).toContain('"tenant", "handle"')
      await User.create({ userId: '6', handle: 'y' }).execute()
      await User.create({ userId: '7', handle: 'y' }).execute()
      expect(await codeOf(() => User.update({ userId: '7' }).set({ tenant: 'x' }).execute())).toBe(
        'UNIQUE_TAKEN',
      )
    })
  })

  test('of many that want a value at once one gets it', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => create(`u${index}`, 'same@x.org')()),
    )
    const codes = results.map((each) => (each.status === 'fulfilled' ? 'done' : each.reason.code))
    expect(codes.filter((code) => code === 'done')).toHaveLength(1)
    expect(codes.filter((code) => code === 'UNIQUE_TAKEN')).toHaveLength(7)
  })

  test('an update of nothing unique stays a single request', async () => {
    const update = table.entities.User.update({ userId: 'ann' }).set({ name: 'Ann' })
    expect(await requestsOf(table, () => update.execute())).toEqual(['UpdateItem'])
  })

  test('guards are in no scan or query of a model', async () => {
    expect(await table.entities.User.scan().execute()).toHaveLength(1)
  })
})
