import { defineSchema } from 'singletable'

const text = { type: String, required: true } as const

/** The one table of the shop. Two indexes serve four models: which keys are in them is each model's own matter. */
export const shopSchema = defineSchema({
  indexes: {
    primary: { hash: 'PK', sort: 'SK' },
    GSI1: { hash: 'GSI1PK', sort: 'GSI1SK' },
  },
  models: {
    User: {
      key: { PK: 'USER#${userId}', SK: 'PROFILE' },
      attributes: {
        userId: text,
        name: text,
        // Found by nobody else, in whatever case it is written.
        email: { ...text, unique: 'ignore-case' },
        orderCount: { type: Number, counts: 'Order' },
      },
    },
    Order: {
      key: { PK: 'ORDER#${orderId}', SK: 'META' },
      // Only orders that are still to be worked on are in the index: it stays small.
      index: { GSI1PK: 'STATUS#${status}', GSI1SK: 'ORDER#${createdAt:day}#${orderId}' },
      when: { GSI1: { status: ['pending', 'shipped'] } },
      attributes: {
        orderId: text,
        userId: text,
        total: { type: Number, required: true },
        status: { type: String, enum: ['pending', 'shipped', 'delivered'], default: 'pending' },
      },
      // The same fact under the user; every write of the order keeps it.
      copies: {
        OrderSummary: {
          key: { PK: 'USER#${userId}', SK: 'ORDER#${createdAt:day}#${orderId}' },
          attributes: ['total', 'status', 'createdAt'],
        },
      },
    },
    OrderItem: {
      key: { PK: 'ORDER#${orderId}', SK: 'ITEM#${productId}' },
      attributes: {
        orderId: text,
        productId: text,
        quantity: { type: Number, required: true },
        price: { type: Number, required: true },
      },
      stats: { perPartition: { max: 100 } },
    },
    Product: {
      key: { PK: 'PRODUCT#${productId}', SK: 'INFO' },
      index: { GSI1PK: 'CATEGORY#${category}', GSI1SK: 'PRODUCT#${productId}' },
      attributes: {
        productId: text,
        name: text,
        category: text,
        price: { type: Number, required: true },
        stock: { type: Number, default: 0 },
      },
    },
  },
  patterns: {
    userOrders: {
      op: 'query',
      entity: 'OrderSummary',
      by: ['userId'],
      order: 'desc',
      expect: { rps: 20, itemsRead: 15 },
    },
    ordersByStatus: {
      op: 'query',
      entity: 'Order',
      index: 'GSI1',
      by: ['status'],
      order: 'desc',
      expect: { rps: 0.5, itemsRead: 200 },
    },
    productsInCategory: {
      op: 'query',
      entity: 'Product',
      index: 'GSI1',
      by: ['category'],
      expect: { rps: 40, itemsRead: 50 },
    },
    changeStatus: {
      op: 'update',
      entity: 'Order',
      by: ['orderId'],
      set: ['status'],
      expect: { rps: 1 },
    },
  },
  params: { timestamps: true, typeField: 'entityType' },
  // What `singletable check` would report, and why it is right here.
  lint: {
    H02: {
      off: 'an order leaves the index when it is delivered; a few new ones come in a minute',
      at: 'Order',
    },
    S01: { off: 'a customer has some dozens of orders', at: 'OrderSummary' },
  },
})
