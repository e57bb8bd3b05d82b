import { defineSchema, Table, TransactionCanceledError } from 'singletable'
import { createEngine } from 'singletable/engine'
import { beforeEach, describe, expect, test } from 'vitest'

/** A child and the parent that counts it, written in one transaction. */

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Cart: {
      key: { pk: 'CART#${cartId}', sk: 'CART' },
      attributes: {
        cartId: { type: String, required: true },
        state: { type: String, enum: ['open', 'paid'], default: 'open', required: true },
        note: { type: String },
        lines: { type: Number, counts: 'Line' },
        total: { type: Number, sums: 'Line.price' },
      },
    },
    Line: {
      key: { pk: 'CART#${cartId}', sk: 'LINE#${sku}' },
      attributes: {
        cartId: { type: String, required: true },
        sku: { type: String, required: true },
        price: { type: Number, required: true },
      },
    },
  },
})

const cartId = 'c'
let table = new Table({ name: 'Shop', schema, client: createEngine() })
let { Cart, Line } = table.entities

beforeEach(async () => {
  table = new Table({ name: 'Shop', schema, client: createEngine() })
  await table.create()
  ;({ Cart, Line } = table.entities)
  await Cart.create({ cartId })
  await Line.create({ cartId, sku: 'a', price: 5 })
})

const cart = () => Cart.get({ cartId })

test('an update of the parent and its counts are one write', async () => {
  await table.transactWrite([
    Line.create({ cartId, sku: 'b', price: 7 }),
    Cart.update({ cartId }).set({ note: 'gift' }),
    Line.create({ cartId, sku: 'd', price: 1 }),
  ])
  expect(await cart()).toEqual({ cartId, state: 'open', note: 'gift', lines: 3, total: 13 })
})

test('an upsert of the parent starts with the counts, or adds them', async () => {
  const add = (id: string, sku: string) =>
    table.transactWrite([
      Cart.upsert({ cartId: id }).set({ note: 'n' }),
      Line.create({ cartId: id, sku, price: 2 }),
    ])
  await add('new', 'x')
  await add('new', 'y')
  await add(cartId, 'y')
  expect(await Cart.get({ cartId: 'new' })).toMatchObject({ lines: 2, total: 4 })
  expect(await cart()).toMatchObject({ lines: 2, total: 7, note: 'n' })
})

test('a check of the parent holds for the item that is counted', async () => {
  const add = (sku: string) =>
    table.transactWrite([
      Cart.check({ cartId }).where((attr, op) => op.eq(attr.state, 'open')),
      Line.create({ cartId, sku, price: 2 }),
    ])
  await add('b')
  expect(await cart()).toMatchObject({ lines: 2, total: 7 })
  await Cart.update({ cartId }).set({ state: 'paid' })
  const refused = await add('d').result()
  expect(refused).toMatchObject({
    ok: false,
    reason: 'CONDITION_FAILED',
    failures: [{ index: 0, operation: 'check Cart', item: { state: 'paid' } }],
  })
  expect(await cart()).toMatchObject({ lines: 2, total: 7 })
})

describe('counting down', () => {
  const leave = (note: string) =>
    table.transactWrite([
      Line.delete({ cartId, sku: 'a' }).given({ price: 5 }),
      Cart.update({ cartId })
        .set({ note })
        .where((attr, op) => op.eq(attr.state, 'open')),
    ])

  test('is one write with the update', async () => {
    await leave('one less')
    expect(await cart()).toMatchObject({ lines: 0, total: 0, note: 'one less' })
  })

  test('is left out where the parent was made again since', async () => {
    await Cart.delete({ cartId })
    await Cart.create({ cartId })
    await leave('again')
    expect(await cart()).toMatchObject({ lines: 0, note: 'again' })
    expect(await Line.query({ cartId })).toEqual([])
  })

  test('is refused with the condition of the update, and not with a count', async () => {
    await Cart.update({ cartId }).set({ state: 'paid' })
    const error: unknown = await leave('late').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(TransactionCanceledError)
    expect((error as TransactionCanceledError).failures).toMatchObject([
      { index: 1, operation: 'update Cart', code: 'CONDITION_FAILED', item: { state: 'paid' } },
    ])
    expect(await cart()).toMatchObject({ lines: 1, total: 5 })
  })

  test('that was refused is not reported together with what is wrong', async () => {
    await Cart.delete({ cartId })
    await Cart.create({ cartId })
    const refused = await table
      .transactWrite([Line.delete({ cartId, sku: 'a' }).given({ price: 6 })])
      .result()
    expect(refused).toMatchObject({
      ok: false,
      failures: [{ operation: 'delete Line', code: 'CONDITION_FAILED', item: { price: 5 } }],
    })
    expect(refused.ok ? '' : refused.error.message).not.toContain('does not exist')
  })
})

test('a parent that is deleted can not get another child in the same transaction', async () => {
  const both = table.transactWrite([
    Cart.delete({ cartId }),
    Line.create({ cartId, sku: 'b', price: 1 }),
  ])
  await expect(both).rejects.toThrow('delete the Cart in a call of its own')
})
