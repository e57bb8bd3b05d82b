import { defineSchema, Table } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest'

/** One copy for each element of a list or set, added and removed with it. */

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, byDay: { hash: 'gpk', sort: 'gsk' } },
  models: {
    Blog: {
      key: { pk: 'BLOG#${blogId}', sk: 'BLOG' },
      attributes: {
        blogId: { type: String, required: true },
        posts: { type: Number, counts: 'Post' },
        likes: { type: Number, sums: 'Post.likes' },
        spent: { type: 'decimal', sums: { of: 'Post.cost', when: { state: 'live' } } },
      },
    },
    Post: {
      key: { pk: 'POST#${postId}', sk: 'POST' },
      attributes: {
        postId: { type: String, required: true },
        blogId: { type: String },
        title: { type: String, required: true },
        tags: { type: Set, items: { type: String } },
        scores: { type: Array, items: { type: Number }, pad: 4 },
        state: { type: String, enum: ['draft', 'live'] },
        likes: { type: Number },
        cost: { type: 'decimal' },
        ends: { type: Date, ttl: true },
      },
      copies: {
        TagPost: { each: 'tags', key: { pk: 'TAG#${tag}', sk: 'POST#${postId}' } },
        ScorePost: {
          each: 'scores',
          as: 'score',
          key: { pk: 'SCORES', sk: 'SCORE#${score}#${postId}' },
          index: { gpk: 'SCORE#${score}', gsk: '${title}' },
          attributes: [],
          when: { state: 'live' },
        },
      },
    },
  },
  patterns: {
    postsByTag: { op: 'query', entity: 'TagPost', by: ['tag'] },
    addPost: { op: 'transact', steps: { post: { op: 'create', entity: 'Post' } } },
  },
})

let engine: Engine
let table: Table<typeof schema>

beforeEach(async () => {
  engine = createEngine()
  table = new Table({ name: 'blog', schema, client: engine })
  await table.create()
})
afterEach(() => engine.close())

/** All tags that the table has copies for, by post. */
async function tagged(): Promise<string[]> {
  const { Items = [] } = await engine.send('Scan', { TableName: 'blog' })
  return Items.flatMap(({ pk, sk }) =>
    pk?.S?.startsWith('TAG#') ? `${pk.S.slice(4)} ${sk?.S?.slice(5)}` : [],
  ).sort()
}

const first = { postId: '1', title: 'One', tags: new Set(['a', 'b']) }

describe('each element has a copy', () => {
  test('a query by the element gives typed items', async () => {
    const { Post, TagPost } = table.entities
    await Post.put(first).execute()
    await Post.put({ postId: '2', title: 'Two', tags: new Set(['b']) }).execute()
    const found = await TagPost.query({ tag: 'b' }).execute()
    expectTypeOf(found[0]!.tag).toEqualTypeOf<string>()
    expectTypeOf(found[0]!.title).toEqualTypeOf<string>()
    expect(found).toEqual([
      { ...first, tag: 'b' },
      { postId: '2', title: 'Two', tags: new Set(['b']), tag: 'b' },
    ])
    expect(await TagPost.get({ tag: 'a', postId: '1' }).execute()).toEqual({ ...first, tag: 'a' })
    expect((await table.patterns.postsByTag({ tag: 'a' })).items).toHaveLength(1)
  })

  test('create, update, upsert, delete and a change of the key keep them', async () => {
    const { Post } = table.entities
    await Post.create(first).execute()
    await Post.update({ postId: '1' }).add('tags', ['c']).delete('tags', []).execute()
    expect(await tagged()).toEqual(['a 1', 'b 1', 'c 1'])
    await Post.update({ postId: '1' }).delete('tags', ['a', 'c']).execute()
    expect(await tagged()).toEqual(['b 1'])
    await Post.update({ postId: '1' })
      .set({ tags: new Set(['d', 'b']) })
      .execute()
    await Post.update({ postId: '1' }).set({ postId: '9' }).execute()
    expect(await tagged()).toEqual(['b 9', 'd 9'])
    await Post.upsert({ postId: '9' })
      .set({ title: 'Nine', tags: new Set(['e']) })
      .execute()
    expect(await tagged()).toEqual(['e 9'])
    await Post.update({ postId: '9' }).remove('tags').execute()
    expect(await tagged()).toEqual([])
    await Post.put({ ...first, postId: '9' }).execute()
    await Post.delete({ postId: '9' }).execute()
    expect(await tagged()).toEqual([])
  })

  test('a change of another attribute is in all copies', async () => {
    const { Post, TagPost } = table.entities
    await Post.put(first).execute()
    await Post.update({ postId: '1' }).set({ title: 'New' }).execute()
    const copies = await Promise.all(
      ['a', 'b'].map((tag) => TagPost.get({ tag, postId: '1' }).execute()),
    )
    expect(copies.map((copy) => copy?.title)).toEqual(['New', 'New'])
  })

  test('transactions take them with given(), and batches read first', async () => {
    const { Post } = table.entities
    await table.batchWrite([Post.put(first), Post.put({ ...first, postId: '2' })]).execute()
    const nothing = { blogId: undefined, likes: undefined, cost: undefined, ends: undefined }
    const known = { ...nothing, ...first, scores: undefined, state: undefined }
    await expect(
      table
        .transactWrite()
        .add(Post.update({ postId: '1' }).add('tags', ['c']))
        .execute(),
    ).rejects.toThrow('depends on "tags", "blogId", "title"')
    await table
      .transactWrite()
      .add(Post.update({ postId: '1' }).add('tags', ['c']).given(known))
      .add(Post.delete({ postId: '2' }).given({ ...known, postId: '2' }))
      .execute()
    expect(await tagged()).toEqual(['a 1', 'b 1', 'c 1'])
  })
})

describe('a list', () => {
  test('has one copy for equal elements, with index keys, while its condition holds', async () => {
    const { Post, ScorePost } = table.entities
    await Post.put({ postId: '1', title: 'One', scores: [7, 3, 7], state: 'live' }).execute()
    const all = await ScorePost.query()
      .where((attr, op) => op.eq(attr.pk, 'SCORES'))
      .execute()
    expect(all).toEqual([
      { postId: '1', title: 'One', score: 3 },
      { postId: '1', title: 'One', score: 7 },
    ])
    expect(await ScorePost.query({ score: 7 }).useIndex('byDay').execute()).toHaveLength(1)
    await Post.update({ postId: '1' }).append('scores', [8]).execute()
    expect(await ScorePost.scan().count()).toBe(3)
    await Post.update({ postId: '1' }).set({ state: 'draft' }).execute()
    expect(await ScorePost.scan().count()).toBe(0)
  })
})

describe('the limit of 100', () => {
  const tags = (count: number, prefix = 't') =>
    new Set(Array.from({ length: count }, (_, index) => `${prefix}${index}`))

  test('99 elements fit, and 100 are refused before anything is sent', async () => {
    const { Post } = table.entities
    await Post.put({ ...first, tags: tags(99) }).execute()
    expect(await tagged()).toHaveLength(99)
    await expect(Post.create({ ...first, postId: '2', tags: tags(100) }).execute()).rejects.toThrow(
      'The transaction has 101 operations; DynamoDB takes 1 to 100. 100 of them are copies, one for each element of "tags".',
    )
    await expect(
      Post.update({ postId: '1' })
        .set({ tags: tags(60, 'u') })
        .execute(),
    ).rejects.toMatchObject({
      code: 'TRANSACTION_INVALID',
      message: expect.stringContaining('The transaction has 160 operations'),
      fix: expect.stringContaining('give "tags" fewer elements, or change fewer of them at once'),
    })
    expect(await tagged()).toHaveLength(99)
  })
})

describe('what can not be', () => {
  test('an element that no key can have is named with its list', async () => {
    const { Post } = table.entities
    await expect(Post.put({ ...first, tags: new Set(['ok', 'no#t']) }).execute()).rejects.toThrow(
      /"tags".*no#t|no#t.*"tags"/s,
    )
  })

  test('copies are not written by themselves', () => {
    // @ts-expect-error a copy is only read
    expect(() => table.entities.TagPost.put({ tag: 'a', ...first })).toThrow()
  })
})

test('explain() says that there is a copy for each element', async () => {
  const { Post } = table.entities
  expect((await Post.put(first).explain()).writes).toEqual([
    'put Post',
    'copy TagPost for each element of "tags"',
    'copy ScorePost for each element of "scores"',
    'count Blog.posts',
    'sum Blog.likes',
    'sum Blog.spent',
  ])
  expect((await Post.create(first).explain()).writes).toContain(
    'copy TagPost for each element of "tags"',
  )
})

describe('sums', () => {
  const sums = async () => {
    const blog = await table.entities.Blog.get({ blogId: 'b' }).execute()
    return blog && [blog.posts, blog.likes, blog.spent]
  }

  test('follow every write by the difference, exactly', async () => {
    const { Blog, Post } = table.entities
    const made = await Blog.create({ blogId: 'b' }).execute()
    expect(made).toEqual({ blogId: 'b', posts: 0, likes: 0, spent: '0' })
    const post = { title: 't', blogId: 'b', state: 'live' as const }
    await Post.create({ ...post, postId: '1', likes: 3, cost: '0.1' }).execute()
    await Post.create({ ...post, postId: '2', likes: -1, cost: '0.2' }).execute()
    expect(await sums()).toEqual([2, 2, '0.3'])
    await Post.update({ postId: '1' }).add('likes', 4).execute()
    await Post.update({ postId: '2' }).set({ state: 'draft' }).execute()
    expect(await sums()).toEqual([2, 6, '0.1'])
    await Post.update({ postId: '1' }).remove('likes').execute()
    await Post.put({ ...post, postId: '1', likes: 1, cost: '5' }).execute()
    expect(await sums()).toEqual([2, 0, '5'])
    await Post.update({ postId: '2' }).remove('blogId').execute()
    await Post.delete({ postId: '1' }).execute()
    expect(await sums()).toEqual([0, 0, '0'])
  })

  test('are right after many writers at once, and after answers are lost', async () => {
    const { Blog, Post } = table.entities
    await Blog.create({ blogId: 'b' }).execute()
    const ids = ['1', '2', '3', '4']
    const post = { title: 't', blogId: 'b', likes: 0 }
    for (const postId of ids) await Post.create({ ...post, postId }).execute()
    engine.faults.add({ kind: 'error', when: 'after', operation: 'TransactWriteItems', count: 5 })
    await Promise.all(
      ids.flatMap((postId) =>
        [1, 2, 3].map((likes) => Post.update({ postId }).add('likes', likes).execute()),
      ),
    )
    expect(await sums()).toEqual([4, 24, '0'])
  })

  test('an item joins a parent that exists, also with 0', async () => {
    const { Post } = table.entities
    const orphan = Post.create({ postId: '1', title: 't', blogId: 'b', likes: 0 })
    await expect(orphan.execute()).rejects.toMatchObject({ code: 'PARENT_MISSING' })
  })

  test('can not be given, and are not in copies', async () => {
    const { Blog } = table.entities
    // @ts-expect-error a sum is kept by the library
    await expect(Blog.create({ blogId: 'b', likes: 1 }).execute()).rejects.toThrow(
      '"likes" is updated by writes of the items it counts or adds up',
    )
    // @ts-expect-error a sum is kept by the library
    expect(() => Blog.update({ blogId: 'b' }).set({ likes: 1 }).dbParams()).toThrow('adds up')
  })

  test('a transaction makes the parent with its sums', async () => {
    const { Blog, Post } = table.entities
    const post = { title: 't', blogId: 'b', likes: 2 }
    await table
      .transactWrite()
      .add(Blog.create({ blogId: 'b' }))
      .add(Post.create({ ...post, postId: '1' }))
      .add(Post.create({ ...post, postId: '2' }))
      .execute()
    expect(await sums()).toEqual([2, 4, '0'])
  })
})

test('a sum that DynamoDB could not hold is refused before anything is sent', async () => {
  const { Blog, Post } = table.entities
  await Blog.create({ blogId: 'b' })
  const post = { title: 't', blogId: 'b', state: 'live' as const }
  await expect(
    table
      .transactWrite()
      .add(Post.create({ ...post, postId: '1', cost: '1e30' }))
      .add(Post.create({ ...post, postId: '2', cost: '1e-30' })),
  ).rejects.toThrow('"spent" would be a number with more than 38 digits')
  await Post.create({ ...post, postId: '1', cost: '1e30' })
  await expect(Post.update({ postId: '1' }).set({ cost: '1e-30' })).rejects.toThrow(
    '"cost" differs from the value before by a number with more than 38 digits',
  )
})

describe('other ways to write', () => {
  test('save, computed values and the time to live keep copies and sums', async () => {
    const { Blog, Post, TagPost } = table.entities
    await Blog.create({ blogId: 'b' })
    await Post.create({ ...first, blogId: 'b', likes: 2 })
    const read = (await Post.get({ postId: '1' }))!
    await Post.save({ ...read, tags: new Set(['b', 'c']), likes: 5 }, read)
    expect(await tagged()).toEqual(['b 1', 'c 1'])
    await Post.update({ postId: '1' }).set('likes', (attr, op) => op.plus(attr.likes, 1))
    expect(await Blog.get({ blogId: 'b' })).toMatchObject({ posts: 1, likes: 6 })
    const ends = new Date(Math.ceil(Date.now() / 1000) * 1000 + 60_000)
    await Post.update({ postId: '1' }).set({ ends })
    expect(await TagPost.get({ tag: 'c', postId: '1' })).toMatchObject({ ends, likes: 6 })
  })

  test('a scope keeps copies of elements inside, and refuses those outside', async () => {
    const text = { type: String, required: true } as const
    const attributes = {
      tenant: text,
      id: text,
      tags: { type: Set, items: { type: String } },
    } as const
    const tenants = new Table({
      name: 'blog',
      client: engine,
      schema: defineSchema({
        indexes: { primary: { hash: 'pk', sort: 'sk' } },
        models: {
          Page: {
            key: { pk: 'T#${tenant}', sk: 'PAGE#${id}' },
            attributes,
            copies: {
              TagPage: { each: 'tags', key: { pk: 'T#${tenant}#TAG#${tag}', sk: '${id}' } },
            },
          },
          Offer: {
            key: { pk: 'T#${tenant}', sk: 'OFFER#${id}' },
            attributes,
            copies: {
              Public: { each: 'tags', key: { pk: 'PUBLIC#${tag}', sk: '${tenant}#${id}' } },
            },
          },
        },
      }),
    })
    const { Page, Offer, TagPage } = tenants.scope({ tenant: 'acme' }).entities
    await Page.create({ id: '1', tags: new Set(['a']) })
    expect(await TagPage.query({ tag: 'a' })).toHaveLength(1)
    await expect(Offer.create({ id: '1', tags: new Set(['a']) })).rejects.toMatchObject({
      code: 'SCOPE_VIOLATED',
    })
  })
})
