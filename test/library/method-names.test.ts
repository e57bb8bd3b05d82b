import { InputError, ItemExistsError, Table } from 'singletable'
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
        title: { type: String },
        note: { type: String },
        likes: { type: Number },
        views: { type: Number },
        tags: { type: Set, items: { type: String } },
        labels: { type: Set, items: { type: String } },
        log: { type: Array, items: { type: String } },
        seen: { type: Array, items: { type: String } },
      },
    },
  },
} as const

const KEY = { username: 'alice', postId: '1' }

function create() {
  const client = createEngine()
  const table = new Table({ name: 'Blog', schema, client })
  return { client, table, Post: table.entities.Post }
}

let { client, table, Post } = create()

beforeEach(async () => {
  ;({ client, table, Post } = create())
  await table.create()
  await Post.put(KEY)
})

describe('each word and its other name', () => {
  const query = () => Post.query({ username: 'alice' })

  test('order() is scanIndexForward()', () => {
    expect(query().order('desc').params()).toEqual(query().scanIndexForward(false).params())
    expect(query().order('asc').params()).toEqual(query().params())
    // @ts-expect-error: there is no such order.
    expect(() => query().order('down')).toThrow(/give 'asc' or 'desc'/)
  })

  test('consistent() is consistentRead()', () => {
    expect(query().consistent().params()).toEqual(query().consistentRead().params())
    expect(Post.get(KEY).consistent().params()).toEqual(Post.get(KEY).consistentRead().params())
  })

  test('cursor() is startFrom()', async () => {
    await Post.put({ ...KEY, postId: '2' })
    const { cursor } = await query().pageSize(1).executeWithPagination()
    expect(await query().cursor(cursor)).toEqual(await query().startFrom(cursor))
    expect(await query().cursor(cursor).count()).toBe(1)
  })

  test('params() is dbParams()', () => {
    const update = Post.update(KEY).set({ title: 'a' })
    expect(update.params()).toEqual(update.dbParams())
    expect(Post.scan().params()).toEqual(Post.scan().dbParams())
    expect(Object.keys(update.exactlyOnce().params())).toEqual(
      Object.keys(update.exactlyOnce().dbParams()),
    )
    expect(table.transactWrite().add(update).params().TransactItems).toHaveLength(1)
  })

  test('table.drop() is table.delete()', async () => {
    await table.drop()
    expect(await table.exists()).toBe(false)
    await table.create()
    await table.delete()
    expect(await table.exists()).toBe(false)
  })
})

describe('updates', () => {
  test('add, delete, append and prepend take an object as set does', async () => {
    await Post.update(KEY)
      .add({ likes: 2, views: 1, tags: ['a', 'b'], labels: new Set(['x']), title: undefined })
      .append({ log: ['one'], seen: ['bob'] })
    const post = await Post.update(KEY)
      .add({ likes: -1 })
      .delete({ tags: ['a'] })
      .append({ log: ['two'] })
      .prepend({ seen: ['eve'] })
    expect(post).toEqual({
      ...KEY,
      likes: 1,
      views: 1,
      tags: new Set(['b']),
      labels: new Set(['x']),
      log: ['one', 'two'],
      seen: ['eve', 'bob'],
    })
    // @ts-expect-error: one element is not a list.
    expect(() => Post.update(KEY).append({ log: 'three' })).toThrow(/list of elements/)
  })

  test('remove takes a list, too', async () => {
    await Post.update(KEY).set({ title: 'a', note: 'b', likes: 1 })
    expect(await Post.update(KEY).remove(['title', 'note'], 'likes')).toEqual(KEY)
  })

  test('a number that is not there can start from another than 0', async () => {
    const count = () => Post.update(KEY).add('likes', 1, { from: 100 })
    expect((await count()).likes).toBe(101)
    expect((await count()).likes).toBe(102)
    expect(count().params()).toMatchObject({
      UpdateExpression: expect.stringContaining('if_not_exists'),
    })
    expect(await Post.upsert({ ...KEY, postId: 'new' }).add('views', 1, { from: 7 })).toMatchObject(
      { views: 8 },
    )
  })

  test('a value to start from that is not a number is refused', async () => {
    await expect(Post.update(KEY).add('tags', ['a'], { from: 1 })).rejects.toThrow(InputError)
    await expect(Post.update(KEY).add('likes', 1, { from: 'x' })).rejects.toThrow(InputError)
    // @ts-expect-error: there is no such option.
    expect(() => Post.update(KEY).add('likes', 1, { form: 1 })).toThrow(/"form" is unknown/)
  })
})

describe('result()', () => {
  test('gives what the call resolves with', async () => {
    expect(await Post.put({ ...KEY, postId: '2' }).result()).toEqual({
      ok: true,
      value: { ...KEY, postId: '2' },
    })
  })

  test('gives a failed condition with the item that it failed for', async () => {
    const result = await Post.create(KEY).result()
    expect(result).toMatchObject({ ok: false, reason: 'ITEM_EXISTS', item: KEY })
    expect(!result.ok && result.error).toBeInstanceOf(ItemExistsError)
    const missing = await Post.update({ ...KEY, postId: 'x' })
      .set({ title: 'a' })
      .result()
    expect(missing).toMatchObject({ ok: false, reason: 'ITEM_NOT_FOUND', item: undefined })
    const refused = await Post.delete(KEY)
      .where((attr, op) => op.eq(attr.likes, 1))
      .result()
    expect(refused).toMatchObject({ ok: false, reason: 'CONDITION_FAILED', item: KEY })
  })

  test('throws every other error', async () => {
    await table.drop()
    await expect(Post.put(KEY).result()).rejects.toThrow(/Blog/)
    await expect(Post.put(KEY).result({ signal: AbortSignal.abort() })).rejects.toThrow(/abort/)
  })
})

describe('with()', () => {
  test('uses another name', async () => {
    const copy = table.with({ name: 'Copy' })
    await copy.create()
    await copy.entities.Post.put({ ...KEY, title: 'copy' })
    expect([copy.name, table.name]).toEqual(['Copy', 'Blog'])
    expect(await copy.entities.Post.get(KEY)).toEqual({ ...KEY, title: 'copy' })
    expect(await Post.get(KEY)).toEqual(KEY)
  })

  test('uses another client, without reading the schema again', async () => {
    const other = createEngine()
    const moved = table.with({ client: other })
    await moved.create()
    expect(await moved.entities.Post.get(KEY)).toBeUndefined()
    expect(moved.schema).toBe(table.schema)
    expect((await client.send('Scan', { TableName: 'Blog' })).Count).toBe(1)
  })

  test('stays in the scope', async () => {
    const alice = table.scope({ username: 'alice' }).with({ name: 'Blog' })
    expect(await alice.entities.Post.get({ postId: '1' })).toEqual(KEY)
    expect(() => alice.entities.Post.get({ username: 'bob', postId: '1' })).toThrow(InputError)
  })

  test('refuses what it does not know', () => {
    // @ts-expect-error: there is no such option.
    expect(() => table.with({ nam: 'x' })).toThrow(/"nam" is unknown/)
    expect(() => table.with({ name: '' })).toThrow(/name must be a string/)
  })
})

describe('options of a call', () => {
  test.each([
    ['get', (options: object) => Post.get(KEY).execute(options)],
    ['put', (options: object) => Post.put(KEY).execute(options)],
    ['query', (options: object) => Post.query({ username: 'alice' }).execute(options)],
    ['count', (options: object) => Post.query({ username: 'alice' }).count(options)],
    [
      'transactGet',
      (options: object) => table.transactGet().addGet(Post.get(KEY)).execute(options),
    ],
    ['create', (options: object) => table.create(options)],
  ])('one that %s does not have is refused', async (_, run) => {
    await expect(run({ deadline: 5 })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: expect.stringContaining('did you mean'),
    })
  })
})
