import type { ClassPrices, Prices } from './prices.ts'

/**
 * What is read of the file that AWS publishes with the prices of DynamoDB, of one region or of all.
 */
interface PriceList {
  readonly publicationDate: string
  readonly products: Readonly<Record<string, Product>>
  readonly terms: { readonly OnDemand: Readonly<Record<string, Readonly<Record<string, Term>>>> }
}

interface Product {
  readonly attributes?: { readonly regionCode?: string; readonly usagetype?: string }
}

interface Term {
  readonly priceDimensions?: Readonly<Record<string, Step>>
}

interface Step {
  readonly endRange?: string
  readonly pricePerUnit?: { readonly USD?: string }
}

/**
 * A type of usage, as `WriteRequestUnits` or `EUC1-IA-TimedStorage-ByteHrs`: with the region,
 * unless it was the first, and the table class.
 */
const USAGE =
  /(?:^|-)((?:Read|Write)RequestUnits|(?:Read|Write)CapacityUnit-Hrs|TimedStorage-ByteHrs)$/

export function isPriceList(value: unknown): value is PriceList {
  const { offerCode, publicationDate, products, terms } = Object(value)
  return (
    offerCode === 'AmazonDynamoDB' &&
    typeof publicationDate === 'string' &&
    isObject(products) &&
    isObject(terms?.OnDemand)
  )
}

/**
 * The prices of each region in AWS's price list; regions that are not charged in dollars are left
 * out.
 */
export function pricesInList({ publicationDate, products, terms }: PriceList): readonly Prices[] {
  const regions = new Map<string, Map<string, number>>()
  for (const [sku, { attributes = {} }] of Object.entries(products)) {
    const { regionCode, usagetype = '' } = attributes
    const usage = USAGE.exec(usagetype)?.[1]
    const price = lastPrice(Object.values(terms.OnDemand[sku] ?? {}))
    if (regionCode === undefined || usage === undefined || price === undefined) continue
    const prices = regions.get(regionCode) ?? new Map<string, number>()
    regions.set(regionCode, prices)
    prices.set(/(?:^|-)IA-/.test(usagetype) ? `IA-${usage}` : usage, price)
  }
  const date = publicationDate.slice(0, 10)
  return [...regions].flatMap(([region, prices]) => {
    const standard = classPrices(prices, '')
    const infrequentAccess = classPrices(prices, 'IA-')
    return standard
      ? [{ region, date, standard, ...(infrequentAccess && { infrequentAccess }) }]
      : []
  })
}

/** The price without an upper end: what comes before it is free, which the bill does not count. */
function lastPrice(terms: readonly Term[]): number | undefined {
  for (const { priceDimensions = {} } of terms) {
    const step = Object.values(priceDimensions).find(({ endRange }) => endRange === 'Inf')
    const price = Number(step?.pricePerUnit?.USD)
    if (Number.isFinite(price)) return price
  }
  return undefined
}

function classPrices(prices: ReadonlyMap<string, number>, prefix: string): ClassPrices | undefined {
  const [read, write, readHour, writeHour, storage] = [
    'ReadRequestUnits',
    'WriteRequestUnits',
    'ReadCapacityUnit-Hrs',
    'WriteCapacityUnit-Hrs',
    'TimedStorage-ByteHrs',
  ].map((usage) => prices.get(prefix + usage))
  if (read === undefined || write === undefined || storage === undefined) return undefined
  return {
    onDemand: { readMillion: million(read), writeMillion: million(write) },
    ...(readHour !== undefined &&
      writeHour !== undefined && {
        provisioned: { readUnitHour: readHour, writeUnitHour: writeHour },
      }),
    storageGigabyte: storage,
  }
}

/** Without the last binary digits: 0.0000006 of a dollar a million times is 0.6. */
function million(price: number): number {
  return Number((price * 1e6).toPrecision(12))
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
