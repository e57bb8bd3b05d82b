import { defineSchema } from 'singletable'

/** A table without a sort key, with fixed capacity, and without the nets that are there unless a
 * schema takes them away. */
export const provisionedSchema = defineSchema({
  indexes: { primary: { hash: 'id' }, byOwner: { hash: 'owner', sort: 'id' } },
  models: {
    Counter: {
      key: { id: 'COUNTER#${name}' },
      attributes: {
        name: { type: String, required: true },
        owner: { type: String },
        value: { type: Number, default: 0 },
      },
    },
  },
  patterns: { getCounter: { op: 'get', entity: 'Counter', by: ['name'] } },
  table: {
    billing: { readCapacityUnits: 5, writeCapacityUnits: 2 },
    stream: 'keys',
    deletionProtection: false,
    pointInTimeRecovery: false,
  },
})
