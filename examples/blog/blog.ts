import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { BY_STATUS, TABLE } from './table.ts'

export type Status = 'draft' | 'published'

export interface Post {
  readonly author: string
  readonly number: number
  readonly title: string
  readonly status: Status
}

const SESSION_SECONDS = 30 * 60

const profileKey = (user: string) => ({ pk: `USER#${user}`, sk: 'PROFILE' })
const postKey = (author: string, number: number) => ({
  pk: `USER#${author}`,
  sk: `POST#${String(number).padStart(4, '0')}`,
})
const commentKey = (post: string, number: number) => ({
  pk: post,
  sk: `COMMENT#${String(number).padStart(4, '0')}`,
})
const sessionKey = (token: string) => ({ pk: `SESSION#${token}`, sk: 'SESSION' })

/** The access patterns of the blog. `now` is the clock, in milliseconds. */
export function createBlog(client: DynamoDBDocumentClient, now: () => number) {
  const time = () => new Date(now()).toISOString()

  return {
    /** Refused if the name is taken. */
    async register(user: string, name: string): Promise<void> {
      await client.send(
        new PutCommand({
          TableName: TABLE,
          Item: { ...profileKey(user), name, createdAt: time() },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      )
    },

    async writePost({ author, number, title, status }: Post): Promise<void> {
      await client.send(
        new PutCommand({
          TableName: TABLE,
          Item: { ...postKey(author, number), title, status, comments: 0, createdAt: time() },
        }),
      )
    },

    /** The new status moves the post within the index. */
    async publish(author: string, number: number): Promise<void> {
      await client.send(
        new UpdateCommand({
          TableName: TABLE,
          Key: postKey(author, number),
          UpdateExpression: 'SET #status = :published',
          ConditionExpression: '#status = :draft',
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: { ':published': 'published', ':draft': 'draft' },
        }),
      )
    },

    /** The comment and the post's number of comments change together, or neither does. */
    async comment(
      post: { readonly author: string; readonly number: number },
      comment: { readonly number: number; readonly text: string },
    ): Promise<void> {
      const key = postKey(post.author, post.number)
      await client.send(
        new TransactWriteCommand({
          TransactItems: [
            {
              Put: {
                TableName: TABLE,
                Item: { ...commentKey(`${key.pk}#${key.sk}`, comment.number), text: comment.text },
                ConditionExpression: 'attribute_not_exists(pk)',
              },
            },
            {
              Update: {
                TableName: TABLE,
                Key: key,
                UpdateExpression: 'ADD comments :one',
                ConditionExpression: 'attribute_exists(pk)',
                ExpressionAttributeValues: { ':one': 1 },
              },
            },
          ],
        }),
      )
    },

    async commentCount(author: string, number: number): Promise<number> {
      const { Item } = await client.send(
        new GetCommand({ TableName: TABLE, Key: postKey(author, number) }),
      )
      return Item?.comments
    },

    /** The titles of a user's posts, newest first, one page after the other. */
    async *pagesOfPosts(author: string, pageSize: number): AsyncGenerator<string[]> {
      const pages = paginateQuery(
        { client, pageSize },
        {
          TableName: TABLE,
          KeyConditionExpression: 'pk = :user AND begins_with(sk, :post)',
          ExpressionAttributeValues: { ':user': `USER#${author}`, ':post': 'POST#' },
          ScanIndexForward: false,
        },
      )
      for await (const { Items = [] } of pages) yield Items.map((item) => item.title)
    },

    async titlesByStatus(status: Status): Promise<string[]> {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: TABLE,
          IndexName: BY_STATUS,
          KeyConditionExpression: '#status = :status',
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: { ':status': status },
        }),
      )
      return Items.map((item) => item.title)
    },

    /** DynamoDB deletes the session some time after it has expired. */
    async logIn(user: string, token: string): Promise<void> {
      const expiresAt = Math.floor(now() / 1000) + SESSION_SECONDS
      await client.send(
        new PutCommand({ TableName: TABLE, Item: { ...sessionKey(token), user, expiresAt } }),
      )
    },

    /** Who is logged in. Expired sessions may still be there, so the time is asked too. */
    async userOf(token: string): Promise<string | undefined> {
      const { Item } = await client.send(
        new GetCommand({ TableName: TABLE, Key: sessionKey(token) }),
      )
      return Item !== undefined && Item.expiresAt * 1000 > now() ? Item.user : undefined
    },
  }
}
