import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { beforeEach, describe, expect, test } from 'vitest'

const city = { type: String, required: true } as const
const address = { type: Object, schema: { city, zip: { type: String } } } as const

const schema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    User: {
      key: { pk: 'USER#${id}' },
      attributes: {
        id: { type: String, required: true },
        address: { ...address, required: true },
        home: { type: Object, schema: { at: { ...address, required: true } } },
        others: { type: Array, items: address },
      },
    },
  },
})

const engine = () => createEngine()
let table: Table<typeof schema>
let client: ReturnType<typeof engine>
const item = {
  id: '1',
  address: { city: 'Berlin', zip: '1' },
  home: { at: { city: 'Rome', zip: '2' } },
  others: [{ city: 'Oslo', zip: '3' }],
}

beforeEach(async () => {
  client = engine()
  table = new Table({ name: 'Users', schema, client })
  await table.create()
  await table.entities.User.create(item).execute()
})

describe('a required member of a map', () => {
  const update = () => table.entities.User.update({ id: '1' })
  const upsert = () => table.entities.User.upsert({ id: '1' })

  test("can't be removed, wherever the map is", async () => {
    const updates = [
      () => update().remove((attr) => attr.address.city),
      () => update().remove((attr) => attr.home.at.city),
      () => update().remove((attr) => attr.home.at),
      () => update().remove((attr) => attr.others[0]!.city),
      () => update().remove('address' as 'home'),
    ]
    for (const each of updates) {
      await expect(async () => each().execute()).rejects.toMatchObject({
        code: 'INPUT_INVALID',
        message: expect.stringContaining("is required and can't be removed"),
      })
    }
  })

  test("can't be left out of what is set, added or appended", async () => {
    // Types refuse these as well.
    const partial = { zip: '9' } as never
    const updates = [
      () => update().set({ address: partial }),
      () => update().set((attr) => attr.home.at, partial),
      () => update().set({ home: { at: partial } }),
      () => update().set((attr) => attr.others[0]!, partial),
      () => update().setDefault('address', partial),
      () => update().append('others', [partial]),
      () => upsert().set({ address: partial }),
    ]
    for (const each of updates) {
      await expect(async () => each().execute()).rejects.toMatchObject({
        code: 'INPUT_INVALID',
        message: expect.stringContaining('city" is missing'),
      })
    }
    expect(await table.entities.User.get({ id: '1' }).execute()).toEqual(item)
  })

  test('others, and elements of lists, can be removed', async () => {
    const changed = await update()
      .remove((attr) => attr.address.zip)
      .remove((attr) => attr.home.at.zip)
      .remove((attr) => attr.others[0]!)
      .execute()
    expect(changed).toEqual({
      id: '1',
      address: { city: 'Berlin' },
      home: { at: { city: 'Rome' } },
      others: [],
    })
  })

  test.each([
    ['address', { M: { zip: { S: '1' } } }, 'address.city'],
    ['home', { M: { at: { M: {} } } }, 'home.at.city'],
    ['home', { M: {} }, 'home.at'],
    ['others', { L: [{ M: { city: { S: 'Oslo' } } }, { M: {} }] }, 'others[1].city'],
  ])('that a stored %s lacks is a DecodeError', async (name, value, path) => {
    await client.send('UpdateItem', {
      TableName: 'Users',
      Key: { pk: { S: 'USER#1' } },
      UpdateExpression: 'SET #name = :value',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':value': value as never },
    })
    await expect(table.entities.User.get({ id: '1' }).execute()).rejects.toMatchObject({
      code: 'DECODE_FAILED',
      message: expect.stringContaining(`"${path}" is missing`),
    })
  })

  test('may be left out by a projection, and by what an update gives', async () => {
    const read = await table.entities.User.get({ id: '1' })
      .select((attr) => [attr.address.zip])
      .execute()
    expect(read).toEqual({ address: { zip: '1' } })
    const changed = await update()
      .set((attr) => attr.address.zip, '8')
      .returning('UPDATED_NEW')
      .execute()
    expect(changed).toEqual({ address: { zip: '8' } })
  })
})

describe('a required set', () => {
  const tags = { type: Set, items: { type: String }, required: true } as const
  const sets = defineSchema({
    indexes: { primary: { hash: 'pk' } },
    models: {
      Post: {
        key: { pk: 'POST#${id}' },
        attributes: {
          id: { type: String, required: true },
          tags,
          more: { type: Set, items: { type: Number } },
          inside: { type: Object, schema: { tags } },
          seen: { type: Number, default: 0 },
        },
      },
      Copied: {
        key: { pk: 'COPIED#${id}' },
        attributes: {
          id: { type: String, required: true },
          tags,
          inside: { type: Object, schema: { tags } },
        },
        copies: { Copy: { key: { pk: 'COPY#${id}' } } },
      },
      Started: {
        key: { pk: 'STARTED#${id}' },
        attributes: {
          id: { type: String, required: true },
          tags: { ...tags, default: () => new Set(['a']) },
        },
      },
    },
  })
  let posts: Table<typeof sets>
  beforeEach(async () => {
    posts = new Table({ name: 'Posts', schema: sets, client: createEngine() })
    await posts.create()
  })
  const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

  test.each(['Post', 'Copied'] as const)('of a %s keeps a member', async (model) => {
    const entity = posts.entities[model] as typeof posts.entities.Copied
    const item = { id: '1', tags: new Set(['a', 'b']), inside: { tags: new Set(['a', 'b']) } }
    await entity.create(item).execute()
    const update = () => entity.update({ id: '1' })
    const refused = [
      update().delete('tags', ['a', 'b']),
      update().delete('tags', ['x', 'b', 'a']),
      update().delete('tags', many),
      update().delete((attr) => attr.inside.tags, ['b', 'a']),
      update().delete('tags', ['a', 'b']).set({ id: '2' }),
    ]
    for (const each of refused) {
      await expect(each.execute()).rejects.toMatchObject({
        code: 'CONDITION_FAILED',
        message: expect.stringMatching(
          /would remove the last members of "(inside\.)?tags", which is required/,
        ),
        item: expect.objectContaining(item),
      })
    }
    expect(await entity.get({ id: '1' }).execute()).toMatchObject(item)
    const changed = await update().delete('tags', ['x', 'b']).execute()
    expect(changed.tags).toEqual(new Set(['a']))
    await update().delete('tags', ['x', 'y']).execute()
    await update()
      .delete((attr) => attr.inside.tags, ['a'])
      .execute()
    await update()
      .set({ tags: new Set([...many, 'h']) })
      .execute()
    const left = await update().delete('tags', many).execute()
    expect(left.tags).toEqual(new Set(['h']))
  })

  test('keeps a member in a transaction, and an optional one need not', async () => {
    const { Post } = posts.entities
    await Post.create({ id: '1', tags: new Set(['a']), more: new Set([1]) }).execute()
    const update = Post.update({ id: '1' }).delete('tags', ['a'])
    const transaction = posts.transactWrite().addUpdate(update).execute()
    await expect(transaction).rejects.toMatchObject({ code: 'TRANSACTION_CANCELED' })
    const changed = await Post.update({ id: '1' }).delete('more', [1]).execute()
    expect(changed).toEqual({ id: '1', tags: new Set(['a']), seen: 0 })
  })

  test('says so if it was another condition that failed', async () => {
    const { Post } = posts.entities
    await Post.create({ id: '1', tags: new Set(['a', 'b']) }).execute()
    const update = Post.update({ id: '1' }).delete('tags', ['a'])
    await expect(update.where((attr, op) => op.gt(attr.seen, 5)).execute()).rejects.toThrow(
      'The condition of the update does not hold',
    )
  })

  test('of a new item is not emptied by an upsert', async () => {
    const upsert = posts.entities.Started.upsert({ id: '1' }).delete('tags', ['a'])
    await expect(upsert.execute()).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining('"tags" is required and would lose its last members'),
    })
  })
})
