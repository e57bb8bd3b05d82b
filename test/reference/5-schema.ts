import { defineSchema } from 'singletable'

/** The e-commerce design of the fifth reference document, with its key shapes, and its list of
 * access patterns as it is there. */
export const ShopSchema = defineSchema({
  indexes: {
    primary: { hash: 'PK', sort: 'SK' },
    GSI1: { hash: 'GSI1PK', sort: 'GSI1SK' },
    GSI2: { hash: 'GSI2PK', sort: 'GSI2SK' },
  },
  models: {
    User: {
      key: { PK: 'USER#${userId}', SK: 'PROFILE' },
      index: {
        GSI1PK: 'REGION#${region}',
        GSI1SK: 'USER#${userId}',
        GSI2PK: 'ACTIVE_USER',
        GSI2SK: 'USER#${userId}',
      },
      when: { GSI2: { active: true } },
      attributes: {
        userId: { type: String, required: true },
        email: { type: String, required: true },
        name: { type: String, required: true },
        region: { type: String },
        active: { type: Boolean, default: false },
      },
    },
    Address: {
      key: { PK: 'USER#${userId}', SK: 'ADDRESS#${label}' },
      attributes: {
        userId: { type: String, required: true },
        label: { type: String, required: true },
        street: { type: String, required: true },
      },
    },
    Membership: {
      key: { PK: 'USER#${userId}', SK: 'ORG#${orgId}' },
      index: { GSI1PK: 'ORG#${orgId}', GSI1SK: 'USER#${userId}' },
      attributes: {
        userId: { type: String, required: true },
        orgId: { type: String, required: true },
        role: { type: String, required: true },
      },
    },
    Order: {
      key: { PK: 'ORDER#${orderId}', SK: 'META' },
      index: {
        GSI1PK: 'STATUS#${status}',
        GSI1SK: 'ORDER#${createdAt:day}#${orderId}',
        // No key of the text answers "orders from the last 7 days".
        GSI2PK: 'ORDERS#${createdAt:day}',
        GSI2SK: '${createdAt}',
      },
      attributes: {
        orderId: { type: String, required: true },
        userId: { type: String, required: true },
        total: { type: Number, required: true },
        status: { type: String, enum: ['pending', 'shipped', 'delivered'], default: 'pending' },
      },
      copies: {
        OrderSummary: {
          key: { PK: 'USER#${userId}', SK: 'ORDER#${createdAt:day}#${orderId}' },
          attributes: ['total', 'status', 'createdAt'],
        },
      },
    },
    OrderItem: {
      key: { PK: 'ORDER#${orderId}', SK: 'ITEM#${itemId}' },
      attributes: {
        orderId: { type: String, required: true },
        itemId: { type: String, required: true },
        productId: { type: String, required: true },
        quantity: { type: Number, required: true },
        price: { type: Number, required: true },
      },
    },
    Product: {
      key: { PK: 'PRODUCT#${productId}', SK: 'INFO' },
      index: { GSI1PK: 'CATEGORY#${category}', GSI1SK: 'PRODUCT#${productId}' },
      attributes: {
        productId: { type: String, required: true },
        name: { type: String, required: true },
        price: { type: Number, required: true },
        inventory: { type: Number, default: 0 },
        category: { type: String },
      },
    },
    Folder: {
      key: { PK: 'FILESYSTEM#${owner}', SK: 'FOLDER#${path}' },
      attributes: {
        owner: { type: String, required: true },
        path: { type: Array, items: { type: String }, required: true },
      },
    },
    Metric: {
      key: { PK: 'METRICS#${server}#${at:day}', SK: '${time}' },
      attributes: {
        server: { type: String, required: true },
        at: { type: Date, required: true },
        time: { type: String, required: true },
        cpu: { type: Number, required: true },
      },
    },
  },
  patterns: {
    getUser: { title: 'Get user by ID', op: 'get', entity: 'User', by: ['userId'] },
    userOrders: {
      title: "Get user's orders",
      op: 'query',
      entity: 'OrderSummary',
      by: ['userId'],
      order: 'desc',
    },
    orderById: {
      title: 'Get order by ID',
      op: 'query',
      entity: ['Order', 'OrderItem'],
      by: ['orderId'],
    },
    orderItems: { title: 'Get order items', op: 'query', entity: 'OrderItem', by: ['orderId'] },
    getProduct: { title: 'Get product by ID', op: 'get', entity: 'Product', by: ['productId'] },
    ordersByStatus: {
      title: 'Get orders by status',
      op: 'query',
      entity: 'Order',
      index: 'GSI1',
      by: ['status'],
      order: 'desc',
    },
    recentOrders: {
      title: 'Get recent orders',
      op: 'query',
      entity: 'Order',
      index: 'GSI2',
      by: [],
      range: 'createdAt',
      order: 'desc',
      limit: 20,
    },
    search: { op: 'external', service: 'Amazon OpenSearch Service', reason: 'full-text search' },
  },
  params: { timestamps: true, typeField: 'entityType' },
})
