import type { SchemaDefinition } from 'singletable'

const text = { type: String, required: true } as const

/** The items of the fourth reference text as it shows them: copies that nothing keeps up to date, and measurements without end. */
export const TEXT_4: SchemaDefinition = {
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  models: {
    User: {
      key: { pk: 'USER#${userId}', sk: 'PROFILE' },
      attributes: { userId: text, name: text, avatar: { type: String } },
    },
    Post: {
      key: { pk: 'POST#${postId}', sk: 'METADATA' },
      index: { gsi1pk: 'POST#STATUS#${status}', gsi1sk: '${createdAt}' },
      attributes: { postId: text, status: text, createdAt: text, content: { type: String } },
    },
    Comment: {
      key: { pk: 'POST#${postId}', sk: 'COMMENT#${createdAt}#${commentId}' },
      attributes: {
        postId: text,
        createdAt: text,
        commentId: text,
        userId: text,
        // "Denormalized!"
        userName: { type: String, copyOf: 'User.name' },
        userAvatar: { type: String, copyOf: 'User.avatar' },
      },
    },
    Metric: {
      key: { pk: 'METRICS#${resourceId}', sk: '${timestamp}' },
      attributes: { resourceId: text, timestamp: text, cpu: { type: Number } },
    },
  },
  patterns: {
    userProfile: { op: 'get', entity: 'User', by: ['userId'] },
    updateUser: { op: 'update', entity: 'User', by: ['userId'], set: ['name', 'avatar'] },
    postWithComments: { op: 'query', entity: ['Post', 'Comment'], by: ['postId'] },
    publishedPosts: { op: 'query', entity: 'Post', index: 'gsi1', by: ['status'] },
    metrics: { op: 'query', entity: 'Metric', by: ['resourceId'], range: 'timestamp' },
  },
}
