import { defineSchema } from 'singletable'
import { type AskedPattern, planPattern } from 'singletable/tools'
import { describe, expect, test } from 'vitest'
import { blogSchema } from '../../../examples/blog/schema.ts'
import { shopSchema } from '../../../examples/shop/schema.ts'
import type { CostDesign } from '../../../packages/kit/src/cost/cost-design.ts'
import { readUnits } from '../../../packages/kit/src/cost/read-units.ts'
import { writeUnits } from '../../../packages/kit/src/cost/write-units.ts'
import { measuredTable } from './measured-schema.ts'

/** What is estimated of a pattern: all units of a call, reads and writes together, as DynamoDB
 * reports them. */
function estimateOf(design: CostDesign, name: string, itemsRead?: number): number {
  const pattern = design.schema?.patterns.get(name)
  if (pattern === undefined) throw new Error(`there is no pattern "${name}"`)
  // Spreading a union gives a member of it again.
  const definition = {
    ...pattern.definition,
    ...(itemsRead !== undefined && { expect: { itemsRead } }),
  } as AskedPattern
  const reads = readUnits(design, { ...pattern, definition })
  if (reads) return reads.units.value
  const writes = writeUnits(design, pattern)
  return (writes?.units.value ?? 0) + (writes?.readUnits.value ?? 0)
}

function id(number: number): string {
  return `01ARZ3NDEKTSV4RRFFQ69G5F${String(number).padStart(2, '0')}`
}

describe('on the blog, estimates are what the engine consumes', async () => {
  const user = (username: string) => ({ username, name: 'A'.repeat(200), email: 'a@example.com' })
  const post = (number: number) => ({
    username: 'alice',
    postId: id(number),
    title: 'T'.repeat(1700),
  })
  const comment = (number: number) => ({
    author: { username: 'alice' },
    comment: {
      postId: id(1),
      commentId: id(number),
      username: 'alice',
      content: 'C'.repeat(300),
    },
    count: { username: 'alice', postId: id(1), comments: 1 },
  })
  const session = (token: string) => ({
    token,
    username: 'alice',
    expiresAt: new Date(Date.UTC(2100, 0, 1)),
  })
  const { table, schema } = await measuredTable(blogSchema, async (filled) => {
    const { patterns, entities } = filled
    await patterns.register(user('alice'))
    for (let number = 0; number < 40; number++) await patterns.writePost(post(number))
    for (let number = 0; number < 10; number++) await patterns.comment(comment(number))
    for (let number = 0; number < 20; number++) {
      await entities.PostTag.put({ ...post(number), title: 'tagged', tag: 'aws' }).execute()
    }
    await patterns.logIn(session('one'))
  })
  const { patterns } = table

  test.each([
    ['getUser', undefined, () => patterns.getUser({ username: 'alice' })],
    ['postsByUser', undefined, () => patterns.postsByUser({ username: 'alice' })],
    ['userFeed', undefined, () => patterns.userFeed({ username: 'alice' })],
    ['publishedPosts', 40, () => patterns.publishedPosts({ published: false })],
    ['commentsOnPost', undefined, () => patterns.commentsOnPost({ postId: id(1) })],
    ['commentsByUser', 10, () => patterns.commentsByUser({ username: 'alice' })],
    ['tagsOfPost', 1, () => patterns.tagsOfPost({ postId: id(1) })],
    ['postsWithTag', 20, () => patterns.postsWithTag({ tag: 'aws' })],
    ['session', undefined, () => patterns.session({ token: 'one' })],
    ['register', undefined, () => patterns.register(user('bob'))],
    ['writePost', undefined, () => patterns.writePost(post(41))],
    ['comment', undefined, () => patterns.comment(comment(11))],
    ['logIn', undefined, () => patterns.logIn(session('two'))],
  ] as const)('%s', async (name, itemsRead, call) => {
    expect(await call()).toMatchObject({ consumed: estimateOf({ schema }, name, itemsRead) })
  })
})

test('the cost of a plan is the estimate, where the schema says all it needs', async () => {
  const { schema } = await measuredTable(blogSchema, async () => {})
  const reported = [...schema.patterns.values()].flatMap((pattern) => {
    const { cost } = planPattern(pattern)
    return cost && pattern.models.length === 1 ? [[pattern.name, cost.rru] as const] : []
  })
  expect(reported.map(([name]) => name)).toContain('postsByUser')
  for (const [name, rru] of reported)
    expect([name, estimateOf({ schema }, name)]).toEqual([name, rru])
})

describe('on the shop, which has copies, guards and counters, estimates are what the engine consumes', async () => {
  const definition = {
    ...shopSchema,
    patterns: {
      ...shopSchema.patterns,
      register: { op: 'create', entity: 'User' },
      order: { op: 'create', entity: 'Order' },
      replaceOrder: { op: 'put', entity: 'Order' },
      cancel: { op: 'delete', entity: 'Order', by: ['orderId'] },
      changeEmail: { op: 'update', entity: 'User', by: ['userId'], set: ['email'] },
      rename: { op: 'update', entity: 'User', by: ['userId'], set: ['name'] },
      give: { op: 'update', entity: 'Order', by: ['orderId'], set: ['userId'] },
      restock: { op: 'update', entity: 'Product', by: ['productId'], add: ['stock'] },
      remove: { op: 'delete', entity: 'Product', by: ['productId'] },
    },
  } as const
  const user = (userId: string) => ({ userId, name: 'Alice', email: `${userId}@example.com` })
  const order = (orderId: string) => ({ orderId, userId: 'alice', total: 12 })
  const { table, schema } = await measuredTable(definition, async ({ patterns, entities }) => {
    await patterns.register(user('alice'))
    await patterns.register(user('bobby'))
    for (const orderId of ['one', 'two', 'six']) await patterns.order(order(orderId))
    for (const productId of ['ink', 'pen']) {
      const product = { productId, name: 'N'.repeat(2000), category: 'paper', price: 1, stock: 5 }
      await entities.Product.put(product).execute()
    }
  })
  const { patterns } = table

  // In this order: each leaves what the next one needs.
  const cases = [
    ['userOrders', 3, () => patterns.userOrders({ userId: 'alice' })],
    ['ordersByStatus', 3, () => patterns.ordersByStatus({ status: 'pending' })],
    ['productsInCategory', 2, () => patterns.productsInCategory({ category: 'paper' })],
    ['register', undefined, () => patterns.register(user('carol'))],
    ['order', undefined, () => patterns.order(order('new'))],
    ['replaceOrder', undefined, () => patterns.replaceOrder(order('put'))],
    ['changeStatus', undefined, () => patterns.changeStatus({ orderId: 'one', status: 'shipped' })],
    ['changeEmail', undefined, () => patterns.changeEmail({ userId: 'alice', email: 'new@x.com' })],
    ['rename', undefined, () => patterns.rename({ userId: 'alice', name: 'Alina' })],
    ['give', undefined, () => patterns.give({ orderId: 'two', userId: 'bobby' })],
    ['cancel', undefined, () => patterns.cancel({ orderId: 'six' })],
    ['restock', undefined, () => patterns.restock({ productId: 'pen', stock: 3 })],
    ['remove', undefined, () => patterns.remove({ productId: 'ink' })],
  ] as const
  for (const [name, itemsRead, call] of cases) {
    test(name, async () => {
      expect(await call()).toMatchObject({ consumed: estimateOf({ schema }, name, itemsRead) })
    })
  }
})

describe('projections, shards, consistency and sizes count as the engine counts them', () => {
  const text = { type: String, required: true } as const
  const definition = defineSchema({
    indexes: {
      primary: { hash: 'pk', sort: 'sk' },
      some: { hash: 'gsi1pk', sort: 'gsi1sk', project: ['title'] },
      keys: { hash: 'gsi2pk', project: 'keys' },
      inverted: { hash: 'sk', sort: 'pk' },
      local: { type: 'local', hash: 'pk', sort: 'lsi1sk' },
    },
    models: {
      Note: {
        key: { pk: 'BOOK#${book}#${shard}', sk: 'NOTE#${id}' },
        index: {
          gsi1pk: 'AUTHOR#${author}',
          gsi1sk: 'NOTE#${id}',
          gsi2pk: 'STATE#${state}',
          lsi1sk: 'STATE#${state}#${id}',
        },
        shard: { count: 3, by: ['id'] },
        when: { keys: { state: 'open' } },
        attributes: { book: text, id: text, author: text, title: text, body: text, state: text },
      },
      Member: {
        key: { pk: 'MEMBER#${name}', sk: 'MEMBER' },
        attributes: { name: text, email: { ...text, unique: true } },
      },
    },
    patterns: {
      write: { op: 'put', entity: 'Note' },
      join: { op: 'create', entity: 'Member' },
      member: { op: 'getByUnique', entity: 'Member', by: ['email'] },
      read: { op: 'get', entity: 'Note', by: ['book', 'id'], consistent: true },
      readSome: { op: 'batchGet', entity: 'Note', by: ['book', 'id'] },
      readTogether: { op: 'transactGet', entity: 'Note', by: ['book', 'id'] },
      ofBook: { op: 'query', entity: 'Note', by: ['book'] },
      someOfBook: { op: 'query', entity: 'Note', by: ['book'], limit: 4 },
      titles: {
        op: 'query',
        entity: 'Note',
        index: 'some',
        by: ['author'],
        project: ['title'],
      },
      whole: {
        op: 'query',
        entity: 'Note',
        index: 'some',
        by: ['author'],
        // biome-ignore lint/suspicious/noThenProperty: it is the schema's own word, and no function.
        then: { op: 'batchGet', entity: 'Note' },
      },
      retitle: { op: 'update', entity: 'Note', by: ['book', 'id'], set: ['title'] },
      rewrite: { op: 'update', entity: 'Note', by: ['book', 'id'], set: ['body'] },
      close: { op: 'update', entity: 'Note', by: ['book', 'id'], set: ['state'] },
      erase: { op: 'delete', entity: 'Note', by: ['book', 'id'] },
    },
  })

  describe.each([10, 900, 1500, 5000])('with bodies of %i bytes', async (bytes) => {
    const note = (number: number) => ({
      book: 'one',
      id: String(100 + number),
      author: 'alice',
      title: 'About something',
      body: 'b'.repeat(bytes),
      state: 'open',
    })
    const { table, schema, sample } = await measuredTable(definition, async ({ patterns }) => {
      for (let number = 0; number < 30; number++) await patterns.write(note(number))
    })
    const { patterns } = table
    const key = (number: number) => ({ book: 'one', id: String(100 + number) })
    // Shards hold what the hash gives them; these are the sums of what is rounded up in each.
    const cases = [
      ['read', 1, () => patterns.read(key(1))],
      ['readSome', 3, () => patterns.readSome([key(1), key(2), key(3)])],
      ['readTogether', 3, () => patterns.readTogether([key(1), key(2), key(3)])],
      ['titles', 30, () => patterns.titles({ author: 'alice' })],
      ['whole', 30, () => patterns.whole({ author: 'alice' })],
      ['write', undefined, () => patterns.write(note(50))],
      ['retitle', undefined, () => patterns.retitle({ ...key(1), title: 'About other things' })],
      ['rewrite', undefined, () => patterns.rewrite({ ...key(2), body: 'c'.repeat(bytes) })],
      ['erase', undefined, () => patterns.erase(key(4))],
      ['join', undefined, () => patterns.join({ name: 'alice', email: 'a@example.com' })],
      ['member', 1, () => patterns.member({ email: 'a@example.com' })],
    ] as const
    for (const [name, itemsRead, call] of cases) {
      test(name, async () => {
        expect(await call()).toMatchObject({
          consumed: estimateOf({ schema, sample }, name, itemsRead),
        })
      })
    }

    test('a change of state is at most what was estimated: an entry leaves one index and moves in another', async () => {
      const { consumed = 0 } = await patterns.close({ ...key(3), state: 'done' })
      expect(estimateOf({ schema }, 'close') - consumed).toBeGreaterThanOrEqual(0)
      expect(estimateOf({ schema }, 'close') - consumed).toBeLessThanOrEqual(1)
    })

    test('a query of three shards costs at least one step in each, and about what is in them', async () => {
      const { consumed = 0 } = await patterns.ofBook({ book: 'one' })
      expect(Math.abs(estimateOf({ schema }, 'ofBook', 30) - consumed)).toBeLessThanOrEqual(1.5)
      const some = (await patterns.someOfBook({ book: 'one' })).consumed ?? 0
      expect(Math.abs(estimateOf({ schema }, 'someOfBook') - some)).toBeLessThanOrEqual(1.5)
    })
  })
})
