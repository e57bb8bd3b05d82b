import type { SchemaDefinition } from 'singletable'
import { readSchema } from 'singletable/tools'
import { expect, test } from 'vitest'
import { readDesign } from '../../../packages/kit/src/check/design/design.ts'
import { exercisePatterns } from '../../../packages/kit/src/check/exercise/exercise-patterns.ts'
import { transactShape } from '../../../packages/kit/src/check/rules/writes/w02-transact-shape.ts'

const text = { type: String, required: true } as const

function shop(steps: object): SchemaDefinition {
  return {
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
      User: {
        key: { pk: 'USER#${userId}', sk: 'USER' },
        attributes: { userId: text, name: text, orderCount: { type: Number, counts: 'Order' } },
      },
      Order: {
        key: { pk: 'ORDER#${orderId}', sk: 'ORDER' },
        attributes: { orderId: text, userId: text },
      },
    },
    patterns: { placeOrder: { op: 'transact', steps: steps as never } },
  }
}

const check = { op: 'check', entity: 'User', by: ['userId'] }
const rename = { op: 'update', entity: 'User', by: ['userId'], set: ['name'] }
const order = { op: 'create', entity: 'Order' }
const signUp = { op: 'create', entity: 'User' }

const found = (definition: SchemaDefinition): readonly string[] =>
  Array.from(transactShape.check(readDesign(definition)), ({ message }) => message)

test.each([
  ['a check', { user: check, order }],
  ['an update', { order, rename }],
])('%s of a parent that another step counts on is one action with the count', async (_, steps) => {
  const definition = shop(steps)
  expect(found(definition)).toEqual([])
  const { patterns } = await exercisePatterns(readSchema(definition))
  expect(patterns).toMatchObject([{ failures: [], skipped: undefined }])
})

test('a parent that is deleted where another step is counted by it is found', () => {
  const leave = { op: 'delete', entity: 'User', by: ['userId'] }
  expect(found(shop({ leave, order }))).toEqual([
    'placeOrder: steps "leave" and "order" touch the same User when userId is equal in both: "leave" deletes it, and "order" writes its orderCount.',
  ])
})

test('a parent that is made in the same transaction takes the count in', async () => {
  const definition = shop({ signUp, order })
  expect(found(definition)).toEqual([])
  const { patterns } = await exercisePatterns(readSchema(definition))
  expect(patterns).toMatchObject([{ failures: [], skipped: undefined }])
})

test('steps that name the parent by other attributes can be about another one', () => {
  const leave = { op: 'delete', entity: 'User', by: ['userId'] }
  const { models, ...rest } = shop({ leave, order })
  const by = { userId: 'buyerId' }
  const User = {
    ...models.User!,
    attributes: {
      ...models.User!.attributes,
      orderCount: { type: Number, counts: { model: 'Order', by } },
    },
  }
  const Order = { ...models.Order!, attributes: { orderId: text, buyerId: text } }
  expect(found({ ...rest, models: { User, Order } })).toEqual([])
})

test('steps for lists, and values that steps share, are exercised', async () => {
  const { patterns: _, ...rest } = shop({})
  const placeOrder = {
    op: 'transact',
    shared: ['userId'],
    steps: { signUp, order: { ...order, each: true } },
  }
  const { patterns } = await exercisePatterns(
    readSchema({ ...rest, patterns: { placeOrder } } as SchemaDefinition),
  )
  expect(patterns).toMatchObject([{ failures: [], skipped: undefined }])
})
