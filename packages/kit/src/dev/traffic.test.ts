import { defineSchema } from 'singletable'
import { createEngine } from 'singletable/engine'
import { compileSchema, createTableRequest } from 'singletable/tools'
import { beforeEach, expect, test } from 'vitest'
import { metered, TRAFFIC_MINUTES, Traffic } from './traffic.ts'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'place' } },
  models: {
    Note: {
      key: { pk: 'NOTE#${id}', sk: 'NOTE' },
      index: { place: 'CITY#${city}' },
      attributes: { id: { type: String, required: true }, city: { type: String } },
    },
  },
})

let now: number
let traffic: Traffic
beforeEach(() => {
  now = Date.UTC(2026, 0, 1)
  traffic = new Traffic(schema, () => now)
})

function note(pk: string, units: number, operation = 'GetItem', table = 'Tab'): void {
  const Key = { pk: { S: pk }, sk: { S: 'NOTE' } }
  const ConsumedCapacity = { TableName: table, CapacityUnits: units }
  traffic.note(operation, { TableName: table, Key }, { ConsumedCapacity })
}

test('the busiest partition is the one with most units, not with most requests', () => {
  for (let n = 0; n < 5; n++) note('often', 0.5)
  note('large', 100)
  note('written', 40, 'DeleteItem')
  expect(traffic.top('Tab', 'primary').map(({ key }) => key)).toEqual([
    'pk=written',
    'pk=large',
    'pk=often',
  ])
  expect(traffic.top('Tab', 'primary')[2]).toMatchObject({ reads: 5, readUnits: 2.5, writes: 0 })
})

test('the busiest second of a partition is kept', () => {
  note('a', 10)
  note('a', 20)
  now += 1000
  note('a', 25)
  now += 60_000
  note('a', 1)
  expect(traffic.top('Tab', 'primary')).toMatchObject([{ reads: 4, readUnits: 56, readPeak: 30 }])
})

test('one of the last minutes can be asked for, and older ones are forgotten', () => {
  note('first', 3)
  now += 2 * 60_000
  note('second', 5)
  expect(traffic.top('Tab', 'primary', 2).map(({ key }) => key)).toEqual(['pk=first'])
  expect(traffic.top('Tab', 'primary', 1)).toEqual([])
  expect(traffic.top('Tab', 'primary', 0).map(({ key }) => key)).toEqual(['pk=second'])
  expect(traffic.history('Tab', 'primary').slice(-3)).toEqual([
    { reads: 3, writes: 0 },
    { reads: 0, writes: 0 },
    { reads: 5, writes: 0 },
  ])
  now += (TRAFFIC_MINUTES - 2) * 60_000
  expect(traffic.top('Tab', 'primary').map(({ key }) => key)).toEqual(['pk=second'])
  now += 2 * 60_000
  expect(traffic.top('Tab', 'primary')).toEqual([])
})

test('other tables, requests without a key and requests that can not be read do not count', () => {
  note('a', 1, 'GetItem', 'Other')
  traffic.note('Scan', { TableName: 'Tab' }, { ConsumedCapacity: { CapacityUnits: 9 } })
  for (const request of [
    undefined,
    null,
    'x',
    { TableName: 'Tab', Key: 7 },
    { RequestItems: [] },
  ]) {
    for (const operation of ['GetItem', 'BatchWriteItem', 'Query']) traffic.note(operation, request)
  }
  expect(traffic.top('Tab', 'primary')).toEqual([])
})

test('in a minute, more partitions than are kept take no more memory', () => {
  for (let n = 0; n < 1500; n++) note(`k${n}`, 1)
  expect(traffic.top('Tab', 'primary').length).toBe(1000)
  note('k7', 1)
  expect(traffic.top('Tab', 'primary')[0]).toMatchObject({ key: 'pk=k7', reads: 2 })
})

test('units of the table and of an index go to their own partitions', async () => {
  const engine = createEngine()
  await engine.send('CreateTable', createTableRequest(compileSchema(schema), 'Tab'))
  const send = async (operation: 'PutItem' | 'BatchGetItem', request: object): Promise<void> => {
    const asked = metered(operation, request) as never
    traffic.note(operation, request, await engine.send(operation, asked))
  }
  const Item = {
    pk: { S: 'NOTE#1' },
    sk: { S: 'NOTE' },
    city: { S: 'Berlin' },
    place: { S: 'CITY#Berlin' },
    x: { S: 'y'.repeat(2000) },
  }
  await send('PutItem', { TableName: 'Tab', Item })
  expect(traffic.top('Tab', 'primary')).toMatchObject([
    { key: 'pk=NOTE#1', writes: 1, writeUnits: 2 },
  ])
  expect(traffic.top('Tab', 'gsi1')).toMatchObject([
    { key: 'place=CITY#Berlin', writes: 1, writeUnits: 2 },
  ])
  const Keys = ['NOTE#1', 'NOTE#2'].map((pk) => ({ pk: { S: pk }, sk: { S: 'NOTE' } }))
  await send('BatchGetItem', { RequestItems: { Tab: { Keys } } })
  const units = traffic.top('Tab', 'primary').map(({ readUnits }) => readUnits)
  expect(units.reduce((sum, each) => sum + each)).toBe(1)
  await engine.close()
})

test('a request that asks for units itself is left as it is', () => {
  expect(metered('GetItem', { ReturnConsumedCapacity: 'TOTAL' })).toBeUndefined()
  expect(metered('GetItem', { ReturnConsumedCapacity: 'wrong' })).toBeUndefined()
  expect(metered('DescribeTable', {})).toBeUndefined()
  expect(metered('Query', { ReturnConsumedCapacity: 'NONE' })).toEqual({
    ReturnConsumedCapacity: 'INDEXES',
  })
})
