import {
  type AskedQuery,
  averageOf,
  BATCH_GET_KEYS_MAX,
  bucketsOf,
  itemsInQuery,
  keyVariables,
  type Model,
  type ModelIndex,
  PAGE_SIZE_MAX_BYTES,
  type Pattern,
  type PatternReading,
  queryCost,
  readFactor,
  readingOf,
  unitsToRead,
} from 'singletable/tools'
import type { CostDesign } from './cost-design.ts'
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
  const isUnique = definition.op === 'get' && definition.unique
  const own = count.value * unitsToRead(bytes.value, 'strong') * readFactor(consistency)
  const units = own + (isUnique ? 1 : 0)
  return {
    units: figure(
      units,
      worstBasis([count, bytes]),
      `${printNumber(count.value)} × ${bytes.value} B, ${printNumber(unitsToRead(bytes.value, 'strong') * 4)} KB each, ${consistency} → ${printNumber(own)}${isUnique ? ', and 1 to find the key' : ''}`,
    ),
    itemsRead: count,
    itemBytes: bytes,
    requests: isMany ? Math.max(1, Math.ceil(count.value / BATCH_GET_KEYS_MAX)) : isUnique ? 2 : 1,
  }
}

/** As the plan of the pattern computes it, with sizes that are sampled or assumed where the schema
 * declares none. */
function query(design: CostDesign, pattern: Pattern, definition: AskedQuery): ReadUnits {
  const { target, models } = pattern
  const { consistent = false } = definition
  const reading = readingOf(pattern, design.now)
  const { fan, limit } = reading
  const { count, bytes } = itemsOfQuery(design, pattern, definition, reading)
  const whole = target && itemBytes(design, target)
  const fetched = Math.min(count.value, definition.limit ?? count.value)
  const { units, fetchUnits, steps, requests, itemsRead } = queryCost({
    items: count.value,
    bytes: bytes.value,
    consistent,
    fan,
    limit,
    perPartition: models.length === 1 ? averageOf(models[0]!) : undefined,
    // Whole items of the same model are fetched as consistently as their index is read; a batch of
    // others is not.
    fetched: whole && {
      items: fetched,
      bytes: whole.value,
      consistent: consistent && target === models[0],
    },
  })
  const shards = fan && fan.shards > 1 ? ` in ${fan.shards} shards` : ''
  const own = `${printNumber(itemsRead)} × ${printNumber(bytes.value)} B${shards} → ${steps * 4} KB, ${consistent ? 'strong' : 'eventual'} → ${printNumber(units - fetchUnits)}`
  const fetch = whole
    ? `, and ${printNumber(fetched)} ${target.name} × ${whole.value} B by key → ${printNumber(fetchUnits)}`
    : ''
  return {
    units: figure(units, worstBasis([count, bytes, ...(whole ? [whole] : [])]), own + fetch),
    itemsRead: { ...count, value: itemsRead + (whole ? fetched : 0) },
    itemBytes: bytes,
    requests,
  }
}

/** How many items a query finds, and their mean size. */
function itemsOfQuery(
  design: CostDesign,
  pattern: Pattern,
  { expect, by }: AskedQuery,
  { others, fan, limit }: PatternReading,
): { readonly count: Figure; readonly bytes: Figure } {
  const { models, use } = pattern
  // Of others that are read and left out, as far as it is declared how many there are.
  const read = [...models, ...others.filter((model) => averageOf(model) !== undefined)]
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
  const found = figure(
    total * bucketsOf(fan),
    worstBasis(counts),
    counts.map(({ formula }) => formula).join(' + '),
  )
  if (limit === undefined) return { count: found, bytes }
  // No more than there are, where the schema says how many.
  const isKnown = read.every((model) => itemsInQuery(model, use!, by) !== undefined)
  const isLess = isKnown && found.value < limit
  return { count: isLess ? found : figure(limit, 'declared', `limit ${limit}`), bytes }
}

/** How many items of a model a query comes upon. What the schema says is about partitions of the
 * table. */
function perQuery(model: Model, use: ModelIndex, by: readonly string[]): Figure {
  const { name, primary } = model
  const items = itemsInQuery(model, use, by)
  if (items === undefined) {
    return figure(ITEMS_READ_DEFAULT, 'default', `${ITEMS_READ_DEFAULT} ${name} assumed`)
  }
  if (items !== averageOf(model)) return figure(items, 'declared', `${items} ${name}`)
  if (use.index.type === 'global') {
    return figure(items, 'default', `${items} ${name} assumed, as in a partition of the table`)
  }
  const isPart = keyVariables(primary.sort).some((each) => by.includes(each))
  return isPart
    ? figure(items, 'default', `${items} ${name} assumed, as in the whole partition`)
    : figure(items, 'declared', `${items} ${name} per partition`)
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

function declaredBytes(value: number): Figure {
  return figure(value, 'declared', `${value} B`)
}

function figure(value: number, basis: Figure['basis'], formula: string): Figure {
  return { value, basis, formula }
}
