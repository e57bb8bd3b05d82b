import type { SchemaDefinition } from 'singletable'

const text = { type: String, required: true } as const

/** The models of the second reference text: users and orders without templates, whose keys are whatever the caller says. */
export const TEXT_2_PROBLEM: SchemaDefinition = {
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    User: {
      key: { pk: '${partition}', sk: '${sort}' },
      attributes: { partition: text, sort: text, name: text },
    },
    Order: {
      key: { pk: '${partition}', sk: '${sort}' },
      attributes: { partition: text, sort: text, total: { type: Number } },
    },
  },
}

/** And with the templates that it shows, on an inverted index. */
export const TEXT_2: SchemaDefinition = {
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    inverted: { hash: 'sk', sort: 'pk' },
  },
  models: {
    User: {
      key: { pk: 'USER#${email}', sk: 'PROFILE' },
      attributes: { email: text, name: text },
    },
    Order: {
      key: { pk: 'USER#${userId}', sk: 'ORDER#${orderId}' },
      attributes: { userId: text, orderId: text },
    },
    Follow: {
      key: { pk: 'USER#${follower}', sk: 'FOLLOWS#${followed}' },
      attributes: { follower: text, followed: text },
    },
  },
  patterns: {
    ordersOfUser: { op: 'query', entity: 'Order', by: ['userId'] },
    userOfOrder: { op: 'query', entity: 'Order', index: 'inverted', by: ['orderId'] },
    following: { op: 'query', entity: 'Follow', by: ['follower'] },
    followers: { op: 'query', entity: 'Follow', index: 'inverted', by: ['followed'] },
  },
}
