import type { Key, Table } from 'singletable'
import type { socialSchema } from './schema.ts'

type Schema = typeof socialSchema
export type PostKey = Key<Schema, 'Post'>

/** The access patterns of the network. */
export function createSocial(table: Table<Schema>) {
  const { User, Post, Follow, Like } = table.entities

  return {
    join: (username: string, name: string) => User.create({ username, name }),

    /** The edge and both numbers, or, if it is there or somebody is not, nothing. */
    follow: (follower: string, followed: string) => Follow.create({ follower, followed }),

    unfollow: (follower: string, followed: string) => Follow.delete({ follower, followed }),

    following: (follower: string) => Follow.query({ follower }),

    /** The same edges, from the other end. */
    followers: (followed: string) => Follow.query({ followed }),

    write: (username: string, body: string) => Post.create({ username, body }),

    like: (liker: string, { username, postId }: PostKey) =>
      Like.create({ liker, author: username, postId }),

    likedBy: ({ username, postId }: PostKey) =>
      Like.query({ author: username, postId }).useIndex('inverted'),

    /** The user with posts and edges: all that is in the partition, by one query. */
    everythingOf: (username: string) => table.collect(['User', 'Post'], { username }).tree('User'),

    profile: (username: string) => User.get({ username }),

    /** The newest posts of those whom a user follows. */
    async feed(username: string, count: number) {
      const followed = await Follow.query({ follower: username })
      const posts = await Promise.all(
        followed.map((edge) => Post.query({ username: edge.followed }).order('desc').limit(count)),
      )
      // Ids sort by time.
      return posts
        .flat()
        .sort((a, b) => (a.postId < b.postId ? 1 : -1))
        .slice(0, count)
    },
  }
}
