import { expect, test } from 'vitest'
import { createEngine, type EngineSendOptions } from '../engine.ts'
import { type SimulatedEnvironment, simulatedEnvironment } from '../simulated-environment.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const START_MS = 1_700_000_000_000

// biome-ignore lint/suspicious/noExplicitAny: the tests look at answers of every operation.
type Answer = any

interface Setup {
  readonly environment: SimulatedEnvironment
  readonly arn: string
  send(operation: string, request: object, options?: EngineSendOptions): Promise<Answer>
  put(name: string): Promise<void>
  /** Sets the clock so much later than the start. */
  at(ms: number): void
  shards(): Promise<Answer[]>
  iterator(place: object): Promise<string>
  /** The partition keys of the records of one page. */
  read(ShardIterator: string, members?: object): Promise<{ keys: string[]; next?: string }>
}

async function setUp(options: { transitionMs?: number } = {}): Promise<Setup> {
  const environment = simulatedEnvironment({ now: START_MS, seed: 3 })
  const engine = createEngine({ environment, ...options })
  const send = engine.send as Setup['send']
  const { TableDescription } = await send('CreateTable', {
    TableName: 'table',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  })
  const arn: string = TableDescription.LatestStreamArn
  return {
    environment,
    arn,
    send,
    put: (name) => send('PutItem', { TableName: 'table', Item: { pk: { S: name } } }),
    at: (ms) => environment.jump(START_MS + ms),
    shards: async () => (await send('DescribeStream', { StreamArn: arn })).StreamDescription.Shards,
    iterator: async (place) =>
      (await send('GetShardIterator', { StreamArn: arn, ...place })).ShardIterator,
    async read(ShardIterator, members = {}) {
      const page = await send('GetRecords', { ShardIterator, ...members })
      const keys = page.Records.map((record: Answer) => record.dynamodb.Keys.pk.S)
      const next: string | undefined = page.NextShardIterator
      return next === undefined ? { keys } : { keys, next }
    },
  }
}

test('the time of a record is the second of the write', async () => {
  const { at, put, shards, iterator, send } = await setUp()
  at(12_345)
  await put('a')
  const [shard] = await shards()
  const ShardIterator = await iterator({
    ShardId: shard.ShardId,
    ShardIteratorType: 'TRIM_HORIZON',
  })
  const { Records } = await send('GetRecords', { ShardIterator })
  expect(Records[0].dynamodb.ApproximateCreationDateTime).toBe(1_700_000_012)
  expect(Records[0].awsRegion).toBe('us-east-1')
})

test('a shard stays open until four hours have passed', async () => {
  const { at, put, shards } = await setUp()
  await put('a')
  at(4 * HOUR_MS - 1)
  await put('b')
  expect(await shards()).toHaveLength(1)
})

for (const ms of [4 * HOUR_MS, 4 * HOUR_MS + 1]) {
  test(`the first write after ${ms} ms goes to a child of the shard`, async () => {
    const { at, put, shards, iterator, read } = await setUp()
    await put('a')
    at(ms)
    await put('b')
    const [parent, child, ...others] = await shards()
    expect(others).toEqual([])
    expect(child.ParentShardId).toBe(parent.ShardId)
    expect(child.ShardId > parent.ShardId).toBe(true)
    const end = parent.SequenceNumberRange.EndingSequenceNumber
    expect(end < child.SequenceNumberRange.StartingSequenceNumber).toBe(true)
    expect(child.SequenceNumberRange).not.toHaveProperty('EndingSequenceNumber')
    const first = await iterator({ ShardId: parent.ShardId, ShardIteratorType: 'TRIM_HORIZON' })
    expect(await read(first)).toEqual({ keys: ['a'] })
    const second = await iterator({ ShardId: child.ShardId, ShardIteratorType: 'TRIM_HORIZON' })
    expect((await read(second)).keys).toEqual(['b'])
  })
}

test('a reader of an open shard reads it to its end after it was closed', async () => {
  const { at, put, shards, iterator, read } = await setUp()
  const [shard] = await shards()
  at(4 * HOUR_MS - MINUTE_MS)
  const latest = await iterator({ ShardId: shard.ShardId, ShardIteratorType: 'LATEST' })
  await put('a')
  at(4 * HOUR_MS)
  await put('b')
  expect(await read(latest)).toEqual({ keys: ['a'] })
})

test('a closed shard read to its end by a limit gives no further iterator', async () => {
  const { at, put, shards, iterator, read } = await setUp()
  await put('a')
  at(4 * HOUR_MS)
  await put('b')
  const [parent] = await shards()
  const start = await iterator({ ShardId: parent.ShardId, ShardIteratorType: 'TRIM_HORIZON' })
  expect(await read(start, { Limit: 1 })).toEqual({ keys: ['a'] })
})

test('a day of shards forms one line of parents, found by their children', async () => {
  const { at, put, shards, send, arn } = await setUp()
  for (let shift = 0; shift < 6; shift++) {
    at(shift * 4 * HOUR_MS)
    await put(`item ${shift}`)
  }
  const all = await shards()
  expect(all).toHaveLength(6)
  expect(all.map((shard) => shard.ParentShardId)).toEqual([
    undefined,
    ...all.slice(0, -1).map((shard) => shard.ShardId),
  ])
  const { StreamDescription } = await send('DescribeStream', {
    StreamArn: arn,
    ShardFilter: { Type: 'CHILD_SHARDS', ShardId: all[2].ShardId },
  })
  expect(StreamDescription.Shards).toEqual([all[3]])
})

test('shards come in pages', async () => {
  const { at, put, shards, send, arn } = await setUp()
  for (let shift = 0; shift < 5; shift++) {
    at(shift * 4 * HOUR_MS)
    await put(`item ${shift}`)
  }
  const seen: string[] = []
  const sizes: number[] = []
  let ExclusiveStartShardId: string | undefined
  do {
    const { StreamDescription }: Answer = await send('DescribeStream', {
      StreamArn: arn,
      Limit: 2,
      ...(ExclusiveStartShardId === undefined ? {} : { ExclusiveStartShardId }),
    })
    sizes.push(StreamDescription.Shards.length)
    seen.push(...StreamDescription.Shards.map((shard: Answer) => shard.ShardId))
    ExclusiveStartShardId = StreamDescription.LastEvaluatedShardId
  } while (ExclusiveStartShardId !== undefined)
  expect(sizes).toEqual([2, 2, 1])
  expect(seen).toEqual((await shards()).map((shard) => shard.ShardId))
})

test('shard ids grow even where the clock goes back', async () => {
  const { at, put, shards } = await setUp()
  at(4 * HOUR_MS)
  await put('a')
  at(-365 * DAY_MS)
  await put('b')
  at(8 * HOUR_MS)
  await put('c')
  const ids = (await shards()).map((shard) => shard.ShardId)
  expect(ids).toHaveLength(3)
  expect([...ids].sort()).toEqual(ids)
})

test('a record can be read for 24 hours and not longer', async () => {
  const { at, put, shards, iterator, read } = await setUp()
  await put('old')
  at(HOUR_MS)
  await put('young')
  const [shard] = await shards()
  const all = { ShardId: shard.ShardId, ShardIteratorType: 'TRIM_HORIZON' }
  at(DAY_MS - 1)
  expect((await read(await iterator(all))).keys).toEqual(['old', 'young'])
  at(DAY_MS)
  expect((await read(await iterator(all))).keys).toEqual(['old', 'young'])
  at(DAY_MS + 1)
  expect((await read(await iterator(all))).keys).toEqual(['young'])
})

test('a sequence number below the horizon has been trimmed, the next one has not', async () => {
  const { at, put, shards, iterator, send } = await setUp()
  await put('old')
  at(HOUR_MS)
  await put('young')
  const [shard] = await shards()
  const { ShardId } = shard
  const page = await send('GetRecords', {
    ShardIterator: await iterator({ ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
  })
  const [old, young] = page.Records.map((record: Answer) => record.dynamodb.SequenceNumber)
  at(DAY_MS + 1)
  for (const ShardIteratorType of ['AT_SEQUENCE_NUMBER', 'AFTER_SEQUENCE_NUMBER']) {
    await expect(
      iterator({ ShardId, ShardIteratorType, SequenceNumber: old }),
    ).rejects.toMatchObject({
      name: 'TrimmedDataAccessException',
      message: 'The data you are trying to access has been trimmed',
    })
    expect(await iterator({ ShardId, ShardIteratorType, SequenceNumber: young })).toBeTypeOf(
      'string',
    )
  }
})

test('an iterator at a record that is trimmed before it is used fails', async () => {
  const { at, put, shards, iterator, read } = await setUp()
  await put('old')
  const [{ ShardId, SequenceNumberRange }] = await shards()
  at(DAY_MS)
  const SequenceNumber = SequenceNumberRange.StartingSequenceNumber
  const place = { ShardId, ShardIteratorType: 'AT_SEQUENCE_NUMBER', SequenceNumber }
  const iteratorText = await iterator(place)
  const horizon = await iterator({ ShardId, ShardIteratorType: 'TRIM_HORIZON' })
  expect((await read(iteratorText)).keys).toEqual(['old'])
  at(DAY_MS + 1)
  await expect(read(iteratorText)).rejects.toMatchObject({ name: 'TrimmedDataAccessException' })
  expect((await read(horizon)).keys).toEqual([])
})

test('a closed shard vanishes 24 hours after it was closed, and not before', async () => {
  const { at, put, shards, iterator } = await setUp()
  await put('a')
  at(4 * HOUR_MS)
  await put('b')
  const [parent, child] = await shards()
  at(4 * HOUR_MS + DAY_MS)
  expect((await shards()).map((shard) => shard.ShardId)).toEqual([parent.ShardId, child.ShardId])
  at(4 * HOUR_MS + DAY_MS + 1)
  expect(await shards()).toEqual([child])
  await expect(
    iterator({ ShardId: parent.ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
  ).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    message: 'Requested resource not found: Shard does not exist',
  })
})

test('old records go at a rotation, without any reader', async () => {
  const { at, put, shards, iterator, read } = await setUp()
  await put('a')
  at(DAY_MS + 1)
  await put('b')
  // Set back, the clock can't bring back what the rotation removed.
  at(0)
  const [first] = await shards()
  const start = await iterator({ ShardId: first.ShardId, ShardIteratorType: 'TRIM_HORIZON' })
  expect((await read(start)).keys).toEqual([])
})

test('a disabled stream can be read for 24 hours, then it is gone', async () => {
  const { at, put, send, arn } = await setUp()
  await put('a')
  at(HOUR_MS)
  await send('UpdateTable', { TableName: 'table', StreamSpecification: { StreamEnabled: false } })
  at(HOUR_MS + DAY_MS)
  expect((await send('DescribeStream', { StreamArn: arn })).StreamDescription.StreamStatus).toBe(
    'DISABLED',
  )
  at(HOUR_MS + DAY_MS + 1)
  expect(await send('ListStreams', {})).toEqual({ Streams: [] })
  await expect(send('DescribeStream', { StreamArn: arn })).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  })
})

test('the stream of a deleted table is gone 24 hours later', async () => {
  const { at, put, send, arn, shards, iterator, read } = await setUp()
  await put('a')
  await send('DeleteTable', { TableName: 'table' })
  at(DAY_MS)
  const [shard] = await shards()
  const start = await iterator({ ShardId: shard.ShardId, ShardIteratorType: 'TRIM_HORIZON' })
  expect(await read(start)).toEqual({ keys: ['a'] })
  at(DAY_MS + 1)
  await expect(read(start)).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    message: `Requested resource not found: Stream: ${arn} not found`,
  })
})

test('an iterator lives for 15 minutes', async () => {
  const { at, shards, iterator, read } = await setUp()
  const [{ ShardId }] = await shards()
  const text = await iterator({ ShardId, ShardIteratorType: 'LATEST' })
  for (const ms of [15 * MINUTE_MS - 1, 15 * MINUTE_MS]) {
    at(ms)
    expect((await read(text)).keys).toEqual([])
  }
  at(15 * MINUTE_MS + 1)
  await expect(read(text)).rejects.toMatchObject({
    name: 'ExpiredIteratorException',
    message: 'Shard iterator has expired',
  })
})

test('each page gives an iterator with a new lifetime', async () => {
  const { at, shards, iterator, read } = await setUp()
  const [{ ShardId }] = await shards()
  let text = await iterator({ ShardId, ShardIteratorType: 'LATEST' })
  for (let round = 1; round <= 4; round++) {
    at(round * 10 * MINUTE_MS)
    text = (await read(text)).next ?? ''
  }
  at(50 * MINUTE_MS)
  expect((await read(text)).keys).toEqual([])
})

test('an iterator of another engine finds no stream', async () => {
  const one = await setUp()
  const two = await setUp()
  const [{ ShardId }] = await one.shards()
  const text = await one.iterator({ ShardId, ShardIteratorType: 'LATEST' })
  await two.send('DeleteTable', { TableName: 'table' })
  two.at(DAY_MS + 1)
  // The other engine's clock says it has expired, which comes first; its own clock does not.
  await expect(two.read(text)).rejects.toMatchObject({ name: 'ExpiredIteratorException' })
  two.at(0)
  await two.send('ListStreams', {})
  two.at(DAY_MS + 1)
  await two.send('ListStreams', {})
  two.at(0)
  await expect(two.read(text)).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
})

test('a page holds at most 1000 records', async () => {
  const { put, shards, iterator, read } = await setUp()
  for (let n = 0; n < 1001; n++) await put(`item ${n}`)
  const [{ ShardId }] = await shards()
  const page = await read(await iterator({ ShardId, ShardIteratorType: 'TRIM_HORIZON' }))
  expect(page.keys).toHaveLength(1000)
  expect((await read(page.next ?? '')).keys).toEqual(['item 1000'])
})

test('two streams of one table in the same millisecond have different names', async () => {
  const { send, arn } = await setUp()
  const specification = (StreamSpecification: object) =>
    send('UpdateTable', { TableName: 'table', StreamSpecification })
  await specification({ StreamEnabled: false })
  const { TableDescription } = await specification({
    StreamEnabled: true,
    StreamViewType: 'KEYS_ONLY',
  })
  expect(TableDescription.LatestStreamArn).not.toBe(arn)
  expect((await send('ListStreams', { TableName: 'table' })).Streams).toHaveLength(2)
})

test('what a reader does to a record does not reach the stream', async () => {
  const { put, shards, iterator, send } = await setUp()
  await put('a')
  const [{ ShardId }] = await shards()
  const ShardIterator = await iterator({ ShardId, ShardIteratorType: 'TRIM_HORIZON' })
  const first = await send('GetRecords', { ShardIterator })
  const before = structuredClone(first)
  Reflect.set(first.Records[0].dynamodb.Keys.pk, 'S', 'changed')
  Reflect.set(first.Records[0].dynamodb.NewImage, 'pk', 'changed')
  expect((await send('GetRecords', { ShardIterator })).Records).toEqual(before.Records)
})

test('a stream is ENABLING and DISABLING for the time of a transition', async () => {
  const { at, send, arn } = await setUp({ transitionMs: 1000 })
  const status = async () =>
    (await send('DescribeStream', { StreamArn: arn })).StreamDescription.StreamStatus
  expect(await status()).toBe('ENABLING')
  at(1000)
  expect(await status()).toBe('ENABLED')
  await send('UpdateTable', { TableName: 'table', StreamSpecification: { StreamEnabled: false } })
  expect(await status()).toBe('DISABLING')
  at(2000)
  expect(await status()).toBe('DISABLED')
})

test('a request can name the stream records that it makes, also in a transaction', async () => {
  const { send, shards, iterator } = await setUp()
  const named: string[] = []
  const options = { onStreamRecord: (eventId: string) => named.push(eventId) }
  const item = (name: string) => ({ TableName: 'table', Item: { pk: { S: name } } })
  await send('PutItem', item('a'), options)
  // What changes nothing leaves no record, and other requests are not named.
  await send('PutItem', item('a'), options)
  await send('PutItem', item('b'))
  const TransactItems = [{ Put: item('c') }, { Put: item('d') }]
  await send('TransactWriteItems', { TransactItems }, options)
  const [shard] = await shards()
  const place = { ShardId: shard.ShardId, ShardIteratorType: 'TRIM_HORIZON' }
  const { Records } = await send('GetRecords', { ShardIterator: await iterator(place) })
  const idsOf = (...names: string[]): string[] =>
    Records.filter((record: Answer) => names.includes(record.dynamodb.Keys.pk.S)).map(
      (record: Answer) => record.eventID,
    )
  expect(Records.length).toBe(4)
  expect(named).toEqual(idsOf('a', 'c', 'd'))
})
