import { defineSchema, type ScopedEntity, Table, type Transport } from 'singletable'
import { assertType, describe, test } from 'vitest'

/** Collections and scopes, as the compiler sees them. Nothing here is run. */

declare const client: Transport

const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byStatus: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  models: {
    Order: {
      key: { pk: 'TENANT#${tenantId}#ORDER#${orderId}', sk: 'META' },
      index: { gsi1pk: 'STATUS#${status}', gsi1sk: '${orderId}' },
      attributes: {
        tenantId: { type: String, required: true },
        orderId: { type: String, required: true },
        status: { type: String, enum: ['open', 'paid'], default: 'open' },
        total: { type: Number },
      },
      copies: {
        OrderOfTenant: {
          key: { pk: 'TENANT#${tenantId}', sk: 'ORDER#${orderId}' },
          attributes: ['total'],
        },
      },
    },
    OrderItem: {
      key: { pk: 'TENANT#${tenantId}#ORDER#${orderId}', sk: 'ITEM#${number:pad(4)}' },
      attributes: {
        tenantId: { type: String, required: true },
        orderId: { type: String, required: true },
        number: { type: Number, required: true },
      },
    },
    Tenant: {
      key: { pk: 'TENANT#${tenantId}', sk: 'TENANT' },
      attributes: { tenantId: { type: String, required: true } },
    },
    Plan: {
      key: { pk: 'PLAN#${planId}', sk: 'PLAN' },
      attributes: { planId: { type: Number, required: true, pad: 4 } },
    },
  },
})
const table = new Table({ name: 'shop', schema, client })

interface OrderOutput {
  tenantId: string
  orderId: string
  status: 'open' | 'paid'
  total?: number
}
interface ItemOutput {
  tenantId: string
  orderId: string
  number: number
}

describe('collect', () => {
  const order = table.collect(['Order', 'OrderItem'], { tenantId: 't', orderId: '1' })

  test('groups have the types of their models', async () => {
    const groups = await order.execute()
    assertType<OrderOutput[]>(groups.Order)
    assertType<ItemOutput[]>(groups.OrderItem)
    assertType<Record<string, unknown>[]>(groups.unknown)
    // @ts-expect-error: only models that are named have a group.
    groups.Tenant
    const page = await order.limit(3).executeWithPagination()
    assertType<ItemOutput[]>(page.groups.OrderItem)
    assertType<string | undefined>(page.cursor)
  })

  test('a tree has the root and the others in it', async () => {
    const tree = await order.tree('Order')
    assertType<(OrderOutput & { OrderItem: ItemOutput[] }) | undefined>(tree)
    // @ts-expect-error: the root is not in itself.
    tree?.Order
    // @ts-expect-error: it is not a model of the collection.
    order.tree('Tenant')
  })

  test('an item that comes alone says what it is', async () => {
    for await (const { entity, item } of order) {
      if (entity === 'OrderItem') assertType<number>(item.number)
      if (entity === undefined) assertType<Record<string, unknown>>(item)
    }
  })

  test('takes names of models and copies, and values of their attributes', () => {
    // @ts-expect-error: there is no such model.
    table.collect(['Ordre'], { orderId: '1' })
    // @ts-expect-error: none of the models has such an attribute.
    table.collect(['Order'], { tenantId: 't', orderID: '1' })
    // @ts-expect-error: an order's id is a text.
    table.collect(['Order', 'OrderItem'], { tenantId: 't', orderId: 1 })
    table.collect(['Order', 'OrderItem'], { tenantId: 't', orderId: '1', number: 3 })
    // @ts-expect-error: there is no such index.
    order.useIndex('byDate')
    order.useIndex('byStatus')
  })

  test('reads copies as well', async () => {
    const groups = await table.collect(['Tenant', 'OrderOfTenant'], { tenantId: 't' }).execute()
    assertType<{ tenantId: string; orderId: string; total?: number }[]>(groups.OrderOfTenant)
    // @ts-expect-error: the copy does not have it.
    groups.OrderOfTenant[0]?.status
  })

  test('gives copies the timestamps that they have', async () => {
    const text = { type: String, required: true } as const
    const timed = defineSchema({
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      params: { timestamps: true },
      models: {
        Note: {
          key: { pk: 'NOTE#${id}', sk: 'NOTE' },
          attributes: { id: text, of: text },
          copies: {
            Part: { key: { pk: 'OF#${of}', sk: 'P#${id}' }, attributes: [] },
            Whole: { key: { pk: 'OF#${of}', sk: 'W#${id}' } },
          },
        },
        Other: { key: { pk: 'OF#${of}', sk: 'O' }, attributes: { of: text } },
      },
      patterns: { all: { op: 'query', entity: ['Part', 'Whole', 'Other'], by: ['of'] } },
    })
    const notes = new Table({ name: 'notes', schema: timed, client })
    const groups = await notes.collect(['Part', 'Whole', 'Other'], { of: 'x' }).execute()
    assertType<Date | undefined>(groups.Whole[0]?.createdAt)
    assertType<Date | undefined>(groups.Other[0]?.createdAt)
    // @ts-expect-error: it was not chosen.
    groups.Part[0]?.createdAt
    const found = await notes.patterns.all({ of: 'x' })
    assertType<Date | undefined>(found.groups.Whole[0]?.updatedAt)
    // @ts-expect-error: nor here.
    found.groups.Part[0]?.updatedAt
  })
})

describe('deleteCollection', () => {
  test('takes the attributes of the partition key', () => {
    const { Order, Plan } = table.entities
    assertType<Promise<number>>(Order.deleteCollection({ tenantId: 't', orderId: '1' }).execute())
    Plan.deleteCollection(
      { planId: 1 },
      { unknown: 'delete', onProgress: ({ deleted }) => deleted },
    )
    // @ts-expect-error: orderId is missing.
    Order.deleteCollection({ tenantId: 't' })
    // @ts-expect-error: a plan's id is a number.
    Plan.deleteCollection({ planId: '1' })
    // @ts-expect-error: what is unknown is refused or deleted.
    Plan.deleteCollection({ planId: 1 }, { unknown: 'keep' })
  })
})

describe('scope', () => {
  const scope = table.scope({ tenantId: 't' })

  test('inputs need no attributes of the scope', () => {
    const { Order, OrderItem } = scope.entities
    assertType<ScopedEntity<typeof schema, 'Order', 'tenantId'>>(Order)
    assertType<Promise<OrderOutput | undefined>>(Order.get({ orderId: '1' }).execute())
    Order.get({ tenantId: 't', orderId: '1' })
    Order.put({ orderId: '1', status: 'paid' })
    Order.create({ orderId: '1' })
    Order.update({ orderId: '1' }).set('total', 3)
    Order.delete({ orderId: '1' })
    Order.check({ orderId: '1' })
    Order.query({ orderId: '1' })
    Order.batchGet([{ orderId: '1' }])
    Order.batchWrite([{ orderId: '1' }]).delete([{ orderId: '2' }])
    Order.deleteCollection({ orderId: '1' })
    // @ts-expect-error: the rest of the key is needed.
    Order.get({})
    // @ts-expect-error: so is the rest of an item.
    OrderItem.put({ orderId: '1' })
    // @ts-expect-error: a tenant's id is a text.
    Order.get({ tenantId: 1, orderId: '1' })
    // @ts-expect-error: orderId is needed to fix the partition, or status.
    OrderItem.query({ number: 1 })
    // @ts-expect-error: a scope can't be scanned.
    Order.scan()
  })

  test('copies and collections are in it', () => {
    scope.entities.OrderOfTenant.query()
    scope.collect(['Order', 'OrderItem'], { orderId: '1' })
    scope.collect(['Tenant'])
  })

  test('a model that has no such attribute in its partition key says so', () => {
    // @ts-expect-error: Plan can't be used in this scope.
    scope.entities.Plan.get({ planId: 1 })
  })

  test('takes attributes of partition keys, with values of their types', () => {
    // @ts-expect-error: a tenant's id is a text.
    table.scope({ tenantId: 1 })
    // @ts-expect-error: no partition key has it.
    table.scope({ status: 'open' })
    // @ts-expect-error: something must be given.
    table.scope()
    const order = scope.scope({ orderId: '1' })
    order.entities.OrderItem.get({ number: 1 })
    order.entities.OrderItem.query()
    // @ts-expect-error: Tenant has no orderId in its partition key.
    order.entities.Tenant.get({})
  })

  test('has nothing that affects the whole table', () => {
    // @ts-expect-error: the table is not the tenant's to delete.
    scope.delete()
    // @ts-expect-error: nor to create.
    scope.create()
  })
})
