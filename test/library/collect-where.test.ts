import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    User: {
      key: { pk: 'USER#${username}', sk: 'A' },
      attributes: { username: { type: String, required: true }, name: { type: String } },
    },
    Post: {
      key: { pk: 'USER#${username}', sk: 'POST#${number:pad(3)}' },
      attributes: {
        username: { type: String, required: true },
        number: { type: Number, required: true },
        views: { type: Number, required: true },
        tags: { type: Set, items: { type: String } },
      },
    },
    Like: {
      key: { pk: 'USER#${username}', sk: 'LIKE#${number:pad(3)}' },
      attributes: {
        username: { type: String, required: true },
        number: { type: Number, required: true },
      },
    },
  },
})

async function blog() {
  const engine = createEngine()
  const table = new Table({ name: 'blog', schema, client: engine })
  await table.create()
  const { User, Post, Like } = table.entities
  await User.put({ username: 'alice', name: 'Alice' }).execute()
  for (const number of [1, 2, 3, 4]) {
    await Post.put({ username: 'alice', number, views: number * 10 }).execute()
    await Like.put({ username: 'alice', number }).execute()
  }
  return { table, engine }
}

test('a condition on one model leaves the items of the others', async () => {
  const { table } = await blog()
  const popular = table
    .collect(['User', 'Post', 'Like'], { username: 'alice' })
    .where('Post', (attr, op) => op.gte(attr.views, 30))
  const groups = await popular.execute()
  expect(groups.User).toHaveLength(1)
  expect(groups.Post.map(({ number }) => number)).toEqual([3, 4])
  expect(groups.Like).toHaveLength(4)
  expect(popular.explain().filter).toBe('_type <> "Post" OR views >= 30')
  const tree = await popular.tree('User')
  expect(tree?.Post).toHaveLength(2)
})

test('several conditions must all hold, and keys answer what they can', async () => {
  const { table } = await blog()
  const posts = table
    .collect(['Post', 'Like'], { username: 'alice' })
    .where('Post', (attr, op) => op.between(attr.number, 2, 3))
    .where('Post', (attr, op) => op.or(op.eq(attr.views, 20), op.not(op.lt(attr.views, 40))))
    .where('Like', (attr, op) => op.lte(attr.number, 2))
  const groups = await posts.execute()
  expect(groups.Post.map(({ number }) => number)).toEqual([2])
  expect(groups.Like.map(({ number }) => number)).toEqual([1, 2])
})

test('pages of a collection have results that fulfil its conditions, and one cursor', async () => {
  const { table } = await blog()
  const pages = table
    .collect(['Post', 'Like'], { username: 'alice' })
    .where('Like', (attr, op) => op.ne(attr.number, 1))
    .limit(2)
  const found: number[] = []
  let cursor: string | undefined
  do {
    const { groups, cursor: next } = await pages.startFrom(cursor).executeWithPagination()
    found.push(...groups.Like.map(({ number }) => number), ...groups.Post.map(({ views }) => views))
    cursor = next
  } while (cursor !== undefined)
  expect(found).toEqual([2, 3, 4, 10, 20, 30, 40])
})

test('items without a type are judged by the same conditions, or the call says that it cannot', async () => {
  const { table, engine } = await blog()
  for (const [sk, views] of [
    ['POST#008', '80'],
    ['POST#009', '5'],
  ] as const) {
    await engine.send('PutItem', {
      TableName: 'blog',
      Item: {
        pk: { S: 'USER#alice' },
        sk: { S: sk },
        username: { S: 'alice' },
        number: { N: sk.slice(-1) },
        views: { N: views },
        tags: { SS: ['x'] },
      },
    })
  }
  const asked = table.collect(['User', 'Post'], { username: 'alice' })
  const groups = await asked
    .where('Post', (attr, op) => op.or(op.gt(attr.views, 30), op.eq(attr.number, 1)))
    .execute()
  expect(groups.Post.map(({ number }) => number)).toEqual([1, 4, 8])
  const unclear = asked.where('Post', (attr, op) => op.contains(attr.tags, 'x'))
  await expect(unclear.execute()).rejects.toThrow('An item without a type attribute was read')
})

test('a condition on a model that is not asked for is refused', async () => {
  const { table } = await blog()
  const asked = table.collect(['User', 'Post'], { username: 'alice' })
  // @ts-expect-error Like is not one of the models.
  expect(() => asked.where('Like', (attr, op) => op.eq(attr.number, 1))).toThrow(
    '"Like" is not one of the models',
  )
  // @ts-expect-error A user has no views.
  expect(() => asked.where('User', (attr, op) => op.eq(attr.views, 1))).toThrow('views')
})
