import { getOwn, type Pattern } from 'singletable/tools'
import type { CostDesign } from './cost-design.ts'
import { type Basis, type Figure, printNumber, worstBasis } from './figure.ts'
import { type PartitionLoad, partitionLoads } from './partition-load.ts'
import { type ClassPrices, type Prices, pricesOf } from './prices.ts'
import { type ReadUnits, readUnits } from './read-units.ts'
import { type StoredPart, storageBill } from './storage-bill.ts'
import { type WriteUnits, writeUnits } from './write-units.ts'

/** What one pattern costs. */
export interface PatternBill {
  readonly pattern: string
  /** Undefined for what only writes, or is answered elsewhere. */
  readonly reads: ReadUnits | undefined
  readonly writes: WriteUnits | undefined
  /** Of one call, with what is read before a write. */
  readonly readUnits: Figure
  readonly writeUnits: Figure
  /** Calls a second; undefined if not declared. */
  readonly rps: Figure | undefined
  readonly callsPerMonth: number | undefined
  /** A month on demand; undefined without a rate. */
  readonly dollars: Figure | undefined
}

/** What the same would cost as capacity that is provisioned for the peaks. */
export interface ProvisionedBill {
  readonly readUnits: number
  readonly writeUnits: number
  readonly dollars: Figure
}

export interface Bill {
  readonly prices: Prices
  readonly tableClass: 'standard' | 'infrequent-access'
  readonly patterns: readonly PatternBill[]
  readonly storage: readonly StoredPart[]
  /** Dollars a month, of what is known. */
  readonly totals: {
    readonly reads: number
    readonly writes: number
    readonly storage: number
    readonly all: number
    readonly basis: Basis
  }
  /** What the peaks would need; undefined where no price is known. */
  readonly provisioned: ProvisionedBill | undefined
  /** The capacity that the schema asks for, which is paid for in place of requests; undefined if it
   * asks for none. */
  readonly declaredCapacity: ProvisionedBill | undefined
  /** The busiest partitions, the busiest first by its part of the limit. */
  readonly partitions: readonly PartitionLoad[]
  /** What would make the figures better, in whole sentences. */
  readonly missing: readonly string[]
}

export interface BillOptions {
  readonly prices?: Prices | undefined
  /** Calls a second by pattern, in place of what the schema says. */
  readonly rps?: ReadonlyMap<string, number> | undefined
}

export const MONTH_SECONDS = 2_635_200

/** The monthly bill of a design, from what it declares. */
export function billOf(design: CostDesign, options: BillOptions = {}): Bill {
  const prices = options.prices ?? pricesOf()!
  const wanted = design.schema?.definition.table?.tableClass ?? 'standard'
  const tableClass = prices.infrequentAccess ? wanted : 'standard'
  const of = (tableClass !== 'standard' && prices.infrequentAccess) || prices.standard
  const declared = [...(design.schema?.patterns.values() ?? [])]
  const billed = declared.filter(({ definition }) => definition.op !== 'external')
  const patterns = billed.map((pattern) => patternBill(design, pattern, of, options.rps))
  const storage = storageBill(design, of.storageGigabyte)
  const known = patterns.flatMap((each) => (each.callsPerMonth === undefined ? [] : [each]))
  const reads = dollarsOf(known, ({ readUnits }) => readUnits.value, of.onDemand.readMillion)
  const writes = dollarsOf(known, ({ writeUnits }) => writeUnits.value, of.onDemand.writeMillion)
  const stored = storage.reduce((sum, { dollars = 0 }) => sum + dollars, 0)
  const bases = [
    ...known.flatMap(({ dollars }) => dollars ?? []),
    ...storage.flatMap(({ bytes }) => bytes ?? []),
  ]
  return {
    prices,
    tableClass,
    patterns,
    storage,
    totals: {
      reads,
      writes,
      storage: stored,
      all: reads + writes + stored,
      basis: worstBasis(bases),
    },
    provisioned: provisionedBill(billed, known, of),
    declaredCapacity: declaredCapacity(design, of),
    partitions: billed
      .flatMap((pattern) => partitionLoads(design, withRate(pattern, options.rps)))
      .sort((a, b) => b.units.value / b.limit - a.units.value / a.limit),
    missing: [
      ...(tableClass === wanted
        ? []
        : [
            `No prices of tables for infrequent access in ${prices.region}: those of standard ones are used (--prices)`,
          ]),
      ...missingFacts(design, patterns, storage),
    ],
  }
}

function patternBill(
  design: CostDesign,
  pattern: Pattern,
  { onDemand }: ClassPrices,
  given: ReadonlyMap<string, number> | undefined,
): PatternBill {
  const reads = readUnits(design, pattern)
  const writes = writeUnits(design, pattern)
  const none: Figure = { value: 0, basis: 'declared', formula: '0' }
  const readFigure = reads?.units ?? writes?.readUnits ?? none
  const writeFigure = writes?.units ?? none
  const rate = given?.get(pattern.name) ?? pattern.definition.expect?.rps
  const common = {
    pattern: pattern.name,
    reads,
    writes,
    readUnits: readFigure,
    writeUnits: writeFigure,
  }
  if (rate === undefined) {
    return { ...common, rps: undefined, callsPerMonth: undefined, dollars: undefined }
  }
  const rps: Figure = { value: rate, basis: 'declared', formula: `${printNumber(rate)} per second` }
  const calls = rate * MONTH_SECONDS
  const parts = [
    [readFigure.value, onDemand.readMillion, 'RRU'] as const,
    [writeFigure.value, onDemand.writeMillion, 'WRU'] as const,
  ].filter(([units]) => units > 0)
  const dollars: Figure = {
    value: parts.reduce((sum, [units, price]) => sum + (units * calls * price) / 1e6, 0),
    basis: worstBasis([readFigure, writeFigure, rps]),
    formula: parts
      .map(
        ([units, price, unit]) =>
          `${printNumber(units)} ${unit} × ${printNumber(rate)} per second × ${MONTH_SECONDS} s × $${price} per million`,
      )
      .join(' + '),
  }
  return { ...common, rps, callsPerMonth: calls, dollars }
}

function dollarsOf(
  patterns: readonly PatternBill[],
  units: (pattern: PatternBill) => number,
  millionPrice: number,
): number {
  return patterns.reduce(
    (sum, pattern) => sum + (units(pattern) * (pattern.callsPerMonth ?? 0) * millionPrice) / 1e6,
    0,
  )
}

/** Capacity for all peaks at once; the peak is the rate where none is declared. */
function provisionedBill(
  patterns: readonly Pattern[],
  known: readonly PatternBill[],
  { provisioned }: ClassPrices,
): ProvisionedBill | undefined {
  if (provisioned === undefined || known.length === 0) return undefined
  const peaks = new Map(
    patterns.map(({ name, definition }) => [name, definition.expect?.peakRps] as const),
  )
  const peakOf = ({ pattern, rps }: PatternBill): number =>
    Math.max(rps?.value ?? 0, peaks.get(pattern) ?? 0)
  const sum = (units: (bill: PatternBill) => number): number =>
    Math.ceil(known.reduce((total, bill) => total + peakOf(bill) * units(bill), 0))
  const readUnits = sum((bill) => bill.readUnits.value)
  const writeUnits = sum((bill) => bill.writeUnits.value)
  const hasPeaks = known.every(({ pattern }) => peaks.get(pattern) !== undefined)
  const basis = worstBasis([
    ...known.flatMap(({ dollars }) => dollars ?? []),
    { basis: hasPeaks ? 'declared' : 'default' },
  ])
  return capacityBill(readUnits, writeUnits, provisioned, basis)
}

function declaredCapacity(
  { schema }: CostDesign,
  { provisioned }: ClassPrices,
): ProvisionedBill | undefined {
  const billing = schema?.definition.table?.billing
  if (typeof billing !== 'object' || provisioned === undefined) return undefined
  // A global index has its own, or as much again as the table.
  const capacities = [...(schema?.indexes.values() ?? [])]
    .filter(({ type }) => type !== 'local')
    .map(({ name }) => getOwn(billing.indexes ?? {}, name) ?? billing)
  return capacityBill(
    capacities.reduce((sum, { readCapacityUnits }) => sum + readCapacityUnits, 0),
    capacities.reduce((sum, { writeCapacityUnits }) => sum + writeCapacityUnits, 0),
    provisioned,
    'declared',
  )
}

function capacityBill(
  readUnits: number,
  writeUnits: number,
  { readUnitHour, writeUnitHour }: NonNullable<ClassPrices['provisioned']>,
  basis: Basis,
): ProvisionedBill {
  const hours = MONTH_SECONDS / 3600
  return {
    readUnits,
    writeUnits,
    dollars: {
      value: hours * (readUnits * readUnitHour + writeUnits * writeUnitHour),
      basis,
      formula: `(${readUnits} RCU × $${readUnitHour} + ${writeUnits} WCU × $${writeUnitHour}) × ${hours} hours`,
    },
  }
}

/** The pattern with the rate that was given for it. */
function withRate(pattern: Pattern, given: ReadonlyMap<string, number> | undefined): Pattern {
  const rps = given?.get(pattern.name)
  if (rps === undefined) return pattern
  const { definition } = pattern
  return { ...pattern, definition: { ...definition, expect: { ...definition.expect, rps } } }
}

function missingFacts(
  { schema }: CostDesign,
  patterns: readonly PatternBill[],
  storage: readonly StoredPart[],
): readonly string[] {
  const sentences: string[] = []
  const add = (what: string, names: Iterable<string>, fix: string): void => {
    const list = [...new Set(names)]
    if (list.length > 0) sentences.push(`${what}: ${list.join(', ')} (${fix})`)
  }
  const unrated = patterns.filter(({ rps }) => rps === undefined)
  add(
    'No rate',
    unrated.map(({ pattern }) => pattern),
    'expect.rps',
  )
  const guessed = patterns.filter(({ reads }) => reads?.itemsRead.basis === 'default')
  add(
    'Items read are assumed',
    guessed.map(({ pattern }) => pattern),
    'expect.itemsRead, or stats.perPartition of the model',
  )
  const models = [...(schema?.models.values() ?? [])].filter(({ source }) => source === undefined)
  add(
    'Sizes are estimated from types',
    models
      .filter(({ name }) => schema?.definition.models[name]?.stats?.itemBytes === undefined)
      .map(({ name }) => name),
    'stats.itemBytes',
  )
  const uncounted = models.filter(({ name }) =>
    storage.some(({ model, bytes }) => model === name && bytes === undefined),
  )
  add(
    'Storage is unknown',
    uncounted.map(({ name }) => name),
    'stats.count',
  )
  return sentences
}
