import { SingletableError, type Table } from 'singletable'
import { beforeAll, describe, expect, test } from 'vitest'
import { onEachTarget, type Target } from '../behaviour/on-each-target.ts'
import { requestsOf } from '../behaviour/requests-of.ts'
import { BlogSchema } from './blog-schema.ts'

/** The first reference text: one test for each of its headings that promise behaviour. */

type BlogTable = Table<typeof BlogSchema>

/** Two users with posts, comments and tags, so that every partition holds items of several
 * models. */
async function blog(target: Target, warnings: string[] = []): Promise<BlogTable> {
  const table = await target.table(BlogSchema, { onWarning: (text) => warnings.push(text) })
  const { User, Post, Comment, PostTag } = table.entities
  for (const username of ['alice', 'bob']) {
    await User.put({ username, name: username, email: `${username}@example.com` }).execute()
  }
  for (const [username, postId, published] of [
    ['alice', '123', true],
    ['alice', '124', false],
    ['alice', '125', true],
    ['bob', '200', true],
  ] as const) {
    await Post.put({ username, postId, published, title: `Post ${postId}` }).execute()
  }
  for (const [postId, commentId, username] of [
    ['123', 'c1', 'bob'],
    ['123', 'c2', 'alice'],
    ['124', 'c3', 'alice'],
  ] as const) {
    await Comment.put({ postId, commentId, username, content: `by ${username}` }).execute()
  }
  for (const [postId, tag] of [
    ['123', 'typescript'],
    ['200', 'typescript'],
    ['200', 'typescript-types'],
    ['123', 'aws'],
  ] as const) {
    await PostTag.put({ postId, tag }).execute()
  }
  return table
}

function ids(posts: readonly { readonly postId: string }[]): string[] {
  return posts.map((post) => post.postId)
}

onEachTarget((target) => {
  let table: BlogTable
  const warnings: string[] = []
  beforeAll(async () => {
    table = await blog(target, warnings)
  })

  test('Benefits: related data comes by one request and is written by one transaction', async () => {
    const read = await requestsOf(table, async () => {
      const user = await table.collect(['User', 'Post'], { username: 'alice' }).tree('User')
      expect(ids(user?.Post ?? [])).toEqual(['123', '124', '125'])
    })
    expect(read).toEqual(['Query'])
    const { User, PostTag } = table.entities
    const taken = User.create({ username: 'alice', name: 'A', email: 'a@example.com' })
    const both = table
      .transactWrite()
      .addPut(PostTag.create({ postId: '9', tag: 'atomic' }))
      .addPut(taken)
    await expect(both.execute()).rejects.toMatchObject({ code: 'TRANSACTION_CANCELED' })
    expect(await PostTag.query({ tag: 'atomic' }).execute()).toEqual([])
  })

  test('Trade-offs: a query that the keys do not serve is refused with what each index needs', async () => {
    const query = table.entities.Post.query().where((attr, op) => op.eq(attr.title, 'Post 123'))
    await expect(query.execute()).rejects.toThrow(/primary needs username/)
  })

  test('Complete Example: Blog System: its schema, unchanged, makes the table', async () => {
    expect(BlogSchema.format).toBe('dynatable:1.0.0')
    expect(await table.exists()).toBe(true)
    expect(Object.keys(table.entities)).toEqual(Object.keys(BlogSchema.models))
  })

  test('Generic Keys: every model writes the same key attributes, whatever its own are called', () => {
    const { User, PostTag } = table.entities
    const user = User.put({ username: 'x', name: 'X', email: 'x@example.com' }).dbParams()
    const tag = PostTag.put({ postId: '1', tag: 'x' }).dbParams()
    expect(user.Item).toMatchObject({ pk: 'USER#x', sk: 'USER#x' })
    expect(tag.Item).toMatchObject({ pk: 'POST#1', sk: 'TAG#x', gsi1pk: 'TAG#x', gsi1sk: 'POST#1' })
  })

  test('Entity Prefixes: each model has keys of its own', () => {
    expect(table.entities.Post.renderKey({ username: 'alice', postId: '1' })).toEqual({
      pk: 'USER#alice',
      sk: 'POST#1',
    })
    expect(table.entities.Comment.renderKey({ postId: '1', commentId: '2' })).toEqual({
      pk: 'POST#1',
      sk: 'COMMENT#2',
    })
  })

  describe('Access Patterns', () => {
    test('Pattern 1, One-to-Many Relationships: all posts by a user, without the user', async () => {
      const posts = await table.entities.Post.query()
        .where((attr, op) => op.eq(attr.username, 'alice'))
        .execute()
      expect(ids(posts)).toEqual(['123', '124', '125'])
    })

    test('Pattern 2, Hierarchical Data: comments, and reactions to one comment', async () => {
      const tree = await target.table({
        indexes: { primary: { hash: 'pk', sort: 'sk' } },
        models: {
          Post: {
            key: { pk: 'POST#${postId}', sk: 'POST#${postId}' },
            attributes: { postId: { type: String, required: true } },
          },
          Comment: {
            key: { pk: 'POST#${postId}', sk: 'COMMENT#${commentId}' },
            attributes: {
              postId: { type: String, required: true },
              commentId: { type: String, required: true },
            },
          },
          Reaction: {
            key: { pk: 'POST#${postId}', sk: 'COMMENT#${commentId}#REACTION#${reactionId}' },
            attributes: {
              postId: { type: String, required: true },
              commentId: { type: String, required: true },
              reactionId: { type: String, required: true },
            },
          },
        },
      })
      const { Post, Comment, Reaction } = tree.entities
      await Post.put({ postId: '123' }).execute()
      for (const commentId of ['1', '10', '2']) {
        await Comment.put({ postId: '123', commentId }).execute()
        await Reaction.put({ postId: '123', commentId, reactionId: `r${commentId}` }).execute()
      }
      const comments = await Comment.query({ postId: '123' }).execute()
      expect(comments.map((comment) => comment.commentId)).toEqual(['1', '10', '2'])
      const reactions = await Reaction.query({ postId: '123', commentId: '1' }).execute()
      expect(reactions.map((reaction) => reaction.reactionId)).toEqual(['r1'])
    })

    test('Pattern 3, Many-to-Many Relationships: memberships are found from both sides', async () => {
      const club = await target.table({
        indexes: {
          primary: { hash: 'pk', sort: 'sk' },
          gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
        },
        models: {
          User: {
            key: { pk: 'USER#${username}', sk: 'USER#${username}' },
            attributes: { username: { type: String, required: true } },
          },
          Group: {
            key: { pk: 'GROUP#${group}', sk: 'GROUP#${group}' },
            attributes: { group: { type: String, required: true } },
          },
          Membership: {
            key: { pk: 'USER#${username}', sk: 'MEMBER#GROUP#${group}' },
            index: { gsi1pk: 'GROUP#${group}', gsi1sk: 'MEMBER#USER#${username}' },
            attributes: {
              username: { type: String, required: true },
              group: { type: String, required: true },
            },
          },
        },
      })
      const { User, Group, Membership } = club.entities
      await User.put({ username: 'alice' }).execute()
      await Group.put({ group: 'developers' }).execute()
      await Membership.put({ username: 'alice', group: 'developers' }).execute()
      await Membership.put({ username: 'alice', group: 'writers' }).execute()
      await Membership.put({ username: 'bob', group: 'developers' }).execute()
      const groups = await Membership.query({ username: 'alice' }).execute()
      expect(groups.map((membership) => membership.group)).toEqual(['developers', 'writers'])
      const members = await Membership.query({ group: 'developers' }).execute()
      expect(members.map((membership) => membership.username)).toEqual(['alice', 'bob'])
    })
  })

  describe('Supported Access Patterns', () => {
    test('1. Get user profile', async () => {
      const user = await table.entities.User.get({
        username: 'alice',
      }).execute()
      expect(user).toEqual({
        username: 'alice',
        name: 'alice',
        email: 'alice@example.com',
        createdAt: expect.any(Date),
        updatedAt: expect.any(Date),
      })
    })

    test('2. Get all posts by user', async () => {
      const posts = await table.entities.Post.query()
        .where((attr, op) => op.eq(attr.username, 'alice'))
        .execute()
      expect(ids(posts)).toEqual(['123', '124', '125'])
    })

    test('3. Get all comments on a post, also by a key that was glued together by hand', async () => {
      const comments = await table.entities.Comment.query()
        .where((attr, op) => op.eq(attr.postId, 'POST#123'))
        .execute()
      expect(comments.map((comment) => comment.commentId)).toEqual(['c1', 'c2'])
      await table.entities.Comment.query()
        .where((attr, op) => op.eq(attr.postId, 'POST#123'))
        .execute()
      expect(warnings.filter((text) => text.includes('Comment.postId'))).toHaveLength(1)
      const plain = await table.entities.Comment.query({ postId: '123' }).execute()
      expect(plain).toEqual(comments)
    })

    test('4. Get all published posts (using GSI)', async () => {
      const publishedPosts = await table.entities.Post.query()
        .where((attr, op) =>
          op.and(op.eq(attr.gsi1pk, 'POST'), op.beginsWith(attr.gsi1sk, 'STATUS#true')),
        )
        .useIndex('gsi1')
        .execute()
      expect(ids(publishedPosts)).toEqual(['123', '125', '200'])
    })

    test('5. Get all comments by a user (using GSI)', async () => {
      const userComments = await table.entities.Comment.query()
        .where((attr, op) => op.eq(attr.gsi1pk, 'USER#alice'))
        .useIndex('gsi1')
        .execute()
      expect(userComments.map((comment) => comment.commentId)).toEqual(['c2', 'c3'])
    })

    test('6. Get all posts with a tag (using GSI)', async () => {
      const postsWithTag = await table.entities.PostTag.query()
        .where((attr, op) => op.eq(attr.gsi1pk, 'TAG#typescript'))
        .useIndex('gsi1')
        .execute()
      expect(ids(postsWithTag)).toEqual(['123', '200'])
    })
  })

  describe('Best Practices', () => {
    test('1. Plan Your Access Patterns First: each of the list is one query without a filter', () => {
      const { User, Post, Comment, PostTag } = table.entities
      expect(User.get({ username: 'alice' }).explain().operation).toBe('GetItem')
      for (const plan of [
        Post.query({ username: 'alice' }).explain(),
        Comment.query({ postId: '123' }).explain(),
        Post.query({ published: true }).useIndex('gsi1').explain(),
        PostTag.query({ tag: 'typescript' }).explain(),
        Comment.query({ username: 'alice' }).explain(),
      ]) {
        expect(plan.operation).toBe('Query')
        expect(plan.filter).toBeUndefined()
      }
    })

    test('2. Use Prefixes Consistently: the prefix narrows what is read in a mixed partition', async () => {
      const page = await table.entities.Post.query({ username: 'alice' }).executeWithPagination()
      expect(page.count).toBe(3)
      expect(page.scannedCount).toBe(3)
    })

    test('3. Leverage Sort Key Ordering: generated ids sort by the time they were made', async () => {
      const { Post } = table.entities
      for (const title of ['first', 'second', 'third']) {
        await Post.put({ username: 'carol', title }).execute()
      }
      const forward = await Post.query({ username: 'carol' }).execute()
      expect(forward.map((post) => post.title)).toEqual(['first', 'second', 'third'])
      const backward = await Post.query({ username: 'carol' }).scanIndexForward(false).execute()
      expect(backward.map((post) => post.title)).toEqual(['third', 'second', 'first'])
    })

    test('4. Design GSIs for Alternative Access Patterns: status and time in one sort key', async () => {
      const posts = await target.table({
        indexes: {
          primary: { hash: 'pk', sort: 'sk' },
          gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
          gsi2: { hash: 'gsi2pk', sort: 'gsi2sk' },
        },
        models: {
          Post: {
            key: { pk: 'USER#${username}', sk: 'POST#${postId}' },
            index: {
              gsi1pk: 'POST',
              gsi1sk: 'STATUS#${published}#${createdAt}',
              gsi2pk: 'TAG#${tag}',
              gsi2sk: 'POST#${postId}',
            },
            attributes: {
              username: { type: String, required: true },
              postId: { type: String, required: true },
              published: { type: Boolean, default: false },
              createdAt: { type: Date, required: true },
              tag: { type: String },
            },
          },
        },
      })
      const { Post } = posts.entities
      const day = (number: number): Date => new Date(Date.UTC(2026, 0, number))
      await Post.put({
        username: 'alice',
        postId: 'b',
        published: true,
        createdAt: day(1),
      }).execute()
      await Post.put({
        username: 'bob',
        postId: 'a',
        published: true,
        createdAt: day(2),
        tag: 'x',
      }).execute()
      await Post.put({ username: 'bob', postId: 'c', createdAt: day(3) }).execute()
      const published = await Post.query({ published: true }).useIndex('gsi1').execute()
      expect(ids(published)).toEqual(['b', 'a'])
      const since = await Post.query({ published: true })
        .where((attr, op) => op.gte(attr.createdAt, day(2)))
        .useIndex('gsi1')
        .execute()
      expect(ids(since)).toEqual(['a'])
      expect(ids(await Post.query({ tag: 'x' }).execute())).toEqual(['a'])
    })

    test('5. Handle Many-to-Many with Dual Writes: writing one item twice is refused by name, one put does the job', async () => {
      const { PostTag } = table.entities
      const dual = table
        .transactWrite()
        .addPut(
          table.entities.PostTag.put({
            postId: '123',
            tag: 'typescript',
          }).dbParams(),
        )
        .addPut(
          table.entities.PostTag.put({
            postId: '123',
            tag: 'typescript',
            // Swap for reverse lookup
            gsi1pk: 'TAG#typescript',
            gsi1sk: 'POST#123',
          }).dbParams(),
        )
        .execute()
      const error = await dual.then(
        () => undefined,
        (reason: unknown) => reason,
      )
      expect(SingletableError.is(error) && error.code).toBe('TRANSACTION_INVALID')
      expect((error as Error).message).toContain('put PostTag')

      await PostTag.put({ postId: '300', tag: 'dual' }).execute()
      expect(ids(await PostTag.query({ tag: 'dual' }).execute())).toEqual(['300'])
      expect((await PostTag.query({ postId: '300' }).execute()).map((each) => each.tag)).toEqual([
        'dual',
      ])
    })

    test('6. Use Composite Sort Keys: parts of a collection are read by their prefix', async () => {
      const comments = await table.entities.Comment.query({ postId: '123' }).execute()
      expect(comments).toHaveLength(2)
      const tags = await table.entities.PostTag.query({ postId: '123' }).execute()
      expect(tags.map((each) => each.tag)).toEqual(['aws', 'typescript'])
    })
  })

  describe('Anti-Patterns to Avoid', () => {
    test("Don't Use Scan for Common Queries: scan works when asked for, and query never becomes one", async () => {
      const scanned = await table.entities.Post.scan()
        .where((attr, op) => op.eq(attr.username, 'alice'))
        .execute()
      expect(ids(scanned).sort()).toEqual(['123', '124', '125'])
      const refused = table.entities.Post.query().where((attr, op) => op.eq(attr.title, 'Post 123'))
      expect(() => refused.explain()).toThrow(/PLAN_NO_INDEX/)
      await expect(refused.execute()).rejects.toMatchObject({ code: 'PLAN_NO_INDEX' })
    })

    test("Don't Create Too Many GSIs: one index serves three models", async () => {
      const { Post, Comment, PostTag } = table.entities
      expect(Post.query({ published: true }).useIndex('gsi1').explain().index).toBe('gsi1')
      expect(Comment.query({ username: 'bob' }).explain().index).toBe('gsi1')
      expect(PostTag.query({ tag: 'aws' }).explain().index).toBe('gsi1')
    })

    test("Don't Ignore Hot Partitions: posts of different users are in different partitions", () => {
      const { Post } = table.entities
      expect(Post.renderKey({ username: 'alice', postId: '1' })).toMatchObject({ pk: 'USER#alice' })
      expect(Post.renderKey({ username: 'bob', postId: '1' })).toMatchObject({ pk: 'USER#bob' })
    })
  })

  test('Migration from Multi-Table: one entity at a time, in any number', async () => {
    const own = await target.table(BlogSchema)
    const { User, Post } = own.entities
    const users = Array.from({ length: 30 }, (_, n) => ({
      username: `u${n}`,
      name: `User ${n}`,
      email: `${n}@example.com`,
    }))
    await User.batchWrite(users).execute()
    expect(await User.scan().count()).toBe(30)
    await Post.batchWrite(users.map(({ username }) => ({ username, title: 'Moved' }))).execute()
    expect(await Post.query({ username: 'u7' }).count()).toBe(1)
  })

  test('Real-World Example: E-Commerce', async () => {
    const shop = await target.table({
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: {
        Customer: {
          key: { pk: 'CUSTOMER#${customerId}', sk: 'CUSTOMER#${customerId}' },
          attributes: { customerId: { type: String, required: true } },
        },
        Order: {
          key: { pk: 'CUSTOMER#${customerId}', sk: 'ORDER#${orderId}' },
          attributes: {
            customerId: { type: String, required: true },
            orderId: { type: String, required: true },
          },
        },
        OrderItem: {
          key: { pk: 'ORDER#${orderId}', sk: 'ITEM#${productId}' },
          attributes: {
            orderId: { type: String, required: true },
            productId: { type: String, required: true },
            quantity: { type: Number, default: 1 },
          },
        },
        Product: {
          key: { pk: 'PRODUCT#${productId}', sk: 'PRODUCT#${productId}' },
          attributes: { productId: { type: String, required: true } },
        },
        Inventory: {
          key: { pk: 'PRODUCT#${productId}', sk: 'INVENTORY#${location}' },
          attributes: {
            productId: { type: String, required: true },
            location: { type: String, required: true },
            stock: { type: Number, default: 0 },
          },
        },
      },
    })
    const { Customer, Order, OrderItem, Product, Inventory } = shop.entities
    await Customer.put({ customerId: 'c' }).execute()
    await Order.put({ customerId: 'c', orderId: 'o' }).execute()
    await OrderItem.put({ orderId: 'o', productId: 'p', quantity: 2 }).execute()
    await Product.put({ productId: 'p' }).execute()
    await Inventory.put({ productId: 'p', location: 'berlin', stock: 5 }).execute()
    await shop
      .transactWrite()
      .addPut(OrderItem.put({ orderId: 'o', productId: 'q' }))
      .addUpdate(
        Inventory.update({ productId: 'p', location: 'berlin' })
          .add('stock', -2)
          .where((attr, op) => op.gte(attr.stock, 2)),
      )
      .execute()
    expect(await Inventory.query({ productId: 'p' }).execute()).toEqual([
      { productId: 'p', location: 'berlin', stock: 3 },
    ])
    expect(await OrderItem.query({ orderId: 'o' }).execute()).toEqual([
      { orderId: 'o', productId: 'p', quantity: 2 },
      { orderId: 'o', productId: 'q', quantity: 1 },
    ])
    expect(await Order.query({ customerId: 'c' }).execute()).toHaveLength(1)
  })
})
