import { defineSchema, Table } from 'singletable'
import { createEngine, type Item, simulatedEnvironment } from 'singletable/engine'
import { NOW } from './stream-table.ts'

/** Orders have a copy next to their user and count there; users have unique emails; orders repeat
 * the user's name. */
export const verifySchema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, byUser: { hash: 'gsi1pk', sort: 'gsi1sk' } },
  models: {
    User: {
      key: { pk: 'USER#${userId}', sk: 'PROFILE' },
      attributes: {
        userId: { type: String, required: true },
        name: { type: String, required: true },
        email: { type: String, unique: 'ignore-case' },
        orders: { type: Number, counts: 'Order' },
        open: { type: Number, counts: { model: 'Order', when: { status: 'open' } } },
      },
    },
    Order: {
      key: { pk: 'ORDER#${orderId}', sk: 'ORDER' },
      index: { gsi1pk: 'ORDERS#${userId}', gsi1sk: '${orderId}' },
      attributes: {
        orderId: { type: String, required: true },
        userId: { type: String, required: true },
        userName: { type: String, copyOf: 'User.name' },
        status: { type: String, default: 'open' },
        total: { type: Number, default: 0 },
        expiresAt: { type: Number, ttl: true },
      },
      copies: {
        UserOrder: {
          key: { pk: 'USER#${userId}', sk: 'ORDER#${orderId}' },
          attributes: ['total', 'status'],
          when: { status: ['open', 'paid'] },
        },
      },
    },
  },
  table: { stream: 'new-and-old' },
})

export async function verifyTable() {
  const environment = simulatedEnvironment({ now: NOW })
  const engine = createEngine({ environment })
  const table = new Table({ name: 'Shop', schema: verifySchema, client: engine, environment })
  await table.create()
  const { User, Order } = table.entities
  await User.create({ userId: 'u1', name: 'Ann', email: 'Ann@x.org' }).execute()
  await User.create({ userId: 'u2', name: 'Bea', email: 'bea@x.org' }).execute()
  for (const [orderId, userId, status] of [
    ['o1', 'u1', 'open'],
    ['o2', 'u1', 'paid'],
    ['o3', 'u2', 'done'],
  ] as const) {
    const userName = userId === 'u1' ? 'Ann' : 'Bea'
    await Order.create({ orderId, userId, status, userName }).execute()
  }
  const TableName = 'Shop'
  /** All items by their keys. */
  const items = async (): Promise<Record<string, Item>> => {
    const { Items = [] } = await engine.send('Scan', { TableName })
    return Object.fromEntries(Items.map((item) => [`${item.pk?.S} ${item.sk?.S}`, item]))
  }
  const put = (item: Item) => engine.send('PutItem', { TableName, Item: item })
  const remove = async (key: string): Promise<void> => {
    const { pk, sk } = (await items())[key]!
    await engine.send('DeleteItem', { TableName, Key: { pk: pk!, sk: sk! } })
  }
  return { engine, environment, table, items, put, remove }
}
