import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, expectTypeOf, test } from 'vitest'

const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byCity: { hash: 'cityPk', sort: 'citySk', project: ['name'] },
  },
  models: {
    User: {
      key: { pk: 'USER#${username}', sk: 'A' },
      index: { cityPk: 'CITY#${city}', citySk: 'USER#${username}' },
      attributes: {
        username: { type: String, required: true },
        city: { type: String, required: true },
        name: { type: String, required: true, map: 'n' },
        bio: { type: String },
      },
    },
    Shop: {
      key: { pk: 'USER#${username}', sk: 'SHOP#${shop}' },
      index: { cityPk: 'CITY#${city}', citySk: 'SHOP#${shop}' },
      attributes: {
        username: { type: String, required: true },
        shop: { type: String, required: true },
        city: { type: String, required: true },
        name: { type: String, required: true },
        rating: { type: Number, required: true },
      },
    },
  },
})

async function town() {
  const engine = createEngine()
  const table = new Table({ name: 'town', schema, client: engine })
  await table.create()
  await table.entities.User.put({ username: 'ann', city: 'Ulm', name: 'Ann', bio: 'Hi' })
  for (const [at, shop] of ['books', 'tea'].entries()) {
    await table.entities.Shop.put({ username: 'ann', shop, city: 'Ulm', name: shop, rating: at })
  }
  return { table, engine }
}

test('of a model only what is selected is given, and the others are whole', async () => {
  const { table } = await town()
  const all = table.collect(['User', 'Shop'], { username: 'ann' })
  const { User, Shop } = await all.select('User', ['name'])
  expect(User).toEqual([{ name: 'Ann' }])
  expectTypeOf(User).toEqualTypeOf<{ name: string }[]>()
  expect(Shop[0]).toEqual({ username: 'ann', shop: 'books', city: 'Ulm', name: 'books', rating: 0 })
})

test('where all models select, only that is read, and trees, pages and iteration have it', async () => {
  const { table } = await town()
  const all = table
    .collect(['User', 'Shop'], { username: 'ann' })
    .select('User', ['bio'])
    .select('Shop', ['shop', 'rating'])
    .select('Shop', ['shop'])
  expect(all.params().ProjectionExpression).toBeDefined()
  expect(Object.values(all.params().ExpressionAttributeNames ?? {})).not.toContain('rating')
  const tree = await all.tree('User')
  expect(tree).toEqual({ bio: 'Hi', Shop: [{ shop: 'books' }, { shop: 'tea' }] })
  expectTypeOf(tree!.Shop).toEqualTypeOf<{ shop: string }[]>()
  const { groups } = await all.limit(2).executeWithPagination()
  expect(groups).toEqual({ User: [{ bio: 'Hi' }], Shop: [{ shop: 'books' }], unknown: [] })
  const each = []
  for await (const { item } of all) each.push(item)
  expect(each).toEqual([{ bio: 'Hi' }, { shop: 'books' }, { shop: 'tea' }])
})

test('conditions look at attributes that are not selected, also for items without a type', async () => {
  const { table, engine } = await town()
  await engine.send('PutItem', {
    TableName: 'town',
    Item: {
      pk: { S: 'USER#ann' },
      sk: { S: 'SHOP#wood' },
      shop: { S: 'wood' },
      rating: { N: '5' },
    },
  })
  const { Shop } = await table
    .collect(['User', 'Shop'], { username: 'ann' })
    .where('Shop', (attr, op) => op.gte(attr.rating, 1))
    .select('User', ['name'])
    .select('Shop', ['shop'])
  expect(Shop).toEqual([{ shop: 'tea' }, { shop: 'wood' }])
})

test('an index that has a part of the items gives that part', async () => {
  const { table } = await town()
  const all = table.collect(['User', 'Shop'], { city: 'Ulm' })
  await expect(all.execute()).rejects.toThrow('PLAN_PROJECTION')
  const some = all.select('Shop', ['name', 'shop'])
  await expect(some.execute()).rejects.toThrow('PLAN_PROJECTION')
  const { Shop, User } = await some.select('User', ['username', 'city'])
  expect(Shop[1]).toEqual({ name: 'tea', shop: 'tea' })
  expect(User).toEqual([{ username: 'ann', city: 'Ulm' }])
})

test('what cannot be selected is refused', async () => {
  const { table } = await town()
  const all = table.collect(['User'], { username: 'ann' })
  // @ts-expect-error Shop is not one of the models.
  expect(() => all.select('Shop', ['name'])).toThrow('"Shop" is not one of the models')
  // @ts-expect-error A user has no rating.
  expect(() => all.select('User', ['rating'])).toThrow('rating')
  expect(() => all.select('User', [])).toThrow('select() needs a list of attributes')
  // @ts-expect-error A name is not a list.
  expect(() => all.select('User', 'name')).toThrow('an array was expected')
})
