import { defineSchema, type Item, type Key, type NewItem, type Table } from 'singletable'
import type { Equal, Expect } from './wire-type.ts'

/** What shards and time buckets mean for types. What is here is compiled and never run. */

const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byLevel: { hash: 'levelPk', sort: 'sk' },
  },
  models: {
    Event: {
      key: { pk: 'LOG#${log}#${at:day}#${shard}', sk: 'AT#${at}#${id}' },
      index: { levelPk: 'LEVEL#${level}#${at:month}#${shard}' },
      shard: { count: 8, by: ['id'] },
      attributes: {
        log: { type: String, required: true },
        at: { type: Date, required: true, start: '2026-01-01' },
        id: { type: String, required: true },
        level: { type: Number, encode: true },
      },
    },
    Metric: {
      key: { pk: '${slice}#${name}', sk: '${at:hour}' },
      shard: { count: 4, name: 'slice', by: ['name'] },
      attributes: { name: { type: String }, at: { type: Number }, value: { type: Number } },
    },
  },
})

declare const table: Table<typeof schema>
const { Event, Metric } = table.entities
const at = new Date(0)

export type Cases = [
  // A shard is not an attribute: neither of keys, nor of items.
  Expect<Equal<keyof Key<typeof schema, 'Event'>, 'log' | 'at' | 'id'>>,
  Expect<Equal<Key<typeof schema, 'Event'>['at'], Date>>,
  Expect<Equal<keyof Key<typeof schema, 'Metric'>, 'name' | 'at'>>,
  Expect<Equal<Key<typeof schema, 'Metric'>['at'], number>>,
  Expect<Equal<keyof Item<typeof schema, 'Event'>, 'log' | 'at' | 'id' | 'level'>>,
  Expect<Equal<NewItem<typeof schema, 'Metric'>['at'], number>>,
]

Event.get({ log: 'web', at, id: '1' })
// @ts-expect-error the shard is made by the table
Event.get({ log: 'web', at, id: '1', shard: '3' })
// @ts-expect-error the time is in the key
Event.get({ log: 'web', id: '1' })
Event.put({ log: 'web', at, id: '1' })
// @ts-expect-error the shard is made by the table
Event.put({ log: 'web', at, id: '1', shard: 3 })
Metric.get({ name: 'cpu', at: 0 })

// All shards are read, and a range of times is a matter of conditions.
Event.query({ log: 'web' }).where((attr, op) => op.between(attr.at, at, at))
Event.query({ log: 'web', at })
Event.query({ level: 1 }).useIndex('byLevel')
// @ts-expect-error neither index is fixed by the id
Event.query({ id: '1' })
// @ts-expect-error a shard is not an attribute
Event.query({ log: 'web', shard: '1' })
// @ts-expect-error a shard is not an attribute
Event.query().where((attr, op) => op.eq(attr.shard, '1'))
