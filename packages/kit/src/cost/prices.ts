import { PRICE_TABLE, PRICE_TABLE_DATE, SEEN_AGAIN } from './price-table.ts'

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

export const REGION_DEFAULT = 'us-east-1'

/** The prices of all regions that are charged in dollars, in the order of the table. */
export const KNOWN_PRICES: readonly Prices[] = PRICE_TABLE.trim().split('\n').map(readRow)

function readRow(row: string): Prices {
  const [region = '', ...prices] = row.split(/ +/)
  const numbers = prices.map(Number)
  return {
    region,
    date: SEEN_AGAIN[region] ?? PRICE_TABLE_DATE,
    standard: classPrices(numbers.slice(0, 5)),
    infrequentAccess: classPrices(numbers.slice(5)),
  }
}

function classPrices([
  readMillion = 0,
  writeMillion = 0,
  readHours = 0,
  writeHours = 0,
  storageGigabyte = 0,
]: readonly number[]): ClassPrices {
  return {
    onDemand: { readMillion, writeMillion },
    provisioned: { readUnitHour: readHours / 1e6, writeUnitHour: writeHours / 1e6 },
    storageGigabyte,
  }
}

/** The prices of a region; undefined if they are not known. */
export function pricesOf(region: string = REGION_DEFAULT): Prices | undefined {
  return KNOWN_PRICES.find((each) => each.region === region)
}
