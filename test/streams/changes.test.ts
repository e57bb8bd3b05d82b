import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams'
import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { changesOf } from 'singletable/streams'
import { describe, expect, test } from 'vitest'
import lambdaEvent from './lambda-event.json' with { type: 'json' }
import { NOW, recordsOf, schema, streamOf, streamTable } from './stream-table.ts'

const photo = new Uint8Array([0, 1, 250, 255])

async function writtenTable() {
  const { table, engine, environment, streamArn } = await streamTable()
  const { User, Session } = table.entities
  await User.put({
    username: 'alice',
    name: 'Alice',
    photo,
    tags: new Set(['a', 'b']),
    secret: 'x',
  }).execute()
  await environment.advance(5000)
  await User.update({ username: 'alice' })
    .set({ name: 'Alicia' })
    .delete('tags', new Set(['b']))
    .execute()
  await Session.put({ username: 'alice', number: 7, expiresAt: NOW / 1000 + 60 }).execute()
  await Session.put({ username: 'alice', number: 8 }).execute()
  await Session.delete({ username: 'alice', number: 8 }).execute()
  await environment.advance(61_000)
  await engine.sweepExpired()
  return { table, engine, streamArn }
}

const session = { username: 'alice', number: 7, count: 0, expiresAt: NOW / 1000 + 60 }
const alice = { username: 'alice', name: 'Alice', photo, tags: new Set(['a', 'b']) }
const expected = [
  {
    entity: 'User',
    type: 'insert',
    keys: { username: 'alice' },
    before: undefined,
    after: alice,
    changed: ['username', 'name', 'photo', 'tags'],
    expired: false,
    at: new Date(NOW),
  },
  {
    entity: 'User',
    type: 'modify',
    keys: { username: 'alice' },
    before: alice,
    after: { ...alice, name: 'Alicia', tags: new Set(['a']) },
    changed: ['name', 'tags'],
    expired: false,
    at: new Date(NOW + 5000),
  },
  { entity: 'Session', type: 'insert', keys: { username: 'alice', number: 7 }, after: session },
  { entity: 'Session', type: 'insert', keys: { username: 'alice', number: 8 }, expired: false },
  {
    entity: 'Session',
    type: 'remove',
    keys: { username: 'alice', number: 8 },
    after: undefined,
    expired: false,
  },
  {
    entity: 'Session',
    type: 'remove',
    keys: { username: 'alice', number: 7 },
    before: session,
    after: undefined,
    changed: ['username', 'number', 'count', 'expiresAt'],
    expired: true,
  },
]

describe('changes', () => {
  test('are decoded from the records of an engine', async () => {
    const { table, engine, streamArn } = await writtenTable()
    const { Shards } = (await engine.send('DescribeStream', { StreamArn: streamArn }))
      .StreamDescription
    const { ShardIterator } = await engine.send('GetShardIterator', {
      StreamArn: streamArn,
      ShardId: Shards[0]?.ShardId ?? '',
      ShardIteratorType: 'TRIM_HORIZON',
    })
    const { Records } = await engine.send('GetRecords', { ShardIterator })
    const changes = changesOf(table, Records)
    expect(changes).toMatchObject(expected)
    expect(changes.map(({ eventId }) => eventId)).toEqual(Records.map(({ eventID }) => eventID))
    expect(changesOf(schema, Records)).toEqual(changes)
  })

  test('are the same from the records of the AWS SDK, which has dates and bytes', async () => {
    const { engine, streamArn } = await writtenTable()
    const client = new DynamoDBStreamsClient(engine.clientConfig())
    const { StreamDescription } = await client.send(
      new DescribeStreamCommand({ StreamArn: streamArn }),
    )
    const { ShardIterator } = await client.send(
      new GetShardIteratorCommand({
        StreamArn: streamArn,
        ShardId: StreamDescription?.Shards?.[0]?.ShardId ?? '',
        ShardIteratorType: 'TRIM_HORIZON',
      }),
    )
    const { Records = [] } = await client.send(new GetRecordsCommand({ ShardIterator }))
    expect(Records[0]?.dynamodb?.ApproximateCreationDateTime).toBeInstanceOf(Date)
    expect(Records[0]?.dynamodb?.NewImage?.photo?.B).toBeInstanceOf(Uint8Array)
    expect(changesOf(schema, Records)).toMatchObject(expected)
    expect(await recordsOf(client, streamArn)).toEqual(await recordsOf(engine, streamArn))
  })

  test('are decoded from an event of AWS Lambda, where a removal by time to live is marked', () => {
    const changes = changesOf(schema, lambdaEvent.Records)
    expect(changes).toMatchObject([
      {
        entity: 'User',
        type: 'insert',
        after: { username: 'alice', name: 'Alice', photo },
        at: new Date('2026-01-02T03:00:00Z'),
        sequenceNumber: '4421584500000000017450439091',
        eventId: 'c4ca4238a0b923820dcc509a6f75849b',
        expired: false,
      },
      { entity: 'User', type: 'modify', changed: ['name'], after: { name: 'Alicia' } },
      { entity: 'Session', type: 'remove', keys: { username: 'alice', number: 7 }, expired: true },
      { entity: 'Session', type: 'remove', keys: { username: 'alice', number: 8 }, expired: false },
    ])
  })

  test('of items that no model has are unknown, with plain values', async () => {
    const { table, engine, streamArn } = await streamTable()
    const item = {
      pk: { S: 'OTHER' },
      sk: { S: '1' },
      __proto__x: { N: '5' },
      list: { L: [{ BOOL: true }] },
    }
    await engine.send('PutItem', { TableName: table.name, Item: item })
    await engine.send('PutItem', {
      TableName: table.name,
      Item: { pk: { S: 'USER#bob' }, sk: { S: 'PROFILE' }, _type: { S: 'Robot' } },
    })
    const values = { pk: 'OTHER', sk: '1', __proto__x: 5, list: [true] }
    expect(changesOf(table, await recordsOf(engine, streamArn))).toMatchObject([
      {
        entity: undefined,
        kind: 'unknown',
        type: 'insert',
        keys: { pk: 'OTHER', sk: '1' },
        after: values,
      },
      { entity: undefined, kind: 'unknown', after: { _type: 'Robot' } },
    ])
  })

  test('of items without a type are known by their keys', async () => {
    const { table, engine, streamArn } = await streamTable()
    await engine.send('PutItem', {
      TableName: table.name,
      Item: { pk: { S: 'USER#bob' }, sk: { S: 'PROFILE' }, name: { S: 'Bob' } },
    })
    expect(changesOf(table, await recordsOf(engine, streamArn))).toMatchObject([
      { entity: 'User', keys: { username: 'bob' }, after: { username: 'bob', name: 'Bob' } },
    ])
  })

  test('of an item that became one of another model are a removal and an insertion', async () => {
    const { table, engine, streamArn } = await streamTable()
    const Key = { pk: { S: 'USER#bob' }, sk: { S: 'PROFILE' } }
    await engine.send('PutItem', { TableName: table.name, Item: { ...Key, _type: { S: 'Robot' } } })
    await table.entities.User.put({ username: 'bob', name: 'Bob' }).execute()
    const [, ...changes] = changesOf(table, await recordsOf(engine, streamArn))
    expect(changes).toMatchObject([
      { entity: undefined, type: 'remove', before: { _type: 'Robot' }, after: undefined },
      { entity: 'User', type: 'insert', before: undefined, after: { name: 'Bob' } },
    ])
  })
})

describe('a stream without both images', () => {
  const models = {
    Event: {
      key: { pk: 'EVENT#${id}', sk: 'AT#${name:lower}' },
      attributes: {
        id: { type: String, required: true },
        name: { type: String, required: true },
        count: { type: Number },
      },
    },
  } as const
  const views = {
    keys: [undefined, undefined],
    new: [undefined, { id: '1', name: 'Launch', count: 2 }],
    old: [{ id: '1', name: 'Launch', count: 1 }, undefined],
  } as const
  for (const view of ['keys', 'new', 'old'] as const) {
    test(`of "${view}" gives what it has`, async () => {
      const engine = createEngine()
      const declared = defineSchema({
        indexes: { primary: { hash: 'pk', sort: 'sk' } },
        models,
        table: { stream: view },
      })
      const table = new Table({ name: 'Events', schema: declared, client: engine })
      await table.create()
      const { Event } = table.entities
      await Event.put({ id: '1', name: 'Launch', count: 1 }).execute()
      await Event.update({ id: '1', name: 'Launch' }).set({ count: 2 }).execute()
      const records = await recordsOf(engine, await streamOf(engine, 'Events'))
      const [, change] = changesOf(table, records)
      expect([change?.before, change?.after]).toEqual(views[view])
      expect(change).toMatchObject({ entity: 'Event', type: 'modify', keys: { id: '1' } })

      const undeclared = defineSchema({ indexes: declared.indexes, models })
      expect(() => changesOf(undeclared, records)).toThrow('STREAM_VIEW_MISMATCH')
    })
  }
})

test.each([
  [undefined, 'is not a list'],
  [[undefined], 'is not a stream record'],
  [[{}], 'is not a stream record'],
  [[{ eventName: 'INSERT', dynamodb: {} }], 'is not a stream record'],
  [[{ eventName: 'UPSERT', dynamodb: { Keys: {} } }], 'no eventName'],
  [[{ eventName: 'INSERT', dynamodb: { Keys: {} } }], 'no sequence number'],
])('%j is refused as records', (records, problem) => {
  // The compiler would refuse most of these too.
  expect(() => changesOf(schema, records as never)).toThrow(problem)
})
