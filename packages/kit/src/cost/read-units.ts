import {
  BATCH_GET_KEYS_MAX,
  keyVariables,
  leakingModels,
  type Model,
  type ModelIndex,
  PAGE_SIZE_MAX_BYTES,
  type Pattern,
  type QueryPattern,
  readFactor,
  shardsRead,
  unitsToRead,
} from 'singletable/tools'
import { type CostDesign, statsOf } from './cost-design.ts'
import { type Figure, printNumber, worstBasis } from './figure.ts'
import { itemBytes, projectedBytes } from './item-bytes.ts'
import { itemCount } from './item-count.ts'

/** What one call of a pattern reads. */
export interface ReadUnits {
  /** Read units in all. */
  readonly units: Figure
  /** Items that are read and paid for, whether they are results or not. */
  readonly itemsRead: Figure
  /** The mean size of what is read of each. */
  readonly itemBytes: Figure
  /** Requests of one call. */
  readonly requests: number
}

/** Items of a partition where the schema says nothing. */
export const ITEMS_READ_DEFAULT = 20

/** What one call of a pattern reads; undefined if it does not read items of its own, but writes. */
export function readUnits(design: CostDesign, pattern: Pattern): ReadUnits | undefined {
  const { definition } = pattern
  switch (definition.op) {
    case 'get':
    case 'batchGet':
    case 'transactGet':
      return byKey(design, pattern)
    case 'query':
      return query(design, pattern, definition)
    case 'scan':
      return scan(design)
    default:
      return undefined
  }
}

/** Items by key are rounded up each for itself. */
function byKey(design: CostDesign, { definition, models }: Pattern): ReadUnits {
  const isMany = definition.op !== 'get'
  const { itemsRead: declared, itemBytes: size } = definition.expect ?? {}
  const count: Figure =
    declared !== undefined
      ? figure(declared, 'declared', `${declared} items`)
      : figure(isMany ? ITEMS_READ_DEFAULT : 1, isMany ? 'default' : 'declared', '')
  const bytes = size === undefined ? itemBytes(design, models[0]!) : declaredBytes(size)
  const isStrong = 'consistent' in definition && definition.consistent === true
  const consistency =
    definition.op === 'transactGet' ? 'transactional' : isStrong ? 'strong' : 'eventual'
  const units = count.value * unitsToRead(bytes.value, 'strong') * readFactor(consistency)
  return {
    units: figure(
      units,
      worstBasis([count, bytes]),
      `${printNumber(count.value)} × ${bytes.value} B, ${printNumber(unitsToRead(bytes.value, 'strong') * 4)} KB each, ${consistency} → ${printNumber(units)}`,
    ),
    itemsRead: count,
    itemBytes: bytes,
    requests: isMany ? Math.max(1, Math.ceil(count.value / BATCH_GET_KEYS_MAX)) : 1,
  }
}

/** A query is rounded up on the sum of each page; every request costs at least one step. */
function query(design: CostDesign, pattern: Pattern, definition: QueryPattern): ReadUnits {
  const { target } = pattern
  const { consistent = false, limit, filter } = definition
  const { count, bytes } = itemsOfQuery(design, pattern, definition)
  const shards = shardsRead(pattern)
  const wanted = filter ? undefined : limit
  // Of each shard about twice its part is asked for; what it has not can't be read.
  const most =
    wanted !== undefined && shards > 1
      ? shards * Math.min(wanted, Math.ceil((2 * wanted) / shards) + 1)
      : count.value
  const inPartition = perPartition(pattern)
  const read = Math.max(count.value, Math.min(most, inPartition ?? most))
  const pages = pagesOf(read / shards, bytes.value)
  const factor = readFactor(consistent ? 'strong' : 'eventual')
  const steps = shards * pages.steps
  const own = steps * factor
  const formula = `${printNumber(read)} × ${printNumber(bytes.value)} B${shards > 1 ? ` in ${shards} shards` : ''} → ${steps * 4} KB, ${consistent ? 'strong' : 'eventual'} → ${printNumber(own)}`
  const itemsRead = { ...count, value: read }
  const requests = shards * pages.count
  const basis = worstBasis([count, bytes])
  if (target === undefined) {
    return { units: figure(own, basis, formula), itemsRead, itemBytes: bytes, requests }
  }
  const whole = itemBytes(design, target)
  // Whole items of the same model are fetched as consistently as their index is read; a batch of others is not.
  const fetchFactor = target === pattern.models[0] ? factor : 0.5
  const fetched = count.value * unitsToRead(whole.value, 'strong') * fetchFactor
  return {
    units: figure(
      own + fetched,
      worstBasis([count, bytes, whole]),
      `${formula}, and ${printNumber(count.value)} ${target.name} × ${whole.value} B by key → ${printNumber(fetched)}`,
    ),
    itemsRead: { ...itemsRead, value: read + count.value },
    itemBytes: bytes,
    requests: requests + Math.ceil(count.value / BATCH_GET_KEYS_MAX),
  }
}

/** How many items a query finds, and their mean size. */
function itemsOfQuery(
  design: CostDesign,
  pattern: Pattern,
  { expect, limit, filter, by }: QueryPattern,
): { readonly count: Figure; readonly bytes: Figure } {
  const { models, use } = pattern
  const read = [...models, ...strangers(pattern)]
  const sizes = read.map((model) => projectedBytes(design, model, use!.index)!)
  const counts = read.map((model) => perQuery(model, use!, by))
  const total = counts.reduce((sum, { value }) => sum + value, 0)
  const weighted = sizes.reduce((sum, { value }, at) => sum + value * counts[at]!.value, 0)
  const bytes =
    expect?.itemBytes !== undefined
      ? declaredBytes(expect.itemBytes)
      : read.length === 1
        ? sizes[0]!
        : figure(
            total === 0 ? 0 : weighted / total,
            worstBasis([...sizes, ...counts]),
            sizes.map(({ formula }) => formula).join(', '),
          )
  if (expect?.itemsRead !== undefined) {
    const { itemsRead } = expect
    return { count: figure(itemsRead, 'declared', `${itemsRead} items`), bytes }
  }
  const found = figure(total, worstBasis(counts), counts.map(({ formula }) => formula).join(' + '))
  if (limit === undefined || filter !== undefined) return { count: found, bytes }
  // No more than there are, where that is declared.
  const isLess = found.basis === 'declared' && found.value < limit
  return { count: isLess ? found : figure(limit, 'declared', `limit ${limit}`), bytes }
}

/** Models whose items are read and left out, as far as it is declared how many there are. */
function strangers(pattern: Pattern): readonly Model[] {
  const { models } = pattern.models[0]!.schema
  return leakingModels(pattern).flatMap((name) => {
    const model = models.get(name)
    return model && statsOf(model).perPartition?.average !== undefined ? [model] : []
  })
}

/** How many items of a model a query comes upon. What the schema says is about partitions of the table. */
function perQuery(model: Model, { index }: ModelIndex, by: readonly string[]): Figure {
  const { name, primary } = model
  const average = statsOf(model).perPartition?.average
  const known = [...by, ...keyVariables(primary.hash)]
  const sort = keyVariables(primary.sort)
  if (index.type === 'primary' && sort.every((each) => known.includes(each))) {
    return figure(1, 'declared', `1 ${name}`)
  }
  if (average === undefined) {
    return figure(ITEMS_READ_DEFAULT, 'default', `${ITEMS_READ_DEFAULT} ${name} assumed`)
  }
  if (index.type === 'global') {
    return figure(average, 'default', `${average} ${name} assumed, as in a partition of the table`)
  }
  const isPart = sort.some((each) => by.includes(each))
  return isPart
    ? figure(average, 'default', `${average} ${name} assumed, as in the whole partition`)
    : figure(average, 'declared', `${average} ${name} per partition`)
}

function perPartition({ models }: Pattern): number | undefined {
  return models.length === 1 ? statsOf(models[0]!).perPartition?.average : undefined
}

/** A scan reads the whole table, whatever it looks for. */
function scan(design: CostDesign): ReadUnits {
  const parts = [...(design.schema?.models.values() ?? [])].map((model) => {
    const count = itemCount(design, model)
    return {
      count: count ?? figure(0, 'default', `${model.name} unknown`),
      bytes: itemBytes(design, model),
    }
  })
  const count = parts.reduce((sum, part) => sum + part.count.value, 0)
  const total = parts.reduce((sum, part) => sum + part.count.value * part.bytes.value, 0)
  const units = unitsToRead(total, 'strong') * 0.5
  const basis = worstBasis(parts.flatMap((part) => [part.count, part.bytes]))
  return {
    units: figure(
      units,
      basis,
      `${printNumber(count)} items, ${printNumber(total)} B, eventual → ${printNumber(units)}`,
    ),
    itemsRead: figure(count, basis, 'the whole table'),
    itemBytes: figure(count === 0 ? 0 : total / count, basis, 'the mean of all items'),
    requests: Math.max(1, Math.ceil(total / PAGE_SIZE_MAX_BYTES)),
  }
}

/** Pages of so many items, and the steps of all of them: a page ends with the item that reaches its size. */
function pagesOf(items: number, bytes: number): { readonly count: number; readonly steps: number } {
  const onPage = bytes > 0 ? Math.ceil(PAGE_SIZE_MAX_BYTES / bytes) : Infinity
  const full = Math.floor(items / onPage)
  if (full === 0) return { count: 1, steps: unitsToRead(items * bytes, 'strong') }
  const rest = items - full * onPage
  const last = rest > 0 ? 1 : 0
  return {
    count: full + last,
    steps:
      full * unitsToRead(onPage * bytes, 'strong') + last * unitsToRead(rest * bytes, 'strong'),
  }
}

function declaredBytes(value: number): Figure {
  return figure(value, 'declared', `${value} B`)
}

function figure(value: number, basis: Figure['basis'], formula: string): Figure {
  return { value, basis, formula }
}
