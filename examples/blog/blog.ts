import type { Item, Key, Table } from 'singletable'
import type { blogSchema } from './schema.ts'

type Schema = typeof blogSchema
export type Post = Item<Schema, 'Post'>
export type PostKey = Key<Schema, 'Post'>

const SESSION_MS = 30 * 60_000

/** What the blog can do: the access patterns of its schema under names of its own, and two things
 * no pattern says. `now` is the clock, in milliseconds. */
export function createBlog(table: Table<Schema>, now: () => number) {
  const { patterns } = table
  const { Post, PostTag } = table.entities

  return {
    /** Refused with an `ItemExistsError` if the name is taken. */
    register: (username: string, name: string) =>
      patterns.register({ username, name, email: `${username}@example.com` }),

    profile: async (username: string) => (await patterns.getUser({ username })).item,

    /** The post, then its tags in one batch. */
    async writePost(username: string, title: string, tags: readonly string[]): Promise<Post> {
      const { item: post } = await patterns.writePost({ username, title })
      await PostTag.batchWrite(tags.map((tag) => ({ postId: post.postId, tag, username, title })))
      return post
    },

    /** One page of a user's posts, the newest first, from where another ended. */
    pageOfPosts: (username: string, limit: number, cursor?: string) =>
      patterns.postsByUser({ username }).page({ limit, cursor }),

    /** A user with all posts, by one query. */
    feed: async (username: string) => (await patterns.userFeed({ username })).groups,

    /** The new status moves the post within the index. Refused if it was published before, which
     * takes a condition of its own. */
    publish: (key: PostKey) =>
      Post.update(key)
        .set({ published: true })
        .where((attr, op) => op.eq(attr.published, false)),

    postsByStatus: async (published: boolean) =>
      (await patterns.publishedPosts({ published })).items,

    /** The posts themselves, found by their tags. */
    postsByTag: async (tag: string) => (await patterns.postsWithTag({ tag })).items,

    tagsOf: async (postId: string) => (await patterns.tagsOfPost({ postId })).items,

    async comment(post: PostKey, username: string, content: string): Promise<void> {
      await patterns.comment({
        author: { username },
        comment: { postId: post.postId, username, content },
        count: { username: post.username, postId: post.postId, comments: 1 },
      })
    },

    commentsOn: async (postId: string) => (await patterns.commentsOnPost({ postId })).items,

    commentsBy: async (username: string) => (await patterns.commentsByUser({ username })).items,

    commentCount: async (post: PostKey) => (await Post.get(post))?.comments,

    logIn: (username: string, token: string) =>
      patterns.logIn({ token, username, expiresAt: new Date(now() + SESSION_MS) }),

    /** Who is logged in. */
    userOf: async (token: string) => (await patterns.session({ token })).item?.username,
  }
}
