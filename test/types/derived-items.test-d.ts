import { defineSchema, type Item, type NewItem, Table, type Transport } from 'singletable'
import { expectTypeOf, test } from 'vitest'

/** Copies are entities that are only read; counters are there and can't be given. */

declare const client: Transport

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, byDate: { hash: 'gsi1pk', sort: 'gsi1sk' } },
  models: {
    User: {
      key: { pk: 'USER#${userId}', sk: 'PROFILE' },
      attributes: {
        userId: { type: String, required: true },
        email: { type: String, required: true, unique: 'ignore-case' },
        orderCount: { type: Number, counts: 'Order' },
      },
    },
    Order: {
      key: { pk: 'ORDER#${orderId}', sk: 'ORDER' },
      attributes: {
        orderId: { type: String, generate: 'ulid' },
        userId: { type: String, required: true },
        total: { type: Number, required: true },
        note: { type: String },
      },
      copies: {
        UserOrder: { key: { pk: 'USER#${userId}', sk: 'ORDER#${orderId}' } },
        OrderSummary: {
          key: { pk: 'SUMMARY#${orderId}', sk: 'SUMMARY' },
          index: { gsi1pk: 'ORDERS', gsi1sk: '${createdAt}#${orderId}' },
          attributes: ['total'],
        },
      },
    },
  },
  params: { timestamps: true },
})

const table = new Table({ name: 'shop', schema, client })

test('a copy has the attributes of its item, those that are always there always', () => {
  const { UserOrder } = table.entities
  const found = UserOrder.get({ userId: 'u', orderId: 'o' }).execute()
  expectTypeOf<NonNullable<Awaited<typeof found>>['total']>().toEqualTypeOf<number>()
  expectTypeOf<NonNullable<Awaited<typeof found>>['note']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<NonNullable<Awaited<typeof found>>['createdAt']>().toEqualTypeOf<Date>()
  // @ts-expect-error both attributes make its key
  UserOrder.get({ orderId: 'o' })
  UserOrder.query({ userId: 'u' })
  // @ts-expect-error no index has the total at its head
  UserOrder.query({ total: 1 })
})

test('a copy with chosen attributes has those, and what makes its keys', () => {
  const { OrderSummary } = table.entities
  const found = OrderSummary.get({ orderId: 'o' }).execute()
  type Summary = NonNullable<Awaited<typeof found>>
  expectTypeOf<keyof Summary>().toEqualTypeOf<'orderId' | 'total' | 'createdAt'>()
  expectTypeOf<Summary['createdAt']>().toEqualTypeOf<Date>()
})

test('copies are only read', () => {
  const { UserOrder } = table.entities
  // @ts-expect-error written with the order
  UserOrder.put
  // @ts-expect-error as above
  UserOrder.update
  // @ts-expect-error as above
  UserOrder.delete
  // @ts-expect-error there is no such copy
  table.entities.UserOrders
})

test('counters are always there, and are never given', () => {
  expectTypeOf<Item<typeof schema, 'User'>['orderCount']>().toEqualTypeOf<number>()
  expectTypeOf<NewItem<typeof schema, 'User'>['orderCount']>().toEqualTypeOf<undefined>()
  const { User } = table.entities
  User.put({ userId: 'u', email: 'e' })
  // @ts-expect-error it is counted
  User.put({ userId: 'u', email: 'e', orderCount: 1 })
  // @ts-expect-error as above
  User.update({ userId: 'u' }).set({ orderCount: 1 })
})
