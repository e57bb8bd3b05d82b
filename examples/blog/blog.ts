import type { Item, Key, Table } from 'singletable'
import type { blogSchema } from './schema.ts'

type Schema = typeof blogSchema
export type Post = Item<Schema, 'Post'>
export type PostKey = Key<Schema, 'Post'>

const SESSION_MS = 30 * 60_000

/** The access patterns of the blog. `now` is the clock, in milliseconds. */
export function createBlog(table: Table<Schema>, now: () => number) {
  const { User, Post, Comment, PostTag, Session } = table.entities

  return {
    /** Refused with an `ItemExistsError` if the name is taken. */
    register: (username: string, name: string) =>
      User.create({ username, name, email: `${username}@example.com` }).execute(),

    profile: (username: string) => User.get({ username }).execute(),

    /** The post, then its tags in one batch. */
    async writePost(username: string, title: string, tags: readonly string[]): Promise<Post> {
      const post = await Post.create({ username, title }).execute()
      await PostTag.batchWrite(
        tags.map((tag) => ({ postId: post.postId, tag, username, title })),
      ).execute()
      return post
    },

    /** One page of a user's posts, the newest first, from where another ended. */
    pageOfPosts: (username: string, pageSize: number, cursor?: string) =>
      Post.query({ username })
        .scanIndexForward(false)
        .limit(pageSize)
        .startFrom(cursor)
        .executeWithPagination(),

    /** The new status moves the post within the index. Refused if it was published before. */
    publish: (key: PostKey) =>
      Post.update(key)
        .set({ published: true })
        .where((attr, op) => op.eq(attr.published, false))
        .execute(),

    postsByStatus: (published: boolean) => Post.query({ published }).useIndex('gsi1').execute(),

    postsByTag: (tag: string) => PostTag.query({ tag }).execute(),

    tagsOf: (postId: string) => PostTag.query({ postId }).execute(),

    /** The comment and the post's number of comments change together, or neither does. */
    async comment(post: PostKey, username: string, content: string): Promise<void> {
      await table
        .transactWrite()
        .addConditionCheck(User.check({ username }))
        .addPut(Comment.create({ postId: post.postId, username, content }))
        .addUpdate(Post.update(post).add('comments', 1))
        .execute()
    },

    commentsOn: (postId: string) => Comment.query({ postId }).execute(),

    commentsBy: (username: string) => Comment.query({ username }).execute(),

    commentCount: async (post: PostKey) => (await Post.get(post).execute())?.comments,

    logIn: (username: string, token: string) =>
      Session.put({ token, username, expiresAt: new Date(now() + SESSION_MS) }).execute(),

    /** Who is logged in. */
    userOf: async (token: string) => (await Session.get({ token }).execute())?.username,
  }
}
