import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import {
  $add,
  $append,
  BatchGetCommand,
  BatchGetRequest,
  BatchPutRequest,
  BatchWriteCommand,
  ConditionCheck,
  DeleteItemCommand,
  Entity,
  executeBatchGet,
  executeBatchWrite,
  executeTransactGet,
  executeTransactWrite,
  GetItemCommand,
  GetTransaction,
  item,
  list,
  number,
  PutItemCommand,
  PutTransaction,
  prefix,
  QueryCommand,
  ScanCommand,
  string,
  Table,
  UpdateItemCommand,
  UpdateTransaction,
} from 'dynamodb-toolbox'
import { expect } from 'vitest'
import { createSingleTable } from './create-single-table.ts'
import { onEachTarget, type PeerContext } from './on-each-target.ts'

async function openBlog({ config, tableName }: PeerContext) {
  const client = new DynamoDBClient(config)
  await createSingleTable(client, tableName)
  const table = new Table({
    name: tableName,
    documentClient: DynamoDBDocumentClient.from(client, {
      marshallOptions: { removeUndefinedValues: true },
    }),
    partitionKey: { name: 'pk', type: 'string' },
    sortKey: { name: 'sk', type: 'string' },
    indexes: {
      gsi1: {
        type: 'global',
        partitionKey: { name: 'gsi1pk', type: 'string' },
        sortKey: { name: 'gsi1sk', type: 'string' },
      },
    },
  })
  const posts = new Entity({
    name: 'Post',
    table,
    schema: item({
      author: string().key().savedAs('pk').transform(prefix('USER')),
      postId: string().key().savedAs('sk').transform(prefix('POST')),
      status: string().enum('draft', 'public').savedAs('gsi1pk').default('draft'),
      title: string().savedAs('gsi1sk'),
      likes: number().default(0),
      comments: list(string()).default(() => []),
    }),
  })
  return { table, posts }
}

onEachTarget('DynamoDB Toolbox', (test) => {
  test('an entity is put, read, updated and deleted', async (context) => {
    const { posts } = await openBlog(context)
    const key = { author: 'alice', postId: '1' }
    await posts
      .build(PutItemCommand)
      .item({ ...key, title: 'Hello' })
      .send()
    const first = await posts.build(GetItemCommand).key(key).send()
    expect(first.Item).toMatchObject({ ...key, title: 'Hello', status: 'draft', likes: 0 })

    const updated = await posts
      .build(UpdateItemCommand)
      .item({ ...key, status: 'public', likes: $add(2), comments: $append(['nice']) })
      .options({ returnValues: 'ALL_NEW' })
      .send()
    expect(updated.Attributes).toMatchObject({ status: 'public', likes: 2, comments: ['nice'] })

    const deleted = await posts
      .build(DeleteItemCommand)
      .key(key)
      .options({ returnValues: 'ALL_OLD' })
      .send()
    expect(deleted.Attributes).toMatchObject({ title: 'Hello', likes: 2 })
    expect((await posts.build(GetItemCommand).key(key).send()).Item).toBeUndefined()
  })

  test('a failed condition is the exception of the SDK and changes nothing', async (context) => {
    const { posts } = await openBlog(context)
    const post = { author: 'alice', postId: '1', title: 'Hello' }
    const create = () =>
      posts
        .build(PutItemCommand)
        .item(post)
        .options({ condition: { attr: 'author', exists: false } })
        .send()
    await create()
    await expect(create()).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      message: 'The conditional request failed',
    })
  })

  test('queries and scans go by key, index and filter, page by page', async (context) => {
    const { table, posts } = await openBlog(context)
    const all = Array.from({ length: 9 }, (_, n) => ({
      author: 'alice',
      postId: `${n}`,
      title: `Title ${n}`,
      status: n % 3 === 0 ? ('public' as const) : ('draft' as const),
      likes: n,
    }))
    await executeBatchWrite(
      table
        .build(BatchWriteCommand)
        .requests(...all.map((post) => posts.build(BatchPutRequest).item(post))),
    )

    const liked = await table
      .build(QueryCommand)
      .entities(posts)
      .query({ partition: 'USER#alice', range: { beginsWith: 'POST#' } })
      .options({ filters: { Post: { attr: 'likes', gte: 7 } }, reverse: true })
      .send()
    expect(liked.Items?.map((post) => post.postId)).toEqual(['8', '7'])

    const published = await table
      .build(QueryCommand)
      .entities(posts)
      .query({ index: 'gsi1', partition: 'public', range: { gt: 'Title 0' } })
      .send()
    expect(published.Items?.map((post) => post.title)).toEqual(['Title 3', 'Title 6'])

    const found: string[] = []
    let exclusiveStartKey: Record<string, unknown> | undefined
    let pages = 0
    do {
      const page = await table
        .build(QueryCommand)
        .entities(posts)
        .query({ partition: 'USER#alice' })
        .options({ limit: 4, ...(exclusiveStartKey === undefined ? {} : { exclusiveStartKey }) })
        .send()
      found.push(...(page.Items ?? []).map((post) => post.postId))
      exclusiveStartKey = page.LastEvaluatedKey
      pages++
    } while (exclusiveStartKey !== undefined)
    expect(found).toEqual(all.map((post) => post.postId))
    expect(pages).toBe(3)

    const scanned = await table.build(ScanCommand).entities(posts).send()
    expect(scanned.Items).toHaveLength(9)
  })

  test('a batch reads several items', async (context) => {
    const { table, posts } = await openBlog(context)
    await posts.build(PutItemCommand).item({ author: 'alice', postId: '1', title: 'One' }).send()
    const request = (postId: string) =>
      posts.build(BatchGetRequest).key({ author: 'alice', postId })
    const { Responses } = await executeBatchGet(
      table.build(BatchGetCommand).requests(request('1'), request('2')),
    )
    expect(Responses?.[0]?.map((post) => post?.title)).toEqual(['One', undefined])
  })

  test('a transaction writes all or nothing', async (context) => {
    const { posts } = await openBlog(context)
    const first = { author: 'alice', postId: '1' }
    const second = { author: 'alice', postId: '2' }
    await posts
      .build(PutItemCommand)
      .item({ ...first, title: 'One' })
      .send()
    const publish = () =>
      executeTransactWrite(
        posts.build(UpdateTransaction).item({ ...first, likes: $add(1) }),
        posts
          .build(PutTransaction)
          .item({ ...second, title: 'Two' })
          .options({ condition: { attr: 'author', exists: false } }),
        posts
          .build(ConditionCheck)
          .key({ author: 'bob', postId: '1' })
          .condition({ attr: 'author', exists: false }),
      )
    await publish()
    await expect(publish()).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }, { Code: 'None' }],
    })
    const { Responses } = await executeTransactGet(
      posts.build(GetTransaction).key(first),
      posts.build(GetTransaction).key(second),
    )
    expect(Responses?.[0]?.Item?.likes).toBe(1)
    expect(Responses?.[1]?.Item?.title).toBe('Two')
  })
})
