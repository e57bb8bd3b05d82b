import { defineSchema } from 'singletable'

const text = { type: String, required: true } as const

/**
 * The designs of the third reference text, a shop and a blog, in one table: its keys, its types and
 * the names of its attributes, so that items that its code wrote are items of these models.
 */
export const PrimerSchema = defineSchema({
  indexes: {
    primary: { hash: 'PK', sort: 'SK' },
    GSI1: { hash: 'GSI1PK', sort: 'GSI1SK' },
  },
  models: {
    USER: {
      key: { PK: 'USER#${userId}', SK: 'PROFILE' },
      index: { GSI1PK: 'USER', GSI1SK: '${email}' },
      attributes: {
        userId: text,
        name: { ...text, map: 'Name' },
        // "Should be only one", says the text of its index; here it is.
        email: { ...text, map: 'Email', unique: 'ignore-case' },
        createdAt: { type: String, map: 'CreatedAt' },
      },
    },
    ORDER: {
      key: { PK: 'USER#${userId}', SK: 'ORDER#${orderId}' },
      index: { GSI1PK: 'ORDER#STATUS#${status}', GSI1SK: '${orderDate}' },
      attributes: {
        userId: text,
        orderId: { ...text, unique: true },
        orderDate: { ...text, map: 'OrderDate' },
        total: { type: Number, required: true, map: 'Total' },
        status: { ...text, map: 'Status' },
      },
      // Without it, the partition of an order has its items and not the order.
      copies: { ORDERDETAILS: { key: { PK: 'ORDER#${orderId}', SK: 'DETAILS' } } },
    },
    ORDERITEM: {
      key: { PK: 'ORDER#${orderId}', SK: 'PRODUCT#${productId}' },
      attributes: {
        orderId: text,
        productId: text,
        quantity: { type: Number, required: true, map: 'Quantity' },
        price: { type: Number, required: true, map: 'Price' },
      },
    },
    PRODUCT: {
      key: { PK: 'PRODUCT#${productId}', SK: 'DETAILS' },
      attributes: {
        productId: text,
        name: { ...text, map: 'Name' },
        description: { type: String, map: 'Description' },
        price: { type: Number, required: true, map: 'Price' },
      },
    },
    USERGROUP: {
      key: { PK: 'USER#${userId}', SK: 'GROUP#${groupId}' },
      attributes: {
        userId: text,
        groupId: text,
        joinDate: { ...text, map: 'JoinDate' },
        role: { type: String, default: 'MEMBER', map: 'Role' },
      },
      copies: { GROUPUSER: { key: { PK: 'GROUP#${groupId}', SK: 'USER#${userId}' } } },
    },
    CATEGORY: {
      key: { PK: 'CATEGORY#${path}', SK: 'DETAILS' },
      // A path in the partition key finds one category; here it is in a sort key, which finds those
      // below it.
      index: { GSI1PK: 'CATEGORY', GSI1SK: '${path}' },
      attributes: {
        path: { type: Array, items: { type: String }, required: true },
        name: { ...text, map: 'Name' },
      },
    },
    USERMETRICS: {
      key: { PK: 'USER#${userId}', SK: 'METRICS#${day}' },
      attributes: {
        userId: text,
        day: text,
        loginCount: { type: Number, default: 0, map: 'LoginCount' },
        pageViews: { type: Number, default: 0, map: 'PageViews' },
      },
    },
    POST: {
      key: { PK: 'USER#${userId}', SK: 'POST#${postId}' },
      index: { GSI1PK: 'POST#${status}', GSI1SK: '${createdAt}' },
      attributes: {
        userId: text,
        postId: text,
        title: { ...text, map: 'Title' },
        content: { ...text, map: 'Content' },
        status: { type: String, default: 'PUBLISHED', map: 'Status' },
        tags: { type: Array, items: { type: String }, map: 'Tags' },
        createdAt: { type: String, default: () => new Date().toISOString(), map: 'CreatedAt' },
      },
    },
    COMMENT: {
      key: { PK: 'POST#${postId}', SK: 'COMMENT#${author}#${createdAt}' },
      // By the text's key comments are sorted by author; this sorts them by time.
      index: { GSI1PK: 'COMMENTS#${postId}', GSI1SK: '${createdAt}' },
      attributes: {
        postId: text,
        author: text,
        content: { ...text, map: 'Content' },
        createdAt: { ...text, map: 'CreatedAt' },
      },
    },
    TAGPOST: {
      key: { PK: 'TAG#${tag}', SK: 'POST#${postId}' },
      attributes: {
        tag: text,
        postId: text,
        userId: text,
        title: { ...text, map: 'Title' },
        createdAt: { type: String, map: 'CreatedAt' },
      },
    },
  },
  patterns: {
    getUser: { op: 'get', entity: 'USER', by: ['userId'] },
    userByEmail: { op: 'query', entity: 'USER', index: 'GSI1', by: ['email'] },
    userOrders: { op: 'query', entity: 'ORDER', by: ['userId'] },
    orderDetails: { op: 'query', entity: ['ORDERDETAILS', 'ORDERITEM'], by: ['orderId'] },
    getProduct: { op: 'get', entity: 'PRODUCT', by: ['productId'] },
    ordersByStatus: {
      op: 'query',
      entity: 'ORDER',
      index: 'GSI1',
      by: ['status'],
      range: 'orderDate',
    },
    groupsOfUser: { op: 'query', entity: 'USERGROUP', by: ['userId'] },
    usersOfGroup: { op: 'query', entity: 'GROUPUSER', by: ['groupId'] },
    metricsOfUser: { op: 'query', entity: 'USERMETRICS', by: ['userId'], range: 'day' },
    postsByUser: { op: 'query', entity: 'POST', by: ['userId'] },
    commentsOnPost: { op: 'query', entity: 'COMMENT', index: 'GSI1', by: ['postId'] },
    publishedPosts: {
      op: 'query',
      entity: 'POST',
      index: 'GSI1',
      by: ['status'],
      range: 'createdAt',
      order: 'desc',
    },
    postsByTag: {
      op: 'query',
      entity: 'TAGPOST',
      by: ['tag'],
      // biome-ignore lint/suspicious/noThenProperty: it is the schema's own word, and no function.
      then: { op: 'batchGet', entity: 'POST' },
    },
  },
  params: { typeField: 'Type' },
})
