import type { SchemaDefinition } from 'singletable'

const text = { type: String, required: true } as const

/** The shop of the fifth reference text as its code writes it, with its list of access patterns. */
export const TEXT_5: SchemaDefinition = {
  indexes: {
    primary: { hash: 'PK', sort: 'SK' },
    GSI1: { hash: 'GSI1PK', sort: 'GSI1SK' },
  },
  models: {
    User: {
      key: { PK: 'USER#${userId}', SK: 'PROFILE' },
      attributes: { userId: text, email: text, name: text },
    },
    Membership: {
      key: { PK: 'USER#${userId}', SK: 'ORG#${orgId}' },
      attributes: { userId: text, orgId: text },
    },
    Order: {
      key: { PK: 'ORDER#${orderId}', SK: 'META' },
      index: { GSI1PK: 'STATUS#${status}', GSI1SK: 'ORDER#${date}#${orderId}' },
      attributes: { orderId: text, userId: text, status: text, date: text },
      copies: { OrderSummary: { key: { PK: 'USER#${userId}', SK: 'ORDER#${date}#${orderId}' } } },
    },
    OrderItem: {
      key: { PK: 'ORDER#${orderId}', SK: 'ITEM#${itemId}' },
      attributes: { orderId: text, itemId: text },
    },
    Product: {
      key: { PK: 'PRODUCT#${productId}', SK: 'INFO' },
      attributes: { productId: text },
    },
    // "Use time-based partition keys to avoid hot partitions."
    Metric: {
      key: { PK: 'METRICS#${at:day}', SK: '${time}#${server}' },
      attributes: {
        at: { type: Date, required: true },
        time: { ...text, validate: /^\d\d:\d\d:\d\d$/ },
        server: text,
      },
    },
  },
  patterns: {
    getUser: { op: 'get', entity: 'User', by: ['userId'] },
    userOrders: { op: 'query', entity: 'OrderSummary', by: ['userId'] },
    orderById: { op: 'query', entity: ['Order', 'OrderItem'], by: ['orderId'] },
    orderItems: { op: 'query', entity: 'OrderItem', by: ['orderId'] },
    productById: { op: 'get', entity: 'Product', by: ['productId'] },
    ordersByStatus: { op: 'query', entity: 'Order', index: 'GSI1', by: ['status'] },
    // "List orders from the last 7 days": nothing serves it.
    recentOrders: { op: 'query', entity: 'Order', by: [], range: 'date' },
  },
  params: { typeField: 'entityType' },
}

/** The document of the text says that orders are in GSI1 under ORDER#<orderId>; its code writes STATUS#<status>. */
export const TEXT_5_DOCUMENT: string = `| Entity | PK | SK | GSI1PK | GSI1SK |
|--------|----|----|--------|--------|
| Order | USER#<userId> | ORDER#<date>#<orderId> | ORDER#<orderId> | STATUS#<status> |
`
