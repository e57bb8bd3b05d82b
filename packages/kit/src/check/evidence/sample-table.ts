import { type Item, itemSizeBytes, type Operations, type Transport } from 'singletable/tools'
import { sendPatiently } from '../../transfer/send-patiently.ts'
import type { TableSample } from './table-sample.ts'

export interface SampleOptions {
  readonly transport: Transport
  readonly tableName: string
  /** How many read units may be consumed; one reads 8 KB. */
  readonly budget: number
  /** The day, as `2026-11-15`. */
  readonly today: string
  /** When aborted, pages that are under way are finished, and the sample is what was read until
   * then. */
  readonly signal?: AbortSignal | undefined
  /** Called after each page. */
  readonly onProgress?: ((items: number, readUnits: number) => void) | undefined
}

export const SAMPLE_BUDGET_DEFAULT = 500
/** All items of a sample are in memory: 160 MB of them. */
export const SAMPLE_BUDGET_MAX = 20_000

/** What one unit reads when a moment's delay does no harm. */
const UNIT_BYTES = 8192
/** What a page costs at least, and what all costs are multiples of. */
const UNITS_STEP = 0.5
/** A page has 1 MB at most. */
const PAGE_UNITS_MAX = 128
const SEGMENTS_MAX = 250
/** This many segments are read in parallel. */
const PAGES_AT_ONCE = 8
const ITEM_BYTES_ASSUMED = 1024

/**
 * Reads items from all over a table, as many as the budget allows, and never writes. The table is
 * cut into segments, which are read in turns by small pages: of a large table every part is seen,
 * and of one that fits into the budget everything.
 */
export async function sampleTable(options: SampleOptions): Promise<TableSample> {
  const { transport, tableName, budget, today, signal, onProgress } = options
  const { Table: table } = await sendPatiently(transport, 'DescribeTable', { TableName: tableName })
  const { segments, pageUnits } = planPages(table, budget)
  const waiting: Position[] = Array.from({ length: segments }, (_, segment) => ({ segment }))
  const items: Item[] = []
  let itemBytes = averageBytes(table) ?? ITEM_BYTES_ASSUMED
  let readUnits = 0
  // What pages that are under way will probably cost.
  let reservedUnits = 0

  const readPages = async (): Promise<void> => {
    while (!signal?.aborted) {
      const position = waiting.shift()
      if (position === undefined) return
      const free = budget - readUnits - reservedUnits
      const limit = Math.max(1, Math.floor((Math.min(pageUnits, free) * UNIT_BYTES) / itemBytes))
      const expected = unitsOf(limit * itemBytes)
      if (expected > free) {
        waiting.unshift(position)
        return
      }
      reservedUnits += expected
      const page = await sendPatiently(transport, 'Scan', {
        TableName: tableName,
        Limit: limit,
        ReturnConsumedCapacity: 'TOTAL',
        ...(segments > 1 && { Segment: position.segment, TotalSegments: segments }),
        ...(position.next && { ExclusiveStartKey: position.next }),
      })
      reservedUnits -= expected
      const found = page.Items ?? []
      let foundBytes = 0
      for (const item of found) {
        const size = itemSizeBytes(item)
        foundBytes += size
        // Pages are planned for the largest item seen: with an average, one of large items would
        // take more than what is left of the budget.
        itemBytes = Math.max(itemBytes, size)
        items.push(item)
      }
      // Engines that are not AWS's may report nothing.
      readUnits += page.ConsumedCapacity?.CapacityUnits ?? unitsOf(foundBytes)
      if (page.LastEvaluatedKey) {
        waiting.push({ segment: position.segment, next: page.LastEvaluatedKey })
      }
      onProgress?.(items.length, readUnits)
    }
  }
  await Promise.all(Array.from({ length: Math.min(PAGES_AT_ONCE, segments) }, readPages))
  return {
    items,
    itemCount: table?.ItemCount,
    takenOn: today,
    isWhole: waiting.length === 0 && !signal?.aborted,
    readUnits,
  }
}

/** A segment and where it continues. */
interface Position {
  readonly segment: number
  readonly next?: Item | undefined
}

type Description = Operations['DescribeTable']['response']['Table']

/** Into how many segments the table is cut, and what a page of one may cost. */
function planPages(
  table: Description | undefined,
  budget: number,
): { readonly segments: number; readonly pageUnits: number } {
  const within = (least: number, units: number, most: number): number =>
    Math.min(most, Math.max(least, Math.floor(units)))
  const size = table?.TableSizeBytes
  // The figures are hours old: a table that was filled just now may say that it is empty.
  if (!table?.ItemCount || !size) return { segments: within(1, budget / 8, 32), pageUnits: 1 }
  if (size / UNIT_BYTES <= budget / 2) {
    const segments = within(1, size / UNIT_BYTES, 4)
    return { segments, pageUnits: within(1, budget / 8, PAGE_UNITS_MAX) }
  }
  return { segments: within(1, budget / 2, SEGMENTS_MAX), pageUnits: 1 }
}

function averageBytes(table: Description | undefined): number | undefined {
  const { ItemCount: count, TableSizeBytes: size } = table ?? {}
  return count && size ? size / count : undefined
}

function unitsOf(bytes: number): number {
  return Math.max(UNITS_STEP, Math.ceil(bytes / UNIT_BYTES / UNITS_STEP) * UNITS_STEP)
}
