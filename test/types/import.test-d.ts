import { columns, csv, defineImport } from '@singletable/kit/import'
import { defineSchema } from 'singletable'
import { expectTypeOf, test } from 'vitest'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    User: {
      key: { pk: 'USER#${id}' },
      attributes: { id: { type: String, required: true }, name: { type: String } },
    },
  },
})
const sources = { users: csv('users.csv'), orders: csv('orders.csv') }

test('a mapping names models, attributes and sources that there are', () => {
  defineImport(schema, {
    sources,
    emit: { User: { from: 'users', join: { orders: 'order_id' }, set: { id: 'id' } } },
  })
  defineImport(schema, {
    sources,
    // @ts-expect-error "Person" is not a model.
    emit: { Person: { from: 'users', set: {} } },
  })
  defineImport(schema, {
    sources,
    // @ts-expect-error "user" is not a source.
    emit: { User: { from: 'user', set: { id: 'id' } } },
  })
  defineImport(schema, {
    sources,
    // @ts-expect-error "order" is not a source.
    emit: { User: { from: 'users', join: { order: 'id' }, set: { id: 'id' } } },
  })
  defineImport(schema, {
    sources,
    // @ts-expect-error "nam" is not an attribute.
    emit: { User: { from: 'users', set: { nam: 'name' } } },
  })
  columns(['a', 'b'], (a, b) => {
    expectTypeOf(a).toEqualTypeOf(b)
    return a
  })
})
