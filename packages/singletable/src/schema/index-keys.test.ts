import { expect, test } from 'vitest'
import { compileSchema } from '../plan/compile-schema.ts'
import { isInIndex, keyFromItem } from './index-keys.ts'

const schema = compileSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, byOwner: { hash: 'owner', sort: 'gsi1sk' } },
  models: {
    Thing: {
      key: { pk: 'THING#${id}', sk: 'THING' },
      index: { gsi1sk: 'SIZE#${size}' },
      attributes: {
        id: { type: String },
        owner: { type: Number },
        size: { type: Number, pad: 3 },
        open: { type: Boolean },
      },
      when: { byOwner: { open: true } },
    },
  },
})
const thing = schema.models.get('Thing')!
const byOwner = thing.indexes[1]!

test('an item is in an index when everything is there and the condition holds', () => {
  expect(isInIndex(byOwner, { owner: 1, size: 2, open: true })).toBe(true)
  expect(isInIndex(byOwner, { owner: 1, size: 2, open: false })).toBe(false)
  expect(isInIndex(byOwner, { owner: 1, size: 2 })).toBe(false)
  expect(isInIndex(byOwner, { owner: null, size: 2, open: true })).toBe(false)
  expect(isInIndex(byOwner, { size: 2, open: true })).toBe(false)
})

test('the key of an item has the attributes of the index that the item has', () => {
  const item = { pk: { S: 'a' }, sk: { S: 'b' }, owner: { N: '1' }, more: { S: 'x' } }
  expect(keyFromItem(schema.primary, item)).toEqual({ pk: { S: 'a' }, sk: { S: 'b' } })
  expect(keyFromItem(byOwner.index, item)).toEqual({ owner: { N: '1' } })
})
