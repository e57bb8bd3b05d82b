import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { describe, expect, test } from 'vitest'
import { codeOf, failureOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'
import { requestsOf } from './requests-of.ts'

/** All items of a partition, deleted by one call. */

const orderId = { type: String, required: true } as const
const ShopSchema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Order: {
      key: { pk: 'ORDER#${orderId}', sk: 'META' },
      attributes: {
        orderId,
        buyer: { type: String },
        number: { type: String, unique: true },
        items: { type: Number, counts: 'OrderItem' },
      },
      copies: {
        OrderOfBuyer: { key: { pk: 'BUYER#${buyer}', sk: 'ORDER#${orderId}' } },
        OrderNote: { key: { pk: 'ORDER#${orderId}', sk: 'NOTE' } },
      },
    },
    OrderItem: {
      key: { pk: 'ORDER#${orderId}', sk: 'ITEM#${itemId}' },
      attributes: { orderId, itemId: { type: String, required: true } },
    },
    Label: {
      key: { pk: 'ORDER#${orderId}', sk: 'LABEL#${label}' },
      attributes: { orderId, label: { type: String, required: true } },
    },
    Buyer: {
      key: { pk: 'BUYER#${buyer}', sk: 'BUYER' },
      attributes: { buyer: { type: String, required: true } },
    },
  },
})

/** The same table as a program sees it that does not know about labels. */
const { Order, OrderItem, Buyer } = ShopSchema.models
const PartSchema = defineSchema({
  indexes: ShopSchema.indexes,
  models: { Order, OrderItem, Buyer },
})

onEachTarget((target) => {
  let orders = 0
  /** An order with two items and a label, of a buyer of its own. */
  async function fill(table: Table<typeof ShopSchema>): Promise<string> {
    const orderId = `o${orders++}`
    const { Order, OrderItem, Label } = table.entities
    await Order.create({ orderId, buyer: `b${orderId}`, number: `n${orderId}` }).execute()
    await OrderItem.create({ orderId, itemId: 'a' }).execute()
    await OrderItem.create({ orderId, itemId: 'b' }).execute()
    await Label.create({ orderId, label: 'x' }).execute()
    return orderId
  }

  test('deletes the items of all models, and what is kept together with them', async () => {
    const table = await target.table(ShopSchema)
    const { Order, OrderOfBuyer } = table.entities
    const orderId = await fill(table)
    const other = await fill(table)
    const progress: number[] = []
    const deletion = Order.deleteCollection(
      { orderId },
      { onProgress: ({ deleted }) => progress.push(deleted) },
    )
    // The order, its note, two items and a label.
    expect(await deletion.execute()).toBe(5)
    expect(progress.at(-1)).toBe(5)
    const left = (id: string) =>
      table.collect(['Order', 'OrderItem', 'Label', 'OrderNote'], { orderId: id }).execute()
    expect(await left(orderId)).toEqual({
      Order: [],
      OrderItem: [],
      Label: [],
      OrderNote: [],
      unknown: [],
    })
    expect(await OrderOfBuyer.query({ buyer: `b${orderId}` }).execute()).toEqual([])
    // The number is free again.
    await Order.create({ orderId: 'again', number: `n${orderId}` }).execute()
    // Nothing else is touched.
    const { Order: kept, OrderItem: items } = await left(other)
    expect([kept[0]?.items, items.length]).toEqual([2, 2])
    expect(await deletion.execute()).toBe(0)
  })

  test('deletes nothing if there are items that nobody declares, unless they are to go, too', async () => {
    const table = await target.table(ShopSchema)
    const part = new Table({ name: table.name, schema: PartSchema, client: target.client })
    const orderId = await fill(table)
    const error = await failureOf(() =>
      part.entities.OrderItem.deleteCollection({ orderId }).execute(),
    )
    expect(error.code).toBe('PLAN_INVALID')
    expect(error.message).toContain('"Label"')
    expect((await table.entities.OrderItem.query({ orderId }).execute()).length).toBe(2)
    const deletion = part.entities.OrderItem.deleteCollection({ orderId }, { unknown: 'delete' })
    expect(await deletion.execute()).toBe(5)
    expect((await table.entities.Label.query({ orderId }).execute()).length).toBe(0)
  })

  test('deletes nothing if there are copies of items elsewhere', async () => {
    const table = await target.table(ShopSchema)
    const orderId = await fill(table)
    const buyer = `b${orderId}`
    await table.entities.Buyer.create({ buyer }).execute()
    const error = await failureOf(() => table.entities.Buyer.deleteCollection({ buyer }).execute())
    expect(error.message).toContain('copies of Order')
    expect(await table.entities.Buyer.get({ buyer }).execute()).toBeDefined()
    await table.entities.Order.deleteCollection({ orderId }).execute()
    expect(await table.entities.Buyer.deleteCollection({ buyer }).execute()).toBe(1)
  })

  test('deletes many items in chunks', async () => {
    const table = await target.table(ShopSchema)
    const labels = Array.from({ length: 620 }, (_, label) => ({ orderId: 'm', label: `${label}` }))
    await table.entities.Label.batchWrite(labels).execute()
    const progress: number[] = []
    const deletion = table.entities.Label.deleteCollection(
      { orderId: 'm' },
      { onProgress: ({ deleted }) => progress.push(deleted) },
    )
    expect(await deletion.execute()).toBe(620)
    expect(progress).toEqual([250, 500, 620])
    expect(await table.entities.Label.query({ orderId: 'm' }).count()).toBe(0)
  })

  test.each([
    ['nothing', {}],
    ['a part of the key that is not of the partition', { orderId: '1', itemId: 'a' }],
    ['an unknown attribute', { order: '1' }],
    ['undefined', { orderId: undefined }],
    ['no object', undefined],
  ])('refuses %s', async (_, values) => {
    const table = await target.table(ShopSchema)
    expect(
      await codeOf(() => table.entities.OrderItem.deleteCollection(values as never).execute()),
    ).toBe('INPUT_INVALID')
    const bad = { unknown: 'keep' } as never
    expect(
      await codeOf(() => table.entities.OrderItem.deleteCollection({ orderId: '1' }, bad)),
    ).toBe('OPTION_INVALID')
  })
})

describe('of keys that are spread, folded or always the same', () => {
  const text = { type: String, required: true } as const
  const schema = defineSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
      Vote: {
        key: { pk: 'POLL#${poll}#${shard}', sk: 'VOTE#${voter}' },
        shard: { count: 4, by: ['voter'] },
        attributes: { poll: text, voter: text, address: { type: String, unique: true } },
        copies: { VoteOf: { key: { pk: 'VOTER#${voter}', sk: 'POLL#${poll}' } } },
      },
      Visit: {
        key: { pk: 'VISITS#${site}#${at:day}#${shard}', sk: '${at}#${id}' },
        shard: { count: 3, by: ['id'] },
        attributes: {
          site: text,
          at: { type: Date, required: true, start: '2026-01-01' },
          id: text,
        },
      },
      Mail: {
        key: { pk: 'MAIL#${address:lower}', sk: '${id}' },
        attributes: { address: text, id: text },
      },
      Setting: {
        key: { pk: 'SETTINGS', sk: '${name}' },
        attributes: { name: text },
      },
    },
  })
  const spread = async () => {
    const table = new Table({ name: 'spread', schema, client: createEngine() })
    await table.create()
    return table
  }

  test('all shards go, with copies and unique values, and no other', async () => {
    const table = await spread()
    const { Vote, VoteOf } = table.entities
    for (let n = 0; n < 20; n++) {
      for (const poll of ['a', 'b']) {
        await Vote.create({ poll, voter: `v${n}`, address: `${poll}${n}` }).execute()
      }
    }
    expect(await Vote.deleteCollection({ poll: 'a' }).execute()).toBe(20)
    expect(await Vote.query({ poll: 'a' }).count()).toBe(0)
    expect(await Vote.query({ poll: 'b' }).count()).toBe(20)
    expect(await VoteOf.query({ voter: 'v3' }).execute()).toMatchObject([{ poll: 'b' }])
    await Vote.create({ poll: 'c', voter: 'v', address: 'a3' }).execute()
  })

  test('the bucket of a time goes, and no other', async () => {
    const { Visit } = (await spread()).entities
    for (let hour = 0; hour < 72; hour++) {
      await Visit.put({
        site: 's',
        at: new Date(Date.UTC(2026, 1, 27, hour)),
        id: `${hour}`,
      }).execute()
    }
    const day = { site: 's', at: new Date('2026-02-28T12:34:00Z') }
    expect(await Visit.deleteCollection(day).execute()).toBe(24)
    expect(await Visit.deleteCollection(day).execute()).toBe(0)
    const rest = await Visit.query({ site: 's' }).execute()
    expect(rest.map(({ at }) => at.getUTCDate())).toEqual([
      ...Array(24).fill(27),
      ...Array(24).fill(1),
    ])
    const error = await failureOf(() => Visit.deleteCollection({ site: 's' } as never).execute())
    expect(error.message).toContain('give all of site, at, and nothing else')
  })

  test('a key that is stored in lower case is found in any', async () => {
    const { Mail } = (await spread()).entities
    await Mail.put({ address: 'Ann@example.org', id: '1' }).execute()
    expect(await Mail.deleteCollection({ address: 'ANN@example.org' }).execute()).toBe(1)
  })

  test('a partition whose key is always the same takes an empty object', async () => {
    const { Setting } = (await spread()).entities
    await Setting.put({ name: 'a' }).execute()
    const error = await failureOf(() => Setting.deleteCollection({ name: 'a' } as never).execute())
    expect(error.message).toContain('give an empty object')
    expect(await Setting.deleteCollection({}).execute()).toBe(1)
  })
})

describe('broken off', () => {
  const labels = Array.from({ length: 620 }, (_, label) => ({ orderId: 'm', label: `${label}` }))

  test('by a failure, it is finished by another call', async () => {
    const engine = createEngine()
    const table = new Table({
      name: 'shop',
      schema: ShopSchema,
      client: engine,
      retry: { attemptsMax: 2, delayMsBase: 1, delayMsMax: 1 },
    })
    await table.create()
    const { Label } = table.entities
    await Label.batchWrite(labels).execute()
    const progress: number[] = []
    const deletion = Label.deleteCollection(
      { orderId: 'm' },
      {
        onProgress: ({ deleted }) => {
          progress.push(deleted)
          engine.faults.add({
            kind: 'error',
            when: 'before',
            operation: 'BatchWriteItem',
            count: 99,
          })
        },
      },
    )
    expect(await codeOf(() => deletion.execute())).toBe('BATCH_INCOMPLETE')
    expect(progress).toEqual([250])
    engine.faults.clear()
    const left = await Label.query({ orderId: 'm' }).count()
    expect(left).toBe(620 - 250)
    expect(await Label.deleteCollection({ orderId: 'm' }).execute()).toBe(left)
    await engine.close()
  })

  test('by an abort, it rejects with the reason, and is finished by another call', async () => {
    const engine = createEngine()
    const table = new Table({ name: 'shop', schema: ShopSchema, client: engine })
    await table.create()
    const { Label } = table.entities
    await Label.batchWrite(labels).execute()
    const controller = new AbortController()
    const deletion = Label.deleteCollection(
      { orderId: 'm' },
      { onProgress: () => controller.abort(new Error('stop')) },
    )
    await expect(deletion.execute({ signal: controller.signal })).rejects.toThrow('stop')
    expect(await Label.deleteCollection({ orderId: 'm' }).execute()).toBe(370)
    await engine.close()
  })

  test('an aborted signal deletes nothing', async () => {
    const engine = createEngine()
    const table = new Table({ name: 'shop', schema: ShopSchema, client: engine })
    await table.create()
    const { Label } = table.entities
    await Label.batchWrite(labels.slice(0, 3)).execute()
    const requests = await requestsOf(table, async () => {
      const deletion = Label.deleteCollection({ orderId: 'm' })
      await expect(deletion.execute({ signal: AbortSignal.abort('no') })).rejects.toBe('no')
    })
    expect(requests).toEqual([])
    await engine.close()
  })
})
