import { compileSchema, type SchemaDefinition } from 'singletable/tools'
import { expect, test } from 'vitest'
import { type Bill, type BillOptions, billOf } from './monthly-bill.ts'
import { parsePrices } from './parse-prices.ts'
import { KNOWN_PRICES, pricesOf } from './prices.ts'

const text = { type: String, required: true } as const

const definition = {
  indexes: { primary: { hash: 'pk', sort: 'sk' }, byDay: { hash: 'gsi1pk', sort: 'gsi1sk' } },
  models: {
    Event: {
      key: { pk: 'SOURCE#${source}', sk: 'EVENT#${id}' },
      index: { gsi1pk: 'EVENTS#${shard}', gsi1sk: '${id}' },
      shard: { count: 4, by: ['id'] },
      attributes: { source: text, id: text },
      stats: { count: 1_000_000, itemBytes: 924 },
    },
  },
  patterns: {
    record: {
      op: 'create',
      entity: 'Event',
      expect: { rps: 100, peakRps: 4000, distinctKeys: 10, skew: 2 },
    },
    get: { op: 'get', entity: 'Event', by: ['source', 'id'], expect: { rps: 0 } },
    search: { op: 'external', service: 'OpenSearch', reason: 'full text' },
  },
} as const

function bill(changes: Partial<SchemaDefinition> = {}, options?: BillOptions): Bill {
  return billOf({ schema: compileSchema({ ...definition, ...changes }) }, options)
}

test('a month of calls is paid for by the million', () => {
  const [record] = bill().patterns
  expect(record).toMatchObject({
    pattern: 'record',
    writeUnits: { value: 2, basis: 'declared', formula: 'Event 924 B → 1 + byDay → 1' },
    callsPerMonth: 263_520_000,
    // 527.04 million units at $0.625.
    dollars: { value: expect.closeTo(329.4, 6), basis: 'declared' },
  })
  expect(bill().totals).toMatchObject({ reads: 0, writes: expect.closeTo(329.4, 6) })
})

test('what is stored counts a hundred bytes more for each item and each entry', () => {
  const { storage } = bill()
  const bytes = { value: 1_024_000_000, basis: 'declared', formula: '1000000 × (924 + 100) B' }
  const dollars = expect.closeTo((1_024_000_000 / 1024 ** 3) * 0.25, 9)
  expect(storage).toEqual([
    { model: 'Event', index: 'primary', bytes, dollars },
    { model: 'Event', index: 'byDay', bytes, dollars },
  ])
})

test('provisioned capacity is for the peaks', () => {
  expect(bill().provisioned).toMatchObject({
    readUnits: 0,
    writeUnits: 8000,
    dollars: { value: expect.closeTo(8000 * 0.000_65 * 732, 6), basis: 'default' },
  })
})

test('capacity that the schema asks for is paid for by the hour, for the table and each global index', () => {
  const table = { billing: { readCapacityUnits: 10, writeCapacityUnits: 5 } } as const
  expect(bill().declaredCapacity).toBeUndefined()
  expect(bill({ table }).declaredCapacity).toMatchObject({
    readUnits: 20,
    writeUnits: 10,
    dollars: { value: expect.closeTo(732 * (20 * 0.000_13 + 10 * 0.000_65), 9), basis: 'declared' },
  })
})

test('the busiest key bears its part of the peak; one without variables bears all, by its shards', () => {
  expect(bill().partitions).toMatchObject([
    // 4000 × 1 × 2 ÷ 4 shards, and ÷ 10 keys.
    { pattern: 'record', index: 'byDay', kind: 'write', units: { value: 2000 }, limit: 1000 },
    { pattern: 'record', index: 'primary', kind: 'write', units: { value: 800 }, limit: 1000 },
  ])
  expect(bill().partitions[0]?.partitionsNeeded).toBe(8)
})

test('a rate that is given counts in place of the declared one; what another service answers costs nothing here', () => {
  const { patterns } = bill({}, { rps: new Map([['get', 2]]) })
  expect(patterns.map(({ pattern, callsPerMonth }) => [pattern, callsPerMonth])).toEqual([
    ['record', 263_520_000],
    ['get', 5_270_400],
  ])
})

test('undeclared values are reported as missing, and defaults are marked as such', () => {
  const { stats, ...Event } = definition.models.Event
  const patterns = { all: { op: 'query', entity: 'Event', by: ['source'] } } as const
  const { missing, totals } = bill({ models: { Event }, patterns })
  expect(missing).toEqual([
    'No rate: all (expect.rps)',
    'Items read are assumed: all (expect.itemsRead, or stats.perPartition of the model)',
    'Sizes are estimated from types: Event (stats.itemBytes)',
    'Storage is unknown: Event (stats.count)',
  ])
  expect(totals.all).toBe(0)
  expect(stats.count).toBe(1_000_000)
})

test('a table for infrequent access has prices of its own, or says that they are not known', () => {
  const table = { tableClass: 'infrequent-access' } as const
  expect(bill({ table }).totals.writes).toBeCloseTo(329.4 * (0.78 / 0.625), 6)
  const { infrequentAccess: _, ...prices } = pricesOf()!
  const other = bill({ table }, { prices })
  expect(other.tableClass).toBe('standard')
  expect(other.missing[0]).toBe(
    'No prices of tables for infrequent access in us-east-1: those of standard ones are used (--prices)',
  )
})

test('a sample gives sizes, numbers and the share of a sparse index', () => {
  const { stats: _, ...Event } = definition.models.Event
  const item = (id: string, more: object = {}) => ({
    pk: { S: 'SOURCE#a' },
    sk: { S: `EVENT#${id}` },
    source: { S: 'a' },
    id: { S: id },
    _type: { S: 'Event' },
    ...more,
  })
  const entry = { gsi1pk: { S: 'EVENTS#0' }, gsi1sk: { S: '1' } }
  const schema = compileSchema({
    ...definition,
    models: { Event: { ...Event, when: { byDay: { source: 'a' } } } },
  })
  const sample = { items: [item('1', entry), item('2')], itemCount: 200 }
  const { storage } = billOf({ schema, sample })
  expect(storage.map(({ index, bytes }) => [index, bytes?.basis])).toEqual([
    ['primary', 'sampled'],
    ['byDay', 'sampled'],
  ])
  expect(storage[1]?.bytes?.formula).toMatch(/^200 × 0\.5 × /)
})

test.each([
  ['{', /not valid JSON/],
  ['[]', /no prices/],
  ['{}', /"region" and "date"/],
  ['{"region":"r","date":"d"}', /r, standard: "onDemand.readMillion" is not a price/],
  ['null', /"region"/],
])('prices %s are refused', (source, message) => {
  expect(() => parsePrices(source)).toThrow(message)
})

test('prices of a file have the shape of those that are known', () => {
  expect(parsePrices(JSON.stringify(pricesOf()))).toEqual([pricesOf()])
})

test('each region has all prices, in the proportions that AWS keeps', () => {
  expect(KNOWN_PRICES).toHaveLength(36)
  expect(new Set(KNOWN_PRICES.map(({ region }) => region)).size).toBe(36)
  for (const { region, standard, infrequentAccess } of KNOWN_PRICES) {
    expect(region).toMatch(/^[a-z]{2}(-gov)?-[a-z]+-\d$/)
    for (const { onDemand, provisioned, storageGigabyte } of [standard, infrequentAccess!]) {
      expect(onDemand.writeMillion / onDemand.readMillion, region).toBeCloseTo(5, -0.5)
      expect(provisioned!.writeUnitHour / provisioned!.readUnitHour, region).toBeCloseTo(5, -0.5)
      expect(onDemand.writeMillion / 1000 / provisioned!.writeUnitHour, region).toBeCloseTo(1, 0.5)
      expect(storageGigabyte, region).toBeGreaterThanOrEqual(0.1)
    }
    expect(infrequentAccess!.storageGigabyte / standard.storageGigabyte).toBeCloseTo(0.4, 2)
  }
})
