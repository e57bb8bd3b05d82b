import { defineSchema, type SchemaDefinition } from 'singletable'
import { describe, expect, test } from 'vitest'
import { codeOf, failureOf } from '../behaviour/failure-of.ts'
import { onEachTarget } from '../behaviour/on-each-target.ts'
import { requestsOf } from '../behaviour/requests-of.ts'
import { PrimerSchema } from './3-schema.ts'
import { SocialSchema } from './4-schema.ts'
import { ShopSchema } from './5-schema.ts'
import { BlogSchema } from './blog-schema.ts'

/** The design faults that the reference documents have: each is impossible here, or is reported. */

const text = { type: String, required: true } as const
const indexes = { primary: { hash: 'pk', sort: 'sk' } } as const

onEachTarget((target) => {
  describe('keys', () => {
    test('text 1, COMMENT#x and COMMENT#x#REACTION#y: comments come without reactions, and no id can look like one', async () => {
      const { entities } = await target.table({
        indexes,
        models: {
          Comment: {
            key: { pk: 'POST#${postId}', sk: 'COMMENT#${commentId}' },
            attributes: { postId: text, commentId: text },
          },
          Reaction: {
            key: { pk: 'POST#${postId}', sk: 'COMMENT#${commentId}#REACTION#${reactionId}' },
            attributes: { postId: text, commentId: text, reactionId: text },
          },
        },
      })
      const { Comment, Reaction } = entities
      await Comment.put({ postId: '1', commentId: 'a' }).execute()
      await Reaction.put({ postId: '1', commentId: 'a', reactionId: 'r' }).execute()
      expect(await Comment.query({ postId: '1' }).execute()).toEqual([
        { postId: '1', commentId: 'a' },
      ])
      const forged = { postId: '1', commentId: 'a#REACTION#r' }
      expect(await codeOf(() => Comment.put(forged).execute())).toBe('KEY_COMPONENT_INVALID')
    })

    test('text 3, CATEGORY#A and CATEGORY#A#B: a name can not reach into another category', async () => {
      const { CATEGORY } = (await target.table(PrimerSchema)).entities
      await CATEGORY.create({ path: ['A', 'B'], name: 'B' }).execute()
      const forged = CATEGORY.create({ path: ['A#B'], name: 'forged' })
      expect(await codeOf(() => forged.execute())).toBe('KEY_COMPONENT_INVALID')
    })

    test('text 5, "orders after a date" by an open range: the range is closed, and reads no profile', async () => {
      const { entities } = await target.table(ShopSchema)
      await entities.User.create({ userId: '1', name: 'A', email: 'a@example.com' }).execute()
      await entities.Membership.create({ userId: '1', orgId: 'o', role: 'r' }).execute()
      const createdAt = new Date('2024-01-15')
      await entities.Order.create({ orderId: '1', userId: '1', total: 1, createdAt }).execute()
      const after = entities.OrderSummary.query({ userId: '1' }).where((attr, op) =>
        op.gt(attr.createdAt, new Date('2024-01-01')),
      )
      const page = await after.executeWithPagination()
      expect([page.items.length, page.scannedCount]).toEqual([1, 1])
    })

    test('text 4, METRICS#id without a prefix in its sort key: no other model can share the partition', async () => {
      const { Metric } = SocialSchema.models
      const other = {
        key: { pk: 'METRICS#${resourceId}', sk: 'SUMMARY' },
        attributes: { resourceId: text },
      } as const
      const error = await failureOf(() =>
        target.table({ indexes, models: { Metric, Summary: other } }),
      )
      expect(error.code).toBe('KEYS_MEET')
      expect(error.message).toMatch(/Metric.*Summary|Summary.*Metric/s)
    })
  })

  describe('questions that no key answers', () => {
    /** What making a table with that pattern is refused with. */
    const refusal = async (schema: SchemaDefinition, pattern: object) => {
      const patterns = { asked: pattern } as NonNullable<SchemaDefinition['patterns']>
      const { code, message } = await failureOf(() => target.table({ ...schema, patterns }))
      expect(code).toBe('PATTERN_INVALID')
      return message
    }

    test('text 1, the posts of a tag: the tag has no author, so the post cannot be fetched, and that is reported', async () => {
      const message = await refusal(BlogSchema as SchemaDefinition, {
        op: 'query',
        entity: 'PostTag',
        index: 'gsi1',
        by: ['tag'],
        // biome-ignore lint/suspicious/noThenProperty: it is the schema's own word, and no function.
        then: { op: 'batchGet', entity: 'Post' },
      })
      expect(message).toContain('username')
    })

    test('text 5, "recent orders": served by no key of the text, and refused when declared', async () => {
      const { Order } = ShopSchema.models
      const { GSI2PK, GSI2SK, ...index } = Order.index
      const message = await refusal(
        { ...ShopSchema, models: { Order: { ...Order, index } } },
        { op: 'query', entity: 'Order', index: 'GSI2', by: [], range: 'createdAt' },
      )
      expect(message).toContain('GSI2')
    })

    test('text 3, comments in the order of time: its key sorts by author, and asking it for times is refused', async () => {
      const { COMMENT } = PrimerSchema.models
      const message = await refusal(
        { ...PrimerSchema, models: { COMMENT } },
        { op: 'query', entity: 'COMMENT', by: ['postId'], range: 'createdAt' },
      )
      expect(message).toContain('is not ordered by "createdAt"')
    })
  })

  describe('what is written twice', () => {
    test('text 5, updateOrderStatus: the copy under the user is never stale', async () => {
      const { Order, OrderSummary } = (await target.table(ShopSchema)).entities
      await Order.create({ orderId: '1', userId: '1', total: 1 }).execute()
      await Order.update({ orderId: '1' }).set({ status: 'shipped' }).execute()
      const [copy] = await OrderSummary.query({ userId: '1' }).execute()
      expect(copy?.status).toBe('shipped')
    })

    test('text 5, migrateOrders: more than 25 puts, and unprocessed items, are handled', async () => {
      const table = await target.table(ShopSchema, { retry: { delayMsBase: 1, delayMsMax: 2 } })
      const fault = target.engine?.faults.add({
        kind: 'unprocessed',
        table: table.name,
        operation: 'BatchWriteItem',
        count: 2,
      })
      const { Product } = table.entities
      const products = Array.from({ length: 50 }, (_, n) => ({
        productId: `${n}`,
        name: 'P',
        price: n,
      }))
      await Product.batchWrite(products).execute()
      fault?.remove()
      expect(await Product.scan().count()).toBe(50)
    })

    test('text 3, an address that "should be only one": a second one is refused, and none is written by a race', async () => {
      const { USER } = (await target.table(PrimerSchema)).entities
      const results = await Promise.allSettled(
        ['1', '2', '3', '4'].map((userId) =>
          USER.create({ userId, name: 'A', email: 'same@example.com' }).execute(),
        ),
      )
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await USER.scan().count()).toBe(1)
    })
  })

  describe('hot and endless partitions', () => {
    test('text 1 and 3, one partition for all posts or users: a query does not read it whole unless it is named', async () => {
      const table = await target.table(PrimerSchema)
      const query = table.entities.USER.query()
      expect(await requestsOf(table, () => codeOf(() => query.execute()))).toEqual([])
      expect(await codeOf(() => query.execute())).toBe('PLAN_NO_INDEX')
    })

    test('text 5, METRICS#2024-01-15 for all servers: shards spread the writes of a day', async () => {
      const { Metric } = (
        await target.table(
          defineSchema({
            indexes,
            models: {
              Metric: {
                key: { pk: 'METRICS#${at:day}#${shard}', sk: '${at}#${server}' },
                shard: { count: 4, by: ['server'] },
                attributes: { at: { type: Date, required: true }, server: text },
              },
            },
          }),
        )
      ).entities
      const at = new Date('2024-01-15T14:30:00Z')
      const servers = Array.from({ length: 12 }, (_, n) => `server${String(n).padStart(2, '0')}`)
      await Metric.batchWrite(servers.map((server) => ({ at, server }))).execute()
      const keys = new Set(servers.map((server) => Metric.renderKey({ at, server }).pk))
      expect(keys.size).toBeGreaterThan(1)
      const day = Metric.query().where((attr, op) => op.eq(attr.at, at))
      expect((await day.execute()).map(({ server }) => server)).toEqual(servers)
    })
  })
})
