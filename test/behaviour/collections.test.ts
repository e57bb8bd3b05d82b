import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf, failureOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'
import { requestsOf } from './requests-of.ts'

/** One query for items of several models. */

const ShopSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byBuyer: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  models: {
    Order: {
      key: { pk: 'ORDER#${orderId}', sk: 'META' },
      index: { gsi1pk: 'BUYER#${buyer}', gsi1sk: 'ORDER#${orderId}' },
      attributes: {
        orderId: { type: String, required: true },
        buyer: { type: String },
        total: { type: Number },
      },
    },
    OrderItem: {
      key: { pk: 'ORDER#${orderId}', sk: 'ITEM#${itemId}' },
      attributes: {
        orderId: { type: String, required: true },
        itemId: { type: String, required: true },
        colour: { type: String },
      },
    },
    // Its keys lie between those of items and orders.
    Label: {
      key: { pk: 'ORDER#${orderId}', sk: 'LABEL#${number:pad(3)}' },
      attributes: {
        orderId: { type: String, required: true },
        number: { type: Number, required: true },
      },
    },
    Payment: {
      key: { pk: 'ORDER#${orderId}', sk: 'PAYMENT#${paymentId}' },
      attributes: {
        orderId: { type: String, required: true },
        paymentId: { type: String, required: true },
        expiresAt: { type: Date, ttl: true },
      },
    },
    Buyer: {
      key: { pk: 'BUYER#${buyer}', sk: 'BUYER' },
      index: { gsi1pk: 'BUYER#${buyer}', gsi1sk: 'BUYER' },
      attributes: { buyer: { type: String, required: true } },
    },
  },
})

onEachTarget((target) => {
  let table: Table<typeof ShopSchema>
  beforeAll(async () => {
    table = await target.table(ShopSchema)
    const { Order, OrderItem, Label, Payment, Buyer } = table.entities
    await table
      .batchWrite([
        Buyer.put({ buyer: 'alice' }),
        Order.put({ orderId: '1', buyer: 'alice', total: 30 }),
        Order.put({ orderId: '10', buyer: 'alice', total: 5 }),
        ...['a', 'b', 'c'].map((itemId) => OrderItem.put({ orderId: '1', itemId, colour: 'red' })),
        OrderItem.put({ orderId: '10', itemId: 'a' }),
        ...[1, 2, 3].map((number) => Label.put({ orderId: '1', number })),
        Payment.put({ orderId: '1', paymentId: 'p' }),
        Payment.put({ orderId: '1', paymentId: 'old', expiresAt: new Date(1_000_000) }),
      ])
      .execute()
    // An item of a type that the schema does not know, as another program would write it; and one
    // without a type.
    await table
      .transactWrite()
      .addPut({
        TableName: table.name,
        Item: { pk: 'ORDER#1', sk: 'ITEM#adopted', orderId: '1', itemId: 'adopted' },
      })
      .execute()
  })
  const order = () => table.collect(['Order', 'OrderItem'], { orderId: '1' })
  const ids = (items: readonly { readonly itemId: string }[]): string[] =>
    items.map(({ itemId }) => itemId)

  describe('groups', () => {
    test('hold the items of each model, read by one request', async () => {
      const requests = await requestsOf(table, async () => {
        const { Order, OrderItem, unknown } = await order().execute()
        expect(Order).toEqual([{ orderId: '1', buyer: 'alice', total: 30 }])
        expect(ids(OrderItem)).toEqual(['a', 'adopted', 'b', 'c'])
        expect(unknown).toEqual([])
      })
      expect(requests).toEqual(['Query'])
    })

    test('are there for each model also when nothing is', async () => {
      const found = await table.collect(['Order', 'Payment'], { orderId: 'none' }).execute()
      expect(found).toEqual({ Order: [], Payment: [], unknown: [] })
    })

    test('leave out models that are not named, though their keys lie in between', async () => {
      const found = await order().execute()
      expect(Object.keys(found).sort()).toEqual(['Order', 'OrderItem', 'unknown'])
    })

    test('leave out items whose time to live is over, unless they are asked for', async () => {
      const payments = table.collect(['Order', 'Payment'], { orderId: '1' })
      expect((await payments.execute()).Payment).toHaveLength(1)
      expect((await payments.includeExpired().execute()).Payment).toHaveLength(2)
    })

    test('come backwards if that is asked for', async () => {
      const { OrderItem } = await order().scanIndexForward(false).execute()
      expect(ids(OrderItem)).toEqual(['c', 'b', 'adopted', 'a'])
    })

    test('of an index are found by what it needs', async () => {
      const builder = table.collect(['Buyer', 'Order'], { buyer: 'alice' })
      expect(builder.explain().index).toBe('byBuyer')
      const { Buyer, Order } = await builder.execute()
      expect(Buyer).toHaveLength(1)
      expect(Order.map(({ orderId }) => orderId)).toEqual(['1', '10'])
      expect(await codeOf(() => builder.consistentRead().execute())).toBe('PLAN_INVALID')
    })
  })

  describe('the range', () => {
    const rangeOf = (names: readonly (keyof typeof ShopSchema.models)[], more = {}) =>
      table.collect(names, { orderId: '1', ...more }).explain().keyCondition
    test('goes from the first key of a model to the last key of one', () => {
      expect(rangeOf(['Order', 'OrderItem'])).toBe(
        'pk = "ORDER#1" AND sk BETWEEN "ITEM#" AND "META"',
      )
      expect(rangeOf(['Payment', 'Label'])).toBe(
        'pk = "ORDER#1" AND sk BETWEEN "LABEL#" AND "PAYMENT#\\u{10ffff}"',
      )
    })

    test('of one model is its own', () => {
      expect(rangeOf(['OrderItem'])).toBe('pk = "ORDER#1" AND begins_with(sk, "ITEM#")')
      expect(rangeOf(['Order'])).toBe('pk = "ORDER#1" AND sk = "META"')
    })

    test('grows no more than a value that one of the models has lets it', async () => {
      expect(rangeOf(['Order', 'OrderItem'], { itemId: 'b' })).toBe(
        'pk = "ORDER#1" AND sk BETWEEN "ITEM#b" AND "META"',
      )
      // What lies in the range and is not asked for is left out.
      const builder = table.collect(['Order', 'OrderItem'], { orderId: '1', itemId: 'b' })
      const { Order, OrderItem } = await builder.execute()
      expect(Order).toHaveLength(1)
      expect(ids(OrderItem)).toEqual(['b'])
    })

    test('is followed by a filter for what no key contains', async () => {
      const builder = table.collect(['Order', 'OrderItem'], { orderId: '1', colour: 'red' })
      const { Order, OrderItem } = await builder.execute()
      expect(Order).toHaveLength(1)
      expect(ids(OrderItem)).toEqual(['a', 'b', 'c'])
    })

    test('is the same in the request', () => {
      expect(order().pageSize(2).dbParams()).toMatchObject({
        TableName: table.name,
        KeyConditionExpression: expect.any(String),
        Limit: 2,
      })
    })
  })

  describe('pages', () => {
    test.each([1, 2, 3, 100])('of %s lose nothing and give nothing twice', async (size) => {
      for (const forward of [true, false]) {
        for (const word of ['limit', 'pageSize'] as const) {
          const found: string[] = []
          let orders = 0
          let cursor: string | undefined
          do {
            const page = await order()
              [word](size)
              .scanIndexForward(forward)
              .startFrom(cursor)
              .executeWithPagination()
            found.push(...ids(page.groups.OrderItem))
            orders += page.groups.Order.length
            cursor = page.cursor
          } while (cursor !== undefined)
          expect(found).toEqual(forward ? ['a', 'adopted', 'b', 'c'] : ['c', 'b', 'adopted', 'a'])
          expect(orders).toBe(1)
        }
      }
    })

    test('a limit counts items of all models', async () => {
      const { Order, OrderItem } = await order().scanIndexForward(false).limit(2).execute()
      expect([Order.length, ids(OrderItem)]).toEqual([1, ['c']])
    })

    test('a cursor fits no other collection', async () => {
      const { cursor } = await order().limit(1).executeWithPagination()
      const other = table.collect(['Order', 'OrderItem'], { orderId: '10' })
      expect(await codeOf(() => other.startFrom(cursor).execute())).toBe('CURSOR_INVALID')
      const alone = table.collect(['OrderItem'], { orderId: '1' })
      expect(await codeOf(() => alone.startFrom(cursor).execute())).toBe('CURSOR_INVALID')
    })

    test('items come one by one, each with the name of its model', async () => {
      const found: (string | undefined)[] = []
      for await (const { entity } of order().pageSize(2)) found.push(entity)
      expect(found).toEqual(['OrderItem', 'OrderItem', 'OrderItem', 'OrderItem', 'Order'])
    })
  })

  describe('a tree', () => {
    test('is the one item of a model with the others in it', async () => {
      const tree = await order().tree('Order')
      expect(tree?.total).toBe(30)
      expect(ids(tree?.OrderItem ?? [])).toEqual(['a', 'adopted', 'b', 'c'])
    })

    test('without its root is nothing', async () => {
      expect(await table.collect(['Order', 'OrderItem'], { orderId: 'x' }).tree('Order')).toBe(
        undefined,
      )
    })

    test('has no root of which there can be several', async () => {
      const error = await failureOf(() => order().tree('OrderItem'))
      expect(error.code).toBe('PLAN_INVALID')
      expect(error.message).toContain('there can be more than one of it')
    })
  })

  describe('refuses', () => {
    test('values that fix no common partition, and says what each index needs', async () => {
      const error = await failureOf(() =>
        table.collect(['Order', 'Buyer'], { orderId: '1' }).execute(),
      )
      expect(error.code).toBe('PLAN_NO_INDEX')
      expect(error.message).toContain('primary: Buyer needs buyer')
      expect(error.message).toContain('byBuyer: Order needs buyer')
    })

    test('models in different partitions', async () => {
      const error = await failureOf(() =>
        table
          .collect(['Order', 'Buyer'], { orderId: '1', buyer: 'alice' })
          .useIndex('primary')
          .execute(),
      )
      expect(error.message).toContain('Buyer is in another partition than Order')
    })

    test.each([
      ['an unknown model', ['Ordre'], { orderId: '1' }, 'INPUT_INVALID'],
      ['an unknown attribute', ['Order'], { orderID: '1' }, 'INPUT_INVALID'],
      ['an undefined value', ['Order'], { orderId: undefined }, 'INPUT_INVALID'],
      ['no values', ['Order'], {}, 'PLAN_NO_INDEX'],
      ['nothing', ['Order'], undefined, 'PLAN_NO_INDEX'],
      ['no models', [], { orderId: '1' }, 'INPUT_INVALID'],
      ['no list', 'Order', { orderId: '1' }, 'INPUT_INVALID'],
      ['a model twice', ['Order', 'Order'], { orderId: '1' }, 'PLAN_INVALID'],
      ['a value with a separator', ['Order'], { orderId: '1#2' }, 'KEY_COMPONENT_INVALID'],
    ])('%s', async (_, names, values, code) => {
      // The compiler refuses these, too.
      expect(await codeOf(() => table.collect(names as never, values as never).execute())).toBe(
        code,
      )
    })
  })
})

onEachTarget((target) => {
  test('an item of a type that nobody declares is unknown, with its attributes as they are stored', async () => {
    const full = await target.table(ShopSchema)
    const { Order, Label } = full.entities
    await Order.put({ orderId: '1' }).execute()
    await Label.put({ orderId: '1', number: 7 }).execute()
    // The same table as a program sees it that knows only some of the models.
    const { Order: OrderModel, OrderItem } = ShopSchema.models
    const schema = defineSchema({
      indexes: ShopSchema.indexes,
      models: { Order: OrderModel, OrderItem },
    })
    const part = new Table({
      name: full.name,
      schema,
      client: target.client,
    })
    const found = await part.collect(['Order', 'OrderItem'], { orderId: '1' }).execute()
    expect(found.Order).toHaveLength(1)
    expect(found.unknown).toEqual([
      { pk: 'ORDER#1', sk: 'LABEL#007', _type: 'Label', orderId: '1', number: 7 },
    ])
  })
})

describe('a partition whose key is always the same', () => {
  const name = { type: String, required: true } as const
  const schema = defineSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
      Country: { key: { pk: 'STATIC', sk: 'COUNTRY#${name}' }, attributes: { name } },
      City: { key: { pk: 'STATIC', sk: 'CITY#${name}' }, attributes: { name } },
      Street: { key: { pk: 'STATIC', sk: 'STREET#${name}' }, attributes: { name } },
    },
    patterns: {
      places: { op: 'query', entity: ['Country', 'City'], by: [] },
      countries: { op: 'query', entity: 'Country', by: [] },
    },
  })

  test('is read whole only if the index is named, and by a pattern', async () => {
    const table = new Table({ name: 'places', schema, client: createEngine() })
    await table.create()
    await table.entities.Country.put({ name: 'Italy' }).execute()
    await table.entities.City.put({ name: 'Rome' }).execute()
    await table.entities.Street.put({ name: 'Appia' }).execute()
    const expected = { Country: [{ name: 'Italy' }], City: [{ name: 'Rome' }], unknown: [] }
    const collection = table.collect(['Country', 'City'], {})
    expect(await codeOf(() => collection.execute())).toBe('PLAN_NO_INDEX')
    expect(await collection.useIndex('primary').execute()).toEqual(expected)
    expect((await table.patterns.places({})).groups).toEqual(expected)
    expect((await table.patterns.countries({})).items).toEqual([{ name: 'Italy' }])
  })
})
