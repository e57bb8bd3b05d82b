import type { SchemaDefinition } from 'singletable'

const text = { type: String, required: true } as const

/** The keys of the third reference text as its items have them, and the questions it lists. */
export const TEXT_3: SchemaDefinition = {
  indexes: {
    primary: { hash: 'PK', sort: 'SK' },
    GSI1: { hash: 'GSI1PK', sort: 'GSI1SK' },
  },
  models: {
    USER: {
      key: { PK: 'USER#${username}', SK: 'PROFILE' },
      index: { GSI1PK: 'USER', GSI1SK: '${email}' },
      attributes: { username: text, name: text, email: text },
    },
    ORDER: {
      key: { PK: 'USER#${username}', SK: 'ORDER#${orderId}' },
      index: { GSI1PK: 'ORDER#STATUS#${status}', GSI1SK: '${orderDate}' },
      attributes: { username: text, orderId: text, status: text, orderDate: text },
    },
    POST: {
      key: { PK: 'USER#${username}', SK: 'POST#${postId}' },
      index: { GSI1PK: 'POST#${status}', GSI1SK: '${createdAt}' },
      attributes: { username: text, postId: text, status: text, createdAt: text },
    },
    COMMENT: {
      key: { PK: 'POST#${postId}', SK: 'COMMENT#${author}#${createdAt}' },
      attributes: { postId: text, author: text, createdAt: text, content: text },
    },
    TAGPOST: {
      key: { PK: 'TAG#${tag}', SK: 'POST#${postId}' },
      attributes: { tag: text, postId: text, postAuthor: text, title: text },
    },
    // CATEGORY#ELECTRONICS, and CATEGORY#ELECTRONICS#AUDIO below it.
    CATEGORY: {
      key: { PK: 'CATEGORY#${name}', SK: 'DETAILS' },
      attributes: { name: text },
    },
    SUBCATEGORY: {
      key: { PK: 'CATEGORY#${parent}#${name}', SK: 'DETAILS' },
      attributes: { parent: text, name: text },
    },
  },
  patterns: {
    userById: { op: 'get', entity: 'USER', by: ['username'] },
    // "Should be only one", says the code.
    userByEmail: { op: 'query', entity: 'USER', index: 'GSI1', by: ['email'] },
    postsByUser: { op: 'query', entity: 'POST', by: ['username'] },
    commentsOnPost: {
      op: 'query',
      entity: 'COMMENT',
      by: ['postId'],
      range: 'createdAt',
      order: 'desc',
    },
    publishedPosts: { op: 'query', entity: 'POST', index: 'GSI1', by: ['status'] },
    postsWithTag: { op: 'query', entity: 'TAGPOST', by: ['tag'] },
  },
  params: { typeField: 'Type' },
}
