import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { Entity, Service } from 'electrodb'
import { expect } from 'vitest'
import { createSingleTable } from './create-single-table.ts'
import { onEachTarget, type PeerContext } from './on-each-target.ts'

async function openShop({ config, tableName }: PeerContext) {
  const client = new DynamoDBClient(config)
  await createSingleTable(client, tableName)
  const settings = { client: DynamoDBDocumentClient.from(client), table: tableName }
  const customers = new Entity(
    {
      model: { entity: 'customer', version: '1', service: 'shop' },
      attributes: {
        customerId: { type: 'string', required: true },
        name: { type: 'string', required: true },
        points: { type: 'number', default: 0 },
        labels: { type: 'set', items: 'string' },
      },
      indexes: {
        byId: {
          collection: 'account',
          pk: { field: 'pk', composite: ['customerId'] },
          sk: { field: 'sk', composite: [] },
        },
      },
    } as const,
    settings,
  )
  const orders = new Entity(
    {
      model: { entity: 'order', version: '1', service: 'shop' },
      attributes: {
        customerId: { type: 'string', required: true },
        orderId: { type: 'string', required: true },
        status: { type: ['open', 'paid', 'sent'] as const, required: true, default: 'open' },
        total: { type: 'number', required: true },
      },
      indexes: {
        byCustomer: {
          collection: 'account',
          pk: { field: 'pk', composite: ['customerId'] },
          sk: { field: 'sk', composite: ['orderId'] },
        },
        byStatus: {
          index: 'gsi1',
          pk: { field: 'gsi1pk', composite: ['status'] },
          sk: { field: 'gsi1sk', composite: ['orderId'] },
        },
      },
    } as const,
    settings,
  )
  return { customers, orders, shop: new Service({ customers, orders }, settings) }
}

onEachTarget('ElectroDB', (test) => {
  test('an entity is put, read, patched and deleted', async (context) => {
    const { customers } = await openShop(context)
    const key = { customerId: 'c1' }
    await customers.put({ ...key, name: 'Alice', labels: ['new'] }).go()
    expect((await customers.get(key).go()).data).toEqual({
      ...key,
      name: 'Alice',
      points: 0,
      labels: ['new'],
    })
    const patched = await customers
      .patch(key)
      .set({ name: 'Alice B.' })
      .add({ points: 5, labels: ['loyal'] })
      .go({ response: 'all_new' })
    expect(patched.data).toMatchObject({ name: 'Alice B.', points: 5 })
    expect([...(patched.data.labels ?? [])].sort()).toEqual(['loyal', 'new'])
    await customers.delete(key).go()
    expect((await customers.get(key).go()).data).toBeNull()
  })

  test('creating twice and patching nothing fail their conditions', async (context) => {
    const { customers } = await openShop(context)
    await customers.create({ customerId: 'c1', name: 'Alice' }).go()
    await expect(customers.create({ customerId: 'c1', name: 'Bob' }).go()).rejects.toThrow(
      'The conditional request failed',
    )
    await expect(
      customers.patch({ customerId: 'c2' }).set({ name: 'Nobody' }).go(),
    ).rejects.toThrow('The conditional request failed')
    expect((await customers.get({ customerId: 'c1' }).go()).data?.name).toBe('Alice')
  })

  test('queries go by key, by index, by range and by filter, page by page', async (context) => {
    const { orders } = await openShop(context)
    const all = Array.from({ length: 10 }, (_, n) => ({
      customerId: 'c1',
      orderId: `o${n}`,
      total: n * 10,
      status: n % 2 === 0 ? ('open' as const) : ('paid' as const),
    }))
    const written = await orders.put(all).go()
    expect(written.unprocessed).toEqual([])

    const between = await orders.query
      .byCustomer({ customerId: 'c1' })
      .between({ orderId: 'o2' }, { orderId: 'o4' })
      .go()
    expect(between.data.map((order) => order.orderId)).toEqual(['o2', 'o3', 'o4'])

    const large = await orders.query
      .byStatus({ status: 'paid' })
      .where(({ total }, { gt }) => gt(total, 40))
      .go({ order: 'desc' })
    expect(large.data.map((order) => order.orderId)).toEqual(['o9', 'o7', 'o5'])

    const found: string[] = []
    const pageFrom = (cursor: string | null) =>
      orders.query.byCustomer({ customerId: 'c1' }).go({ cursor, limit: 4 })
    let cursor: string | null = null
    let pages = 0
    do {
      const page: Awaited<ReturnType<typeof pageFrom>> = await pageFrom(cursor)
      found.push(...page.data.map((order) => order.orderId))
      cursor = page.cursor
      pages++
    } while (cursor !== null)
    expect(found).toEqual(all.map((order) => order.orderId))
    expect(pages).toBe(3)

    expect((await orders.scan.go({ pages: 'all' })).data).toHaveLength(10)
  })

  test('a collection gives the entities of one partition', async (context) => {
    const { customers, orders, shop } = await openShop(context)
    await customers.put({ customerId: 'c1', name: 'Alice' }).go()
    await orders.put({ customerId: 'c1', orderId: 'o1', total: 5 }).go()
    const { data } = await shop.collections.account({ customerId: 'c1' }).go()
    expect(data.customers.map((customer) => customer.name)).toEqual(['Alice'])
    expect(data.orders.map((order) => order.total)).toEqual([5])
  })

  test('a batch reads and deletes several items', async (context) => {
    const { orders } = await openShop(context)
    const keys = ['o1', 'o2', 'o3'].map((orderId) => ({ customerId: 'c1', orderId }))
    await orders.put(keys.map((key) => ({ ...key, total: 1 }))).go()
    const read = await orders.get([...keys, { customerId: 'c1', orderId: 'none' }]).go()
    expect(read.data).toHaveLength(3)
    await orders.delete(keys.slice(0, 2)).go()
    expect((await orders.get(keys).go()).data).toHaveLength(1)
  })

  test('a transaction writes all or nothing', async (context) => {
    const { customers, orders, shop } = await openShop(context)
    await customers.create({ customerId: 'c1', name: 'Alice' }).go()
    const order = { customerId: 'c1', orderId: 'o1', total: 5 }
    const placeOrder = () =>
      shop.transaction
        .write(({ customers, orders }) => [
          customers.patch({ customerId: 'c1' }).add({ points: 5 }).commit(),
          orders.create(order).commit(),
        ])
        .go()
    expect((await placeOrder()).canceled).toBe(false)
    const again = await placeOrder()
    expect(again.canceled).toBe(true)
    expect(again.data.map((result) => result.code)).toEqual(['None', 'ConditionalCheckFailed'])
    const { data } = await shop.transaction
      .get(({ customers, orders }) => [
        customers.get({ customerId: 'c1' }).commit(),
        orders.get({ customerId: 'c1', orderId: 'o1' }).commit(),
      ])
      .go()
    expect(data[0]?.item).toMatchObject({ points: 5 })
    expect(data[1]?.item).toMatchObject({ total: 5, status: 'open' })
    expect((await orders.get(order).go()).data?.status).toBe('open')
  })
})
