import { ItemExistsError, PlanError, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { beforeEach, describe, expect, test } from 'vitest'

const schema = {
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Post: {
      key: { pk: 'USER#${username}', sk: 'POST#${postId}' },
      attributes: {
        username: { type: String, required: true },
        postId: { type: String, required: true },
        likes: { type: Number, default: 0 },
      },
    },
    Profile: {
      key: { pk: 'USER#${username}', sk: 'PROFILE' },
      attributes: { username: { type: String, required: true } },
    },
  },
} as const

const A = { username: 'alice', postId: 'a', likes: 0 }
const B = { username: 'alice', postId: 'b', likes: 0 }

function create() {
  const engine = createEngine()
  const sent: string[] = []
  const client = {
    send: ((operation: never, request: never, options: never) => {
      sent.push(operation)
      return engine.send(operation, request, options)
    }) as typeof engine.send,
  }
  const table = new Table({ name: 'Blog', schema, client })
  return { table, sent, ...table.entities }
}

type Blog = ReturnType<typeof create>
let blog: Blog

beforeEach(async () => {
  blog = create()
  await blog.table.create()
  await blog.Post.create(A).execute()
  blog.sent.length = 0
})

/** Each kind of builder, the operation that it sends, and what it resolves with. */
const BUILDERS: readonly [string, (blog: Blog) => PromiseLike<unknown>, string, unknown][] = [
  ['get', ({ Post }) => Post.get(A), 'GetItem', A],
  ['put', ({ Post }) => Post.put(B), 'PutItem', B],
  ['create', ({ Post }) => Post.create(B), 'PutItem', B],
  ['update', ({ Post }) => Post.update(A).add('likes', 1), 'UpdateItem', { ...A, likes: 1 }],
  ['upsert', ({ Post }) => Post.upsert(B).set({ likes: 2 }), 'UpdateItem', { ...B, likes: 2 }],
  ['delete', ({ Post }) => Post.delete(A).returning('ALL_OLD'), 'DeleteItem', A],
  ['query', ({ Post }) => Post.query({ username: 'alice' }), 'Query', [A]],
  ['scan', ({ Post }) => Post.scan().limit(3), 'Scan', [A]],
  ['batchGet', ({ Post }) => Post.batchGet([A, B]), 'BatchGetItem', [A, undefined]],
  ['batchWrite', ({ Post }) => Post.batchWrite([B]), 'BatchWriteItem', [B]],
  ['table.batchGet', ({ table, Post }) => table.batchGet([Post.get(A)]), 'BatchGetItem', [A]],
  ['table.batchWrite', ({ table, Post }) => table.batchWrite([Post.put(B)]), 'BatchWriteItem', [B]],
  [
    'transactWrite',
    ({ table, Post }) => table.transactWrite().addPut(Post.put(B)),
    'TransactWriteItems',
    [B],
  ],
  [
    'transactGet',
    ({ table, Post }) => table.transactGet().addGet(Post.get(A)),
    'TransactGetItems',
    [A],
  ],
  [
    'collect',
    ({ table }) => table.collect(['Post', 'Profile'], { username: 'alice' }),
    'Query',
    { Post: [A], Profile: [], unknown: [] },
  ],
  ['exactlyOnce', ({ Post }) => Post.put(B).exactlyOnce(), 'TransactWriteItems', B],
  ['deleteCollection', ({ Post }) => Post.deleteCollection({ username: 'alice' }), 'Query', 1],
]

describe.each(BUILDERS)('%s', (_, start, operation, result) => {
  test('sends nothing before it is awaited, and then what execute() sends', async () => {
    const builder = start(blog)
    await new Promise(setImmediate)
    expect(blog.sent).toEqual([])
    expect(await builder).toEqual(result)
    expect(blog.sent[0]).toBe(operation)
  })
})

test('a write that is awaited twice is sent once, and each execute() sends it again', async () => {
  const like = blog.Post.update(A).add('likes', 1)
  expect((await like).likes).toBe(1)
  expect((await like).likes).toBe(1)
  expect(blog.sent).toEqual(['UpdateItem'])
  expect((await like.execute()).likes).toBe(2)
  expect((await like.execute()).likes).toBe(3)
})

test('then, catch and finally of a write share one run', async () => {
  const like = blog.Post.update(A).add('likes', 1)
  let ended = 0
  const likes = await Promise.all([
    like.then((post) => post.likes),
    like.catch(() => undefined),
    like.finally(() => {
      ended += 1
    }),
    like,
  ])
  const after = { ...A, likes: 1 }
  expect(likes).toEqual([1, after, after, after])
  expect([ended, blog.sent]).toEqual([1, ['UpdateItem']])
})

test('a call that fails rejects for everyone who waits, with the same error', async () => {
  const again = blog.Post.create(A)
  const errors = await Promise.all([
    again.catch((error) => error),
    again.then(
      () => undefined,
      (error) => error,
    ),
  ])
  expect(errors[0]).toBeInstanceOf(ItemExistsError)
  expect(errors[1]).toBe(errors[0])
  await expect(again).rejects.toBe(errors[0])
  expect(blog.sent).toEqual(['PutItem'])
})

test('a mistake that planning finds is a rejection, not an exception on the spot', async () => {
  const { Post } = blog
  const stray = Post.query().where((attr, op) => op.eq(attr.likes, 1))
  expect(await stray.then(undefined, (error) => error)).toBeInstanceOf(PlanError)
})

test('a builder is a new call after each of its methods', async () => {
  const posts = blog.Post.query({ username: 'alice' })
  expect(await posts).toEqual([A])
  await blog.Post.put(B)
  expect(await posts.limit(5)).toEqual([A, B])
})

test.each(
  BUILDERS.filter(([, , operation]) =>
    /^(Get|BatchGet|TransactGet|Query|Scan)/.test(operation),
  ).filter(([name]) => name !== 'deleteCollection'),
)('%s reads again each time it is awaited', async (_, start, operation) => {
  const builder = start(blog)
  await builder
  await blog.Post.delete(A)
  expect(JSON.stringify([await builder])).not.toContain('alice')
  expect(blog.sent).toEqual([operation, 'DeleteItem', operation])
})

test('builders that are given to transactions and batches are not run by themselves', async () => {
  const { table, Post, sent } = blog
  const put = Post.put(B)
  await table.batchWrite([put, Post.put({ ...B, postId: 'c' })])
  await table.transactWrite().add(put).addDelete(Post.delete(A))
  await table.transactGet().addGet(Post.get(A))
  expect(sent).toEqual(['BatchWriteItem', 'TransactWriteItems', 'TransactGetItems'])
})

test('an async function that returns a builder runs it', async () => {
  const { Post, sent } = blog
  const find = async () => Post.get(A)
  expect(await find()).toEqual(A)
  expect(await Promise.resolve(Post.get(A))).toEqual(A)
  expect(await Promise.all([Post.get(A), Post.get(B)])).toEqual([A, undefined])
  expect(sent).toEqual(['GetItem', 'GetItem', 'GetItem', 'GetItem'])
})

test('iterating over a builder does not await it', async () => {
  const posts = blog.Post.query({ username: 'alice' })
  const found = []
  for await (const post of posts) found.push(post)
  expect([found, blog.sent]).toEqual([[A], ['Query']])
})

test('a check can not be awaited', async () => {
  const check: unknown = blog.Post.check(A)
  await expect(check as PromiseLike<unknown>).rejects.toThrow(/part of a transaction/)
})

test('entities, tables and patterns are not promises', async () => {
  const { table, Post } = blog
  expect(await table).toBe(table)
  expect(await Post).toBe(Post)
  expect(await table.entities).toBe(table.entities)
})
