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

/** Only prices that were looked up are here; those of other regions come from a file. */
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
