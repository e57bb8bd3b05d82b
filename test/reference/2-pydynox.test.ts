import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { describe, expect, test } from 'vitest'
import { onEachTarget } from '../behaviour/on-each-target.ts'
import { requestsOf } from '../behaviour/requests-of.ts'

/** The second reference text, in TypeScript: one test for each of its headings that promise
 * behaviour. */

const AppSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    inverted: { hash: 'sk', sort: 'pk' },
  },
  models: {
    User: {
      key: { pk: 'USER#${userId}', sk: 'PROFILE' },
      attributes: {
        userId: { type: String, required: true },
        name: { type: String, required: true },
      },
    },
    Order: {
      key: { pk: 'USER#${userId}', sk: 'ORDER#${orderId}' },
      attributes: {
        userId: { type: String, required: true },
        orderId: { type: String, required: true },
        total: { type: Number, default: 0 },
      },
    },
    Follow: {
      key: { pk: 'FOLLOWER#${follower}', sk: 'FOLLOWING#${following}' },
      attributes: {
        follower: { type: String, required: true },
        following: { type: String, required: true },
      },
    },
    Visit: {
      key: { pk: 'USER#${userId}', sk: 'VISIT#${shopId}#${date}' },
      attributes: {
        userId: { type: String, required: true },
        shopId: { type: String, required: true },
        date: { type: String, required: true },
      },
    },
  },
})

onEachTarget((target) => {
  test('Why single-table?: a user and their orders by one query', async () => {
    const table = await target.table(AppSchema)
    const { User, Order } = table.entities
    await User.put({ userId: '1', name: 'Ann' }).execute()
    await Order.put({ userId: '1', orderId: '1' }).execute()
    const operations = await requestsOf(table, async () => {
      const user = await table.collect(['User', 'Order'], { userId: '1' }).tree('User')
      expect(user).toEqual({
        userId: '1',
        name: 'Ann',
        Order: [{ userId: '1', orderId: '1', total: 0 }],
      })
    })
    expect(operations).toEqual(['Query'])
  })

  test("The problem: an Order can't be written under a User's keys", async () => {
    const { entities } = await target.table(AppSchema)
    // Key attributes are not attributes of the model, so the types refuse them as well.
    const forged = { userId: 'john', orderId: '1', pk: 'USER#john', sk: 'PROFILE' }
    await expect(async () => entities.Order.put(forged).execute()).rejects.toMatchObject({
      code: 'KEY_MISMATCH',
    })
    const own = { userId: 'john', orderId: '1', pk: 'USER#john', sk: 'ORDER#1' }
    await entities.Order.put(own).execute()
    expect(await entities.Order.get({ userId: 'john', orderId: '1' }).execute()).toMatchObject({
      orderId: '1',
    })
  })

  test('Template keys: placeholders take the value of their attribute, static templates are always the same', async () => {
    const { entities } = await target.table(AppSchema)
    expect(entities.User.renderKey({ userId: 'john@example.com' })).toEqual({
      pk: 'USER#john@example.com',
      sk: 'PROFILE',
    })
    await entities.User.put({ userId: 'john@example.com', name: 'John' }).execute()
    expect(await entities.User.get({ userId: 'john@example.com' }).execute()).toEqual({
      userId: 'john@example.com',
      name: 'John',
    })
  })

  test('Multiple placeholders: sorted by the first, then by the second', async () => {
    const { Visit } = (await target.table(AppSchema)).entities
    for (const [shopId, date] of [
      ['b', '2026-01-01'],
      ['a', '2026-02-01'],
      ['a', '2026-01-01'],
    ] as const) {
      await Visit.put({ userId: '1', shopId, date }).execute()
    }
    const visits = await Visit.query({ userId: '1' }).execute()
    expect(visits.map((visit) => `${visit.shopId} ${visit.date}`)).toEqual([
      'a 2026-01-01',
      'a 2026-02-01',
      'b 2026-01-01',
    ])
    expect(await Visit.query({ userId: '1', shopId: 'a' }).execute()).toHaveLength(2)
  })

  test('Querying with templates: by placeholder or by the whole key, with the same result', async () => {
    const { Order } = (await target.table(AppSchema)).entities
    await Order.put({ userId: '123', orderId: '1' }).execute()
    await Order.put({ userId: '124', orderId: '2' }).execute()
    const byPlaceholder = await Order.query({ userId: '123' }).execute()
    const byKey = await Order.query({ pk: 'USER#123' }).execute()
    expect(byPlaceholder.map((order) => order.orderId)).toEqual(['1'])
    expect(byKey).toEqual(byPlaceholder)
    const found: string[] = []
    for await (const order of Order.query({ userId: '123' })) found.push(order.orderId)
    expect(found).toEqual(['1'])
  })

  test('Inverted indexes: which user made an order, with no extra attributes', async () => {
    const table = await target.table(AppSchema)
    const { User, Order } = table.entities
    await User.put({ userId: '1', name: 'Ann' }).execute()
    await Order.put({ userId: '1', orderId: '003' }).execute()
    await Order.put({ userId: '2', orderId: '004' }).execute()
    const orders = await Order.query({ orderId: '003' }).execute()
    expect(orders.map((order) => order.userId)).toEqual(['1'])
    expect(Order.query({ orderId: '003' }).explain().index).toBe('inverted')
    expect(Object.keys(Order.put({ userId: '1', orderId: '003' }).dbParams().Item).sort()).toEqual([
      '_type',
      'orderId',
      'pk',
      'sk',
      'total',
      'userId',
    ])
  })

  test('Follower/following pattern: one table, one index, two access patterns', async () => {
    const { Follow } = (await target.table(AppSchema)).entities
    for (const [follower, following] of [
      ['alice', 'bob'],
      ['alice', 'carol'],
      ['carol', 'bob'],
    ] as const) {
      await Follow.put({ follower, following }).execute()
    }
    const followed = await Follow.query({ follower: 'alice' }).execute()
    expect(followed.map((follow) => follow.following)).toEqual(['bob', 'carol'])
    const followers = await Follow.query({ following: 'bob' }).execute()
    expect(followers.map((follow) => follow.follower)).toEqual(['alice', 'carol'])
  })

  test('Mixed entity types: a query for orders gives no profile, and reads none', async () => {
    const { User, Order, Visit } = (await target.table(AppSchema)).entities
    await User.put({ userId: '1', name: 'Ann' }).execute()
    await Order.put({ userId: '1', orderId: '1' }).execute()
    await Visit.put({ userId: '1', shopId: 's', date: '2026-01-01' }).execute()
    const page = await Order.query({ userId: '1' }).executeWithPagination()
    expect(page.items).toEqual([{ userId: '1', orderId: '1', total: 0 }])
    expect(page.scannedCount).toBe(1)
  })

  test('Best practices: placeholders must be attributes, and the prefix of the sort key is always asked for', async () => {
    const { indexes, models } = AppSchema
    const key = { pk: 'USER#${user_id}', sk: 'PROFILE' }
    await expect(async () =>
      target.table({ indexes, models: { User: { ...models.User, key } } }),
    ).rejects.toThrow(/user_id/)
    const { Order } = (await target.table(AppSchema)).entities
    expect(Order.query({ userId: '1' }).explain().keyCondition).toBe(
      'pk = "USER#1" AND begins_with(sk, "ORDER#")',
    )
  })

  test('Table creation: keys, indexes and settings come from the schema', async () => {
    const schema = defineSchema({
      indexes: {
        primary: { hash: 'pk', sort: 'sk' },
        inverted: { hash: 'sk', sort: 'pk', project: 'keys' },
        byScore: { hash: 'pk', sort: 'score', type: 'local' },
        byPlace: { hash: ['country', 'city'], sort: ['score', 'name'] },
      },
      models: {
        Player: {
          key: { pk: 'GAME#${game}', sk: 'PLAYER#${name}' },
          attributes: {
            game: { type: String, required: true },
            name: { type: String, required: true },
            score: { type: Number, required: true },
            country: { type: String },
            city: { type: String },
            leavesAt: { type: Date, ttl: true },
          },
        },
      },
      table: { stream: 'new-and-old' },
    })
    const table = await target.table(schema)
    expect(await table.exists()).toBe(true)
    const { Player } = table.entities
    const players = [
      { game: 'go', name: 'ann', score: 9, country: 'de', city: 'berlin' },
      { game: 'go', name: 'ben', score: 10, country: 'de', city: 'berlin' },
      { game: 'go', name: 'cem', score: -1, country: 'de', city: 'bonn' },
    ]
    for (const player of players) await Player.put(player).execute()
    const byScore = await Player.query({ game: 'go' }).useIndex('byScore').execute()
    expect(byScore.map((player) => player.name)).toEqual(['cem', 'ann', 'ben'])
    const inBerlin = await Player.query({ country: 'de', city: 'berlin' }).execute()
    expect(inBerlin.map((player) => player.name)).toEqual(['ann', 'ben'])
    const best = await Player.query({ country: 'de', city: 'berlin' })
      .where((attr, op) => op.gt(attr.score, 9))
      .execute()
    expect(best.map((player) => player.name)).toEqual(['ben'])
    await table.delete()
    expect(await table.exists()).toBe(false)
  })
})

describe('Testing your code', () => {
  test('an engine in the process is all a test needs', async () => {
    const table = new Table({ name: 'app', schema: AppSchema, client: createEngine() })
    await table.create()
    await table.entities.User.put({ userId: '1', name: 'Ann' }).execute()
    expect(await table.entities.User.get({ userId: '1' }).execute()).toMatchObject({ name: 'Ann' })
  })
})
