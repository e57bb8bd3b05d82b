import { expect, test } from 'vitest'
import { createEngine, type Engine, type EngineOptions } from '../engine.ts'
import { type SimulatedEnvironment, simulatedEnvironment } from '../simulated-environment.ts'
import { memoryStorage } from '../storage/memory-storage.ts'
import type { Storage } from '../storage/storage.ts'
import { EXPIRY_AGE_MAX_SECONDS, SWEEP_ITEMS_MAX } from './sweeper.ts'

const START_SECONDS = 1_700_000_000

// biome-ignore lint/suspicious/noExplicitAny: the tests look at answers of every operation.
type Answer = any

interface Setup {
  readonly engine: Engine
  readonly environment: SimulatedEnvironment
  send(operation: string, request: object): Promise<Answer>
  put(name: string, expires: number): Promise<void>
  names(index?: string): Promise<string[]>
}

/** A table with a time to live, and a sweeper that stays idle unless a test asks for it. */
async function setUp(options: EngineOptions = {}, members: object = {}): Promise<Setup> {
  const environment = simulatedEnvironment({ now: START_SECONDS * 1000 })
  const engine = createEngine({ environment, timeToLiveSweepMs: 1e9, ...options })
  const send = engine.send as Setup['send']
  await send('CreateTable', {
    TableName: 'table',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    ...members,
  })
  await timeToLive(send, true)
  return {
    engine,
    environment,
    send,
    put: (name, expires) =>
      send('PutItem', {
        TableName: 'table',
        Item: { pk: { S: name }, expires: { N: String(expires) } },
      }),
    async names(index) {
      const scan = { TableName: 'table', ...(index === undefined ? {} : { IndexName: index }) }
      const { Items } = await send('Scan', scan)
      return Items.map((item: Answer) => item.pk.S).sort()
    },
  }
}

function timeToLive(send: Setup['send'], Enabled: boolean): Promise<Answer> {
  return send('UpdateTimeToLive', {
    TableName: 'table',
    TimeToLiveSpecification: { Enabled, AttributeName: 'expires' },
  })
}

test('an item is deleted from the very second on at which it expires', async () => {
  const { engine, environment, put, names } = await setUp()
  await put('a', START_SECONDS + 10)
  environment.jump((START_SECONDS + 10) * 1000 - 1)
  expect(await engine.sweepExpired()).toBe(0)
  expect(await names()).toEqual(['a'])
  environment.jump((START_SECONDS + 10) * 1000)
  expect(await engine.sweepExpired()).toBe(1)
  expect(await names()).toEqual([])
})

test('an expired item can be read and written until it is swept', async () => {
  const { engine, send, put, names } = await setUp()
  await put('a', START_SECONDS - 1)
  expect(await names()).toEqual(['a'])
  await send('UpdateItem', {
    TableName: 'table',
    Key: { pk: { S: 'a' } },
    UpdateExpression: 'SET n = :n',
    ExpressionAttributeValues: { ':n': { N: '1' } },
  })
  expect(await engine.sweepExpired()).toBe(1)
})

test('an item that expired more than five years ago stays for ever', async () => {
  const { engine, put, names } = await setUp()
  await put('just young enough', START_SECONDS - EXPIRY_AGE_MAX_SECONDS)
  await put('too old', START_SECONDS - EXPIRY_AGE_MAX_SECONDS - 1)
  expect(await engine.sweepExpired()).toBe(1)
  expect(await names()).toEqual(['too old'])
})

test('an item renewed before the sweep stays', async () => {
  const { engine, environment, put, names } = await setUp()
  await put('a', START_SECONDS + 10)
  await put('b', START_SECONDS + 10)
  environment.jump((START_SECONDS + 20) * 1000)
  await put('a', START_SECONDS + 100)
  expect(await engine.sweepExpired()).toBe(1)
  expect(await names()).toEqual(['a'])
})

/** A storage that does something just before the transaction that follows `arm()`. */
function interruptedStorage(): { storage: Storage; arm(action: () => Promise<unknown>): void } {
  const inner = memoryStorage()
  let pending: (() => Promise<unknown>) | undefined
  const storage: Storage = {
    get: (key) => inner.get(key),
    visit: (range, visitor) => inner.visit(range, visitor),
    async transaction(callback) {
      const action = pending
      pending = undefined
      await action?.()
      return inner.transaction(callback)
    },
    snapshot: () => inner.snapshot(),
    restore: (snapshot) => inner.restore(snapshot),
    close: () => inner.close(),
  }
  return {
    storage,
    arm(action) {
      pending = action
    },
  }
}

test('an item renewed between finding and deleting it stays', async () => {
  const { storage, arm } = interruptedStorage()
  const { engine, put, names } = await setUp({ storage })
  await put('a', START_SECONDS - 1)
  arm(() => put('a', START_SECONDS + 100))
  expect(await engine.sweepExpired()).toBe(0)
  expect(await names()).toEqual(['a'])
})

test('a clock set back between finding and deleting an item saves it', async () => {
  const { storage, arm } = interruptedStorage()
  const { engine, environment, put, names } = await setUp({ storage })
  await put('a', START_SECONDS + 10)
  environment.jump((START_SECONDS + 20) * 1000)
  arm(async () => environment.jump(START_SECONDS * 1000))
  expect(await engine.sweepExpired()).toBe(0)
  expect(await names()).toEqual(['a'])
})

test('a time to live switched off between finding and deleting an item saves it', async () => {
  const { storage, arm } = interruptedStorage()
  const { engine, send, put, names } = await setUp({ storage })
  await put('a', START_SECONDS - 1)
  arm(() => timeToLive(send, false))
  expect(await engine.sweepExpired()).toBe(0)
  expect(await names()).toEqual(['a'])
})

test('a clock that goes back deletes nothing early', async () => {
  const { engine, environment, put, names } = await setUp()
  await put('a', START_SECONDS + 10)
  environment.jump((START_SECONDS - 1000) * 1000)
  expect(await engine.sweepExpired()).toBe(0)
  environment.jump((START_SECONDS + 9) * 1000)
  expect(await engine.sweepExpired()).toBe(0)
  expect(await names()).toEqual(['a'])
})

test('items written before the time to live was enabled expire, too', async () => {
  const { engine, send, put, names } = await setUp()
  await timeToLive(send, false)
  await put('a', START_SECONDS - 1)
  await put('b', START_SECONDS + 1)
  await timeToLive(send, true)
  expect(await engine.sweepExpired()).toBe(1)
  expect(await names()).toEqual(['b'])
})

test('nothing expires after the time to live was disabled', async () => {
  const { engine, send, put, names } = await setUp()
  await put('a', START_SECONDS - 1)
  await timeToLive(send, false)
  expect(await engine.sweepExpired()).toBe(0)
  expect(await names()).toEqual(['a'])
})

test('after a change of the attribute the old one has no effect', async () => {
  const { engine, send, put, names } = await setUp()
  await put('a', START_SECONDS - 1)
  await timeToLive(send, false)
  await send('UpdateTimeToLive', {
    TableName: 'table',
    TimeToLiveSpecification: { Enabled: true, AttributeName: 'other' },
  })
  expect(await engine.sweepExpired()).toBe(0)
  expect(await names()).toEqual(['a'])
})

test('an expired item leaves its indexes and the count of items', async () => {
  const { engine, send, put, names } = await setUp(
    {},
    {
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'expires', AttributeType: 'N' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byExpiry',
          KeySchema: [{ AttributeName: 'expires', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    },
  )
  await put('a', START_SECONDS - 1)
  await put('b', START_SECONDS + 1)
  await engine.sweepExpired()
  expect(await names('byExpiry')).toEqual(['b'])
  expect((await send('DescribeTable', { TableName: 'table' })).Table.ItemCount).toBe(1)
})

test('the sweeper deletes by itself, at its interval', async () => {
  const { environment, put, names } = await setUp({ timeToLiveSweepMs: 1000 })
  await put('a', START_SECONDS + 5)
  await environment.advance(4999)
  expect(await names()).toEqual(['a'])
  await environment.advance(1)
  expect(await names()).toEqual([])
})

test('a sweeper without a pause still lets time pass', async () => {
  const { environment, put, names } = await setUp({ timeToLiveSweepMs: 0 })
  await put('a', START_SECONDS)
  await environment.advance(2)
  expect(await names()).toEqual([])
})

test('more items than one sweep takes follow at once', async () => {
  const { environment, put, names } = await setUp({ timeToLiveSweepMs: 1000 })
  for (let n = 0; n <= SWEEP_ITEMS_MAX; n++) await put(`item ${n}`, START_SECONDS)
  await environment.advance(1000)
  expect(await names()).toEqual([])
})

test('a closed engine sweeps no more', async () => {
  const { engine, environment, put } = await setUp({ timeToLiveSweepMs: 1000 })
  await put('a', START_SECONDS + 1)
  await engine.close()
  await environment.advance(10_000)
  await expect(engine.send('ListTables', {})).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
})

test('a fault delays the deletion', async () => {
  const { engine, environment, put, names } = await setUp()
  await put('a', START_SECONDS + 10)
  engine.faults.add({ kind: 'timeToLiveDelay', ms: 5000, table: 'table' })
  environment.jump((START_SECONDS + 14) * 1000)
  expect(await engine.sweepExpired()).toBe(0)
  expect(await names()).toEqual(['a'])
  environment.jump((START_SECONDS + 15) * 1000)
  expect(await engine.sweepExpired()).toBe(1)
})

test('a deleted table leaves no entries that could hurt the next of its name', async () => {
  const { engine, send, put, names } = await setUp()
  await put('a', START_SECONDS + 10)
  await send('DeleteTable', { TableName: 'table' })
  await send('CreateTable', {
    TableName: 'table',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await put('a', START_SECONDS - 10)
  expect(await engine.sweepExpired()).toBe(0)
  expect(await names()).toEqual(['a'])
})

test('the time to live is ENABLING for the time of a transition and cannot change meanwhile', async () => {
  const environment = simulatedEnvironment({ now: START_SECONDS * 1000 })
  const engine = createEngine({ environment, transitionMs: 1000 })
  const send = engine.send as Setup['send']
  await send('CreateTable', {
    TableName: 'table',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await environment.advance(1000)
  await timeToLive(send, true)
  const describe = async () =>
    (await send('DescribeTimeToLive', { TableName: 'table' })).TimeToLiveDescription
  expect(await describe()).toEqual({ TimeToLiveStatus: 'ENABLING', AttributeName: 'expires' })
  await expect(timeToLive(send, false)).rejects.toMatchObject({
    name: 'ValidationException',
    message: 'Time to live has been modified multiple times within a fixed interval',
  })
  await environment.advance(1000)
  expect(await describe()).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'expires' })
  await timeToLive(send, false)
  expect(await describe()).toEqual({ TimeToLiveStatus: 'DISABLING', AttributeName: 'expires' })
  await environment.advance(1000)
  expect(await describe()).toEqual({ TimeToLiveStatus: 'DISABLED' })
})
