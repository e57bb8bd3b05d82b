import { createEngine, type Engine } from 'singletable/engine'
import type { OperationName, Transport } from 'singletable/tools'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sampleTable } from '../../../packages/kit/src/check/evidence/sample-table.ts'

const TableName = 'Things'
const today = '2026-11-15'
let engine: Engine

beforeEach(async () => {
  engine = createEngine()
  await engine.send('CreateTable', {
    TableName,
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  })
})

afterEach(() => engine.close())

/** Fills the table: this many partitions of this many items each. */
async function fill(partitions: number, itemsEach: number, bytes = 1000): Promise<void> {
  const keys = Array.from({ length: partitions * itemsEach }, (_, at) => ({
    pk: { S: `P#${at % partitions}` },
    sk: { S: `I#${at}` },
  }))
  for (let at = 0; at < keys.length; at += 25) {
    const RequestItems = {
      [TableName]: keys.slice(at, at + 25).map((key) => ({
        PutRequest: { Item: { ...key, text: { S: 'x'.repeat(bytes) } } },
      })),
    }
    await engine.send('BatchWriteItem', { RequestItems })
  }
}

/** The engine, with a note of what was sent; `around` can fail first. */
function watched(around: (operation: OperationName) => void = () => {}): {
  readonly transport: Transport
  readonly sent: OperationName[]
} {
  const sent: OperationName[] = []
  return {
    sent,
    transport: {
      send: async (operation, request, options) => {
        sent.push(operation)
        around(operation)
        return engine.send(operation, request, options)
      },
    },
  }
}

const keysOf = (items: readonly { readonly pk?: unknown; readonly sk?: unknown }[]): Set<string> =>
  new Set(items.map(({ pk, sk }) => JSON.stringify([pk, sk])))

describe('a sample', () => {
  test('of a table that fits into the budget is the whole table, each item once', async () => {
    await fill(20, 10)
    const sample = await sampleTable({
      transport: engine,
      tableName: TableName,
      budget: 500,
      today,
    })
    expect(sample).toMatchObject({ isWhole: true, itemCount: 200, takenOn: today })
    expect(sample.items).toHaveLength(200)
    expect(keysOf(sample.items).size).toBe(200)
    expect(sample.readUnits).toBeLessThanOrEqual(500)
  })

  test('of an empty table is the whole of it', async () => {
    const sample = await sampleTable({
      transport: engine,
      tableName: TableName,
      budget: 500,
      today,
    })
    expect(sample).toMatchObject({ isWhole: true, items: [], itemCount: 0 })
  })

  test('of a large table keeps to the budget and comes from all over it', async () => {
    // One partition has half of the items.
    await fill(1, 1000)
    await fill(200, 10)
    const { transport, sent } = watched()
    const budget = 60
    const sample = await sampleTable({ transport, tableName: TableName, budget, today })
    expect(sample.isWhole).toBe(false)
    expect(sample.readUnits).toBeLessThanOrEqual(budget)
    expect(sample.readUnits).toBeGreaterThan(budget * 0.7)
    expect(keysOf(sample.items).size).toBe(sample.items.length)
    const partitions = new Set(sample.items.map(({ pk }) => pk?.S))
    // A scan from the beginning would have read some twenty of them.
    expect(partitions.size).toBeGreaterThan(25)
    expect(new Set(sent)).toEqual(new Set(['DescribeTable', 'Scan']))
  })

  test.each([1, 2, 3, 7])('with a budget of %i is small', async (budget) => {
    await fill(50, 10)
    const sample = await sampleTable({ transport: engine, tableName: TableName, budget, today })
    expect(sample.readUnits).toBeLessThanOrEqual(budget)
    expect(sample.items.length).toBeGreaterThan(0)
    expect(sample.isWhole).toBe(false)
  })

  test('also works where the service reports neither counts nor units', async () => {
    await fill(40, 10)
    const silent: Transport = {
      send: async (operation, request, options) => {
        const response: object = await engine.send(operation, request, options)
        const { ConsumedCapacity, Table, ...rest } = response as Record<string, object>
        // What such a service answers is a response without some of its members.
        return (Table ? { Table: { TableName } } : rest) as never
      },
    }
    const sample = await sampleTable({ transport: silent, tableName: TableName, budget: 20, today })
    expect(sample.itemCount).toBeUndefined()
    expect(sample.readUnits).toBeLessThanOrEqual(20)
    expect(sample.items.length).toBeGreaterThan(50)
  })

  test('is patient with a table that throttles', async () => {
    await fill(10, 10)
    engine.faults.add({ kind: 'throttle', operation: 'Scan', count: 3 })
    const sample = await sampleTable({
      transport: engine,
      tableName: TableName,
      budget: 100,
      today,
    })
    expect(sample.items).toHaveLength(100)
  })

  test('that is interrupted is what was read until then', async () => {
    await fill(100, 10)
    const controller = new AbortController()
    const seen: number[] = []
    const sample = await sampleTable({
      transport: engine,
      tableName: TableName,
      budget: 100,
      today,
      signal: controller.signal,
      onProgress: (items, readUnits) => {
        seen.push(items)
        if (readUnits > 10) controller.abort()
      },
    })
    expect(sample.isWhole).toBe(false)
    expect(sample.items).toHaveLength(seen.at(-1) ?? 0)
    expect(sample.items.length).toBeGreaterThan(0)
    // What was under way was finished, and no more than that.
    expect(sample.readUnits).toBeLessThan(100)
  })

  test('of a table that is not there fails as the service does', async () => {
    await expect(
      sampleTable({ transport: engine, tableName: 'Nothing', budget: 1, today }),
    ).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  })
})
