import { expect, test } from 'vitest'
import { Table } from '../builder/table.ts'
import { createEngine } from '../engine/engine.ts'
import { simulatedEnvironment } from '../engine/simulated-environment.ts'
import { defineSchema } from '../plan/define-schema.ts'
import { ServiceError } from '../wire/service-error.ts'
import type { Transport } from '../wire/transport.ts'
import { FrequentCounts } from './frequent-counts.ts'
import { type HotKey, type WatchKeysOptions, watchKeys } from './watch-keys.ts'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk', sort: 'sk' } },
  models: {
    Post: {
      key: { pk: 'USER#${user}', sk: 'POST#${id}' },
      index: { gsi1pk: 'STATUS#${status}' },
      attributes: {
        user: { type: String, required: true },
        id: { type: String, required: true },
        status: { type: String, default: 'draft' },
      },
    },
  },
})

async function start(options: Partial<WatchKeysOptions> = {}) {
  const environment = simulatedEnvironment()
  const engine = createEngine({ environment })
  const reported: HotKey[] = []
  const onHot = (hot: HotKey): void => {
    reported.push(hot)
  }
  const client = watchKeys(engine, { schema, onHot, environment, ...options })
  const table = new Table({ name: 'Blog', schema, client, environment })
  await table.create()
  return { environment, engine, client, reported, table, Post: table.entities.Post }
}

test('a key that is written too often is reported once, by table and index', async () => {
  const { Post, reported } = await start({ writesMax: 3 })
  for (let id = 0; id < 6; id++) await Post.put({ user: `u${id}`, id: '1' }).execute()
  expect(reported.map(({ message }) => message)).toEqual([
    'gsi1pk=STATUS#draft of index "gsi1" of table "Blog" had 4 writes in 60 s',
  ])
})

test('batches, transactions, queries and updates are counted by the keys they have', async () => {
  const { Post, table, client } = await start()
  await Post.batchWrite([
    { user: 'a', id: '1' },
    { user: 'a', id: '2' },
  ]).execute()
  await table
    .transactWrite()
    .add(Post.delete({ user: 'a', id: '3' }))
    .execute()
  await Post.query({ user: 'a' }).execute()
  await Post.query({ status: 'draft' }).useIndex('gsi1').execute()
  await Post.batchGet([{ user: 'a', id: '1' }]).execute()
  await Post.update({ user: 'a', id: '1' }).set({ status: 'done' }).execute()
  const counted = client.top().map(({ index, key, kind, count }) => [index, key, kind, count])
  expect(counted).toEqual(
    expect.arrayContaining([
      ['primary', 'pk=USER#a', 'write', 4],
      ['primary', 'pk=USER#a', 'read', 2],
      ['gsi1', 'gsi1pk=STATUS#draft', 'write', 2],
      ['gsi1', 'gsi1pk=STATUS#draft', 'read', 1],
      ['gsi1', 'gsi1pk=STATUS#done', 'write', 1],
    ]),
  )
})

test('what is older than the window does not count', async () => {
  const { Post, reported, environment, client } = await start({ readsMax: 3, windowMs: 6000 })
  for (let round = 0; round < 6; round++) {
    await Post.get({ user: 'a', id: '1' }).execute()
    await environment.advance(2000)
  }
  expect(reported).toEqual([])
  await environment.advance(6000)
  expect(client.top()).toEqual([])
  for (let round = 0; round < 4; round++) await Post.get({ user: 'a', id: '1' }).execute()
  expect(reported).toHaveLength(1)
  await environment.advance(6000)
  for (let round = 0; round < 4; round++) await Post.get({ user: 'a', id: '1' }).execute()
  expect(reported).toHaveLength(2)
})

test('a throttled request is reported with its keys and the reason', async () => {
  const reported: HotKey[] = []
  const error = new ServiceError('ThrottlingException', 'slow down', {
    ThrottlingReasons: [{ reason: 'TableWriteKeyRangeThroughputExceeded', resource: 'arn' }],
  })
  const throttling: Transport = {
    async send() {
      throw error
    },
  }
  const onHot = (hot: HotKey): void => {
    reported.push(hot)
  }
  const client = watchKeys(throttling, { schema, onHot })
  const Key = { pk: { S: 'USER#a' }, sk: { S: 'POST#1' } }
  for (let round = 0; round < 2; round++) {
    await expect(client.send('DeleteItem', { TableName: 'Blog', Key })).rejects.toBe(error)
  }
  expect(reported.map(({ message }) => message)).toEqual([
    'pk=USER#a of table "Blog" had 1 writes in 60 s, and was throttled: TableWriteKeyRangeThroughputExceeded',
  ])
})

test('of a cancelled transaction only the throttled items are reported', async () => {
  const reported: string[] = []
  const error = new ServiceError('TransactionCanceledException', 'cancelled', {
    CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError', Message: 'hot' }],
  })
  const throttling: Transport = {
    async send() {
      throw error
    },
  }
  const client = watchKeys(throttling, { schema, onHot: ({ key }) => reported.push(key) })
  const deletion = (user: string) => ({
    Delete: { TableName: 'Blog', Key: { pk: { S: user }, sk: { S: 'x' } } },
  })
  const request = { TransactItems: [deletion('a'), deletion('b')] }
  await expect(client.send('TransactWriteItems', request)).rejects.toBe(error)
  expect(reported).toEqual(['pk=b'])
})

test('the memory is bounded, and what is frequent stays in it', () => {
  const counts = new FrequentCounts(10)
  for (let round = 0; round < 1000; round++) {
    counts.add('hot')
    counts.add(`cold ${round}`)
  }
  expect([...counts.ids()]).toHaveLength(10)
  expect(counts.atLeast('hot')).toBe(1000)
  expect(counts.atLeast('cold 999')).toBe(1)
})
