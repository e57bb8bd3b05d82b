import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { defineSchema } from 'singletable'
import { expect, test } from 'vitest'
import { codeOf, failureOf } from './failure-of.ts'
import { onEachTarget, type Target } from './on-each-target.ts'
import { requestsOf } from './requests-of.ts'

const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byStatus: { hash: 'gsi1pk', sort: 'gsi1sk' },
    byTag: { hash: 'gsi2pk', sort: 'gsi2sk', project: ['username', 'postId'] },
  },
  models: {
    User: {
      key: { pk: 'USER#${username}', sk: 'PROFILE' },
      attributes: {
        username: { type: String, required: true },
        name: { type: String },
        posts: { type: Number, default: 0 },
      },
    },
    Post: {
      key: { pk: 'USER#${username}', sk: 'POST#${postId}' },
      index: { gsi1pk: 'STATUS#${status}', gsi1sk: 'DAY#${day}#${number:pad(4)}' },
      attributes: {
        username: { type: String, required: true },
        postId: { type: String, required: true },
        status: { type: String, enum: ['draft', 'live'], default: 'live' },
        day: { type: String, default: '2026-01-01' },
        number: { type: Number, default: 0 },
        likes: { type: Number, default: 0 },
        title: { type: String },
        tags: { type: Set, items: { type: String } },
      },
    },
    PostTag: {
      key: { pk: 'POST#${postId}', sk: 'TAG#${tag}' },
      index: { gsi2pk: 'TAG#${tag}', gsi2sk: 'POST#${postId}' },
      attributes: {
        postId: { type: String, required: true },
        tag: { type: String, required: true },
        username: { type: String, required: true },
        note: { type: String },
      },
    },
  },
  patterns: {
    getUser: { op: 'get', entity: 'User', by: ['username'] },
    getName: { op: 'get', entity: 'User', by: ['username'], project: ['name'], consistent: true },
    postsByUser: { op: 'query', entity: 'Post', by: ['username'], range: 'postId' },
    newestPosts: {
      op: 'query',
      entity: 'Post',
      by: ['username'],
      range: 'postId',
      order: 'desc',
      limit: 2,
    },
    titles: { op: 'query', entity: 'Post', by: ['username'], project: ['title'] },
    postsOfDay: {
      op: 'query',
      entity: 'Post',
      index: 'byStatus',
      by: ['status', 'day'],
      range: 'number',
    },
    postsOfDays: { op: 'query', entity: 'Post', index: 'byStatus', by: ['status'], range: 'day' },
    liked: {
      op: 'query',
      entity: 'Post',
      by: ['username'],
      filter: { likes: { gte: '$minLikes', lt: 100 }, status: 'live' },
    },
    filtered: {
      op: 'query',
      entity: 'Post',
      by: ['username'],
      filter: {
        day: { between: ['$first', '$last'] },
        number: { in: '$numbers' },
        tags: { contains: '$tag' },
        title: { exists: true, beginsWith: '$start', ne: '$$' },
      },
    },
    listed: {
      op: 'query',
      entity: 'Post',
      by: ['username'],
      filter: { status: { in: ['draft', '$other'] }, title: { exists: false } },
    },
    tagged: {
      op: 'query',
      entity: 'PostTag',
      index: 'byTag',
      by: ['tag'],
      // biome-ignore lint/suspicious/noThenProperty: it is the schema's own word, and no function.
      then: { op: 'batchGet', entity: 'Post' },
    },
    taggedTitles: {
      op: 'query',
      entity: 'PostTag',
      index: 'byTag',
      by: ['tag'],
      limit: 2,
      project: ['title'],
      // biome-ignore lint/suspicious/noThenProperty: it is the schema's own word, and no function.
      then: { op: 'batchGet', entity: 'Post' },
    },
    manyUsers: { op: 'batchGet', entity: 'User', by: ['username'] },
    manyAtOnce: { op: 'transactGet', entity: 'User', by: ['username'] },
    register: { op: 'create', entity: 'User' },
    savePost: { op: 'put', entity: 'Post' },
    editPost: {
      op: 'update',
      entity: 'Post',
      by: ['username', 'postId'],
      set: ['title', 'status'],
      add: ['likes', 'tags'],
      remove: ['number'],
    },
    removePost: { op: 'delete', entity: 'Post', by: ['username', 'postId'] },
    publish: {
      op: 'transact',
      steps: {
        author: { op: 'check', entity: 'User', by: ['username'] },
        post: { op: 'create', entity: 'Post' },
        tag: { op: 'put', entity: 'PostTag' },
      },
    },
    count: {
      op: 'transact',
      steps: {
        user: { op: 'update', entity: 'User', by: ['username'], add: ['posts'] },
        post: { op: 'delete', entity: 'Post', by: ['username', 'postId'] },
      },
    },
    search: { op: 'external', service: 'OpenSearch', reason: 'full text' },
    feed: { op: 'query', entity: ['User', 'Post'], by: ['username'], order: 'desc' },
    everyone: { op: 'scan', entity: 'User', reason: 'nightly report' },
    everything: { op: 'scan', reason: 'export' },
  },
})

type Bounds = Parameters<(typeof everyPattern)['postsByUser']>[0]['postId']
declare const everyPattern: Awaited<ReturnType<typeof seeded>>['patterns']

const ids = (items: readonly { readonly postId: string }[]): string =>
  items.map(({ postId }) => postId).join(' ')

/** Alice with six posts on three days, Bob with one, and tags that refer to some of them and to one
 * that is gone. */
async function seeded(target: Target) {
  const table = await target.table(schema)
  const { User, Post, PostTag } = table.entities
  await table
    .batchWrite([
      User.put({ username: 'alice', name: 'Alice' }),
      User.put({ username: 'bob', name: 'Bob' }),
      ...[1, 2, 3, 4, 5, 6].map((number) =>
        Post.put({
          username: 'alice',
          postId: `p${number}`,
          number,
          day: `2026-01-0${Math.ceil(number / 2)}`,
          likes: number * 20,
          status: number === 3 ? 'draft' : 'live',
          ...(number % 2 === 0 && { title: `Title ${number}`, tags: new Set(['even']) }),
        }),
      ),
      Post.put({ username: 'bob', postId: 'p1', number: 1 }),
      ...['p5', 'p1', 'gone', 'p3'].map((postId) =>
        PostTag.put({ postId, tag: 'x', username: 'alice' }),
      ),
    ])
    .execute()
  return table
}

onEachTarget((target) => {
  test('get gives the item, nothing where there is none, and what it cost', async () => {
    const { patterns } = await seeded(target)
    const found = await patterns.getUser({ username: 'alice' })
    expect(found).toEqual({
      item: { username: 'alice', name: 'Alice', posts: 0 },
      consumed: 0.5,
    })
    expect(await patterns.getUser({ username: 'nobody' })).toEqual({
      item: undefined,
      consumed: 0.5,
    })
    expect(await patterns.getName({ username: 'alice' })).toEqual({
      item: { name: 'Alice' },
      consumed: 1,
    })
    expect(patterns.getName.params({ username: 'alice' })).toMatchObject({
      Key: { pk: 'USER#alice', sk: 'PROFILE' },
      ConsistentRead: true,
    })
  })

  test('every kind of bound cuts a range, forwards and backwards, and never leaves the entity', async () => {
    const { patterns } = await seeded(target)
    const ranges: readonly (readonly [bounds: Bounds, found: string])[] = [
      [undefined, 'p1 p2 p3 p4 p5 p6'],
      [{}, 'p1 p2 p3 p4 p5 p6'],
      ['p3', 'p3'],
      [{ from: 'p3' }, 'p3 p4 p5 p6'],
      [{ gt: 'p3' }, 'p4 p5 p6'],
      [{ to: 'p3' }, 'p1 p2 p3'],
      [{ lt: 'p3' }, 'p1 p2'],
      [{ from: 'p2', to: 'p4' }, 'p2 p3 p4'],
      [{ gt: 'p2', lt: 'p4' }, 'p3'],
      [{ from: 'p2', lt: 'p4' }, 'p2 p3'],
      [{ gt: 'p2', to: 'p4' }, 'p3 p4'],
      [{ from: 'p5', to: 'p4' }, ''],
      [{ beginsWith: 'p' }, 'p1 p2 p3 p4 p5 p6'],
      [{ beginsWith: 'q' }, ''],
      [{ gt: 'zzz' }, ''],
      [{ lt: 'a' }, ''],
    ]
    for (const [postId, expected] of ranges) {
      const input = { username: 'alice', ...(postId !== undefined && { postId }) }
      const { items } = await patterns.postsByUser(input)
      expect(ids(items), JSON.stringify(postId)).toBe(expected)
      const backwards = await patterns.newestPosts(input, { limit: 100 })
      const reversed = expected.split(' ').reverse().join(' ')
      expect(ids(backwards.items), JSON.stringify(postId)).toBe(reversed)
    }
  })

  test('the plan says what is sent', async () => {
    const { patterns } = await target.table(schema)
    const bounds: readonly Bounds[] = [
      'p3',
      {},
      { from: 'a' },
      { gt: 'a' },
      { to: 'b' },
      { lt: 'b' },
      { from: 'a', to: 'b' },
      { gt: 'a', lt: 'b' },
      { beginsWith: 'c' },
    ]
    for (const postId of bounds.filter((each) => each !== undefined)) {
      const input = { username: 'alice', postId }
      const { pk, sk } = patterns.postsByUser.plan(input).key ?? {}
      const values = typeof postId === 'string' ? {} : (postId as Record<string, string>)
      const expected = [pk, sk].flatMap((part) => Object.values(part ?? {}).flat())
      const rendered = expected.map((text: string) =>
        text
          .replace('${username}', 'alice')
          .replace('${postId}', String(postId))
          .replace(/\$\{postId\.(\w+)\}/, (_, bound: string) => values[bound] ?? '?'),
      )
      const { ExpressionAttributeValues: sent = {} } = patterns.postsByUser.params(input)
      const keys = Object.values(sent as object).filter((value) => /^(USER|POST)#/.test(value))
      expect(rendered, JSON.stringify(postId)).toEqual(keys)
    }
  })

  test('a range of numbers and of what precedes them in the sort key', async () => {
    const { patterns } = await seeded(target)
    const day = { status: 'live', day: '2026-01-02' } as const
    expect(ids((await patterns.postsOfDay(day)).items)).toBe('p4')
    expect(ids((await patterns.postsOfDay({ ...day, number: { from: 1, lt: 4 } })).items)).toBe('')
    expect(ids((await patterns.postsOfDay({ ...day, number: 4 })).items)).toBe('p4')
    const days = { status: 'live' } as const
    const { items } = await patterns.postsOfDays({ ...days, day: { gt: '2026-01-01' } })
    expect(ids(items)).toBe('p4 p5 p6')
    const upTo = await patterns.postsOfDays({ ...days, day: { to: '2026-01-02' } })
    expect(ids(upTo.items.filter(({ username }) => username === 'alice'))).toBe('p1 p2 p4')
  })

  test('pages follow each other by cursors, which are good for no other question', async () => {
    const { patterns, entities } = await seeded(target)
    const pages: string[] = []
    let cursor: string | undefined
    do {
      const page = await patterns.newestPosts({ username: 'alice' }).page({ cursor })
      pages.push(ids(page.items))
      cursor = page.cursor
    } while (cursor !== undefined)
    expect(pages.filter((page) => page !== '')).toEqual(['p6 p5', 'p4 p3', 'p2 p1'])

    const { cursor: first } = await patterns.newestPosts({ username: 'alice' }).page()
    const code = 'CURSOR_INVALID'
    expect(await codeOf(() => patterns.newestPosts({ username: 'bob' }, { cursor: first }))).toBe(
      code,
    )
    const builder = entities.Post.query({ username: 'alice' }).scanIndexForward(false)
    expect(ids(await builder.startFrom(first).limit(2))).toBe('p4 p3')
    const other = builder.scanIndexForward(true).startFrom(first)
    expect(await codeOf(() => other.execute())).toBe(code)
    const { cursor: theirs } = await builder.limit(2).page()
    const second = await patterns.newestPosts({ username: 'alice' }, { cursor: theirs })
    expect(ids(second.items)).toBe('p4 p3')
  })

  test('a call gives all results up to the limit, and nothing is sent before it is awaited', async () => {
    const table = await seeded(target)
    const { patterns } = table
    const alice = { username: 'alice' }
    const call = patterns.newestPosts(alice)
    const unsent = async (): Promise<void> => {
      expect(patterns.register({ username: 'x' })).toBeInstanceOf(Object)
    }
    expect(await requestsOf(table, unsent)).toEqual([])
    const found = await call
    expect(ids(found.items)).toBe('p6 p5')
    expect(found).not.toHaveProperty('cursor')
    expect(ids((await patterns.newestPosts(alice, { limit: 5 })).items)).toBe('p6 p5 p4 p3 p2')
    expect(ids((await call.execute({ limit: 3 })).items)).toBe('p6 p5 p4')
    const { cursor } = await call.page()
    expect(ids((await patterns.newestPosts(alice, { cursor })).items)).toBe('p4 p3')
    const one: string[] = []
    for await (const { postId } of call) one.push(postId)
    expect(one).toEqual(['p6', 'p5'])
    const tagged = await patterns.taggedTitles({ tag: 'x' })
    expect(tagged.items.length).toBe(1)
  })

  test('a write that is awaited twice is sent once, and a failed condition can be a result', async () => {
    const table = await seeded(target)
    const call = table.patterns.register({ username: 'carol' })
    const operations = await requestsOf(table, async () => {
      expect((await call).item.username).toBe('carol')
      await call
    })
    expect(operations).toEqual(['PutItem'])
    const again = await call.result()
    expect(again).toMatchObject({ ok: false, reason: 'ITEM_EXISTS', item: { username: 'carol' } })
  })

  test('explain() sends nothing, whatever the pattern does', async () => {
    const table = await seeded(target)
    const { patterns } = table
    const operations = await requestsOf(table, async () => {
      const query = patterns.newestPosts({ username: 'alice' }).explain()
      expect(query).toMatchObject({ operation: 'Query', index: 'primary', requests: '1 per page' })
      expect(patterns.newestPosts.explain({ username: 'alice' })).toEqual(query)
      expect(patterns.register.explain({ username: 'x' }).operation).toBe('PutItem')
      const post = { username: 'bob', postId: 'p9' }
      const steps = patterns.count.explain({ user: { username: 'bob', posts: 2 }, post })
      expect(steps.map(({ operation }) => operation)).toEqual(['UpdateItem', 'DeleteItem'])
      expect(patterns.manyUsers.explain([{ username: 'bob' }])[0]?.operation).toBe('GetItem')
    })
    expect(operations).toEqual([])
  })

  test('all() goes through every page', async () => {
    const table = await seeded(target)
    const found: string[] = []
    const operations = await requestsOf(table, async () => {
      for await (const { postId } of table.patterns.newestPosts.all({ username: 'alice' })) {
        found.push(postId)
      }
    })
    expect(found.join(' ')).toBe('p6 p5 p4 p3 p2 p1')
    expect(operations.length).toBeGreaterThanOrEqual(3)
    const titles: unknown[] = []
    for await (const item of table.patterns.taggedTitles.all({ tag: 'x' })) titles.push(item)
    expect(titles).toEqual([{}, {}, {}])
  })

  test('filters compare with values of the definition and of the input', async () => {
    const { patterns } = await seeded(target)
    const alice = { username: 'alice' }
    expect(ids((await patterns.liked({ ...alice, minLikes: 40 })).items)).toBe('p2 p4')
    const filter = { first: '2026-01-01', last: '2026-01-02', numbers: [2, 4, 6], tag: 'even' }
    const some = await patterns.filtered({ ...alice, ...filter, start: 'Title' })
    expect(ids(some.items)).toBe('p2 p4')
    expect(ids((await patterns.filtered({ ...alice, ...filter, start: 'Other' })).items)).toBe('')
    expect(ids((await patterns.listed({ ...alice, other: 'live' })).items)).toBe('p1 p3 p5')
    expect(ids((await patterns.listed({ ...alice, other: 'draft' })).items)).toBe('p3')
  })

  test('project gives just these attributes', async () => {
    const { patterns } = await seeded(target)
    const { items } = await patterns.titles({ username: 'alice' })
    expect(items.slice(0, 2)).toEqual([{}, { title: 'Title 2' }])
  })

  test('then fetches what was found in its order, and leaves out what is gone', async () => {
    const table = await seeded(target)
    const { items, consumed } = await table.patterns.tagged({ tag: 'x' })
    expect(ids(items)).toBe('p1 p3 p5')
    expect(items[1]?.likes).toBe(60)
    // DynamoDB Local takes nothing for an item that is not there.
    expect([2, 2.5]).toContain(consumed)
    const operations = await requestsOf(table, () => table.patterns.tagged({ tag: 'x' }))
    expect(operations).toEqual(['Query', 'BatchGetItem'])
    expect(await requestsOf(table, () => table.patterns.tagged({ tag: 'none' }))).toEqual(['Query'])
  })

  test('several entities come in groups, page by page', async () => {
    const { patterns } = await seeded(target)
    const { groups } = await patterns.feed({ username: 'alice' })
    expect(groups.User.map(({ name }) => name)).toEqual(['Alice'])
    expect(ids(groups.Post)).toBe('p6 p5 p4 p3 p2 p1')
    expect(groups.unknown).toEqual([])
    const page = await patterns.feed({ username: 'alice' }).page({ limit: 2 })
    expect([ids(page.groups.Post), page.groups.User.length]).toEqual(['p6', 1])
    const next = await patterns.feed({ username: 'alice' }, { limit: 2, cursor: page.cursor })
    expect(ids(next.groups.Post)).toBe('p5 p4')
    const kinds: unknown[] = []
    for await (const { entity } of patterns.feed.all({ username: 'alice' })) kinds.push(entity)
    expect(kinds).toEqual(['User', ...Array.from({ length: 6 }, () => 'Post')])
  })

  test('many items by key come in the order of the input, with gaps', async () => {
    const table = await seeded(target)
    const keys = ['bob', 'nobody', 'alice'].map((username) => ({ username }))
    const names = ['Bob', undefined, 'Alice']
    const batch = await table.patterns.manyUsers(keys)
    expect(batch.items.map((item) => item?.name)).toEqual(names)
    expect([1, 1.5]).toContain(batch.consumed)
    const atOnce = await table.patterns.manyAtOnce(keys)
    expect(atOnce.items.map((item) => item?.name)).toEqual(names)
    expect([4, 6]).toContain(atOnce.consumed)
    expect(await table.patterns.manyUsers([])).toEqual({ items: [], consumed: undefined })
    const { patterns } = table
    const key = { pk: 'USER#bob', sk: 'PROFILE' }
    const [bob] = keys as [{ username: string }]
    expect(patterns.manyUsers.params([bob])).toEqual({
      RequestItems: { [table.name]: { Keys: [key] } },
    })
    expect(patterns.manyAtOnce.params([bob])).toEqual({
      TransactItems: [{ Get: { TableName: table.name, Key: key } }],
    })
  })

  test('writes give the item: as created, as changed, as it was before it was deleted', async () => {
    const { patterns } = await seeded(target)
    const carol = { username: 'carol', name: 'Carol' }
    expect((await patterns.register(carol)).item).toEqual({ ...carol, posts: 0 })
    expect(await codeOf(() => patterns.register(carol))).toBe('ITEM_EXISTS')
    const key = { username: 'alice', postId: 'p2' }
    const edited = await patterns.editPost({
      ...key,
      title: 'New',
      likes: 5,
      tags: new Set(['odd']),
    })
    expect(edited.item).toMatchObject({ title: 'New', likes: 45, tags: new Set(['even', 'odd']) })
    expect(edited.item.number).toBeUndefined()
    const moved = await patterns.editPost({ username: 'alice', postId: 'p1', status: 'draft' })
    expect(moved.item.status).toBe('draft')
    expect((await patterns.removePost(key)).item).toMatchObject({ title: 'New' })
    expect((await patterns.removePost(key)).item).toBeUndefined()
    expect((await patterns.savePost({ ...key, likes: 1 })).item).toMatchObject({ likes: 1 })
    expect(patterns.removePost.params(key)).toMatchObject({
      Key: { pk: 'USER#alice', sk: 'POST#p2' },
    })
  })

  test('a transaction takes the input of each step by its name, and does all or nothing', async () => {
    const table = await seeded(target)
    const { patterns } = table
    const post = { username: 'bob', postId: 'p9' }
    const tag = { postId: 'p9', tag: 'x', username: 'bob' }
    const done = await patterns.publish({ author: { username: 'bob' }, post, tag })
    expect(Object.keys(done.items)).toEqual(['post', 'tag'])
    expect(done.items.post).toMatchObject({ ...post, status: 'live' })
    expect((await patterns.tagged({ tag: 'x' })).items.length).toBe(4)
    const refused = await failureOf(() =>
      patterns.publish({ author: { username: 'nobody' }, post: { ...post, postId: 'p10' }, tag }),
    )
    expect(refused.code).toBe('TRANSACTION_CANCELED')
    expect(refused.message).toContain('check User')
    expect(await table.entities.Post.get({ ...post, postId: 'p10' }).execute()).toBeUndefined()
    await patterns.count({ user: { username: 'bob', posts: 2 }, post })
    expect((await patterns.getUser({ username: 'bob' })).item?.posts).toBe(2)
    expect(await table.entities.Post.get(post).execute()).toBeUndefined()
    expect(patterns.count.params({ user: { username: 'bob', posts: 2 }, post })).toMatchObject({
      TransactItems: [{ Update: {} }, { Delete: { Key: { pk: 'USER#bob', sk: 'POST#p9' } } }],
    })
  })

  test('a scan gives the items of its entity', async () => {
    const { patterns } = await seeded(target)
    const { items, cursor } = await patterns.everyone({}).page()
    expect(items.map(({ username }) => username).sort()).toEqual(['alice', 'bob'])
    expect(cursor).toBeUndefined()
    const found: string[] = []
    for await (const { username } of patterns.everyone.all({})) found.push(username)
    expect(found.sort()).toEqual(['alice', 'bob'])
  })

  test('what the table does not answer says who does', async () => {
    const { patterns } = await target.table(schema)
    // The compiler does not know them as functions.
    const { search, everything } = patterns as unknown as {
      [name: string]: (input: object) => Promise<unknown>
    }
    const external = await failureOf(() => search?.({}))
    expect(external.code).toBe('PLAN_INVALID')
    expect(external.message).toContain('OpenSearch answers it, not the table: full text.')
    expect(await codeOf(() => everything?.({}))).toBe('PLAN_INVALID')
    expect(patterns.search.plan()).toMatchObject({ op: 'none', service: 'OpenSearch', requests: 0 })
  })

  test('measure() runs a pattern and reports what it took', async () => {
    const { patterns } = await seeded(target)
    const run = await patterns.liked({ username: 'alice', minLikes: 40 }).measure()
    expect({ ...run, plan: run.plan.pattern, result: ids(run.result.items) }).toEqual({
      plan: 'liked',
      consumed: 0.5,
      requests: 1,
      itemsRead: 6,
      itemsReturned: 2,
      result: 'p2 p4',
    })
    const many = await patterns.manyUsers([{ username: 'alice' }, { username: 'no' }]).measure()
    expect([many.itemsRead, many.itemsReturned]).toEqual([1, 1])
    const atOnce = await patterns.manyAtOnce([{ username: 'alice' }, { username: 'no' }]).measure()
    expect([atOnce.itemsRead, atOnce.itemsReturned]).toEqual([1, 1])
    const feed = await patterns.feed({ username: 'alice' }).measure()
    expect([feed.itemsRead, feed.itemsReturned]).toEqual([7, 7])
    const write = await patterns.register({ username: 'dave' }).measure()
    expect([write.requests, write.result.item.username]).toEqual([1, 'dave'])
  })

  test('an input that cannot be meant is refused before anything is sent, with all that is wrong', async () => {
    const table = await target.table(schema)
    const { patterns } = table
    // Callers without the compiler's help.
    const wrong = patterns as unknown as {
      readonly [name: string]: (input?: unknown, options?: unknown) => Promise<unknown>
    }
    const issues: readonly (readonly [name: string, input: unknown, issues: readonly string[]])[] =
      [
        ['getUser', undefined, ['an object was expected, not undefined']],
        ['getUser', [], ['an object was expected, not an array']],
        [
          'getUser',
          { user: 'alice' },
          ['"username" is missing', '"user" is not a member of the input'],
        ],
        ['getUser', { username: undefined }, ['"username" is missing']],
        ['postsByUser', { username: 'a', postid: 'b' }, ['did you mean "postId"']],
        [
          'postsByUser',
          { username: 'a', postId: { form: 'b' } },
          ['"postId.form" is not a bound', 'did you mean "from"'],
        ],
        [
          'postsByUser',
          { username: 'a', postId: { from: undefined } },
          ['"postId.from" is undefined'],
        ],
        [
          'postsByUser',
          { username: 'a', postId: { from: 'b', gt: 'b' } },
          ['has both from and gt'],
        ],
        ['liked', { username: 'a' }, ['"minLikes" is missing']],
        [
          'filtered',
          { username: 'a', first: 'a', last: 'b', numbers: 7, tag: 'x', start: 'y' },
          ['"numbers" is not a list'],
        ],
        ['manyUsers', { username: 'a' }, ['an array was expected']],
        ['manyUsers', [{ user: 'a' }], ['"username" is missing']],
        ['manyAtOnce', 'alice', ['an array was expected']],
        [
          'editPost',
          { username: 'a', postId: 'b', day: 'c' },
          ['"day" is not a member of the input'],
        ],
        ['register', { name: 'Alice' }, ['"username"']],
        ['register', undefined, ['an object was expected']],
        ['publish', { author: { username: 'a' } }, ['"post" is missing', '"tag" is missing']],
        [
          'publish',
          { author: {}, post: {} },
          ['"tag" is missing', '"author.username" is missing', '"post.username" is missing'],
        ],
        ['feed', {}, ['"username" is missing']],
      ]
    const operations = await requestsOf(table, async () => {
      for (const [name, input, strings] of issues) {
        const error = await failureOf(() => wrong[name]?.(input))
        expect(error.code, name).toBe('INPUT_INVALID')
        expect(error.message).toContain(`pattern "${name}`)
        for (const text of strings) expect(error.message).toContain(text)
      }
      const options = await failureOf(() => wrong.getUser?.({ username: 'a' }, { limit: 3 }))
      expect([options.code, options.message]).toEqual([
        'OPTION_INVALID',
        expect.stringContaining('"limit"'),
      ])
      expect(await codeOf(() => wrong.titles?.({ username: 'a' }, { limit: 0 }))).toBe(
        'INPUT_INVALID',
      )
    })
    expect(operations).toEqual([])
  })

  test('an update that is given nothing to change is refused', async () => {
    const table = await target.table({
      ...schema,
      patterns: { rename: { op: 'update', entity: 'User', by: ['username'], set: ['name'] } },
    })
    const error = await failureOf(() => table.patterns.rename({ username: 'alice' }))
    expect(error.code).toBe('INPUT_INVALID')
  })

  test('a call can be aborted and has a deadline', async () => {
    const { patterns } = await seeded(target)
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(patterns.getUser({ username: 'alice' }, { signal })).rejects.toThrow('enough')
    expect(await codeOf(() => patterns.feed({ username: 'alice' }, { deadlineMs: -1 }))).toBe(
      'OPTION_INVALID',
    )
  })

  test('events name the pattern', async () => {
    const table = await seeded(target)
    const names: unknown[] = []
    const listener = (event: unknown): void => {
      const { table: name, pattern } = event as { table: string; pattern: string | undefined }
      if (name === table.name) names.push(pattern)
    }
    subscribe('singletable:request', listener)
    try {
      await table.patterns.tagged({ tag: 'x' })
      await table.entities.User.get({ username: 'alice' }).execute()
    } finally {
      unsubscribe('singletable:request', listener)
    }
    expect(names).toEqual(['tagged', 'tagged', undefined])
  })
})
