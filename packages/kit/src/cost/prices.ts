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

/**
 * The prices of 2026-09 are from the price list that AWS publishes. Only prices that were looked up
 * are here; those of other regions are read from that list or from a file.
 */
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
  onDemandOnly('us-east-2', { readMillion: 0.125, writeMillion: 0.625, storageGigabyte: 0.25 }),
  onDemandOnly('ap-northeast-1', {
    readMillion: 0.1425,
    writeMillion: 0.715,
    storageGigabyte: 0.285,
  }),
  onDemandOnly('ap-south-1', { readMillion: 0.1425, writeMillion: 0.71, storageGigabyte: 0.285 }),
  onDemandOnly('eu-central-1', {
    readMillion: 0.1525,
    writeMillion: 0.7625,
    storageGigabyte: 0.306,
  }),
]

function onDemandOnly(
  region: string,
  {
    readMillion,
    writeMillion,
    storageGigabyte,
  }: { readMillion: number; writeMillion: number; storageGigabyte: number },
): Prices {
  return {
    region,
    date: '2026-09',
    standard: { onDemand: { readMillion, writeMillion }, storageGigabyte },
  }
}

export const REGION_DEFAULT = 'us-east-1'

/** The prices of a region; undefined if they are not known. */
export function pricesOf(region: string = REGION_DEFAULT): Prices | undefined {
  return KNOWN_PRICES.find((each) => each.region === region)
}
