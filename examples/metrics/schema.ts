import { defineSchema } from 'singletable'

const text = { type: String, required: true } as const

/** Measurements without end. A partition for each hour bounds what a key holds, and shards spread what is written at the same time. */
export const metricsSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byServer: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  models: {
    Reading: {
      key: { pk: 'METRICS#${at:hour}#${shard}', sk: '${at}#${server}' },
      index: { gsi1pk: 'SERVER#${server}#${at:day}', gsi1sk: '${at}' },
      shard: { count: 4, by: ['server'] },
      attributes: {
        server: text,
        at: { type: Date, required: true, start: '2026-01-01' },
        cpu: { type: Number, required: true },
        // DynamoDB deletes readings after a day.
        expiresAt: { type: Date, required: true, ttl: true },
      },
    },
    // The last reading of each server: one small item that is overwritten.
    Latest: {
      key: { pk: 'LATEST', sk: 'SERVER#${server}' },
      attributes: {
        server: text,
        at: { type: Date, required: true },
        cpu: { type: Number, required: true },
      },
    },
  },
  // What `singletable check` would report, and why it is right here.
  lint: { H01: { off: 'some dozens of servers, each with one reading in a minute', at: 'Latest' } },
})
