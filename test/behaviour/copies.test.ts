import { PlanError, type Table } from 'singletable'
import { beforeEach, describe, expect, test } from 'vitest'
import { codeOf, failureOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'
import { requestsOf } from './requests-of.ts'
import { ShopSchema } from './shop-schema.ts'

/** The same fact under another key, written in the same transaction. */

onEachTarget((target) => {
  let table: Table<typeof ShopSchema>
  beforeEach(async () => {
    table = await target.table(ShopSchema)
    await table.entities.User.create({ userId: 'ann' }).execute()
    await table.entities.User.create({ userId: 'bob' }).execute()
  })

  const order = (orderId: string, userId: string | undefined = 'ann') =>
    table.entities.Order.create({ orderId, userId, total: 5, note: 'n' })
  const ordersOf = (userId: string) => table.entities.UserOrder.query({ userId }).execute()
  const openOrders = async (): Promise<string[]> => {
    const found = await table.entities.OpenOrder.scan().execute()
    return found.map(({ orderId }) => orderId).sort()
  }

  describe('a new item', () => {
    test('has its copies, with the attributes they choose', async () => {
      expect(await requestsOf(table, () => order('1').execute())).toEqual(['TransactWriteItems'])
      expect(await ordersOf('ann')).toEqual([
        { orderId: '1', userId: 'ann', status: 'open', total: 5 },
      ])
      expect(await table.entities.OpenOrder.get({ orderId: '1' }).execute()).toEqual({
        orderId: '1',
        userId: 'ann',
        total: 5,
      })
    })

    test('has no copy whose key has no value, or whose condition does not hold', async () => {
      const { Order } = table.entities
      await Order.create({ orderId: '1' }).execute()
      await Order.create({ orderId: '2', userId: 'ann', status: 'paid' }).execute()
      expect(await openOrders()).toEqual(['1'])
      expect((await ordersOf('ann')).map(({ orderId }) => orderId)).toEqual(['2'])
    })

    test('is refused as a whole if there is one', async () => {
      await order('1').execute()
      const error = await failureOf(() => order('1', 'bob').execute())
      expect(error).toMatchObject({ code: 'ITEM_EXISTS', item: { orderId: '1', userId: 'ann' } })
      expect(await ordersOf('bob')).toEqual([])
    })

    test('copies are in the indexes they have keys for', async () => {
      await order('1').execute()
      const found = await table.entities.OpenOrder.query()
        .where((attr, op) =>
          op.and(op.eq(attr.gsi1pk, 'OPEN'), op.beginsWith(attr.gsi1sk, 'USER#ann#')),
        )
        .useIndex('byStatus')
        .execute()
      expect(found.map(({ orderId }) => orderId)).toEqual(['1'])
    })
  })

  describe('an update', () => {
    test('of something copied changes the copies, and gives the item', async () => {
      await order('1').execute()
      const update = table.entities.Order.update({ orderId: '1' }).set({ total: 7 })
      const requests = await requestsOf(table, async () => {
        expect(await update.execute()).toMatchObject({ orderId: '1', total: 7, version: 2 })
      })
      expect(requests).toEqual(['GetItem', 'TransactWriteItems'])
      expect(await ordersOf('ann')).toMatchObject([{ total: 7 }])
      expect(await table.entities.OpenOrder.get({ orderId: '1' }).execute()).toMatchObject({
        total: 7,
      })
    })

    test('of nothing copied stays a single request', async () => {
      await order('1').execute()
      const update = table.entities.Order.update({ orderId: '1' }).set({ note: 'm' })
      expect(await requestsOf(table, () => update.execute())).toEqual(['UpdateItem'])
    })

    test('that changes the key of a copy moves it', async () => {
      await order('1').execute()
      await table.entities.Order.update({ orderId: '1' }).set({ userId: 'bob' }).execute()
      expect(await ordersOf('ann')).toEqual([])
      expect(await ordersOf('bob')).toMatchObject([{ orderId: '1' }])
    })

    test('lets copies begin and end with their condition', async () => {
      await order('1').execute()
      const { Order } = table.entities
      await Order.update({ orderId: '1' }).set({ status: 'paid' }).execute()
      expect(await openOrders()).toEqual([])
      await Order.update({ orderId: '1' }).set({ status: 'open' }).execute()
      expect(await openOrders()).toEqual(['1'])
      await Order.update({ orderId: '1' }).remove('userId').execute()
      expect(await ordersOf('ann')).toEqual([])
    })

    test('adds to what is stored, in the copies too', async () => {
      await order('1').execute()
      const adds = [1, 2, 3, 4].map((amount) =>
        table.entities.Order.update({ orderId: '1' }).add('total', amount).execute(),
      )
      const totals = (await Promise.all(adds)).map(({ total }) => total ?? 0)
      expect(Math.max(...totals)).toBe(15)
      expect(new Set(totals).size).toBe(4)
      expect(await ordersOf('ann')).toMatchObject([{ total: 15 }])
    })

    test.each(['ALL_OLD', 'UPDATED_NEW', 'UPDATED_OLD', 'NONE'] as const)(
      'gives %s as one without copies does',
      async (mode) => {
        await order('1').execute()
        const given = await table.entities.Order.update({ orderId: '1' })
          .set({ total: 7 })
          .returning(mode)
          .execute()
        expect(given).toEqual(
          {
            ALL_OLD: {
              orderId: '1',
              userId: 'ann',
              status: 'open',
              total: 5,
              note: 'n',
              version: 1,
            },
            UPDATED_NEW: { total: 7, version: 2 },
            UPDATED_OLD: { total: 5, version: 1 },
            NONE: undefined,
          }[mode],
        )
      },
    )

    test('of what is not there is refused, and an upsert makes it with its copies', async () => {
      const { Order } = table.entities
      const missing = () => Order.update({ orderId: '1' }).set({ total: 7 }).execute()
      expect(await codeOf(missing)).toBe('ITEM_NOT_FOUND')
      const upsert = () =>
        Order.upsert({ orderId: '1' }).set({ userId: 'ann' }).add('total', 7).execute()
      expect(await upsert()).toMatchObject({ total: 7, status: 'open' })
      expect(await upsert()).toMatchObject({ total: 14 })
      expect(await ordersOf('ann')).toMatchObject([{ total: 14, status: 'open' }])
      expect(await openOrders()).toEqual(['1'])
    })

    test('a condition that does not hold throws, and nothing is written', async () => {
      await order('1').execute()
      const update = table.entities.Order.update({ orderId: '1' })
        .set({ total: 7 })
        .where((attr, op) => op.gt(attr.total, 5))
      expect(await codeOf(() => update.execute())).toBe('CONDITION_FAILED')
      expect(await codeOf(() => update.ifVersion(3).execute())).toBe('VERSION_CONFLICT')
      expect(await ordersOf('ann')).toMatchObject([{ total: 5 }])
    })

    test('of the primary key takes the copies along', async () => {
      await order('1').execute()
      await table.entities.Order.update({ orderId: '1' }).set({ orderId: '2' }).execute()
      expect((await ordersOf('ann')).map(({ orderId }) => orderId)).toEqual(['2'])
      expect(await openOrders()).toEqual(['2'])
    })
  })

  describe('put and delete', () => {
    test('put replaces copies wherever they were', async () => {
      await order('1').execute()
      const { Order } = table.entities
      await Order.put({ orderId: '1', userId: 'bob', status: 'sent', version: 1 }).execute()
      expect(await ordersOf('ann')).toEqual([])
      expect(await ordersOf('bob')).toMatchObject([{ orderId: '1', status: 'sent' }])
      expect(await openOrders()).toEqual([])
    })

    test('delete takes the copies with it, and gives the item if asked', async () => {
      await order('1').execute()
      const { Order } = table.entities
      expect(await Order.delete({ orderId: '1' }).returning('ALL_OLD').execute()).toMatchObject({
        orderId: '1',
      })
      expect(await ordersOf('ann')).toEqual([])
      expect(await openOrders()).toEqual([])
      expect(await Order.delete({ orderId: '1' }).execute()).toBeUndefined()
      expect(await codeOf(() => Order.delete({ orderId: '1' }).mustExist().execute())).toBe(
        'ITEM_NOT_FOUND',
      )
    })

    test('where the key alone determines the copies, nothing is read', async () => {
      const { Tag, TagList } = table.entities
      const put = Tag.put({ tag: 'a', text: 'x' })
      expect(await requestsOf(table, () => put.execute())).toEqual(['TransactWriteItems'])
      expect(
        await TagList.query()
          .where((attr, op) => op.eq(attr.pk, 'TAGS'))
          .execute(),
      ).toEqual([{ tag: 'a', text: 'x' }])
      const deletion = Tag.delete({ tag: 'a' })
      expect(await requestsOf(table, () => deletion.execute())).toEqual(['TransactWriteItems'])
      expect(await TagList.scan().execute()).toEqual([])
      await put.execute()
      expect(await Tag.delete({ tag: 'a' }).returning('ALL_OLD').execute()).toEqual({
        tag: 'a',
        text: 'x',
      })
      expect(await TagList.scan().execute()).toEqual([])
    })

    test('a membership is found from both sides by one declaration', async () => {
      const { Group, Membership, UserGroup } = table.entities
      await Group.create({ groupId: 'g' }).execute()
      await Membership.create({ groupId: 'g', userId: 'ann' }).execute()
      expect(await Membership.query({ groupId: 'g' }).execute()).toMatchObject([{ userId: 'ann' }])
      expect(await UserGroup.query({ userId: 'ann' }).execute()).toEqual([
        { groupId: 'g', userId: 'ann', role: 'member' },
      ])
    })
  })

  describe('several at once', () => {
    test('batches write each with its copies', async () => {
      const { Tag, TagList, User } = table.entities
      const given = await table
        .batchWrite([Tag.put({ tag: 'a' }), User.put({ userId: 'eve' }), Tag.put({ tag: 'b' })])
        .execute()
      expect(given).toMatchObject([{ tag: 'a' }, { userId: 'eve' }, { tag: 'b' }])
      expect((await TagList.scan().execute()).map(({ tag }) => tag).sort()).toEqual(['a', 'b'])
      await Tag.batchWrite([{ tag: 'c' }])
        .delete([{ tag: 'a' }])
        .execute()
      expect((await TagList.scan().execute()).map(({ tag }) => tag).sort()).toEqual(['b', 'c'])
    })

    test('transactions have the copies of all their writes', async () => {
      const { Order, Tag } = table.entities
      const transaction = table
        .transactWrite()
        .add(order('1'))
        .add(Tag.put({ tag: 'a' }))
      expect(transaction.dbParams().TransactItems).toHaveLength(6)
      expect(await transaction.execute()).toMatchObject([{ orderId: '1' }, { tag: 'a' }])
      expect(await openOrders()).toEqual(['1'])
      await table
        .transactWrite()
        .add(
          Order.update({ orderId: '1' })
            .set({ status: 'paid', total: 1 })
            .given({ status: 'open', userId: 'ann' }),
        )
        .execute()
      expect(await openOrders()).toEqual([])
      expect(await ordersOf('ann')).toMatchObject([{ status: 'paid', total: 1 }])
      const deletion = () =>
        table
          .transactWrite()
          .add(Order.delete({ orderId: '1' }).given({ status: 'paid', userId: 'ann' }))
          .execute()
      await deletion()
      expect(await ordersOf('ann')).toEqual([])
      expect(await codeOf(deletion)).toBe('TRANSACTION_CANCELED')
    })

    test('in a transaction what must be known is asked for', async () => {
      const { Order } = table.entities
      await order('1').execute()
      const update = Order.update({ orderId: '1' }).set({ total: 1 })
      const error = await failureOf(() => table.transactWrite().add(update).execute())
      expect(error).toMatchObject({ code: 'UPDATE_NEEDS_ATTRIBUTES' })
      expect(error.message).toContain('"userId", "status"')
      const put = Order.put({ orderId: '1', version: 1 })
      expect(await codeOf(() => table.transactWrite().add(put).execute())).toBe(
        'UPDATE_NEEDS_ATTRIBUTES',
      )
      const deletion = Order.delete({ orderId: '1' })
      expect(await codeOf(() => table.transactWrite().add(deletion).execute())).toBe(
        'UPDATE_NEEDS_ATTRIBUTES',
      )
    })

    test('a single request can not show several writes, and params made by hand can not leave them out', async () => {
      const error = await failureOf(() => order('1').dbParams())
      expect(error).toBeInstanceOf(PlanError)
      expect(error.message).toContain('transactWrite(')
      const params = { TableName: table.name, Item: { pk: 'TAG#a', sk: 'TAG#a', tag: 'a' } }
      expect(await codeOf(() => table.transactWrite().addPut(params).execute())).toBe(
        'TRANSACTION_INVALID',
      )
      const copy = { TableName: table.name, Key: { pk: 'TAGS', sk: 'TAG#a' } }
      expect(await codeOf(() => table.transactWrite().addDelete(copy).execute())).toBe(
        'TRANSACTION_INVALID',
      )
    })
  })

  test('copies can not be written, and are known as what they are', async () => {
    await order('1').execute()
    const { UserOrder } = table.entities
    expect(Object.keys(UserOrder)).not.toContain('put')
    expect('put' in UserOrder).toBe(false)
    const batch = await UserOrder.batchGet([{ userId: 'ann', orderId: '1' }]).execute()
    expect(batch).toMatchObject([{ orderId: '1' }])
    expect(UserOrder.renderKey({ userId: 'ann', orderId: '1' })).toEqual({
      pk: 'USER#ann',
      sk: 'ORDER#1',
    })
    expect(await table.entities.Order.scan().execute()).toHaveLength(1)
  })

  test('explain lists all writes', () => {
    const { Order } = table.entities
    expect(order('1').explain()).toMatchObject({
      operation: 'TransactWriteItems',
      requests: '1',
      writes: [
        'create Order',
        'copy UserOrder',
        'copy OpenOrder',
        'count User.orderCount',
        'count User.openCount',
      ],
    })
    expect(Order.update({ orderId: '1' }).set({ total: 1 }).explain().operation).toBe(
      'GetItem, TransactWriteItems',
    )
    expect(Order.update({ orderId: '1' }).set({ orderId: '2' }).explain().writes).toContain(
      'delete Order',
    )
    expect(table.entities.Tag.put({ tag: 'a' }).explain().writes).toEqual([
      'put Tag',
      'put TagList',
    ])
    expect(Order.update({ orderId: '1' }).set({ note: 'm' }).explain().writes).toBeUndefined()
  })
})
