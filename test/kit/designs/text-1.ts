import type { SchemaDefinition } from 'singletable'
import { BlogSchema } from '../../reference/blog-schema.ts'

const text = { type: String, required: true } as const

/**
 * The blog of the first reference document as it is there, with the questions that the text asks of it, the reads that follow from them, and the nested keys
 * and mixed prefixes of its sections on hierarchies and conventions.
 */
export const TEXT_1: SchemaDefinition = {
  ...BlogSchema,
  models: {
    ...BlogSchema.models,
    // "Use hierarchical sort keys for nested relationships."
    Reaction: {
      key: { pk: 'POST#${postId}', sk: 'COMMENT#${commentId}#REACTION#${reactionId}' },
      attributes: { postId: text, commentId: text, reactionId: text },
    },
  },
  patterns: {
    userProfile: { op: 'get', entity: 'User', by: ['username'] },
    postsByUser: { op: 'query', entity: 'Post', by: ['username'] },
    commentsOnPost: { op: 'query', entity: 'Comment', by: ['postId'] },
    publishedPosts: { op: 'query', entity: 'Post', index: 'gsi1', by: ['published'] },
    commentsByUser: { op: 'query', entity: 'Comment', index: 'gsi1', by: ['username'] },
    // The text calls what it finds posts; they are tags, and the posts have to be fetched.
    postsWithTag: {
      op: 'query',
      entity: 'PostTag',
      index: 'gsi1',
      by: ['tag'],
      // biome-ignore lint/suspicious/noThenProperty: it is the schema's own word, and no function.
      then: { op: 'batchGet', entity: 'Post' },
    },
    // The post that a comment is on.
    postOfComment: { op: 'get', entity: 'Post', by: ['postId'] },
  },
}

/** The keys that the text shows as bad, and the good one next to them. */
export const TEXT_1_PREFIXES: SchemaDefinition = {
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    User: { key: { pk: '${username}', sk: 'USER#${username}' }, attributes: { username: text } },
    Post: { key: { pk: 'post_${postId}', sk: 'POST#${postId}' }, attributes: { postId: text } },
    Comment: {
      key: { pk: 'Comment-${commentId}', sk: 'COMMENT#${commentId}' },
      attributes: { commentId: text },
    },
  },
}
