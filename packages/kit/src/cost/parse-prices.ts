import { isPriceList, pricesInList } from './price-list.ts'
import type { ClassPrices, Prices } from './prices.ts'

/** A file of prices that is not as it should be. */
export class PricesError extends Error {}

/** Reads prices from JSON: one region, a list of them, or the price list that AWS publishes. */
export function parsePrices(text: string): readonly Prices[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new PricesError(`it is not valid JSON: ${cause instanceof Error ? cause.message : cause}`)
  }
  if (isPriceList(parsed)) {
    const prices = pricesInList(parsed)
    if (prices.length === 0) throw new PricesError('it has no region with prices in dollars')
    return prices
  }
  const { offerCode } = Object(parsed)
  if (offerCode !== undefined) {
    throw new PricesError(`it is not the price list of AmazonDynamoDB, but "${offerCode}"`)
  }
  const list = Array.isArray(parsed) ? parsed : [parsed]
  if (list.length === 0) throw new PricesError('it has no prices')
  return list.map(checkPrices)
}

function checkPrices(value: unknown): Prices {
  const { region, date, standard, infrequentAccess } = Object(value)
  if (typeof region !== 'string' || typeof date !== 'string') {
    throw new PricesError('each needs "region" and "date", both strings')
  }
  return {
    region,
    date,
    standard: checkClass(standard, `${region}, standard`),
    ...(infrequentAccess !== undefined && {
      infrequentAccess: checkClass(infrequentAccess, `${region}, infrequentAccess`),
    }),
  }
}

function checkClass(value: unknown, where: string): ClassPrices {
  const { onDemand, provisioned, storageGigabyte } = Object(value)
  const price = (number: unknown, name: string): number => {
    if (typeof number === 'number' && Number.isFinite(number) && number >= 0) return number
    throw new PricesError(`${where}: "${name}" is not a price in dollars`)
  }
  return {
    onDemand: {
      readMillion: price(onDemand?.readMillion, 'onDemand.readMillion'),
      writeMillion: price(onDemand?.writeMillion, 'onDemand.writeMillion'),
    },
    ...(provisioned !== undefined && {
      provisioned: {
        readUnitHour: price(provisioned?.readUnitHour, 'provisioned.readUnitHour'),
        writeUnitHour: price(provisioned?.writeUnitHour, 'provisioned.writeUnitHour'),
      },
    }),
    storageGigabyte: price(storageGigabyte, 'storageGigabyte'),
  }
}
