import type { Figure } from '../cost/figure.ts'
import type { Bill, PatternBill, ProvisionedBill } from '../cost/monthly-bill.ts'
import type { PartitionLoad } from '../cost/partition-load.ts'
import { GIGABYTE } from '../cost/storage-bill.ts'
import { countOf } from '../text/counts.ts'
import type { Colors } from '../text/terminal-text.ts'
import { printTable } from './print-table.ts'

export interface BillTextOptions {
  readonly colors: Colors
  /** Say how each figure comes about. */
  readonly formulas: boolean
  readonly width: number | undefined
}

/** Partitions that are worth a word: those with more than this part of what one bears. */
const LOAD_SHOWN = 0.1
const LOADS_MAX = 5

/** A bill as it is read by people. */
export function billText(bill: Bill, { colors, formulas, width }: BillTextOptions): string {
  const table = { colors, ...(width !== undefined && { width }) }
  const sections: string[] = [headLine(bill)]
  if (bill.patterns.length > 0) {
    const rows = bill.patterns.map((pattern) => [
      pattern.pattern,
      pattern.callsPerMonth === undefined ? '–' : formatMany(pattern.callsPerMonth),
      unitsText(pattern),
      pattern.dollars === undefined ? '–' : dollarsText(pattern.dollars.value),
      (pattern.dollars ?? unitsBasis(pattern)).basis,
    ])
    const titles = ['pattern', 'calls a month', 'units a call', '$ a month', 'basis']
    sections.push(printTable(rightAligned(titles, [1, 3]), rows, table))
  } else sections.push('The schema has no patterns: only storage can be calculated.')
  const stored = bill.storage.filter(({ bytes }) => bytes !== undefined)
  if (stored.length > 0) {
    const rows = stored.map(({ model, index, guards, bytes, dollars }) => [
      guards === undefined ? model : `${model}, unique "${guards}"`,
      index,
      `${formatBytes(bytes?.value ?? 0)}`,
      dollarsText(dollars ?? 0),
      bytes?.basis ?? '',
    ])
    const titles = ['stored', 'index', 'size', '$ a month', 'basis']
    sections.push(printTable(rightAligned(titles, [2, 3]), rows, table))
  }
  sections.push(totalText(bill, colors))
  const loads = bill.partitions.filter(({ units, limit }) => units.value > LOAD_SHOWN * limit)
  if (loads.length > 0) {
    const lines = loads.slice(0, LOADS_MAX).map((load) => `  ${loadText(load, colors)}`)
    sections.push(['Busiest partitions:', ...lines].join('\n'))
  }
  if (formulas) sections.push(formulasText(bill))
  if (bill.missing.length > 0) {
    sections.push(['For better figures:', ...bill.missing.map((each) => `  ${each}`)].join('\n'))
  }
  return sections.join('\n\n')
}

function totalText(bill: Bill, colors: Colors): string {
  const { reads, writes, storage, all, basis } = bill.totals
  const unrated = bill.patterns.filter(({ dollars }) => dollars === undefined).length
  const unknown = new Set(bill.storage.flatMap(({ model, bytes }) => (bytes ? [] : [model]))).size
  const rest = [
    ...(unrated > 0 ? [countOf(unrated, 'pattern')] : []),
    ...(unknown > 0 ? [`what is stored of ${countOf(unknown, 'model')}`] : []),
  ].join(' and ')
  if (unrated === bill.patterns.length && bill.storage.every(({ bytes }) => bytes === undefined)) {
    return 'Nothing that could be priced is declared.'
  }
  return [
    `reads $${dollarsText(reads)}, writes $${dollarsText(writes)}, storage $${dollarsText(storage)}`,
    colors.bold(`total $${dollarsText(all)} a month (${basis})${rest && `, without ${rest}`}`),
    ...(bill.provisioned
      ? [capacityText('provisioned for the peaks', bill.provisioned, 'without storage')]
      : []),
    ...(bill.declaredCapacity
      ? [
          capacityText(
            'the schema asks for provisioned capacity',
            bill.declaredCapacity,
            'in place of reads and writes',
          ),
        ]
      : []),
  ].join('\n')
}

function headLine({ prices, tableClass }: Bill): string {
  const of = tableClass === 'standard' ? 'standard tables' : 'tables for infrequent access'
  return `On demand in ${prices.region}, ${of}, at the prices of ${prices.date}`
}

function rightAligned(titles: readonly string[], at: readonly number[]) {
  return titles.map((title, position) => ({
    title,
    ...(at.includes(position) && { align: 'right' as const }),
  }))
}

function unitsText({ readUnits, writeUnits }: PatternBill): string {
  const parts = [
    ...(readUnits.value > 0 ? [`${formatUnits(readUnits.value)} RRU`] : []),
    ...(writeUnits.value > 0 ? [`${formatUnits(writeUnits.value)} WRU`] : []),
  ]
  return parts.join(' + ')
}

function unitsBasis({ readUnits, writeUnits }: PatternBill): Figure {
  return readUnits.basis === 'default' ? readUnits : writeUnits.value > 0 ? writeUnits : readUnits
}

function capacityText(
  what: string,
  { readUnits, writeUnits, dollars }: ProvisionedBill,
  instead: string,
): string {
  return `${what}: ${readUnits} RCU and ${writeUnits} WCU, $${dollarsText(dollars.value)} a month ${instead}`
}

function loadText({ pattern, index, kind, units, limit }: PartitionLoad, colors: Colors): string {
  const unit = kind === 'read' ? 'RCU' : 'WCU'
  const text = `${pattern} in ${index}: ${formatUnits(units.value)} of ${limit} ${unit} a second on one key`
  return units.value > limit ? colors.red(`${text}: more than the limit of a partition`) : text
}

function formulasText({ patterns, storage, provisioned, partitions }: Bill): string {
  const lines = [
    ...patterns.flatMap(({ pattern, readUnits, writeUnits, dollars }) => [
      ...(readUnits.value > 0 ? [`${pattern}: ${readUnits.formula} RRU`] : []),
      ...(writeUnits.value > 0 ? [`${pattern}: ${writeUnits.formula} WRU`] : []),
      ...(dollars ? [`${pattern}: ${dollars.formula}`] : []),
    ]),
    ...storage.flatMap(({ model, index, bytes }) =>
      bytes ? [`${model} in ${index}: ${bytes.formula}`] : [],
    ),
    ...(provisioned ? [`provisioned: ${provisioned.dollars.formula}`] : []),
    ...partitions.map(({ pattern, index, units }) => `${pattern} in ${index}: ${units.formula}`),
  ]
  return ['How the figures are computed:', ...lines.map((each) => `  ${each}`)].join('\n')
}

/** At least cents, and of less than a cent what is left of it. */
export function dollarsText(value: number): string {
  return value > 0 && value < 0.01 ? '<0.01' : value.toFixed(2)
}

function formatUnits(value: number): string {
  return String(Number(value.toFixed(value < 10 ? 2 : 1)))
}

function formatMany(value: number): string {
  const [divisor, sign] =
    value >= 1e9 ? [1e9, ' G'] : value >= 1e6 ? [1e6, ' M'] : value >= 1e4 ? [1e3, ' k'] : [1, '']
  return `${Number((value / divisor).toFixed(1))}${sign}`
}

function formatBytes(value: number): string {
  if (value >= GIGABYTE) return `${(value / GIGABYTE).toFixed(1)} GB`
  if (value >= 1024 ** 2) return `${(value / 1024 ** 2).toFixed(1)} MB`
  return `${(value / 1024).toFixed(1)} KB`
}
