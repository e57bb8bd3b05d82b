/** What one table class costs, in dollars. */
export interface ClassPrices {
  readonly onDemand: {
    /** For a million read request units. */
    readonly readMillion: number
    readonly writeMillion: number
  }
  /** For one unit of capacity and one hour. */
  readonly provisioned?:
    | { readonly readUnitHour: number; readonly writeUnitHour: number }
    | undefined
  /** For a gigabyte and a month. */
  readonly storageGigabyte: number
}

/** The prices of one region on one day. */
export interface Prices {
  readonly region: string
  /** The month or day they were read, as `2026-01`. */
  readonly date: string
  readonly standard: ClassPrices
  /** The table class for data that is seldom read. */
  readonly infrequentAccess?: ClassPrices | undefined
}

/** Only prices that were looked up are here; other regions come from a file of the same shape. */
export const KNOWN_PRICES: readonly Prices[] = [
  {
    region: 'us-east-1',
    date: '2026-01',
    standard: {
      onDemand: { readMillion: 0.125, writeMillion: 0.625 },
      provisioned: { readUnitHour: 0.000_13, writeUnitHour: 0.000_65 },
      storageGigabyte: 0.25,
    },
    infrequentAccess: {
      onDemand: { readMillion: 0.155, writeMillion: 0.78 },
      storageGigabyte: 0.1,
    },
  },
]

export const REGION_DEFAULT = 'us-east-1'

/** The prices of a region; undefined if they are not known. */
export function pricesOf(region: string = REGION_DEFAULT): Prices | undefined {
  return KNOWN_PRICES.find((each) => each.region === region)
}

/** A file of prices that is not as it should be. */
export class PricesError extends Error {}

/** Reads prices from JSON: one region, or a list of them. */
export function parsePrices(text: string): readonly Prices[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new PricesError(`it is not valid JSON: ${cause instanceof Error ? cause.message : cause}`)
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
