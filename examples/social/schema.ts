import { defineSchema } from 'singletable'

const text = { type: String, required: true } as const

/**
 * An adjacency list: a partition for each user, which has the user, what the user wrote, and an item for each edge to somebody or something else. The
 * inverted index reads every edge from its other end, and needs nothing on the models.
 */
export const socialSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    inverted: { hash: 'sk', sort: 'pk' },
  },
  models: {
    User: {
      key: { pk: 'USER#${username}', sk: 'USER#${username}' },
      attributes: {
        username: text,
        name: text,
        following: { type: Number, counts: { model: 'Follow', by: { username: 'follower' } } },
        followers: { type: Number, counts: { model: 'Follow', by: { username: 'followed' } } },
      },
    },
    Post: {
      key: { pk: 'USER#${username}', sk: 'POST#${postId}' },
      attributes: {
        username: text,
        postId: { type: String, generate: 'ulid' },
        body: text,
        likes: { type: Number, counts: { model: 'Like', by: { username: 'author' } } },
      },
    },
    Follow: {
      key: { pk: 'USER#${follower}', sk: 'FOLLOWS#${followed}' },
      attributes: { follower: text, followed: text },
      stats: { perPartition: { max: 5_000 } },
    },
    Like: {
      key: { pk: 'USER#${liker}', sk: 'LIKES#${author}#${postId}' },
      attributes: { liker: text, author: text, postId: text },
    },
  },
})
