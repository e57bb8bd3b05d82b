import { expect, test } from 'vitest'
import { parsePrices } from './parse-prices.ts'

/** One product of AWS's price list, with its steps of [end, price in dollars]. */
type Usage = readonly [region: string, usage: string, ...steps: readonly [string, string][]]

function priceList(usages: readonly Usage[], currency = 'USD') {
  const steps = (sku: string, list: readonly [string, string][]) =>
    list.map(([endRange, price], at) => [
      `${sku}.T.${at}`,
      { beginRange: '0', endRange, unit: 'x', pricePerUnit: { [currency]: price } },
    ])
  return JSON.stringify({
    formatVersion: 'v1.0',
    offerCode: 'AmazonDynamoDB',
    publicationDate: '2030-05-06T07:08:09Z',
    products: Object.fromEntries(
      usages.map(([regionCode, usagetype], at) => [
        `S${at}`,
        { sku: `S${at}`, attributes: { regionCode, usagetype } },
      ]),
    ),
    terms: {
      OnDemand: Object.fromEntries(
        usages.map(([, , ...list], at) => [
          `S${at}`,
          { [`S${at}.T`]: { priceDimensions: Object.fromEntries(steps(`S${at}`, list)) } },
        ]),
      ),
    },
  })
}

const MOON: readonly Usage[] = [
  ['moon-1', 'MOO1-ReadRequestUnits', ['Inf', '0.0000001525']],
  ['moon-1', 'MOO1-WriteRequestUnits', ['Inf', '0.0000007625']],
  ['moon-1', 'MOO1-ReplWriteRequestUnits', ['Inf', '0.9']],
  ['moon-1', 'MOO1-ReadCapacityUnit-Hrs', ['18600', '0.0'], ['Inf', '0.00016']],
  ['moon-1', 'MOO1-WriteCapacityUnit-Hrs', ['18600', '0.0'], ['Inf', '0.0008']],
  ['moon-1', 'MOO1-TimedStorage-ByteHrs', ['25', '0.0'], ['Inf', '0.306']],
  ['moon-1', 'MOO1-TimedPITRStorage-ByteHrs', ['Inf', '0.9']],
  ['moon-1', 'MOO1-IA-ReadRequestUnits', ['Inf', '0.00000019']],
  ['moon-1', 'MOO1-IA-WriteRequestUnits', ['Inf', '0.00000095']],
  ['moon-1', 'MOO1-IA-TimedStorage-ByteHrs', ['Inf', '0.12']],
  ['mars-1', 'ReadRequestUnits', ['Inf', '0.0000002']],
  ['mars-1', 'WriteRequestUnits', ['Inf', '0.000001']],
  ['mars-1', 'TimedStorage-ByteHrs', ['25', '0.0'], ['Inf', '0.5']],
]

test("prices are read from AWS's own price list, each region with its date and table classes", () => {
  expect(parsePrices(priceList(MOON))).toEqual([
    {
      region: 'moon-1',
      date: '2030-05-06',
      standard: {
        onDemand: { readMillion: 0.1525, writeMillion: 0.7625 },
        provisioned: { readUnitHour: 0.000_16, writeUnitHour: 0.0008 },
        storageGigabyte: 0.306,
      },
      infrequentAccess: {
        onDemand: { readMillion: 0.19, writeMillion: 0.95 },
        storageGigabyte: 0.12,
      },
    },
    {
      region: 'mars-1',
      date: '2030-05-06',
      standard: { onDemand: { readMillion: 0.2, writeMillion: 1 }, storageGigabyte: 0.5 },
    },
  ])
})

test('a price list without prices in dollars is refused', () => {
  expect(() => parsePrices(priceList(MOON, 'CNY'))).toThrow(/no region with prices in dollars/)
})

test('the price list of another service is refused by its name', () => {
  expect(() => parsePrices('{"offerCode":"AmazonS3","products":{}}')).toThrow(/AmazonS3/)
})
