import { keyVariables } from '../schema/key-variables.ts'
import type { Model, ModelIndex, Pattern } from '../schema/model.ts'
import type { AskedQuery, PatternExpectation } from '../schema/pattern-definition.ts'
import type { StatsDefinition } from '../schema/schema-definition.ts'
import { getOwn } from '../values/own.ts'
import { readFactor, unitsToRead } from '../values/units.ts'
import type { FanOut } from './read/fan-out.ts'
import { bucketsOf, queryCost } from './read/read-cost.ts'

/**
 * What one call costs, computed from what the schema expects; `null` where it says nothing of
 * sizes.
 */
export interface PatternCost {
  /** Read units: an eventually consistent read of 4 KB is half of one. */
  readonly rru: number
  /** How the figure comes about. */
  readonly basis: string
}

/** What a pattern reads besides its entities, and in which partitions. */
export interface PatternReading {
  readonly others: readonly Model[]
  readonly fan: FanOut | undefined
  /** The limit, where it holds for what is read: a filter leaves out hardly anything. */
  readonly limit: number | undefined
}

/** The size and number of items are taken from the pattern, or else from the models. */
export function costOf(
  pattern: Pattern,
  { others, fan, limit }: PatternReading,
): PatternCost | null {
  const { definition, models, target } = pattern
  const { op } = definition
  const { itemsRead, itemBytes } = expectationOf(definition)
  const consistent = (definition as { consistent?: boolean }).consistent === true
  if (op === 'query') {
    const read = [...models, ...others.filter((model) => averageOf(model) !== undefined)]
    const by = [...definition.by, ...(definition.in ?? [])]
    const counts = read.map((model) => itemsInQuery(model, pattern.use!, by))
    const found = sumOf(counts.map((count) => count && count * bucketsOf(fan)))
    const items = itemsRead ?? (found === undefined ? limit : Math.min(found, limit ?? found))
    const sizes = read.map((model) => sizeIn(model, pattern.use!))
    const bytes =
      itemBytes ??
      (read.length === 1
        ? sizes[0]
        : found &&
          sumOf(sizes.map((size, at) => size && (size * counts[at]! * bucketsOf(fan)) / found)))
    const whole = target && statsOf(target).itemBytes
    if (items === undefined || bytes === undefined || (target && whole === undefined)) return null
    const fetched = Math.min(items, definition.limit ?? items)
    const { units, fetchUnits, steps } = queryCost({
      items,
      bytes,
      consistent,
      fan,
      limit,
      perPartition: models.length === 1 ? averageOf(models[0]!) : undefined,
      fetched:
        whole === undefined
          ? undefined
          : { items: fetched, bytes: whole, consistent: consistent && target === models[0] },
    })
    const basis = `${items} × ${Math.round(bytes)} B → ${steps * 4} KB → ${units - fetchUnits} RRU`
    return {
      rru: units,
      basis: target ? `${basis}, and ${fetched} × ${whole} B by key → ${fetchUnits} RRU` : basis,
    }
  }
  if (op === 'scan') {
    const all = [...(models[0]?.schema.models.values() ?? [])].map(statsOf)
    const bytes = sumOf(all.map(({ count, itemBytes: size }) => count && size && count * size))
    if (bytes === undefined || all.length === 0) return null
    const rru = unitsToRead(bytes, 'eventual')
    return { rru, basis: `${bytes} B → ${rru * 8} KB → ${rru} RRU` }
  }
  const count = itemsRead ?? (op === 'get' ? 1 : undefined)
  const bytes = itemBytes ?? (models[0] && statsOf(models[0]).itemBytes)
  if (count === undefined || bytes === undefined) return null
  // Items by key are rounded up each for itself.
  const blocks = count * unitsToRead(bytes, 'strong')
  const own =
    blocks * readFactor(op === 'transactGet' ? 'transactional' : consistent ? 'strong' : 'eventual')
  const basis = `${count} × ${bytes} B → ${blocks * 4} KB → ${own} RRU`
  return op === 'get' && definition.unique
    ? { rru: own + 1, basis: `${basis}, and 1 to find the key` }
    : { rru: own, basis }
}

/**
 * How many items of a model a query comes upon: one if its whole key is given, else what the schema
 * says of partitions of the table.
 */
export function itemsInQuery(
  model: Model,
  { index }: ModelIndex,
  by: readonly string[],
): number | undefined {
  const { hash, sort } = model.primary
  // Of a time whose bucket is in the partition key, a partition has many.
  const known = [...by, ...keyVariables(hash, false)]
  const isOne = index.type === 'primary' && keyVariables(sort).every((name) => known.includes(name))
  return isOne ? 1 : averageOf(model)
}

export function averageOf(model: Model): number | undefined {
  return statsOf(model).perPartition?.average
}

/** How many items are fetched by key after a query. */
export function itemsFetched({ definition, models, use }: Pattern): number {
  const { by, limit } = definition as AskedQuery
  const found = use && itemsInQuery(models[0]!, use, by)
  return expectationOf(definition).itemsRead ?? limit ?? found ?? 1
}

function sizeIn(model: Model, { index }: ModelIndex): number | undefined {
  return index.project === 'all' ? statsOf(model).itemBytes : undefined
}

function expectationOf(definition: { readonly expect?: PatternExpectation }): PatternExpectation {
  return definition.expect ?? {}
}

function statsOf(model: Model): StatsDefinition {
  return getOwn(model.schema.definition.models, model.name)?.stats ?? {}
}

function sumOf(values: readonly (number | undefined)[]): number | undefined {
  return values.reduce(
    (sum, each) => (sum === undefined || each === undefined ? undefined : sum + each),
    0,
  )
}
