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
  ['a check', { user: check, order }, 'user'],
  ['an update', { order, rename }, 'rename'],
])(
  '%s of a parent that another step counts on is found, and fails when it runs',
  async (_, steps, own) => {
    const definition = shop(steps)
    expect(found(definition)).toEqual([
      `placeOrder: steps "${Object.keys(steps)[0]}" and "${Object.keys(steps)[1]}" touch the same User when userId is equal in both: "${own}" is about the User itself, and "order" writes the count User.orderCount.`,
    ])
    const { patterns } = await exercisePatterns(readSchema(definition))
    expect(patterns[0]?.failures[0]?.got).toContain('TRANSACTION_INVALID')
  },
)

test('a parent that is made in the same transaction takes the count in', async () => {
  const definition = shop({ signUp, order })
  expect(found(definition)).toEqual([])
  const { patterns } = await exercisePatterns(readSchema(definition))
  expect(patterns).toMatchObject([{ failures: [], skipped: undefined }])
})

test('steps that name the parent by other attributes can be about another one', () => {
  const { models, ...rest } = shop({ user: check, order })
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
