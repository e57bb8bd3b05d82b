import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { pollStream, propagateCopies, verifyCopies } from 'singletable/streams'

import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf, failureOf } from '../behaviour/failure-of.ts'
import { onEachTarget, type Target } from '../behaviour/on-each-target.ts'
import { requestsOf } from '../behaviour/requests-of.ts'
import { SocialSchema } from './4-schema.ts'
import { storedItems } from './stored-items.ts'

/** The fourth reference text: one test for each of its headings and pieces of code. Where the text
 * errs, what its heading promises. */

type Social = Table<typeof SocialSchema>

const at = (second: number): string => `2025-01-02T10:00:${String(second).padStart(2, '0')}Z`

/** John with two posts, one of them published and commented on by Jane, and a group of both. */
async function social(target: Target): Promise<Social> {
  const table = await target.table(SocialSchema)
  const { User, Subscription, Post, Comment, Group, Membership } = table.entities
  for (const [userId, name] of [
    ['123', 'John'],
    ['jane', 'Jane'],
  ] as const) {
    await User.create({ userId, name, email: `${name}@example.com`.toLowerCase() }).execute()
  }
  await Subscription.create({ userId: '123', subId: 'sub1', plan: 'pro' }).execute()
  await Post.create({
    postId: 'post1',
    userId: '123',
    title: 'My Post',
    status: 'published',
    createdAt: at(0),
  }).execute()
  await Post.create({
    postId: 'post2',
    userId: '123',
    title: 'A Draft',
    createdAt: at(1),
  }).execute()
  for (const commentId of ['c2', 'c1', 'c3']) {
    const createdAt = at(Number(commentId.slice(1)))
    const comment = { postId: 'post1', commentId, createdAt, userId: 'jane' }
    await Comment.create({ ...comment, text: 'Great post!', userName: 'Jane' }).execute()
  }
  await Group.create({ groupId: 'dev', name: 'Developers' }).execute()
  for (const [userId, userName, role] of [
    ['123', 'John', 'admin'],
    ['jane', 'Jane', 'member'],
  ] as const) {
    const membership = { userId, groupId: 'dev', groupName: 'Developers', userName, role }
    await Membership.create({ ...membership, joinedAt: '2025-01-01' }).execute()
  }
  return table
}

onEachTarget((target) => {
  /** Only read, or added to by items of a test's own. */
  let table: Social
  beforeAll(async () => {
    table = await social(target)
  })
  const stored = async (key: RegExp) =>
    (await storedItems(target, table, 'pk', 'sk')).filter(({ pk, sk }) => key.test(`${pk} ${sk}`))

  test('Core Philosophy: all entities in one table, generic keys, an index for another question', async () => {
    const types = new Set((await storedItems(target, table, 'pk', 'sk')).map(({ _type }) => _type))
    expect(types).toEqual(
      new Set([
        ...['User', 'Subscription', 'Post', 'UserPost', 'Comment'],
        ...['Group', 'Membership', 'GroupMember'],
      ]),
    )
  })

  test('Why Single Table Design?: an atomic transaction across entity types', async () => {
    const { User, Subscription } = table.entities
    const user = User.create({ userId: 'why', name: 'W', email: 'w@example.com' })
    const taken = Subscription.create({ userId: '123', subId: 'sub1', plan: 'free' })
    const both = table.transactWrite().addPut(user).addPut(taken)
    expect(await codeOf(() => both.execute())).toBe('TRANSACTION_CANCELED')
    expect((await table.patterns.getUser({ userId: 'why' })).item).toBeUndefined()
  })

  describe('Key Concepts', () => {
    test('Generic Key Names: pk and sk, whatever the entity', () => {
      const { User } = table.entities
      expect(User.renderKey({ userId: '123' })).toEqual({ pk: 'USER#123', sk: 'PROFILE' })
      const put = User.put({ userId: '123', name: 'John', email: 'j@example.com' })
      expect(Object.keys(put.explain())).toContain('operation')
    })

    test('Composite Keys: the four shapes of the text', () => {
      const { User, UserPost, Post, Comment } = table.entities
      expect([
        User.renderKey({ userId: 'userId' }),
        UserPost.renderKey({ userId: 'userId', postId: 'postId' }),
        Post.renderKey({ postId: 'postId' }),
        Comment.renderKey({ postId: 'postId', createdAt: at(0), commentId: 'commentId' }),
      ]).toEqual([
        { pk: 'USER#userId', sk: 'PROFILE' },
        { pk: 'USER#userId', sk: 'POST#postId' },
        { pk: 'POST#postId', sk: 'METADATA' },
        { pk: 'POST#postId', sk: 'COMMENT#2025-01-02T10:00:00Z#commentId' },
      ])
    })

    test('Item Collections: a user with posts and subscriptions by one query', async () => {
      const operations = await requestsOf(table, async () => {
        const user = await table
          .collect(['User', 'UserPost', 'Subscription'], { userId: '123' })
          .tree('User')
        expect(user).toMatchObject({
          name: 'John',
          UserPost: [{ postId: 'post1' }, { postId: 'post2' }],
          Subscription: [{ plan: 'pro' }],
        })
      })
      expect(operations).toEqual(['Query'])
    })
  })

  describe('Access Pattern Design', () => {
    test('Pattern 1: Get Single Item: with the key of the text', async () => {
      expect(table.patterns.getUser.params({ userId: '123' })).toMatchObject({
        TableName: table.name,
        Key: { pk: 'USER#123', sk: 'PROFILE' },
      })
      expect((await table.patterns.getUser({ userId: '123' })).item?.name).toBe('John')
    })

    test('Pattern 2: Query Item Collection: all posts by a user', async () => {
      const params = table.patterns.userPosts.params({ userId: '123' })
      expect(Object.values(params.ExpressionAttributeValues as object)).toEqual([
        'USER#123',
        'POST#',
      ])
      const { items } = await table.patterns.userPosts({ userId: '123' })
      expect(items.map(({ postId }) => postId)).toEqual(['post1', 'post2'])
    })

    test('Pattern 3: Query with Sort: the time in the sort key, the newest first', async () => {
      const own = await target.table({
        indexes: { primary: { hash: 'pk', sort: 'sk' } },
        models: {
          Post: {
            key: { pk: 'USER#${userId}', sk: 'POST#${createdAt}#${postId}' },
            attributes: {
              userId: { type: String, required: true },
              postId: { type: String, required: true },
              createdAt: { type: String, required: true },
            },
          },
        },
        patterns: {
          recentPosts: { op: 'query', entity: 'Post', by: ['userId'], order: 'desc' },
        },
      })
      const { Post } = own.entities
      const createdAt = '2025-01-02T10:30:00Z'
      await Post.put({ userId: '123', postId: 'post1', createdAt }).execute()
      await Post.put({
        userId: '123',
        postId: 'post0',
        createdAt: '2025-01-03T00:00:00Z',
      }).execute()
      expect(Post.renderKey({ userId: '123', postId: 'post1', createdAt }).sk).toBe(
        'POST#2025-01-02T10:30:00Z#post1',
      )
      const { items } = await own.patterns.recentPosts({ userId: '123' })
      expect(items.map(({ postId }) => postId)).toEqual(['post0', 'post1'])
    })

    test('Pattern 4: Global Secondary Index (GSI): published posts of all users', async () => {
      const [post] = await stored(/^POST#post1 METADATA/)
      expect(post).toMatchObject({ gsi1pk: 'POST#STATUS#published', gsi1sk: at(0) })
      const { items } = await table.patterns.publishedPosts({ status: 'published' })
      expect(items.map(({ postId }) => postId)).toEqual(['post1'])
      expect(table.patterns.publishedPosts.params({ status: 'published' })).toMatchObject({
        IndexName: 'gsi1',
      })
    })
  })

  describe('Common Patterns', () => {
    test('Pattern: User with Posts and Comments: the items, the questions, and the count of comments', async () => {
      const rows = (await stored(/^(USER#123|POST#post1) (PROFILE|POST|METADATA|COMMENT)/)).map(
        ({ pk, sk }) => `${pk} ${sk}`,
      )
      expect(rows).toEqual([
        'POST#post1 COMMENT#2025-01-02T10:00:01Z#c1',
        'POST#post1 COMMENT#2025-01-02T10:00:02Z#c2',
        'POST#post1 COMMENT#2025-01-02T10:00:03Z#c3',
        'POST#post1 METADATA',
        'USER#123 POST#post1',
        'USER#123 POST#post2',
        'USER#123 PROFILE',
      ])
      const { groups } = await table.patterns.postWithComments({ postId: 'post1' })
      expect(groups.Post).toMatchObject([{ title: 'My Post', commentCount: 3 }])
      expect(groups.Comment.map(({ userName }) => userName)).toEqual(['Jane', 'Jane', 'Jane'])
      const recent = await table.patterns.recentComments({ postId: 'post1' })
      expect(recent.items.map(({ commentId }) => commentId)).toEqual(['c3', 'c2'])
    })

    test('Pattern: Many-to-Many (Users and Groups): both directions by one declaration, with the number of members', async () => {
      const { patterns } = table
      const groups = await patterns.userGroups({ userId: '123' })
      expect(groups.items).toMatchObject([{ groupId: 'dev', groupName: 'Developers' }])
      const members = await patterns.groupMembers({ groupId: 'dev' })
      expect(members.items.map(({ userName, role }) => `${userName} ${role}`)).toEqual([
        'John admin',
        'Jane member',
      ])
      expect((await patterns.membership({ userId: '123', groupId: 'dev' })).item?.role).toBe(
        'admin',
      )
      expect((await patterns.membership({ userId: '123', groupId: 'none' })).item).toBeUndefined()
      const { Group, Membership } = table.entities
      expect((await Group.get({ groupId: 'dev' }).execute())?.memberCount).toBe(2)
      const key = { userId: 'jane', groupId: 'dev' }
      const jane = (await Membership.get(key).execute())!
      await Membership.delete(key).execute()
      expect((await Group.get({ groupId: 'dev' }).execute())?.memberCount).toBe(1)
      expect((await patterns.groupMembers({ groupId: 'dev' })).items).toHaveLength(1)
      await Membership.create(jane).execute()
    })

    test('Pattern: Hierarchical Data (Folders and Files): a folder with its files by date, and a file by its id', async () => {
      const { Folder, File } = table.entities
      await Folder.create({ folderId: 'f', name: 'Documents', path: '/Documents' }).execute()
      for (const [fileId, day] of [
        ['b', '2025-01-02'],
        ['a', '2025-01-03'],
      ] as const) {
        const file = { fileId, folderId: 'f', name: `${fileId}.pdf`, size: 1024000 }
        await File.create({ ...file, uploadedAt: `${day}T10:00:00Z` }).execute()
      }
      const rows = (await stored(/^(FOLDER#f|FILE#b) /)).map(({ pk, sk }) => `${pk} ${sk}`)
      expect(rows).toEqual([
        'FILE#b METADATA',
        'FOLDER#f FILE#2025-01-02#b',
        'FOLDER#f FILE#2025-01-03#a',
        'FOLDER#f METADATA',
      ])
      const folder = await table.collect(['Folder', 'FolderFile'], { folderId: 'f' }).tree('Folder')
      expect(folder?.FolderFile.map(({ name }) => name)).toEqual(['b.pdf', 'a.pdf'])
      const newest = await table.patterns.filesInFolder({ folderId: 'f' })
      expect(newest.items.map(({ fileId }) => fileId)).toEqual(['a', 'b'])
      // The copy in the folder follows the file.
      await File.update({ fileId: 'b' }).set({ folderId: 'g', size: 1 }).execute()
      expect((await table.patterns.filesInFolder({ folderId: 'f' })).items).toHaveLength(1)
      expect((await table.patterns.filesInFolder({ folderId: 'g' })).items).toMatchObject([
        { fileId: 'b', size: 1 },
      ])
      expect((await table.patterns.getFile({ fileId: 'b' })).item?.folderId).toBe('g')
    })

    test('Pattern: Time Series Data: a range of times, with the parameters of the text', async () => {
      const { Metric } = table.entities
      for (const day of ['2024-12-31', '2025-01-01', '2025-01-02', '2025-01-03']) {
        await Metric.put({ resourceId: 'r', at: `${day}T00:00:00Z`, cpu: 45.2 }).execute()
      }
      const range = { from: '2025-01-01T00:00:00Z', to: '2025-01-02T00:00:00Z' }
      const params = table.patterns.metrics.params({ resourceId: 'r', at: range })
      expect(Object.values(params.ExpressionAttributeValues as object)).toEqual([
        'METRICS#r',
        '2025-01-01T00:00:00Z',
        '2025-01-02T00:00:00Z',
      ])
      const { items } = await table.patterns.metrics({ resourceId: 'r', at: range })
      expect(items.map(({ at: time }) => time.slice(0, 10))).toEqual(['2025-01-01', '2025-01-02'])
    })
  })

  describe('Implementation with SST', () => {
    test('Basic Setup: the table is made with its keys, indexes and stream', async () => {
      expect(await table.exists()).toBe(true)
      const { _type, ...keys } = (await stored(/^POST#post1 METADATA/))[0] ?? {}
      expect(Object.keys(keys)).toEqual(expect.arrayContaining(['pk', 'sk', 'gsi1pk', 'gsi1sk']))
      expect(SocialSchema.table.stream).toBe('new-and-old')
    })

    test('Type-Safe Helpers: keys are made and read by the schema', () => {
      const { Comment } = table.entities
      const key = { postId: 'p', createdAt: at(0), commentId: 'c' }
      expect(Comment.parseKey(Comment.renderKey(key))).toEqual(key)
      // @ts-expect-error: a key has all its attributes
      expect(() => Comment.renderKey({ postId: 'p' })).toThrow()
      expect(() => Comment.renderKey({ ...key, commentId: 'c#x' })).toThrow(/KEY_COMPONENT_INVALID/)
    })

    test('CRUD Operations: create, get, update and list; an update needs its user', async () => {
      const { patterns } = table
      await patterns.createUser({ userId: 'crud', name: 'A', email: 'a@example.com' })
      const changed = await patterns.updateUser({ userId: 'crud', name: 'B' })
      // The text's function would write undefined over the address.
      expect(changed.item).toMatchObject({ name: 'B', email: 'a@example.com' })
      expect((await patterns.getUser({ userId: 'crud' })).item).toMatchObject({
        name: 'B',
        createdAt: expect.any(String),
        postCount: 0,
      })
      expect((await patterns.userPosts({ userId: 'crud' })).items).toEqual([])
      // The text's function would make an item without createdAt.
      expect(await codeOf(() => patterns.updateUser({ userId: 'none', name: 'B' }))).toBe(
        'ITEM_NOT_FOUND',
      )
    })
  })

  describe('Best Practices', () => {
    test('Design for Access Patterns First: the four of the list are declared', () => {
      const { getUser, userPosts, postWithComments, publishedPosts } = table.patterns
      expect(
        [getUser, userPosts, postWithComments, publishedPosts].map((pattern) => pattern.plan().op),
      ).toEqual(['GetItem', 'Query', 'Query', 'Query'])
    })

    test('Use Sparse Indexes: only published posts have the key, as soon as they are published', async () => {
      const { Post } = table.entities
      const post = { postId: 'sparse', userId: 'jane', title: 'S', createdAt: at(9) }
      await Post.create(post).execute()
      expect((await stored(/^POST#sparse METADATA/))[0]).not.toHaveProperty('gsi1pk')
      await Post.update(post).set({ status: 'published' }).execute()
      expect((await stored(/^POST#sparse METADATA/))[0]).toMatchObject({
        gsi1pk: 'POST#STATUS#published',
        gsi1sk: at(9),
      })
      await Post.update(post).set({ status: 'draft' }).execute()
      expect((await stored(/^POST#sparse METADATA/))[0]).not.toHaveProperty('gsi1pk')
    })

    test('Denormalize Strategically: names in comments and memberships follow their user', async () => {
      const own = await social(target)
      const { User, Comment } = own.entities
      await User.update({ userId: 'jane' }).set({ name: 'Jane B.', avatar: 'https://a' }).execute()
      if (target.engine) {
        await pollStream({
          source: target.engine,
          table: own,
          handler: propagateCopies(own),
          until: 'caught-up',
        })
      } else {
        await verifyCopies(own, { repair: true })
      }
      const comments = await Comment.query({ postId: 'post1' }).execute()
      expect(comments.map(({ userName, userAvatar }) => [userName, userAvatar])).toEqual(
        Array.from({ length: 3 }, () => ['Jane B.', 'https://a']),
      )
      // The copy of the membership, under the group, follows the membership.
      const members = await own.patterns.groupMembers({ groupId: 'dev' })
      expect(members.items.map(({ userName }) => userName)).toEqual(['John', 'Jane B.'])
      expect((await verifyCopies(own)).findings).toEqual([])
    })

    test('Use Transactions for Related Items: a post and the number of posts by one write', async () => {
      const { User, Post } = table.entities
      await User.create({ userId: 'tx', name: 'T', email: 't@example.com' }).execute()
      const create = Post.create({ postId: 'tx', userId: 'tx', title: 'T' })
      expect(await requestsOf(table, () => create.execute())).toEqual(['TransactWriteItems'])
      expect((await User.get({ userId: 'tx' }).execute())?.postCount).toBe(1)
      const orphan = Post.create({ postId: 'orphan', userId: 'nobody', title: 'T' })
      expect(await codeOf(() => orphan.execute())).toBe('PARENT_MISSING')
    })

    test('Handle Hot Partitions: a suffix made from the item spreads writes, and reads see one list', async () => {
      const own = await target.table(
        defineSchema({
          indexes: { primary: { hash: 'pk', sort: 'sk' } },
          models: {
            Metric: {
              key: { pk: 'METRICS#${suffix}', sk: '${at}#${resourceId}' },
              shard: { count: 10, name: 'suffix', by: ['resourceId'] },
              attributes: {
                at: { type: String, required: true },
                resourceId: { type: String, required: true },
              },
            },
          },
        }),
      )
      const { Metric } = own.entities
      const metrics = Array.from({ length: 40 }, (_, n) => ({ at: at(n), resourceId: `r${n}` }))
      await Metric.batchWrite(metrics).execute()
      const partitions = new Set((await storedItems(target, own, 'pk', 'sk')).map(({ pk }) => pk))
      expect(partitions.size).toBeGreaterThan(7)
      for (const pk of partitions) expect(pk).toMatch(/^METRICS#[0-9]$/)
      expect(await Metric.query().useIndex('primary').execute()).toEqual(metrics)
      // The text's random suffix would leave nobody to know where an item is.
      expect(await requestsOf(own, () => Metric.get(metrics[7]!).execute())).toEqual(['GetItem'])
    })
  })

  describe('Common Gotchas', () => {
    test('Sort Key is Required for Queries: it is not; a partition key alone is a query', async () => {
      const { User } = table.entities
      const query = User.query().where((attr, op) => op.eq(attr.pk, 'USER#123'))
      expect((await query.execute()).map(({ name }) => name)).toEqual(['John'])
      const groups = await table
        .collect(['User', 'UserPost', 'Subscription', 'Membership'], { userId: '123' })
        .execute()
      expect(Object.values(groups).flat()).toHaveLength(5)
    })

    test('GSI Consistency is Eventually Consistent: asking an index for a consistent read is refused', async () => {
      const query = table.entities.Post.query({ status: 'published' }).consistentRead()
      expect((await failureOf(() => query.execute())).message).toMatch(/consistent/)
      if (target.engine === undefined) return
      const lag = target.engine.faults.add({ kind: 'indexLag', table: table.name, ms: 60_000 })
      try {
        const post = { postId: 'lag', userId: 'jane', title: 'L', status: 'published' } as const
        await table.entities.Post.create(post).execute()
        const { items } = await table.patterns.publishedPosts({ status: 'published' })
        expect(items.some(({ postId }) => postId === 'lag')).toBe(false)
        expect(await table.entities.Post.get(post).consistentRead().execute()).toBeDefined()
      } finally {
        lag.remove()
      }
    })

    test('Item Size Limit is 400KB: an attribute has a limit of its own before that', async () => {
      const { Post } = table.entities
      const large = { postId: 'large', userId: '123', title: 'L', content: 'x'.repeat(300_001) }
      const error = await failureOf(() => Post.create(large).execute())
      expect([error.code, error.message]).toEqual([
        'INPUT_INVALID',
        expect.stringContaining('content'),
      ])
    })

    test('Projection of GSI Matters: an index of keys is cheap, and whole items are fetched when asked for', async () => {
      const own = await target.table({
        indexes: {
          primary: { hash: 'pk', sort: 'sk' },
          gsi1: { hash: 'gsi1pk', sort: 'gsi1sk', project: 'keys' },
        },
        models: {
          Post: {
            key: { pk: 'POST#${postId}', sk: 'METADATA' },
            index: { gsi1pk: 'POST#STATUS#${status}', gsi1sk: '${postId}' },
            attributes: {
              postId: { type: String, required: true },
              status: { type: String, required: true },
              content: { type: String, required: true },
            },
          },
        },
      })
      const { Post } = own.entities
      await Post.create({ postId: '1', status: 'live', content: 'x'.repeat(9000) }).execute()
      const query = Post.query({ status: 'live' })
      expect(await codeOf(() => query.execute())).toBe('PLAN_PROJECTION')
      expect((await query.hydrate().execute())[0]?.content).toHaveLength(9000)
      expect(await query.count()).toBe(1)
    })
  })

  test('Migration Strategy: items of the old tables are put in any number, and verified', async () => {
    const own = await target.table(SocialSchema)
    const { Group, Membership } = own.entities
    await Group.create({ groupId: 'g', name: 'G' }).execute()
    await Membership.batchWrite(
      Array.from({ length: 30 }, (_, n) => ({
        userId: `u${n}`,
        groupId: 'g',
        groupName: 'G',
        role: 'member',
        joinedAt: '2025-01-01',
      })),
    ).execute()
    expect((await Group.get({ groupId: 'g' }).execute())?.memberCount).toBe(30)
    expect((await verifyCopies(own)).findings).toEqual([])
  })
})

describe('Testing Single Table Design', () => {
  test('Testing Single Table Design: an engine in the process, without a port or a container', async () => {
    const table = new Table({ name: 'Test', schema: SocialSchema, client: createEngine() })
    await table.create()
    const { patterns, entities } = table
    await patterns.createUser({ userId: '123', name: 'John', email: 'john@example.com' })
    expect((await patterns.getUser({ userId: '123' })).item?.name).toBe('John')
    await entities.Post.create({ postId: 'post1', userId: '123', title: 'First Post' }).execute()
    await entities.Post.create({ postId: 'post2', userId: '123', title: 'Second Post' }).execute()
    expect((await patterns.userPosts({ userId: '123' })).items).toHaveLength(2)
  })
})
