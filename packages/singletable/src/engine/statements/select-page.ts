import { conditionPaths } from '../../expression/condition-paths.ts'
import type { Item } from '../../values/attribute-value.ts'
import { CapacityMeter } from '../capacity/consumed-capacity.ts'
import type { Index, Table } from '../catalog/table.ts'
import type { EngineContext } from '../context/context.ts'
import { keyNotScalar } from '../messages/key-messages.ts'
import {
  NEXT_TOKEN_INVALID,
  ORDER_BY_WITHOUT_KEY,
  orderByNotKey,
} from '../messages/partiql-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { type Page, pageSteps } from '../read/read-page.ts'
import { refuseConsistentRead, requireIndex } from '../read/require-index.ts'
import { scanRange } from '../read/scan-range.ts'
import { selectAttributes } from '../read/select-attributes.ts'
import { startKey } from '../read/start-key.ts'
import type { StorageRange } from '../storage/storage.ts'
import { copyForCaller } from '../storage/stored-item.ts'
import { requireTable } from '../tables/require-table.ts'
import type { BoundSelect } from './bind-statement.ts'
import { selectColumns } from './select-list.ts'
import { selectRanges } from './select-ranges.ts'

export interface SelectOptions {
  readonly consistent: boolean | undefined
  readonly limit: number | undefined
  /** Where the page before ended. */
  readonly startKey: Item | undefined
}

export interface SelectPage {
  readonly items: Item[]
  readonly lastEvaluatedKey: Item | undefined
  readonly capacity: CapacityMeter
}

/** Reads one page of a SELECT: from the item collections its WHERE clause names, else from the
 * whole table or index. */
export function* selectPage(
  context: EngineContext,
  select: BoundSelect,
  options: SelectOptions,
): Generator<void, SelectPage> {
  const table = requireTable(context, select.source.table)
  const index = requireIndex(context, table, select.source.index)
  refuseConsistentRead(index, options.consistent)
  refuseNestedKeys(index, select)
  const order = readOrder(index, select)
  const { ranges, filter } = selectRanges(index, select.condition)
  const wanted = ranges?.map(({ range }) => range) ?? [scanRange(index, 0, 1)]
  if (order.partitionsReversed) wanted.reverse()
  const startAfter = requireStart(table, index, options.startKey)
  const capacity = new CapacityMeter(table)
  const items: Item[] = []
  // Columns are picked from objects, also where the answer becomes text.
  const reading = { ...context, copyForCaller }
  let limit = options.limit ?? Number.POSITIVE_INFINITY
  let lastEvaluatedKey: Item | undefined
  for (const range of remainingRanges(wanted, startAfter)) {
    const page = yield* pageSteps(reading, {
      table,
      index,
      range,
      startAfter: startAfter !== undefined && contains(range, startAfter) ? startAfter : undefined,
      reverse: order.reversed,
      limit,
      filter,
      returns: selectAttributes(
        index,
        undefined,
        select.columns?.map(({ path }) => path),
      ),
      consistent: options.consistent === true,
    })
    for (const item of page.items) items.push(selectColumns(select.columns, item))
    yield
    addCapacity(capacity, index, page)
    limit -= page.scannedCount
    lastEvaluatedKey = page.lastEvaluatedKey
    if (lastEvaluatedKey !== undefined) break
  }
  return { items, lastEvaluatedKey, capacity }
}

function addCapacity(total: CapacityMeter, index: Index, page: Page): void {
  const { CapacityUnits: units, Table: table } = page.capacity.show('INDEXES')
  const tableUnits = table?.CapacityUnits ?? 0
  total.addTable(tableUnits)
  if (index.kind !== 'primary') total.addIndex(index, units - tableUnits)
}

function requireStart(table: Table, index: Index, key: Item | undefined): string | undefined {
  if (key === undefined) return undefined
  const found = startKey(table, index, key)
  if (found === undefined) throw validationError(NEXT_TOKEN_INVALID)
  return found
}

/** The ranges from the one on that the page before ended in. */
function remainingRanges(
  ranges: readonly StorageRange[],
  startAfter: string | undefined,
): readonly StorageRange[] {
  if (startAfter === undefined) return ranges
  const position = ranges.findIndex((range) => contains(range, startAfter))
  if (position < 0) throw validationError(NEXT_TOKEN_INVALID)
  return ranges.slice(position)
}

function contains(range: StorageRange, key: string): boolean {
  return key >= range.start && key < range.end
}

/** ORDER BY can only turn around what the index is ordered by. */
function readOrder(
  index: Index,
  { orderBy, condition }: BoundSelect,
): { readonly reversed: boolean; readonly partitionsReversed: boolean } {
  let reversed = false
  let partitionsReversed = false
  for (const { name, descending } of orderBy) {
    if (index.partition.some((attribute) => attribute.name === name)) {
      partitionsReversed = descending
    } else if (index.sort.some((attribute) => attribute.name === name)) {
      reversed = descending
    } else {
      throw validationError(orderByNotKey(name))
    }
  }
  if (orderBy.length > 0 && condition !== undefined) {
    const names = new Set(conditionPaths(condition).map(([name]) => name))
    if (!index.partition.some(({ name }) => names.has(name))) {
      throw validationError(ORDER_BY_WITHOUT_KEY)
    }
  }
  return { reversed, partitionsReversed }
}

/** A key attribute is a scalar: nothing can be reached inside it. */
function refuseNestedKeys(index: Index, { columns, condition }: BoundSelect): void {
  const paths = [
    ...(columns ?? []).map(({ path }) => path),
    ...(condition === undefined ? [] : conditionPaths(condition)),
  ]
  for (const path of paths) {
    const [name] = path
    const isKey = index.keyAttributes.some((attribute) => attribute.name === name)
    if (path.length > 1 && isKey) throw validationError(keyNotScalar(name, 'Key'))
  }
}
