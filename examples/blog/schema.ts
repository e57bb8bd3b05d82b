import { defineSchema } from 'singletable'

/** The one table of the blog: five models, one index, and the questions it answers. */
export const blogSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  models: {
    User: {
      key: { pk: 'USER#${username}', sk: 'USER#${username}' },
      attributes: {
        username: { type: String, required: true },
        name: { type: String, required: true },
        email: { type: String, required: true, validate: /^\S+@\S+$/ },
      },
      stats: { count: 20_000, itemBytes: 300 },
    },
    Post: {
      key: { pk: 'USER#${username}', sk: 'POST#${postId}' },
      // All posts by status, the oldest first, because ulids sort by time.
      index: { gsi1pk: 'POST', gsi1sk: 'STATUS#${published}#${postId}' },
      attributes: {
        username: { type: String, required: true },
        postId: { type: String, generate: 'ulid' },
        title: { type: String, required: true },
        published: { type: Boolean, default: false },
        comments: { type: Number, default: 0 },
      },
      stats: { itemBytes: 2_000, perPartition: { average: 40, max: 5_000 } },
    },
    Comment: {
      key: { pk: 'POST#${postId}', sk: 'COMMENT#${commentId}' },
      // The comments of a user.
      index: { gsi1pk: 'USER#${username}', gsi1sk: 'COMMENT#${commentId}' },
      attributes: {
        postId: { type: String, required: true },
        commentId: { type: String, generate: 'ulid' },
        username: { type: String, required: true },
        content: { type: String, required: true },
      },
      stats: { itemBytes: 500, perPartition: { average: 10, max: 1_000 } },
    },
    PostTag: {
      key: { pk: 'POST#${postId}', sk: 'TAG#${tag}' },
      // The posts with a tag.
      index: { gsi1pk: 'TAG#${tag}', gsi1sk: 'POST#${postId}' },
      attributes: {
        postId: { type: String, required: true },
        tag: { type: String, required: true },
        username: { type: String, required: true },
        title: { type: String, required: true },
      },
      // A post has a handful of tags.
      stats: { growth: 'bounded' },
    },
    Session: {
      key: { pk: 'SESSION#${token}', sk: 'SESSION' },
      attributes: {
        token: { type: String, required: true },
        username: { type: String, required: true },
        // DynamoDB deletes the session some time after this; reads hide it at once.
        expiresAt: { type: Date, required: true, ttl: true },
      },
    },
  },
  patterns: {
    register: { op: 'create', entity: 'User', expect: { rps: 0.1 } },
    getUser: {
      op: 'get',
      entity: 'User',
      by: ['username'],
      title: 'Get user profile',
      expect: { rps: 200, peakRps: 500 },
    },
    writePost: { op: 'create', entity: 'Post', expect: { rps: 1, peakRps: 5 } },
    postsByUser: {
      op: 'query',
      entity: 'Post',
      by: ['username'],
      range: 'postId',
      order: 'desc',
      limit: 20,
      expect: { rps: 80, peakRps: 200 },
    },
    userFeed: {
      op: 'query',
      entity: ['User', 'Post'],
      by: ['username'],
      expect: { rps: 10 },
    },
    publishedPosts: {
      op: 'query',
      entity: 'Post',
      index: 'gsi1',
      by: ['published'],
      expect: { rps: 0.1, itemsRead: 500 },
    },
    commentsOnPost: { op: 'query', entity: 'Comment', by: ['postId'], expect: { rps: 60 } },
    commentsByUser: {
      op: 'query',
      entity: 'Comment',
      index: 'gsi1',
      by: ['username'],
      expect: { rps: 2, itemsRead: 50 },
    },
    tagsOfPost: { op: 'query', entity: 'PostTag', by: ['postId'] },
    postsWithTag: {
      op: 'query',
      entity: 'PostTag',
      index: 'gsi1',
      by: ['tag'],
      // biome-ignore lint/suspicious/noThenProperty: it is the schema's own word, and no function.
      then: { op: 'batchGet', entity: 'Post' },
    },
    /** The comment and the post's number of comments change together, or neither does. */
    comment: {
      op: 'transact',
      expect: { rps: 3, peakRps: 30 },
      steps: {
        author: { op: 'check', entity: 'User', by: ['username'] },
        comment: { op: 'create', entity: 'Comment' },
        count: { op: 'update', entity: 'Post', by: ['username', 'postId'], add: ['comments'] },
      },
    },
    logIn: { op: 'put', entity: 'Session' },
    session: { op: 'get', entity: 'Session', by: ['token'], expect: { rps: 300 } },
    searchPosts: { op: 'external', service: 'OpenSearch', reason: 'full text' },
  },
  params: { timestamps: true },
  table: { stream: 'new-and-old' },
})
