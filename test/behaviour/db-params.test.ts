import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { Decimal, defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeOf, failureOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'

/** What `dbParams()` gives, sent by the SDK's DocumentClient, does what `execute()` does. */

const OrderSchema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, byStatus: { hash: 'gsi1pk', sort: 'gsi1sk' } },
  models: {
    Order: {
      key: { pk: 'CUSTOMER#${customer}', sk: 'ORDER#${id}' },
      index: { gsi1pk: 'STATUS#${status}', gsi1sk: '${at}' },
      attributes: {
        customer: { type: String, required: true },
        id: { type: String, required: true },
        status: { type: String, default: 'open' },
        at: { type: Date, required: true, default: () => new Date('2026-01-01T00:00:00.000Z') },
        total: { type: 'decimal' },
        serial: { type: BigInt },
        lines: { type: Array, items: { type: Object, schema: { sku: { type: String } } } },
        tags: { type: Set, items: { type: String } },
        numbers: { type: Set, items: { type: Number } },
        photo: { type: Uint8Array },
        note: { type: String, nulls: true },
        version: { type: Number, version: true },
      },
    },
  },
})

const key = { customer: 'ann', id: '1' }
const order = {
  ...key,
  total: '19.99',
  serial: 2n ** 60n,
  lines: [{ sku: 'a' }, { sku: 'b' }],
  tags: new Set(['new', 'gift']),
  numbers: new Set([1, 2.5]),
  photo: new Uint8Array([1, 2, 255]),
  note: null,
}

onEachTarget((target) => {
  let client: DynamoDBDocumentClient
  let table: Table<typeof OrderSchema>
  beforeAll(() => {
    client = DynamoDBDocumentClient.from(
      target.client instanceof DynamoDBClient
        ? target.client
        : new DynamoDBClient(target.engine?.clientConfig() ?? {}),
    )
  })
  afterAll(() => client.destroy())
  beforeEach(async () => {
    table = await target.table(OrderSchema)
  })
  const read = () => table.entities.Order.get(key).consistentRead().execute()

  test('put', async () => {
    const { Order } = table.entities
    const params = Order.put(order).dbParams()
    expect(Object.isFrozen(params)).toBe(true)
    await client.send(new PutCommand(params))
    const sent = await read()
    await Order.delete(key).execute()
    expect(sent).toEqual(await Order.put(order).execute())
    expect(await Order.query({ status: 'open' }).count()).toBe(1)
  })

  test('put with a condition', async () => {
    const { Order } = table.entities
    await Order.put(order).execute()
    const send = client.send(new PutCommand(Order.create(order).dbParams()))
    await expect(send).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' })
  })

  test('get, whole and in part', async () => {
    const { Order } = table.entities
    await Order.put(order).execute()
    const whole = await client.send(new GetCommand(Order.get(key).dbParams()))
    expect(whole.Item).toMatchObject({ pk: 'CUSTOMER#ann', sk: 'ORDER#1', _type: 'Order', ...key })
    const part = Order.get(key).select((attr) => [attr.status, attr.lines[0].sku])
    const { Item } = await client.send(new GetCommand(part.dbParams()))
    expect(Item).toMatchObject({ status: 'open', lines: [{ sku: 'a' }] })
    expect(Item).not.toHaveProperty('photo')
  })

  test('update of every kind', async () => {
    const { Order } = table.entities
    const update = () =>
      Order.update(key)
        .set({ status: 'done', at: new Date('2026-02-02T00:00:00.000Z') })
        .set((attr) => attr.lines[1].sku, 'B')
        .add('total', '0.01')
        .add('numbers', [3])
        .delete('tags', ['new'])
        .remove('photo')
        .setDefault('note', 'x')
        .where((attr, op) => op.and(op.contains(attr.tags, 'new'), op.eq(attr.serial, 2n ** 60n)))
    await Order.put(order).execute()
    await client.send(new UpdateCommand(update().dbParams()))
    const sent = await read()
    await Order.delete(key).execute()
    await Order.put(order).execute()
    expect(sent).toEqual(await update().execute())
    expect(await Order.query({ status: 'done' }).count()).toBe(1)
  })

  test('upsert', async () => {
    const { Order } = table.entities
    const upsert = () => Order.upsert(key).set({ status: 'open', at: new Date(0), total: '5' })
    await client.send(new UpdateCommand(upsert().dbParams()))
    const sent = await read()
    await Order.delete(key).execute()
    expect(sent).toEqual(await upsert().execute())
  })

  test('delete', async () => {
    const { Order } = table.entities
    await Order.put(order).execute()
    const remove = Order.delete(key)
      .where((attr, op) => op.eq(attr.status, 'open'))
      .returning('ALL_OLD')
    const { Attributes } = await client.send(new DeleteCommand(remove.dbParams()))
    expect(Attributes).toMatchObject({ status: 'open' })
    expect(await read()).toBeUndefined()
  })

  test('query', async () => {
    const { Order } = table.entities
    const orders = ['1', '2', '3'].map((id) => ({ ...order, id }))
    for (const each of orders) await Order.put(each).execute()
    const query = Order.query({ customer: 'ann' })
      .where((attr, op) => op.and(op.gte(attr.id, '2'), op.eq(attr.status, 'open')))
      .select(['id', 'total'])
      .scanIndexForward(false)
      .pageSize(10)
    const { Items } = await client.send(new QueryCommand(query.dbParams()))
    expect(Items?.map(({ id }) => ({ id }))).toEqual(
      (await query.execute()).map(({ id }) => ({ id })),
    )
    expect(Items?.map(({ id }) => id)).toEqual(['3', '2'])
    const index = Order.query({ status: 'open' }).limit(2)
    expect((await client.send(new QueryCommand(index.dbParams()))).Items).toHaveLength(2)
  })

  test('scan', async () => {
    const { Order } = table.entities
    await Order.put(order).execute()
    const scan = Order.scan()
      .where((attr, op) => op.size(attr.photo).eq(3))
      .segment(0, 1)
    const { Items } = await client.send(new ScanCommand(scan.dbParams()))
    expect(Items).toHaveLength(1)
  })

  test('a transaction', async () => {
    const { Order } = table.entities
    await Order.put(order).execute()
    const params = table
      .transactWrite()
      .addPut(Order.create({ ...order, id: '2' }))
      .addUpdate(Order.update(key).add('total', '1').ifVersion(1))
      .addConditionCheck(
        Order.check({ customer: 'bob', id: '1' }).where((attr, op) => op.notExists(attr.id)),
      )
      .dbParams()
    await client.send(new TransactWriteCommand(params))
    expect(await read()).toMatchObject({ total: '20.99', version: 2 })
    expect(await Order.get({ customer: 'ann', id: '2' }).execute()).toBeDefined()
  })

  test('keys for a batch of the SDK', async () => {
    const { Order } = table.entities
    await Order.put(order).execute()
    const { Key, TableName } = Order.get(key).dbParams()
    const found = await client.send(
      new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [Key] } } }),
    )
    expect(found.Responses?.[TableName]).toHaveLength(1)
  })

  test('a DocumentClient is a client of a table', async () => {
    const { Order } = new Table({ name: table.name, client, schema: OrderSchema }).entities
    const written = await Order.put(order).execute()
    expect(await Order.get(key).execute()).toEqual(written)
    expect(await Order.query({ customer: 'ann' }).execute()).toEqual([written])
    const error = await failureOf(() => Order.create(order).execute())
    expect(error).toMatchObject({ code: 'ITEM_EXISTS', item: written })
  })

  test('bigints, sets and bytes go through dbParams into a transaction as they are', async () => {
    const { Order } = table.entities
    await table.transactWrite().addPut(Order.put(order).dbParams()).execute()
    expect(await read()).toMatchObject(order)
  })

  test('a decimal that no double can hold is refused by dbParams, and kept by the builder', async () => {
    const { Order } = table.entities
    const exact = { ...order, total: '12345678901234567890.123456789012345678' }
    expect(await codeOf(() => Order.put(exact).dbParams())).toBe('INPUT_INVALID')
    await table.transactWrite().addPut(Order.put(exact)).execute()
    expect((await read())?.total).toBe(exact.total)
  })

  test('a copy of the params, or params made by hand, are sent as they are', async () => {
    const { Order } = table.entities
    const copy = { ...Order.put(order).dbParams() }
    await table.transactWrite().addPut(copy).execute()
    expect(await read()).toMatchObject(key)
    await table
      .transactWrite()
      .addUpdate({
        TableName: table.name,
        Key: Order.renderKey(key),
        UpdateExpression: 'SET note = :note',
        ExpressionAttributeValues: { ':note': 'by hand' },
      })
      .execute()
    expect((await read())?.note).toBe('by hand')
  })

  describe('refused', () => {
    test('an update that takes more than one request', async () => {
      const { Order } = table.entities
      expect(await codeOf(() => Order.update(key).set({ status: 'x' }).dbParams())).toBe(
        'UPDATE_NEEDS_ATTRIBUTES',
      )
    })

    test('a query from a cursor', async () => {
      const { Order } = table.entities
      expect(await codeOf(() => Order.query({ customer: 'ann' }).startFrom('x').dbParams())).toBe(
        'PLAN_INVALID',
      )
    })

    test('keys of no model in a transaction', async () => {
      const wrong = { TableName: table.name, Key: { pk: 'X', sk: 'Y' } }
      expect(await codeOf(() => table.transactWrite().addDelete(wrong).execute())).toBe(
        'TRANSACTION_INVALID',
      )
    })
  })

  test('large numbers are given as bigints and decimals as the text the client can send', () => {
    const { Item } = table.entities.Order.put(order).dbParams()
    expect(Item.serial).toBe(2n ** 60n)
    expect(Item.total).not.toBeInstanceOf(Decimal)
    expect(Item.tags).toEqual(new Set(['new', 'gift']))
    expect(Item.photo).toEqual(new Uint8Array([1, 2, 255]))
    expect(Item.note).toBeNull()
  })
})

test('the Limit of params is the least of limit and page size, and only the page size where a filter comes after it', async () => {
  const table = new Table({ name: 'Orders', schema: OrderSchema, client: createEngine() })
  const orders = table.entities.Order.query({ customer: 'ann' })
  const both = table.collect(['Order'], { customer: 'ann' })
  for (const query of [orders, both]) {
    expect(query.dbParams()).not.toHaveProperty('Limit')
    expect(query.limit(7).dbParams()).toHaveProperty('Limit', 7)
    expect(query.limit(7).pageSize(3).dbParams()).toHaveProperty('Limit', 3)
    expect(query.limit(2).pageSize(3).dbParams()).toHaveProperty('Limit', 2)
  }
  const filtered = orders.where((attr, op) => op.eq(attr.note, 'x')).limit(2)
  expect(filtered.dbParams()).not.toHaveProperty('Limit')
  expect(filtered.pageSize(3).dbParams()).toHaveProperty('Limit', 3)
})
