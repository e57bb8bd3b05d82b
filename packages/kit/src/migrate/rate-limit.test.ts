import { createEngine } from 'singletable/engine'
import { ServiceError, type Transport } from 'singletable/tools'
import { expect, test } from 'vitest'
import { RateLimit } from './rate-limit.ts'

test('what was consumed is added up, and waits only for a rate', async () => {
  const rate = new RateLimit(undefined, () => 0)
  for (let spent = 0; spent < 1_000; spent++) await rate.spend(1_000)
  expect(rate.units).toBe(1_000_000)
})

test('a wait for the rate ends with the signal', async () => {
  const interruption = new AbortController()
  const rate = new RateLimit(1, () => 0, interruption.signal)
  // An hour.
  const waiting = rate.spend(3_600)
  interruption.abort()
  await waiting
})

test('the rate is halved when the table throttles, and recovers to what was asked', async () => {
  let now = 0
  const rate = new RateLimit(1_000, () => now)
  const engine = createEngine()
  const throttled: Transport = {
    send: () => Promise.reject(new ServiceError('ThrottlingException', 'too much')),
  }
  await expect(rate.around(throttled).send('ListTables', {})).rejects.toThrow('too much')
  expect(rate.unitsPerSecond).toBe(500)
  await expect(rate.around(engine).send('DescribeTable', { TableName: 'None' })).rejects.toThrow()
  expect(rate.unitsPerSecond).toBe(500)
  for (let spent = 0; spent < 100; spent++) {
    now += 1_000
    await rate.spend(1)
  }
  expect(rate.unitsPerSecond).toBe(1_000)
})

test('every read and write through the transport is added up, and so are indexes', async () => {
  const rate = new RateLimit(undefined, () => 0)
  const transport = rate.around(createEngine())
  const TableName = 'Things'
  await transport.send('CreateTable', {
    TableName,
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: ['id', 'other'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byOther',
        KeySchema: [{ AttributeName: 'other', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  })
  const Item = { id: { S: '1' }, other: { S: 'x' } }
  await transport.send('PutItem', { TableName, Item })
  expect(rate.units).toBe(2)
  await transport.send('GetItem', { TableName, Key: { id: { S: '1' } }, ConsistentRead: true })
  expect(rate.units).toBe(3)
  await transport.send('TransactWriteItems', {
    TransactItems: [{ Put: { TableName, Item: { id: { S: '2' } } } }],
  })
  expect(rate.units).toBe(5)
  await transport.send('Scan', { TableName })
  expect(rate.units).toBe(5.5)
})
