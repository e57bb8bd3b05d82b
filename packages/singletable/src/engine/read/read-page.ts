import { conditionSteps, evaluateCondition } from '../../expression/evaluate/evaluate-condition.ts'
import type { Condition, Projection } from '../../expression/tree.ts'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { copyItem } from '../../values/copy.ts'
import { PAGE_SIZE_MAX_BYTES } from '../../values/limits.ts'
import { setOwn } from '../../values/own.ts'
import { unitsToRead } from '../../values/units.ts'
import { CapacityMeter } from '../capacity/consumed-capacity.ts'
import type { Index, Table } from '../catalog/table.ts'
import type { EngineContext } from '../context/context.ts'
import { LARGE_BYTES } from '../context/turns.ts'
import { primaryKey } from '../indexes/entry-key.ts'
import type { StorageRange } from '../storage/storage.ts'
import type { StoredItem } from '../storage/stored-item.ts'
import { showItem } from './show-item.ts'

export interface PageRequest {
  readonly table: Table
  readonly index: Index
  readonly range: StorageRange
  /** Storage key of the entry the page starts behind. */
  readonly startAfter?: string | undefined
  readonly reverse: boolean
  /** Entries to look at, at most. */
  readonly limit: number
  readonly filter?: Condition | undefined
  /** `count` returns no items, `entry` what the index holds, `item` all attributes of the item. */
  readonly returns: 'count' | 'entry' | 'item'
  readonly projection?: Projection | undefined
  readonly consistent: boolean
  /** At most one entry can be found: then there is nowhere to continue, so the page has no key to
   * continue from. */
  readonly isSingle?: boolean
}

export interface Page {
  readonly items: Item[]
  readonly count: number
  readonly scannedCount: number
  readonly lastEvaluatedKey?: Item
  readonly capacity: CapacityMeter
}

/** A step of reading a page ends at the entry that reaches one of these, if there are turns to
 * take. */
const STEP_ENTRIES = 64
const STEP_BYTES = 65_536

/** Reads one page of a table or index, as Query, Scan and PartiQL's SELECT do. */
export function* pageSteps(context: EngineContext, request: PageRequest): Generator<void, Page> {
  const { table, index, filter, projection } = request
  const fetches =
    index.kind === 'local' && index.projected !== undefined && request.returns === 'item'
  const consistency = request.consistent ? 'strong' : 'eventual'
  const capacity = new CapacityMeter(table)
  const items: Item[] = []
  let count = 0
  let scannedCount = 0
  let sizeBytes = 0
  let last: StoredItem | undefined

  const workPerByte = filter === undefined ? 1 : comparisonsOf(filter)
  let stepEntries = 0
  let stepBytes = 0
  /** Where the next step starts. */
  let stepEnd: string | undefined

  /** An entry that takes longer to filter than a visit may last. */
  let waiting: { readonly key: string; readonly entry: StoredItem } | undefined

  const look = (key: string, value: object): boolean => {
    const entry = value as StoredItem
    if (filter !== undefined && context.nextTurn !== undefined && entry.sizeBytes >= LARGE_BYTES) {
      waiting = { key, entry }
      return false
    }
    const found = foundFor(entry)
    return add(key, entry, found, filter === undefined || evaluateCondition(filter, found.item))
  }

  const foundFor = (entry: StoredItem): StoredItem => {
    if (!fetches) return entry
    const found = context.storage.get(primaryKey(table, entry.item)) as StoredItem
    capacity.addTable(unitsToRead(found.sizeBytes, consistency))
    return found
  }

  const add = (key: string, entry: StoredItem, found: StoredItem, isWanted: boolean): boolean => {
    scannedCount++
    sizeBytes += entry.sizeBytes
    if (isWanted) {
      count++
      if (request.returns !== 'count') {
        items.push(showItem(context, found, projection))
      }
    }
    if (scannedCount >= request.limit || sizeBytes >= PAGE_SIZE_MAX_BYTES) {
      last = entry
      return false
    }
    stepBytes += entry.sizeBytes * workPerByte
    if (++stepEntries < STEP_ENTRIES && stepBytes < STEP_BYTES) return true
    if (context.nextTurn === undefined) return true
    stepEnd = key
    return false
  }

  context.storage.visit(remaining(request), look)
  while (stepEnd !== undefined || waiting !== undefined) {
    yield
    if (waiting !== undefined) {
      const { key, entry }: { readonly key: string; readonly entry: StoredItem } = waiting
      waiting = undefined
      const found = foundFor(entry)
      const { item } = found
      yield
      const isWanted = yield* conditionSteps(filter!, item)
      stepEnd = undefined
      if (!add(key, entry, found, isWanted) && last !== undefined) break
      stepEnd = key
    }
    if (stepEnd === undefined) break
    const startAfter: string = stepEnd
    stepEnd = undefined
    stepEntries = 0
    stepBytes = 0
    context.storage.visit(remaining({ ...request, startAfter }), look)
  }

  if (index.kind !== 'primary') capacity.addTable(0)
  capacity.addIndex(index, unitsToRead(sizeBytes, consistency))
  const page = { items, count, scannedCount, capacity }
  return last === undefined || request.isSingle === true
    ? page
    : { ...page, lastEvaluatedKey: startKeyOf(table, index, last.item) }
}

/** How often a condition goes over an item, roughly. */
function comparisonsOf(condition: Condition): number {
  let comparisons = 1
  let current = condition
  for (; current.kind === 'and' || current.kind === 'or'; current = current.left) {
    comparisons += comparisonsOf(current.right)
  }
  return current.kind === 'not' ? comparisons - 1 + comparisonsOf(current.condition) : comparisons
}

function remaining({ range, startAfter, reverse }: PageRequest): StorageRange {
  const { start, end } = range
  if (startAfter === undefined) return { start, end, reverse }
  if (reverse) return { start, end: startAfter < end ? startAfter : end, reverse }
  // Nothing lies between a key and the same key with a zero byte behind it.
  const next = `${startAfter}\0`
  return { start: next > start ? next : start, end, reverse }
}

/** The key attributes of table and index, which say where the next page starts. */
export function startKeyOf(table: Table, index: Index, item: Item): Item {
  const key: Record<string, AttributeValue> = {}
  const { primary } = table
  for (const attributes of [primary.keyAttributes, index.keyAttributes]) {
    for (const { name } of attributes) setOwn(key, name, item[name]!)
  }
  return copyItem(key)
}
