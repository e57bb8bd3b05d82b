import { expect, test } from 'vitest'
import { systemEnvironment } from '../../values/environment.ts'
import { compileSchema } from '../compile-schema.ts'
import { referencesOf, toReference } from '../references.ts'
import { complete } from './complete.ts'
import { planCheck } from './plan-check.ts'
import { planDelete } from './plan-delete.ts'
import { planPut } from './plan-put.ts'
import { planUpdate } from './plan-update.ts'
import type { StagedPlan, UpdatePlan } from './staged-plan.ts'

const schema = compileSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } },
  models: {
    Shop: {
      key: { pk: 'SHOP#${shopId}', sk: 'SHOP' },
      attributes: {
        shopId: { type: String },
        orders: { type: Number, counts: 'Order' },
        until: { type: Number, ttl: true },
      },
    },
    Order: {
      key: { pk: 'ORDER#${orderId}', sk: 'ORDER' },
      index: { gsi1pk: 'STATUS#${status}', gsi1sk: '${day}' },
      copies: { ShopOrder: { key: { pk: 'SHOP#${shopId}', sk: 'ORDER#${orderId}' } } },
      attributes: {
        orderId: { type: String },
        shopId: { type: String, required: true },
        email: { type: String, unique: true },
        status: { type: String },
        day: { type: String },
      },
    },
    Note: {
      key: { pk: 'NOTE#${id}', sk: 'NOTE' },
      index: { gsi1pk: 'BY#${author}', gsi1sk: '${day}' },
      attributes: {
        id: { type: String },
        author: { type: String },
        day: { type: String },
        text: { type: String },
      },
    },
  },
})
const context = { tableName: 'Shops', environment: systemEnvironment }
const common = { where: undefined, capacity: undefined, version: undefined }

function update(name: 'Order' | 'Note', key: object, set: object): UpdatePlan {
  const model = schema.models.get(name)!
  const references = referencesOf(model) as Record<string, unknown>
  const assignments = Object.entries(set).map(([attribute, value]) => ({
    kind: 'set' as const,
    target: toReference(references[attribute], '')!,
    value,
  }))
  return planUpdate(
    { ...common, model, verb: 'update', key, assignments, given: undefined, returning: 'ALL_NEW' },
    context,
  )
}

const Order = schema.models.get('Order')!
const order = { orderId: '1', shopId: 'a', email: 'e', status: 'new', day: '2026-01-01' }
const item = Order.encodeNew(order, systemEnvironment, 'here').item
const put = { ...common, model: Order, input: order, returning: 'NEW' } as const
const key = { orderId: '1' }
const staged = {
  put: planPut({ ...put, verb: 'put' }, context),
  create: planPut({ ...put, verb: 'create' }, context),
  delete: planDelete(
    { ...common, model: Order, key, returning: 'NONE', mustExist: false },
    context,
  ),
  'update of what others follow from': update('Order', key, { shopId: 'b' }),
  'update of an index key': update('Note', { id: '1' }, { author: 'b' }),
  move: update('Note', { id: '1' }, { id: '2' }),
} as const
const plans = {
  check: planCheck({ model: Order, key, where: undefined, version: undefined }, context),
  update: update('Note', { id: '1' }, { text: 'x' }),
  ...staged,
}

/** Members that are parts of the compiled schema, which has functions, or the caller's own. */
const SCHEMA = ['model', 'parent', 'attribute', 'codec', 'output']

function functionsIn(value: unknown, at = 'plan'): string[] {
  if (typeof value === 'function') return [at]
  if (typeof value !== 'object' || value === null) return []
  const entries = value instanceof Map ? [...value] : Object.entries(value)
  return entries.flatMap(([name, each]) =>
    SCHEMA.includes(String(name)) ? [] : functionsIn(each, `${at}.${String(name)}`),
  )
}

test.each(Object.entries(plans))('the plan of a write is frozen data: %s', (_, plan) => {
  expect(Object.isFrozen(plan)).toBe(true)
  expect(functionsIn(plan)).toEqual([])
})

test.each(Object.entries(staged))('so is what completes it: %s', (_, plan) => {
  const writes = complete(plan as StagedPlan, item, 0)
  for (const write of writes) {
    expect(Object.isFrozen(write)).toBe(true)
    for (const each of write.derivedItems ?? []) expect(functionsIn(each)).toEqual([])
    expect(functionsIn(write)).toEqual([])
  }
  // The same plan and the same item give the same writes.
  expect(complete(plan as StagedPlan, item, 0)).toEqual(writes)
})
