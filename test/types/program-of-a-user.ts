/** What users write, for the tests of compilers and editors. It imports the declaration files that
 * are next to it. */
export const PROGRAM = `
import { defineSchema, type Item, type NewItem, Table, type Transport } from './singletable/index.js'

declare const client: Transport

const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  models: {
    User: {
      key: { pk: 'USER#\${username}', sk: 'USER#\${username}' },
      attributes: {
        username: { type: String, required: true },
        name: { type: String, required: true },
        email: { type: String },
        tags: { type: Set, items: { type: String } },
        address: {
          type: Object,
          schema: { city: { type: String, required: true }, zip: { type: String } },
        },
      },
    },
    Post: {
      key: { pk: 'USER#\${username}', sk: 'POST#\${postId}' },
      index: { gsi1pk: 'STATUS#\${status}', gsi1sk: 'POST#\${postId}' },
      attributes: {
        username: { type: String, required: true },
        postId: { type: String, generate: 'ulid' },
        title: { type: String, required: true },
        status: { type: String, enum: ['draft', 'published'], default: 'draft' },
        likes: { type: Number, default: 0 },
      },
    },
  },
  params: { timestamps: true },
  patterns: {
    postsByUser: { op: 'query', entity: 'Post', by: ['username'], range: 'postId', limit: 20 },
    byStatus: { op: 'query', entity: 'Post', index: 'gsi1', by: ['status'] },
    postOf: { op: 'get', entity: 'Post', by: ['username', 'postId'] },
  },
})

const table = new Table({ name: 'Blog', schema, client })
const { User, Post } = table.entities

const user = await User.get({ username: 'alice' }).execute()
const post = await Post.put({ username: 'alice', title: 'Hello' }).execute()
const posts = await Post.query({ username: 'alice' }).execute()
const titles = await Post.query({ username: 'alice' }).select(['title', 'likes']).execute()
const changed = await Post.update({ username: 'alice', postId: '1' })
  .set({ status: 'published' })
  .where((attr, op) => op.eq(attr.status, 'draft'))
  .execute()
const drafts = Post.query({ status: 'draft' }).limit(10)
const liked = Post.update({ username: 'alice', postId: '1' }).add('likes', 1)
const found = await table.patterns.postOf({ username: 'alice', postId: '1' })
type PostItem = Item<typeof schema, 'Post'>
type NewUser = NewItem<typeof schema, 'User'>
export const results: [string | undefined, string, 'draft' | 'published' | undefined, number | undefined] = [
  user?.address?.city,
  post.title,
  posts[0]?.status,
  titles[0]?.likes,
]
export const builders = [drafts, liked]
export const others: [PostItem, NewUser, string | undefined] = [
  changed,
  { username: 'bob', name: 'Bob' },
  found.item?.title,
]
`
