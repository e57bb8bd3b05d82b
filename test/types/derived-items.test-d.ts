import {
  type CopyItem,
  defineSchema,
  type Item,
  type NewItem,
  Table,
  type Transport,
} from 'singletable'
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
        spent: { type: Number, sums: 'Order.total' },
      },
    },
    Order: {
      key: { pk: 'ORDER#${orderId}', sk: 'ORDER' },
      attributes: {
        orderId: { type: String, generate: 'ulid' },
        userId: { type: String, required: true },
        total: { type: Number, required: true },
        note: { type: String },
        labels: { type: Set, items: { type: String, enum: ['gift', 'rush'] } },
        sizes: { type: Array, items: { type: Number }, pad: 4 },
      },
      copies: {
        UserOrder: { key: { pk: 'USER#${userId}', sk: 'ORDER#${orderId}' } },
        OrderSummary: {
          key: { pk: 'SUMMARY#${orderId}', sk: 'SUMMARY' },
          index: { gsi1pk: 'ORDERS', gsi1sk: '${createdAt}#${orderId}' },
          attributes: ['total'],
        },
        LabelOrder: {
          each: 'labels',
          key: { pk: 'LABEL#${label}', sk: '${createdAt}#${orderId}' },
          attributes: [],
        },
        SizeOrder: { each: 'sizes', as: 'size', key: { pk: 'SIZE#${size}', sk: '${orderId}' } },
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

test('a copy for each element has the element, with its own type', () => {
  type LabelOrder = CopyItem<typeof schema, 'LabelOrder'>
  expectTypeOf<keyof LabelOrder>().toEqualTypeOf<'orderId' | 'createdAt' | 'label'>()
  expectTypeOf<LabelOrder['label']>().toEqualTypeOf<'gift' | 'rush'>()
  expectTypeOf<CopyItem<typeof schema, 'SizeOrder'>['size']>().toEqualTypeOf<number>()
  expectTypeOf<CopyItem<typeof schema, 'SizeOrder'>['total']>().toEqualTypeOf<number>()
  const { LabelOrder, SizeOrder } = table.entities
  LabelOrder.query({ label: 'gift' })
  SizeOrder.get({ size: 1, orderId: 'o' })
  // @ts-expect-error there is no such label
  LabelOrder.query({ label: 'other' })
  // @ts-expect-error the list itself makes no key
  LabelOrder.query({ labels: new Set(['gift']) })
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
  User.create({ userId: 'u', email: 'e', orderCount: 1 })
  // @ts-expect-error as above
  User.update({ userId: 'u' }).set({ orderCount: 1 })
  expectTypeOf<Item<typeof schema, 'User'>['spent']>().toEqualTypeOf<number>()
  // @ts-expect-error it is a sum
  User.create({ userId: 'u', email: 'e', spent: 1 })
})

test('an item that was read can be put again, with all its counters', async () => {
  const { User } = table.entities
  const user = (await User.get({ userId: 'u' }))!
  User.put({ ...user, email: 'other' })
  User.batchWrite([user])
  User.put({ userId: 'u', email: 'e', orderCount: 1, spent: 2 })
  // @ts-expect-error an item that was read has all of them, and a new one none
  User.put({ userId: 'u', email: 'e', orderCount: 1 })
  // @ts-expect-error as above
  User.batchWrite([{ userId: 'u', email: 'e', spent: 1 }])
  // @ts-expect-error a new item has none
  User.create({ ...user })
})

test('getByUnique takes the attributes of one rule', () => {
  const { User, Order, Member } = new Table({
    name: 'unique',
    schema: defineSchema({
      indexes: { primary: { hash: 'pk' } },
      models: {
        User: {
          key: { pk: 'U#${id}' },
          attributes: {
            id: { type: String, required: true },
            email: { type: String, required: true, unique: 'ignore-case' },
          },
        },
        Order: { key: { pk: 'O#${id}' }, attributes: { id: { type: String, required: true } } },
        Member: {
          key: { pk: 'M#${id}' },
          attributes: {
            id: { type: String, required: true },
            tenant: { type: String },
            seat: { type: Number },
            mail: { type: String, unique: true },
          },
          unique: { seat: ['tenant', 'seat'] },
        },
      },
    }),
    client,
  }).entities
  const found = User.getByUnique({ email: 'a' })
  expectTypeOf<NonNullable<Awaited<typeof found>>['email']>().toEqualTypeOf<string>()
  expectTypeOf(User.getByUnique({ email: 'a' }).select(['id']).execute()).resolves.toEqualTypeOf<
    { id: string } | undefined
  >()
  Member.getByUnique({ tenant: 'a', seat: 1 })
  Member.getByUnique({ mail: 'a' })
  // @ts-expect-error it is not unique
  Member.getByUnique({ tenant: 'a' })
  // @ts-expect-error a seat is a number
  Member.getByUnique({ tenant: 'a', seat: '1' })
  // @ts-expect-error the model has no unique attributes
  Order.getByUnique({ id: 'a' })
})
