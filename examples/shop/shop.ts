import type { Item, Table } from 'singletable'
import type { shopSchema } from './schema.ts'

type Schema = typeof shopSchema
type Status = Item<Schema, 'Order'>['status']

export interface Line {
  readonly productId: string
  readonly quantity: number
}

/** The access patterns of the shop. */
export function createShop(table: Table<Schema>) {
  const { User, Order, OrderItem, Product } = table.entities

  return {
    /** Refused with a `UniqueViolationError` if somebody has the address. */
    register: (userId: string, name: string, email: string) => User.create({ userId, name, email }),

    addProduct: (productId: string, category: string, price: number, stock: number) =>
      Product.create({ productId, name: productId, category, price, stock }),

    /**
     * The order, its summary under the user, its items, the number of orders of the user and what
     * is left of each product, or nothing of it. Its number is the next one: gaps are possible, the
     * same number twice is not.
     */
    async placeOrder(userId: string, lines: readonly Line[]): Promise<string> {
      const products = await Product.batchGet(lines.map(({ productId }) => ({ productId })))
      const orderId = String(await table.sequence('order').next()).padStart(5, '0')
      const items = lines.map(({ productId, quantity }, index) => ({
        orderId,
        productId,
        quantity,
        price: products[index]?.price ?? 0,
      }))
      const total = items.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
      const transaction = table.transactWrite().addPut(Order.create({ orderId, userId, total }))
      await items.reduce(
        (all, item) =>
          all.addPut(OrderItem.create(item)).addUpdate(
            Product.update({ productId: item.productId })
              .add('stock', -item.quantity)
              .where((attr, op) => op.gte(attr.stock, item.quantity)),
          ),
        transaction,
      )
      return orderId
    },

    /** One query reads the order and its items. */
    orderWithItems: (orderId: string) =>
      table.collect(['Order', 'OrderItem'], { orderId }).tree('Order'),

    userOrders: async (userId: string) => (await table.patterns.userOrders({ userId })).items,

    ordersByStatus: async (status: 'pending' | 'shipped') =>
      (await table.patterns.ordersByStatus({ status })).items,

    productsInCategory: async (category: string) =>
      (await table.patterns.productsInCategory({ category })).items,

    /** The index and the summary under the user follow. */
    changeStatus: (orderId: string, status: NonNullable<Status>) =>
      table.patterns.changeStatus({ orderId, status }),

    profile: (userId: string) => User.get({ userId }),
  }
}
