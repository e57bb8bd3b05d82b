import { defineSchema } from 'singletable'

/** The one table of the blog: five models, one index. */
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
  params: { timestamps: true },
  table: { stream: 'new-and-old' },
})
