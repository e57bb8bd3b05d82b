import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'

/** Items that other software wrote, without the type attribute. */

const ShopSchema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Order: {
      key: { pk: 'CUSTOMER#${customer}', sk: 'ORDER#${id}' },
      attributes: {
        customer: { type: String, required: true },
        id: { type: String, required: true },
        total: { type: Number },
      },
    },
  },
})

test.each(['put', 'upsert'] as const)(
  'are got, queried and updated, and scanned after one %s',
  async (verb) => {
    const engine = createEngine()
    const table = new Table({ name: 'Shop', schema: ShopSchema, client: engine })
    await table.create()
    const { Order } = table.entities
    const key = { customer: 'ann', id: '1' }
    await engine.send('PutItem', {
      TableName: 'Shop',
      Item: {
        pk: { S: 'CUSTOMER#ann' },
        sk: { S: 'ORDER#1' },
        customer: { S: 'ann' },
        id: { S: '1' },
      },
    })
    expect(await Order.get(key).execute()).toEqual(key)
    const order = await Order.update(key).set({ total: 5 }).execute()
    expect(order).toEqual({ ...key, total: 5 })
    expect(await Order.query({ customer: 'ann' }).execute()).toEqual([order])
    expect(await Order.scan().execute()).toEqual([])
    await (verb === 'put' ? Order.put(order) : Order.upsert(key).set({ total: 5 })).execute()
    expect(await Order.scan().execute()).toEqual([order])
    await engine.close()
  },
)
