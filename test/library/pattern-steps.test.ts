import { defineSchema, InputError, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { readSchema } from 'singletable/tools'
import { beforeEach, describe, expect, test } from 'vitest'

/** Transactions as access patterns: steps for lists, and values that steps share. */

const text = { type: String, required: true } as const
const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Order: {
      key: { pk: 'ORDER#${orderId}', sk: 'ORDER' },
      attributes: {
        orderId: { type: String, generate: 'ulid' },
        buyer: text,
        state: { type: String, default: 'open', required: true },
        version: { type: Number, version: true },
      },
    },
    Line: {
      key: { pk: 'ORDER#${orderId}', sk: 'LINE#${sku}' },
      attributes: { orderId: text, sku: text, quantity: { type: Number, required: true } },
    },
    Product: {
      key: { pk: 'PRODUCT#${sku}', sk: 'PRODUCT' },
      attributes: { sku: text, stock: { type: Number, required: true } },
    },
  },
  patterns: {
    placeOrder: {
      op: 'transact',
      shared: ['orderId'],
      steps: {
        order: { op: 'create', entity: 'Order' },
        lines: { op: 'create', entity: 'Line', each: true },
        stock: {
          op: 'update',
          entity: 'Product',
          by: ['sku'],
          add: ['stock'],
          where: { stock: { gte: '$needed' } },
          each: true,
        },
      },
    },
    addLines: {
      op: 'transact',
      shared: ['orderId', 'sku'],
      steps: {
        line: { op: 'create', entity: 'Line' },
        order: { op: 'check', entity: 'Order', by: ['orderId'], ifVersion: true },
      },
    },
    close: {
      op: 'update',
      entity: 'Order',
      by: ['orderId'],
      set: ['state'],
      ifVersion: true,
    },
    discard: { op: 'delete', entity: 'Order', by: ['orderId'], ifVersion: true },
  },
})

let table = new Table({ name: 'Shop', schema, client: createEngine() })
let { Order, Line, Product } = table.entities

beforeEach(async () => {
  table = new Table({ name: 'Shop', schema, client: createEngine() })
  await table.create()
  ;({ Order, Line, Product } = table.entities)
  await Product.batchWrite(['a', 'b', 'c'].map((sku) => ({ sku, stock: 5 })))
})

const place = (...bought: readonly (readonly [sku: string, quantity: number])[]) =>
  table.patterns.placeOrder({
    order: { buyer: 'ann' },
    lines: bought.map(([sku, quantity]) => ({ sku, quantity })),
    stock: bought.map(([sku, quantity]) => ({ sku, stock: -quantity, needed: quantity })),
  })

describe('steps for lists', () => {
  test('are carried out for each element, and share an id that is made once', async () => {
    const { items } = await place(['a', 2], ['b', 3])
    const { orderId } = items.order
    expect(items.lines).toEqual([
      { orderId, sku: 'a', quantity: 2 },
      { orderId, sku: 'b', quantity: 3 },
    ])
    expect(await Order.get({ orderId })).toEqual(items.order)
    expect(await Line.query({ orderId })).toEqual(items.lines)
    expect(await Product.get({ sku: 'b' })).toEqual({ sku: 'b', stock: 2 })
  })

  test('may be empty', async () => {
    const { items } = await place()
    expect(items.lines).toEqual([])
    expect(await Order.get(items.order)).toEqual(items.order)
  })

  test('name the element that failed', async () => {
    const result = await place(['a', 2], ['b', 9]).result()
    expect(result).toMatchObject({
      ok: false,
      reason: 'CONDITION_FAILED',
      failures: [{ step: 'stock', element: 1, entity: 'Product', item: { sku: 'b', stock: 5 } }],
    })
    await expect(place(['b', 9])).rejects.toThrow('step "stock"[0] (update Product)')
    expect(await Order.scan()).toEqual([])
  })

  test('are refused if they make more than 100 operations', async () => {
    const many = Array.from({ length: 50 }, (_, at) => [`${at}`, 1] as const)
    await expect(place(...many)).rejects.toThrow('The transaction has 101 operations')
  })

  test('need a list', async () => {
    const input = { order: { buyer: 'ann' }, lines: { sku: 'a', quantity: 1 }, stock: [] }
    await expect(table.patterns.placeOrder(input as never)).rejects.toThrow('an array was expected')
  })
})

describe('shared values', () => {
  test('are given once, next to the steps', async () => {
    const { orderId } = await Order.create({ buyer: 'ann' })
    const { items } = await table.patterns.addLines({
      orderId,
      sku: 'a',
      line: { quantity: 1 },
      order: { version: 1 },
    })
    expect(items.line).toEqual({ orderId, sku: 'a', quantity: 1 })
    const given = await table.patterns.placeOrder({
      orderId: 'mine',
      order: { buyer: 'ann' },
      lines: [],
      stock: [],
    })
    expect(given.items.order.orderId).toBe('mine')
  })

  test('that nothing makes must be given, and are not given to the steps', async () => {
    const line = { quantity: 1 }
    const order = { version: 1 }
    // @ts-expect-error: no model makes a sku.
    const missing = table.patterns.addLines({ orderId: '1', line, order })
    await expect(missing).rejects.toThrow('"sku" is missing')
    const twice = table.patterns.addLines({
      orderId: '1',
      sku: 'a',
      // @ts-expect-error: it is shared.
      line: { quantity: 1, orderId: '2' },
      order,
    })
    await expect(twice).rejects.toThrow('"line.orderId" is shared by the steps')
  })

  test('are those of a scope, in a scope', async () => {
    const mine = table.scope({ orderId: 'mine' })
    const line = { quantity: 1 }
    await Order.create({ orderId: 'mine', buyer: 'ann' })
    await mine.patterns.addLines({ sku: 'a', line, order: { version: 1 } })
    expect(await Line.query({ orderId: 'mine' })).toHaveLength(1)
    const other = { orderId: 'other', sku: 'b', line, order: { version: 1 } }
    await expect(mine.patterns.addLines(other)).rejects.toThrow('scope')
    // @ts-expect-error: it is a string.
    await expect(mine.patterns.addLines({ ...other, sku: 7 })).rejects.toThrow()
  })

  test('must be attributes of a step, and not the name of one', () => {
    const patternWith = (shared: readonly string[]) => {
      const { steps } = schema.patterns.addLines
      const patterns = { addLines: { op: 'transact', shared, steps } } as const
      return readSchema({ ...schema, patterns }).issues.map(({ what }) => what)
    }
    expect(patternWith(['nothing'])[0]).toContain('shared has "nothing", which no step has')
    expect(patternWith(['order'])[0]).toContain('"order" is shared and the name of a step')
  })
})

test('all that is wrong with an input is reported at once', async () => {
  const wrong = {
    order: { buyr: 'ann' },
    lines: [{ sku: 'a', quantity: 1 }, { sku: 'b' }],
    stock: [{ stock: 1, needed: 1 }],
  }
  const error: unknown = await table.patterns
    .placeOrder(wrong as never)
    .catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(InputError)
  expect((error as InputError).issues.map(({ path }) => path.join('.'))).toEqual([
    'order.buyr',
    'order.buyer',
    'lines.1.quantity',
    'stock.0.sku',
  ])
  const both = table.transactWrite([
    Order.create({} as never),
    Line.create({ orderId: '1', sku: 'a' } as never),
  ])
  await expect(both).rejects.toMatchObject({
    issues: [{ path: [0, 'buyer'] }, { path: [1, 'quantity'] }],
  })
})

describe('ifVersion', () => {
  test('writes the version that was read, and no other', async () => {
    const { orderId, version } = await Order.create({ buyer: 'ann' })
    const closed = await table.patterns.close({ orderId, version, state: 'closed' })
    expect(closed.item).toMatchObject({ state: 'closed', version: 2 })
    const late = await table.patterns.close({ orderId, version, state: 'open' }).result()
    expect(late).toMatchObject({ ok: false, reason: 'VERSION_CONFLICT' })
    const early = await table.patterns.discard({ orderId, version }).result()
    expect(early).toMatchObject({ ok: false, reason: 'VERSION_CONFLICT' })
    await table.patterns.discard({ orderId, version: 2 })
    // @ts-expect-error: the version is missing.
    await expect(table.patterns.discard({ orderId })).rejects.toThrow('"version" is missing')
  })

  test('needs a model with a version', () => {
    const patterns = {
      p: { op: 'delete', entity: 'Product', by: ['sku'], ifVersion: true },
    } as const
    const { issues } = readSchema({ ...schema, patterns })
    expect(issues[0]?.what).toContain('Product has no version')
  })
})

test('the plan says which steps are for lists, and what is shared', () => {
  const { shared, steps } = table.patterns.placeOrder.plan()
  expect(shared).toEqual(['orderId'])
  expect(steps?.lines?.each).toBe(true)
  expect(steps?.order).not.toHaveProperty('each')
})
