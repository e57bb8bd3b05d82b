/** The one model of the comparison: twelve attributes, the keys made from templates, no
 * timestamps. */
export interface Post extends PostKey {
  readonly title: string
  readonly content: string
  readonly status: string
  readonly createdAt: string
  readonly views: number
  readonly likes: number
  readonly rating: number
  readonly featured: boolean
  readonly tags: string[]
  readonly author: { readonly name: string; readonly country: string; readonly followers: number }
}
export interface PostKey {
  readonly username: string
  readonly postId: string
}
/** What an update sets; `status` is part of a key of the GSI. */
export type PostChanges = Pick<Post, 'title' | 'views' | 'status'>

export const TABLE = 'bench'
/** How a library marks the items of a model; ElectroDB wants a version next to it. */
export const TYPE_ATTRIBUTE = '_type'
export const VERSION_ATTRIBUTE = '_v'

export const userKey = (username: string): string => `USER#${username}`
export const postKey = (postId: string): string => `POST#${postId}`
export const statusKey = (status: string): string => `STATUS#${status}`

/** Enough different posts that no call is the same as the one before. */
export const POSTS: readonly Post[] = flat(Array.from({ length: 200 }, (_, number) => post(number)))
export const CHANGES: readonly PostChanges[] = flat(
  POSTS.map((_, number) => ({
    title: `Another title for post ${number}`,
    views: 5000 + number,
    status: number % 2 === 0 ? 'archived' : 'published',
  })),
)

/** The item as any of the libraries stores it. */
export function itemOf(post: Post): Record<string, unknown> {
  return {
    pk: userKey(post.username),
    sk: postKey(post.postId),
    gsi1pk: statusKey(post.status),
    gsi1sk: postKey(post.postId),
    [TYPE_ATTRIBUTE]: 'Post',
    [VERSION_ATTRIBUTE]: '1',
    ...post,
  }
}

/** The table's key of an item. */
export function keyOf({ pk, sk }: Record<string, unknown>): Record<string, unknown> {
  return { pk, sk }
}

function post(number: number): Post {
  return {
    username: `user-${number % 20}`,
    postId: `01HMQ${String(number).padStart(21, '0')}`,
    title: `The title of post ${number}`,
    content: `Post ${number} has a text of a few lines, neither long nor short. `.repeat(4),
    status: 'draft',
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
    views: 1000 + number,
    likes: number % 70,
    rating: 3.5 + (number % 10) / 10,
    featured: number % 3 === 0,
    tags: ['dynamodb', 'typescript', `series-${number % 7}`],
    author: { name: `Author ${number % 20}`, country: 'NL', followers: 120 + number },
  }
}

/** Strings glued together are put together only when first looked at: the libraries shall get
 * finished ones, as from a request. */
function flat<T>(values: readonly T[]): readonly T[] {
  return JSON.parse(JSON.stringify(values))
}
