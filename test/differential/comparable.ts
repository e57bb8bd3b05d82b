import { asMultiset, canonical } from './canonical.ts'
import type { Body, Outcome } from './outcome.ts'
import type { Step } from './program.ts'
import type { TableDesign } from './table-design.ts'

/**
 * An outcome as text that is equal for equal behaviour: without what DynamoDB leaves open, such as
 * the order of a scan, of set elements and of items whose index keys are equal.
 */
export function comparable(step: Step, design: TableDesign, outcome: Outcome): string {
  if (outcome.error !== undefined) return canonical(outcome.error)
  const pages = comparesCapacity(step, design) ? outcome.pages : outcome.pages.map(withoutCapacity)
  return canonical(comparableBody(step, design, pages))
}

/**
 * Whether DynamoDB Local's capacities are worth comparing. It is wrong on indexes (it counts
 * entries that do not change), on batches (missing items are free) and on transactions, and
 * DeleteItem reports units nobody asked for.
 */
function comparesCapacity({ operation, request }: Step, { indexes }: TableDesign): boolean {
  if (['INDEXES', 'TOTAL'].every((detail) => detail !== request.ReturnConsumedCapacity))
    return false
  if (operation === 'GetItem') return true
  return ['PutItem', 'UpdateItem', 'DeleteItem'].includes(operation) && indexes.length === 0
}

function withoutCapacity({ ConsumedCapacity, ...page }: Body): Body {
  return page
}

function comparableBody(step: Step, design: TableDesign, pages: readonly Body[]): unknown {
  switch (step.operation) {
    // Descriptions of tables have tests of their own.
    case 'UpdateTable':
      return {}
    case 'Query':
      return queryBody(step, design, pages)
    case 'Scan':
      return scanBody(step, pages)
    // A SELECT without the whole partition key is a scan.
    case 'ExecuteStatement':
      return pages.map((page) =>
        Array.isArray(page.Items) ? { ...page, Items: asMultiset(page.Items) } : page,
      )
    case 'BatchGetItem':
      return pages.map((page) => ({ ...page, Responses: byTable(page.Responses) }))
    default:
      return pages
  }
}

function queryBody(step: Step, design: TableDesign, pages: readonly Body[]): unknown {
  const { IndexName, ExclusiveStartKey } = step.request
  if (IndexName === undefined) return pages
  // Where a page starts among items with equal index keys is open.
  if (ExclusiveStartKey !== undefined) return 'answered'
  const index = design.indexes.find(({ name }) => name === IndexName)
  const names = index?.sort.map(({ name }) => name) ?? []
  return { pages: pages.length, ...totals(pages), Items: tiesSorted(itemsOf(pages), names) }
}

function scanBody(step: Step, pages: readonly Body[]): unknown {
  if (step.request.ExclusiveStartKey !== undefined) return 'answered'
  return {
    // How many pages the segments have follows from how a table is divided.
    ...(step.everySegment ? {} : { pages: pages.length }),
    ...totals(pages),
    Items: asMultiset(itemsOf(pages)),
  }
}

function totals(pages: readonly Body[]): object {
  const sum = (member: string): number =>
    pages.reduce((total, page) => total + Number(page[member]), 0)
  return {
    Count: sum('Count'),
    ScannedCount: sum('ScannedCount'),
    withItems: pages.every(({ Items }) => Items !== undefined),
    capacity: pages.every(({ ConsumedCapacity }) => ConsumedCapacity !== undefined),
  }
}

function itemsOf(pages: readonly Body[]): Record<string, unknown>[] {
  return pages.flatMap(({ Items }) => (Array.isArray(Items) ? Items : []))
}

/** The items with runs of equal sort keys put into an order of their own. */
function tiesSorted(items: Record<string, unknown>[], names: readonly string[]): unknown[] {
  // Where a projection hides the sort key, ties cannot be distinguished from the rest.
  if (!items.every((item) => names.every((name) => Object.hasOwn(item, name)))) {
    return asMultiset(items)
  }
  const sortKey = (item: Record<string, unknown>): string =>
    canonical(names.map((name) => item[name]))
  const runs: Record<string, unknown>[][] = []
  let previous: string | undefined
  for (const item of items) {
    const key = sortKey(item)
    if (key === previous) runs.at(-1)?.push(item)
    else runs.push([item])
    previous = key
  }
  return runs.flatMap(asMultiset)
}

function byTable(responses: unknown): unknown {
  return Object.entries(responses ?? {}).map(([table, items]) => [table, asMultiset(items)])
}
